"""Compiled code that deals what is left of a shoe."""

from longhu import kept_kernels

kept_kernels.compare()
