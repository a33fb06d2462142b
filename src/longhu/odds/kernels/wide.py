"""Whole numbers of 256 bits as values of a compiled kernel: room for every deal of two hands of twenty-one.

Ten decks have fewer than 2 to the 217th ordered deals of 24 cards. Arithmetic is modulo 2 to the 256th, so a
difference may be negative on the way as long as the result is not.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model

from longhu.odds.kernels.memory import accessors

BITS, LIMBS = 256, 4


class Wide(types.Type):
    def __init__(self) -> None:
        super().__init__(name="wide_integer")


wide = Wide()
INTEGER = ir.IntType(BITS)


@register_model(Wide)
class _WideModel(models.PrimitiveModel):
    def __init__(self, manager: Any, of: Any) -> None:
        super().__init__(manager, of, INTEGER)


load, store = accessors(wide, INTEGER, LIMBS)  # limbs 4 n to 4 n + 3 of an array, the lowest first


@intrinsic
def add(_typing: Any, one: Any, other: Any) -> Any:
    return wide(wide, wide), lambda _context, builder, _signature, args: builder.add(*args)


@intrinsic
def subtract(_typing: Any, one: Any, other: Any) -> Any:
    return wide(wide, wide), lambda _context, builder, _signature, args: builder.sub(*args)


@intrinsic
def multiply(_typing: Any, one: Any, other: Any) -> Any:
    return wide(wide, wide), lambda _context, builder, _signature, args: builder.mul(*args)


@intrinsic
def times(_typing: Any, one: Any, factor: Any) -> Any:
    """A number times a small one that is not negative."""

    def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        # Limb by limb with a carry: told so, the compiler makes four multiplications of it and no more.
        limb, double = ir.IntType(64), ir.IntType(128)
        by, carry, product = builder.zext(args[1], double), ir.Constant(double, 0), ir.Constant(INTEGER, 0)
        for place in range(LIMBS):
            shift = ir.Constant(INTEGER, 64 * place)
            part = builder.zext(builder.trunc(builder.lshr(args[0], shift), limb), double)
            step = builder.add(builder.mul(part, by), carry)
            low = builder.zext(builder.trunc(step, limb), INTEGER)
            product = builder.or_(product, builder.shl(low, shift))
            carry = builder.lshr(step, ir.Constant(double, 64))
        return product

    return wide(wide, types.int64), build


@intrinsic
def times_signed(_typing: Any, one: Any, factor: Any) -> Any:
    """A number times a small one that may be negative."""

    def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.mul(args[0], builder.sext(args[1], INTEGER))

    return wide(wide, types.int64), build


@intrinsic
def zero(_typing: Any) -> Any:
    return wide(), lambda _context, _builder, _signature, _args: ir.Constant(INTEGER, 0)
