"""Sentences to meaning, meaning to sentences: pure."""
