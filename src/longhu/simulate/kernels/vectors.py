"""256 bits as one value of a compiled kernel: sixteen 16-bit lanes, eight of 32, thirty-two bytes, or four 64-bit words.

numba cannot prove that arrays do not overlap, and so does not vectorise loops over small ones; a value of this type
lives in a register instead. Four operations that LLVM does not recognise in plain form (high product, table look-up, two
ways to pack) are the machine's own instructions: of AVX2, or of older ones for each half of a vector. Where it has none
they are spelled out. Everything gives the same bits everywhere.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

BITS, BYTES = 256, 32
I8, I16, I32, I64 = (ir.IntType(width) for width in (8, 16, 32, 64))


class Vector(types.Type):
    def __init__(self) -> None:
        super().__init__(name="bits_256")


vector = Vector()
WORDS = ir.VectorType(I64, 4)


@register_model(Vector)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, of: Any) -> None:
        super().__init__(manager, of, WORDS)


def _features() -> set[str]:
    """What the machine has for which code is compiled: this one, or the one that somebody names to numba."""
    if os.environ.get("NUMBA_CPU_NAME"):
        named = {each[1:] for each in os.environ.get("NUMBA_CPU_FEATURES", "").split(",") if each.startswith("+")}
        return named | ({"sse2"} if platform.machine().lower() in ("x86_64", "amd64") else set())
    return {name for name, there in llvm.get_host_cpu_features().items() if there}


FEATURES = _features()
AVX2 = "avx2" in FEATURES


# ------------------------------------------------ how operations are made


def lanes(width: int) -> Any:
    return ir.VectorType(ir.IntType(width), BITS // width)


def constant(width: int, value: int) -> Any:
    return ir.Constant(lanes(width), [value] * (BITS // width))


def _spread(builder: Any, value: Any, width: int) -> Any:
    """The same value in every lane."""
    kind, count = lanes(width), BITS // width
    undefined = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(I32, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(I32, count), [0] * count))


def _of_two(width: int, build: Callable[[Any, Any, Any], Any]) -> Any:
    """An operation on two vectors, lane by lane."""

    @intrinsic
    def operation(_typing: Any, one: Any, other: Any) -> Any:
        def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            one, other = (builder.bitcast(each, lanes(width)) for each in args)
            return builder.bitcast(build(builder, one, other), WORDS)

        return vector(vector, vector), code

    return operation


def _instruction(name: str, width: int, width_after: int) -> Callable[[Any, Any, Any], Any]:
    """An instruction of AVX2."""

    def build(builder: Any, one: Any, other: Any) -> Any:
        kind = ir.FunctionType(lanes(width_after), [lanes(width)] * 2)
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [one, other])

    return build


def _in_halves(name: str, width: int, width_after: int) -> Callable[[Any, Any, Any], Any]:
    """An instruction of an older machine, for 128 bits at a time."""

    def build(builder: Any, one: Any, other: Any) -> Any:
        count, count_after = 128 // width, 128 // width_after
        before, after = ir.VectorType(ir.IntType(width), count), ir.VectorType(ir.IntType(width_after), count_after)
        call = cgutils.get_or_insert_function(builder.module, ir.FunctionType(after, [before, before]), name)
        halves = []
        for first in (0, count):
            places = ir.Constant(ir.VectorType(I32, count), list(range(first, first + count)))
            halves.append(builder.call(call, [builder.shuffle_vector(each, each, places) for each in (one, other)]))
        whole = ir.Constant(ir.VectorType(I32, 2 * count_after), list(range(2 * count_after)))
        return builder.shuffle_vector(halves[0], halves[1], whole)

    return build


def _best(
    new: str, old: str, needs: str, width: int, width_after: int, spelled_out: Callable[[Any, Any, Any], Any]
) -> Any:
    """An operation as the machine does it best."""
    if AVX2:
        return _of_two(width, _instruction(new, width, width_after))
    return _of_two(width, _in_halves(old, width, width_after) if needs in FEATURES else spelled_out)


def _comparison(width: int, sign: str) -> Any:
    """All ones in the lanes where it holds; lanes have signs."""
    return _of_two(width, lambda builder, one, other: builder.sext(builder.icmp_signed(sign, one, other), lanes(width)))


def _choice(width: int, sign: str) -> Any:
    """The smaller or the larger, without signs."""
    return _of_two(
        width, lambda builder, one, other: builder.select(builder.icmp_unsigned(sign, one, other), one, other)
    )


def _arrangement(width: int, places: Sequence[int]) -> Any:
    """Lanes of two vectors in another order."""
    order = ir.Constant(ir.VectorType(I32, len(places)), list(places))
    return _of_two(width, lambda builder, one, other: builder.shuffle_vector(one, other, order))


# ------------------------------------------------ the operations

both = _of_two(64, lambda builder, one, other: builder.and_(one, other))
either = _of_two(64, lambda builder, one, other: builder.or_(one, other))
differ = _of_two(64, lambda builder, one, other: builder.xor(one, other))
without = _of_two(
    64, lambda builder, one, other: builder.and_(builder.not_(one), other)
)  # the second, not in the first
add8, add16, add32, add64 = (
    _of_two(width, lambda builder, one, other: builder.add(one, other)) for width in (8, 16, 32, 64)
)
sub8, sub16 = (_of_two(width, lambda builder, one, other: builder.sub(one, other)) for width in (8, 16))
multiply16 = _of_two(16, lambda builder, one, other: builder.mul(one, other))
above8, above16 = _comparison(8, ">"), _comparison(16, ">")
same8, same16 = _comparison(8, "=="), _comparison(16, "==")
less8, less16, more16 = _choice(8, "<"), _choice(16, "<"), _choice(16, ">")


def _high_product(builder: Any, one: Any, other: Any) -> Any:
    wide = ir.VectorType(I32, 16)
    product = builder.mul(builder.zext(one, wide), builder.zext(other, wide))
    return builder.trunc(builder.lshr(product, ir.Constant(wide, [16] * 16)), lanes(16))


def _look_up(builder: Any, table: Any, places: Any) -> Any:
    """Byte by byte, in each half; a place with its highest bit set gives 0."""
    undefined = ir.Constant(lanes(8), ir.Undefined)
    found = ir.Constant(lanes(8), [0] * BYTES)
    for entry in range(16):
        order = ir.Constant(ir.VectorType(I32, BYTES), [entry] * 16 + [16 + entry] * 16)
        here = builder.icmp_signed("==", places, constant(8, entry))
        found = builder.select(here, builder.shuffle_vector(table, undefined, order), found)
    return found


def _packed(least: int, most: int) -> Callable[[Any, Any, Any], Any]:
    """Sixteen-bit lanes of two vectors as bytes, cut off at both ends; within each half, first those of the first."""

    def build(builder: Any, one: Any, other: Any) -> Any:
        cut = []
        for each in (one, other):
            low = builder.select(builder.icmp_signed("<", each, constant(16, least)), constant(16, least), each)
            high = builder.select(builder.icmp_signed(">", low, constant(16, most)), constant(16, most), low)
            cut.append(builder.trunc(high, ir.VectorType(I8, 16)))
        places = [*range(8), *range(16, 24), *range(8, 16), *range(24, 32)]
        return builder.shuffle_vector(cut[0], cut[1], ir.Constant(ir.VectorType(I32, BYTES), places))

    return build


high16 = _best("llvm.x86.avx2.pmulhu.w", "llvm.x86.sse2.pmulhu.w", "sse2", 16, 16, _high_product)
look8 = _best("llvm.x86.avx2.pshuf.b", "llvm.x86.ssse3.pshuf.b.128", "ssse3", 8, 8, _look_up)
pack = _best("llvm.x86.avx2.packuswb", "llvm.x86.sse2.packuswb.128", "sse2", 16, 8, _packed(0, 255))
pack_masks = _best("llvm.x86.avx2.packsswb", "llvm.x86.sse2.packsswb.128", "sse2", 16, 8, _packed(-128, 127))
zip_low = _arrangement(8, [place for half in (0, 16) for i in range(8) for place in (half + i, 32 + half + i)])
zip_high = _arrangement(8, [place for half in (8, 24) for i in range(8) for place in (half + i, 32 + half + i)])
first_halves, second_halves = _arrangement(64, [0, 1, 4, 5]), _arrangement(64, [2, 3, 6, 7])
straighten = _arrangement(64, [0, 2, 1, 3])  # what `pack` left within halves, in one row


@intrinsic
def choose(_typing: Any, otherwise: Any, where: Any, mask: Any) -> Any:
    """The second where the mask's byte has its highest bit set, else the first."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        otherwise, where, mask = (builder.bitcast(each, lanes(8)) for each in args)
        chosen = builder.select(builder.icmp_signed("<", mask, constant(8, 0)), where, otherwise)
        return builder.bitcast(chosen, WORDS)

    return vector(vector, vector, vector), code


