"""Wagers placed, raised or pulled back after the closing call, and wagers found to be off the limits."""
