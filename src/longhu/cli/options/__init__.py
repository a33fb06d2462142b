"""What many commands let the user choose: a game, a shoe, stakes, a house, a file."""