@intrinsic
def marked(_typing: Any, mask: Any) -> Any:
    """The highest bit of every byte, as 32 bits of a number."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        set_bits = builder.icmp_signed("<", builder.bitcast(args[0], lanes(8)), constant(8, 0))
        return builder.zext(builder.bitcast(set_bits, I32), I64)

    return types.uint64(vector), code


@intrinsic
def ones(_typing: Any, number: Any) -> Any:
    """How many bits are set."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(I64, [I64])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.ctpop.i64"), [args[0]])

    return types.uint64(types.uint64), code


@intrinsic
def high_word(_typing: Any, one: Any, other: Any) -> Any:
    """The upper half of the product of two 64-bit numbers."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), I64)

    return types.uint64(types.uint64, types.uint64), code


def _shift(width: int, build: Callable[[Any, Any, Any], Any]) -> Any:
    @intrinsic
    def operation(_typing: Any, one: Any, places: Any) -> Any:
        def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            by = builder.trunc(args[1], ir.IntType(width)) if width < 64 else args[1]
            shifted = build(builder, builder.bitcast(args[0], lanes(width)), _spread(builder, by, width))
            return builder.bitcast(shifted, WORDS)

        return vector(vector, types.int64), code

    return operation


left64 = _shift(64, lambda builder, one, by: builder.shl(one, by))
right64 = _shift(64, lambda builder, one, by: builder.lshr(one, by))
left16 = _shift(16, lambda builder, one, by: builder.shl(one, by))
right16 = _shift(16, lambda builder, one, by: builder.lshr(one, by))


def _all_lanes(width: int) -> Any:
    @intrinsic
    def operation(_typing: Any, number: Any) -> Any:
        def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.bitcast(_spread(builder, builder.trunc(args[0], ir.IntType(width)), width), WORDS)

        return vector(types.int64), code

    return operation


all8, all16 = _all_lanes(8), _all_lanes(16)


def _place(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    data = context.make_array(signature.args[0])(context, builder, args[0]).data
    return builder.bitcast(builder.gep(builder.bitcast(data, I8.as_pointer()), [args[1]]), WORDS.as_pointer())


@intrinsic
def load(_typing: Any, array: Any, offset: Any) -> Any:
    """32 bytes of a contiguous array, from this byte on."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        loaded = builder.load(_place(context, builder, signature, args))
        loaded.align = 1
        return loaded

    return vector(array, types.int64), code


