"""Compiled code that deals."""

from longhu.compiled_kernels import compare

compare()
