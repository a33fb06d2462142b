"""Patrons are asked whether they withdraw, and the round waits for their answers."""
