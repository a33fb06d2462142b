"""Compiled code that counts many shoes at once."""

from longhu.kept_kernels import compare

compare()
