"""Compiled code that counts many shoes at once."""

from longhu import kept_kernels

kept_kernels.compare()
