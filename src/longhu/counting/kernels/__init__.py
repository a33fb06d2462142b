"""Compiled code that deals what is left of a shoe."""

from longhu.kept_kernels import compare

compare()
