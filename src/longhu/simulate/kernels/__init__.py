"""Compiled code that deals."""

from longhu.kept_kernels import compare

compare()
