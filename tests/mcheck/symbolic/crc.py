"""CRC-16 of Modbus, another way: by polynomial division of the whole message."""

from __future__ import annotations

POLYNOMIAL = 0x18005


def crc16(message: bytes) -> int:
    """Least bit first, as it is sent; all ones before."""
    bits = [byte >> i & 1 for byte in message for i in range(8)] + [0] * 16
    for i in range(16):
        bits[i] ^= 1
    for at in range(len(bits) - 16):
        if bits[at]:
            for i in range(17):
                bits[at + i] ^= POLYNOMIAL >> 16 - i & 1
    return sum(bit << i for i, bit in enumerate(bits[-16:]))
