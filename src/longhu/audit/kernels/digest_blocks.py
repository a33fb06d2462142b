"""One block of SHA-256 by the instructions that many machines have for it, and the constants of FIPS 180-4."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

ROUNDS, BLOCK, ROW = 64, 64, 16  # of a block; bytes of a block and of a vector
ORDER = (5, 4, 1, 0, 7, 6, 3, 2)  # of the state's words, as the instructions want them in two vectors
I8, I32, I64 = (ir.IntType(width) for width in (8, 32, 64))
FOUR, SIXTEEN = ir.VectorType(I32, 4), ir.VectorType(I8, 16)


def _primes(count: int) -> list[int]:
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % each for each in found):
            found.append(number)
        number += 1
    return found


def _root(number: int, power: int) -> int:
    """The first 32 bits behind the point of a root."""
    low, high = 0, number << 32
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**power <= number << 32 * power else (low, middle)
    return low & (1 << 32) - 1


START = np.array([_root(prime, 2) for prime in _primes(8)], np.uint32)
CONSTANTS = np.array([_root(prime, 3) for prime in _primes(ROUNDS)], np.uint32)


def _picked(builder: Any, one: Any, other: Any, places: list[int]) -> Any:
    return builder.shuffle_vector(one, other, ir.Constant(ir.VectorType(I32, len(places)), places))


def _does(builder: Any, name: str, *operands: Any) -> Any:
    """An instruction of the machine."""
    kind = ir.FunctionType(FOUR, [FOUR] * len(operands))
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.x86.sha256{name}")
    return builder.call(function, operands)


def _pointer(context: Any, builder: Any, kind: Any, array: Any, offset: Any) -> Any:
    """A byte of an array."""
    start = context.make_array(kind)(context, builder, value=array).data
    return builder.gep(builder.bitcast(start, I8.as_pointer()), [offset])


def _vector(builder: Any, start: Any, number: int, kind: Any) -> Any:
    """Where a vector begins, wherever that stands in memory."""
    there = builder.gep(start, [ir.Constant(I64, ROW * number)])
    return builder.bitcast(there, kind.as_pointer())


class _Mixing:
    """The rounds of one block, four at a time; the words of later rounds are made on the way."""

    def __init__(self, builder: Any, state: Any, text: Any) -> None:
        swapped = [4 * (place // 4) + 3 - place % 4 for place in range(ROW)]
        blocks = [builder.load(_vector(builder, text, number, SIXTEEN), align=1) for number in range(BLOCK // ROW)]
        self._words = [builder.bitcast(_picked(builder, each, each, swapped), FOUR) for each in blocks]
        self._state = [_vector(builder, state, number, FOUR) for number in (0, 1)]
        self._before = [builder.load(each, align=1) for each in self._state]
        self._builder, (self._abef, self._cdgh) = builder, self._before

    def four(self, number: int) -> None:
        builder, words = self._builder, self._words
        if number >= 4:
            old = _does(builder, "msg1", words[-4], words[-3])
            between = _picked(builder, words[-2], words[-1], [1, 2, 3, 4])
            words.append(_does(builder, "msg2", builder.add(old, between), words[-1]))
        known = ir.Constant(FOUR, [int(each) for each in CONSTANTS[4 * number : 4 * number + 4]])
        due = builder.add(words[number], known)
        self._cdgh = _does(builder, "rnds2", self._cdgh, self._abef, due)
        self._abef = _does(builder, "rnds2", self._abef, self._cdgh, _picked(builder, due, due, [2, 3, 0, 0]))

    def done(self) -> None:
        """What came of it goes into the state."""
        for there, old, new in zip(self._state, self._before, (self._abef, self._cdgh), strict=True):
            self._builder.store(self._builder.add(old, new), there, align=1)


def _mix(*mixing: _Mixing) -> None:
    """All rounds of some blocks, by turns: none waits for another."""
    for number in range(ROUNDS // 4):
        for each in mixing:
            each.four(number)
    for each in mixing:
        each.done()


@intrinsic
def mix_block(_typing: Any, state: Any, text: Any, _place: Any) -> Any:
    """One block of a text, from this place on, goes into a state, whose words are in `ORDER`."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        held = _pointer(context, builder, signature.args[0], args[0], ir.Constant(I64, 0))
        _mix(_Mixing(builder, held, _pointer(context, builder, signature.args[1], args[1], args[2])))
        return context.get_dummy_value()

    return types.void(state, text, types.int64), code


@intrinsic
def mix_two_blocks(_typing: Any, state: Any, other: Any, text: Any, _place: Any, _elsewhere: Any) -> Any:
    """The same for two blocks of a text, each into its own state."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        states = [
            _pointer(context, builder, kind, array, ir.Constant(I64, 0))
            for kind, array in zip(signature.args[:2], args[:2], strict=True)
        ]
        texts = [_pointer(context, builder, signature.args[2], args[2], place) for place in args[3:]]
        _mix(*(_Mixing(builder, *each) for each in zip(states, texts, strict=True)))
        return context.get_dummy_value()

    return types.void(state, other, text, types.int64, types.int64), code
