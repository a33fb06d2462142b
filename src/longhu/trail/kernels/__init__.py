"""Compiled code for long files. Imported only when a file has turned out to be long."""
