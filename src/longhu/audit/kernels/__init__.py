"""Compiled code for long files. Imported only when a file has turned out to be long."""

from longhu import kept_kernels

kept_kernels.compare()
