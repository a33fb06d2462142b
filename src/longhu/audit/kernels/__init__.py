"""Compiled code for long files. Imported only when a file has turned out to be long."""

from longhu.kept_kernels import compare

compare()
