"""Reading and writing values of a machine type of our own in an array: the value with number n starts at n * size."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def accessors(kind: Any, machine: Any, size: int) -> tuple[Any, Any]:
    """`load(array, n)` and `store(array, n, value)` for a type that takes so many elements of a contiguous array."""

    def place(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        start = builder.gep(array.data, [builder.mul(args[1], ir.Constant(ir.IntType(64), size))])
        return builder.bitcast(start, machine.as_pointer())

    @intrinsic
    def load(_typing: Any, array: Any, number: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            loaded = builder.load(place(context, builder, signature, args))
            loaded.align = 8
            return loaded

        return kind(array, types.int64), build

    @intrinsic
    def store(_typing: Any, array: Any, number: Any, value: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.store(args[2], place(context, builder, signature, args)).align = 8
            return context.get_dummy_value()

        return types.void(array, types.int64, kind), build

    return load, store
