"""A C program that tries the arithmetic of a port, and what Python says that it must print."""

from __future__ import annotations

# Every pair of these, then pairs from a generator that program and test share.
EDGES = [0, 1, 2, 3, 7, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0xB504, 0xB505, 0x7FFFFFFF]
EDGES += [0x80000000, 0x80000001, 0xFFFF8000, 0xFFFFFF80, 0xFFFFFFFE, 0xFFFFFFFF]
RANDOM_PAIRS = 150
PROGRAM = """
static const uint32_t edges[] = {%s};
#define EDGES (sizeof edges / sizeof edges[0])
static uint32_t state = 1;

static uint32_t next(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state >> (state & 31);
}

static void put(uint32_t value, uint8_t size)
{
    for (; size; size--, value >>= 8)
        lf_port_console_write((uint8_t)value);
}

#define OPERATIONS(signed_type, unsigned_type, lowest, size) \\
    { \\
        volatile unsigned_type va = (unsigned_type)a, vb = (unsigned_type)b; \\
        unsigned_type ua = va, ub = vb; \\
        signed_type sa = (signed_type)ua, sb = (signed_type)ub, product; \\
        bool over = __builtin_mul_overflow(sa, sb, &product); \\
        put((unsigned_type)(ua * (uint32_t)ub), size); \\
        put((unsigned_type)product, size); \\
        put(over, 1); \\
        if (ub != 0) { \\
            put(ua / ub, size); \\
            put(ua %% ub, size); \\
            if (sa != lowest || sb != -1) { \\
                put((unsigned_type)(sa / sb), size); \\
                put((unsigned_type)(sa %% sb), size); \\
            } \\
        } \\
    }

static void calculate(uint32_t a, uint32_t b)
{
    OPERATIONS(int32_t, uint32_t, INT32_MIN, 4)
    OPERATIONS(int16_t, uint16_t, INT16_MIN, 2)
    OPERATIONS(int8_t, uint8_t, INT8_MIN, 1)
}

void lf_main(void)
{
    for (uint8_t i = 0; i < EDGES; i++)
        for (uint8_t j = 0; j < EDGES; j++)
            calculate(edges[i], edges[j]);
    for (uint8_t i = 0; i < %d; i++) {
        uint32_t a = next();
        calculate(a, next());
    }
    lf_port_halt();
}
"""


def expected_output() -> bytes:
    pairs = [(a, b) for a in EDGES for b in EDGES]
    state = 1

    def generate() -> int:
        nonlocal state
        state = (state ^ state << 13) & 0xFFFFFFFF
        state ^= state >> 17
        state = (state ^ state << 5) & 0xFFFFFFFF
        return state >> (state & 31)

    for _ in range(RANDOM_PAIRS):
        a = generate()
        pairs.append((a, generate()))
    return b"".join(expected_for(a, b, bits) for a, b in pairs for bits in (32, 16, 8))


def expected_for(a: int, b: int, bits: int) -> bytes:
    mask, lowest = (1 << bits) - 1, -(1 << bits - 1)
    ua, ub = a & mask, b & mask
    sa, sb = (v - (v >> bits - 1 << bits) for v in (ua, ub))

    def put(value: int) -> bytes:
        return (value & mask).to_bytes(bits // 8, "little")

    output = put(ua * ub) + put(sa * sb) + bytes([not lowest <= sa * sb < -lowest])
    if ub:
        output += put(ua // ub) + put(ua % ub)
        if sa != lowest or sb != -1:
            quotient = abs(sa) // abs(sb) * (1 if (sa < 0) == (sb < 0) else -1)  # C's: towards zero
            output += put(quotient) + put(sa - quotient * sb)
    return output
