# SPDX-License-Identifier: Apache-2.0
"""The byte stream that every real serves: the same everywhere, and without a period that a lost packet could hide in."""
import hashlib

_BLOCK = hashlib.shake_256(b"l4lb lab").digest(65521)  # a prime, and no multiple of any segment's size


def chunk(offset, size):
    """`size` bytes of the stream from `offset` on."""
    start = offset % len(_BLOCK)
    repeated = _BLOCK[start:] + _BLOCK * (size // len(_BLOCK) + 1)
    return repeated[:size]


def sha256(size):
    """Of the first `size` bytes, in hexadecimal digits."""
    digest = hashlib.sha256()
    for offset in range(0, size, 1 << 20):
        digest.update(chunk(offset, min(1 << 20, size - offset)))
    return digest.hexdigest()
