"""Compiled code that deals."""

from longhu import kept_kernels

kept_kernels.compare()
