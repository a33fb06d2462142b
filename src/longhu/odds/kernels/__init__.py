"""Compiled code that counts many shoes at once."""

from longhu.compiled_kernels import compare

compare()
