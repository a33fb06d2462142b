"""Four doubles side by side, as one value of a compiled kernel: four shoes are counted at once.

numba cannot prove that two arrays do not overlap and so does not vectorise loops over small ones; a value of
this type lives in one 256-bit register instead (in two where the machine has only shorter ones). Whole
numbers in doubles are exact below 2 to the 53rd, and so are sums and products that stay below it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

from longhu.odds.kernels.memory import accessors

LANES = 4


class Lanes(types.Type):
    def __init__(self) -> None:
        super().__init__(name="four_doubles")


four = Lanes()
VECTOR = ir.VectorType(ir.DoubleType(), LANES)


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, of: Any) -> None:
        super().__init__(manager, of, VECTOR)


load, store = accessors(four, VECTOR, LANES)  # doubles 4 n to 4 n + 3 of an array


@intrinsic
def splat(_typing: Any, number: Any) -> Any:
    """The same number in every lane."""

    def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        undefined = ir.Constant(VECTOR, ir.Undefined)
        one = builder.insert_element(undefined, args[0], ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(one, undefined, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))

    return four(types.float64), build


def _arithmetic(build: Callable[[Any, Any, Any], Any], sign: Callable[[Any, Any], Any]) -> None:
    """Let an operator of Python work on four doubles at once; a product and a sum may be one instruction."""

    @intrinsic
    def apply(_typing: Any, one: Any, other: Any) -> Any:
        return four(four, four), lambda _context, builder, _signature, args: build(builder, args[0], args[1])

    @overload(sign, inline="always")
    def work(one: Any, other: Any) -> Any:
        if not isinstance(one, Lanes) or not isinstance(other, Lanes):
            return None

        def both(one: Any, other: Any) -> Any:
            return apply(one, other)

        return both


_arithmetic(lambda builder, one, other: builder.fadd(one, other, flags=("contract",)), operator.add)
_arithmetic(lambda builder, one, other: builder.fsub(one, other, flags=("contract",)), operator.sub)
_arithmetic(lambda builder, one, other: builder.fmul(one, other, flags=("contract",)), operator.mul)
