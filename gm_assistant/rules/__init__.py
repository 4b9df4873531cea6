"""The rules: pure functions over frozen values."""

from gm_assistant.rules.apply import apply, replay
from gm_assistant.rules.decide import decide, start
from gm_assistant.rules.legal import legal_commands
from gm_assistant.rules.position import parse_position, position

__all__ = ["apply", "decide", "legal_commands", "parse_position", "position", "replay", "start"]
