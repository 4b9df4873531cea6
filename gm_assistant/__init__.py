"""An offline, voice-first game-master assistant for people around a real table."""

__version__ = "0.1.0"
