"""Talks of their own that take over until they end: the deal, the prologue, visits to the headset."""
