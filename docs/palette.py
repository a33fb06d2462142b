"""Pictures small enough for a README: at most 256 colours, packed as tightly as PNG allows."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

COLOURS = 256
Pixels = NDArray[np.uint8]  # rows, columns, red green blue


@dataclass(frozen=True, eq=False)
class _Box:
    """Some of the colours, with how often each occurs."""

    colours: NDArray[np.float64]
    counts: NDArray[np.int64]
    places: NDArray[np.int64]

    @cached_property
    def spread(self) -> NDArray[np.float64]:
        """How far the colours are from their mean, by channel, all together."""
        away = self.colours - self.mean
        return np.asarray((away**2 * self.counts[:, None]).sum(axis=0))

    @cached_property
    def mean(self) -> NDArray[np.float64]:
        return np.asarray(np.average(self.colours, axis=0, weights=self.counts))

    def halves(self) -> tuple[_Box, _Box]:
        """Divided at the mean of the channel in which they differ most."""
        channel = int(self.spread.argmax())
        low = self.colours[:, channel] <= self.mean[channel]
        return self._some(low), self._some(~low)

    def _some(self, chosen: NDArray[np.bool_]) -> _Box:
        return _Box(self.colours[chosen], self.counts[chosen], self.places[chosen])


def indexed(pixels: Pixels) -> tuple[Pixels, Pixels]:
    """A palette, and for each pixel the number of its colour in it."""
    flat = pixels.reshape(-1, 3).astype(np.int64)
    packed = flat @ np.array([65536, 256, 1])
    keys, inverse, counts = np.unique(packed, return_inverse=True, return_counts=True)
    colours = np.stack([keys >> 16, keys >> 8 & 255, keys & 255], axis=1).astype(np.float64)
    boxes = [_Box(colours, counts, np.arange(len(keys)))]
    while len(boxes) < COLOURS:
        widest = max(boxes, key=lambda box: box.spread.max())
        if not widest.spread.max():
            break
        boxes.remove(widest)
        boxes += widest.halves()
    of_colour = np.zeros(len(keys), np.uint8)
    for number, box in enumerate(boxes):
        of_colour[box.places] = number
    palette = np.array([np.rint(box.mean) for box in boxes]).astype(np.uint8)
    return palette, of_colour[inverse].reshape(pixels.shape[:2])


def png(pixels: Pixels) -> bytes:
    """The picture as a PNG with a palette."""
    palette, numbers = indexed(pixels)
    height, width = numbers.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), numbers], axis=1)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = (
        (b"IHDR", head),
        (b"PLTE", palette.tobytes()),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in parts)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