@intrinsic
def store(_typing: Any, array: Any, offset: Any, value: Any) -> Any:
    """32 bytes into a contiguous array, from this byte on."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _place(context, builder, signature, args)).align = 1
        return context.get_dummy_value()

    return types.void(array, types.int64, vector), code


# ------------------------------------------------ several vectors together

DIVISIONS = 12  # between thirteen ranks
shoes_of_ranks = types.UniTuple(vector, DIVISIONS)


@intrinsic
def full_shoes(_typing: Any, of_each: Any) -> Any:
    """Sixteen shoes, one in each lane: how many cards there are up to each rank but the last."""

    def code(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        of_each = builder.trunc(args[0], I16)
        upto = [builder.mul(of_each, ir.Constant(I16, rank + 1)) for rank in range(DIVISIONS)]
        made = [builder.bitcast(_spread(builder, each, 16), WORDS) for each in upto]
        return context.make_tuple(builder, shoes_of_ranks, made)

    return shoes_of_ranks(types.int64), code


@intrinsic
def take(_typing: Any, shoes: Any, places: Any) -> Any:
    """Take the card at this place out of each of sixteen shoes: the shoes without it, and its rank, 0 to 12.

    Where the count up to a rank is above the place, the card is of that rank or before it: the comparison finds the rank
    (there are so many ranks less) and removes the card (the count goes down by one) at once.
    """
    both_kinds = types.Tuple((shoes_of_ranks, vector))

    def code(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        places = builder.bitcast(args[1], lanes(16))
        rank, after = constant(16, DIVISIONS), []
        for each in cgutils.unpack_tuple(builder, args[0], DIVISIONS):
            upto = builder.bitcast(each, lanes(16))
            beyond = builder.sext(builder.icmp_signed(">", upto, places), lanes(16))
            after.append(builder.bitcast(builder.add(upto, beyond), WORDS))
            rank = builder.add(rank, beyond)
        left = context.make_tuple(builder, shoes_of_ranks, after)
        return context.make_tuple(builder, both_kinds, [left, builder.bitcast(rank, WORDS)])

    return both_kinds(shoes_of_ranks, vector), code
