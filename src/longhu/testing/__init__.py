"""Tools for testing a game, for ours and for third parties."""
