"""Compiled code that deals what is left of a shoe."""

from longhu.compiled_kernels import compare

compare()
