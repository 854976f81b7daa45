/* Verifies signatures of Ed25519 (RFC 8032, section 5.1.7) of the signed part of a head and the SHA-512 of the body behind it.
   The build has decoded the public key: UP_KEY are its 32 bytes, UP_KEY_X the x of its negative as eight words, UP_KEY_Y its y. */

#include "sha512.h"

typedef uint32_t number[8]; /* modulo 2^255 - 19, not always reduced; the lowest word first */

struct point { /* extended homogeneous coordinates */
    number x, y, z, t;
};

static const uint8_t up_key[32] = {UP_KEY};
static const number up_key_x = {UP_KEY_X}, up_key_y = {UP_KEY_Y};
static const number base_x = {0x8f25d51a, 0xc9562d60, 0x9525a7b2, 0x692cc760, 0xfdd6dc5c, 0xc0a4e231, 0xcd6e53fe, 0x216936d3};
static const number base_y = {0x66666658, 0x66666666, 0x66666666, 0x66666666, 0x66666666, 0x66666666, 0x66666666, 0x66666666};
static const number twice_d = {0x26b2f159, 0xebd69b94, 0x8283b156, 0x00e0149a, 0xeef3d130, 0x198e80f2, 0x56dffce7, 0x2406d9dc};
static const number prime = {0xffffffed, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x7fffffff};
static const number order = {0x5cf5d3ed, 0x5812631a, 0xa2f79cd6, 0x14def9de, 0, 0, 0, 0x10000000};

static void copy(number r, const number a)
{
    for (uint8_t i = 0; i < 8; i++) r[i] = a[i];
}

static uint32_t plus(number r, const number a, const number b)
{
    uint64_t carry = 0;
    for (uint8_t i = 0; i < 8; i++, carry >>= 32) r[i] = (uint32_t)(carry += (uint64_t)a[i] + b[i]);
    return (uint32_t)carry;
}

static uint32_t minus(number r, const number a, const number b)
{
    int64_t borrow = 0;
    for (uint8_t i = 0; i < 8; i++, borrow >>= 32) r[i] = (uint32_t)(borrow += (int64_t)a[i] - b[i]);
    return (uint32_t)-borrow;
}

/* Since 2^256 is 38 here. */
static void fold(number r, uint32_t carry)
{
    while (carry) {
        uint64_t sum = (uint64_t)carry * 38;
        for (uint8_t i = 0; i < 8; i++, sum >>= 32) r[i] = (uint32_t)(sum += r[i]);
        carry = (uint32_t)sum;
    }
}

static void add(number r, const number a, const number b)
{
    fold(r, plus(r, a, b));
}

static void sub(number r, const number a, const number b)
{
    const number small = {38};
    for (uint32_t borrow = minus(r, a, b); borrow;) borrow = minus(r, r, small);
}

static void mul(number r, const number a, const number b)
{
    uint32_t wide[16] = {0};
    for (uint8_t i = 0; i < 8; i++) {
        uint64_t carry = 0;
        for (uint8_t k = 0; k < 8; k++, carry >>= 32)
            wide[i + k] = (uint32_t)(carry += (uint64_t)a[i] * b[k] + wide[i + k]);
        wide[i + 8] = (uint32_t)carry;
    }
    uint64_t carry = 0;
    for (uint8_t i = 0; i < 8; i++, carry >>= 32) r[i] = (uint32_t)(carry += (uint64_t)wide[i + 8] * 38 + wide[i]);
    fold(r, (uint32_t)carry);
}

static bool is_less(const number a, const number b)
{
    number rest;
    return minus(rest, a, b) != 0;
}

static void sum(struct point *r, const struct point *p, const struct point *q)
{
    number a, b, c, d, e;
    sub(a, p->y, p->x);
    sub(b, q->y, q->x);
    mul(a, a, b);
    add(b, p->y, p->x);
    add(c, q->y, q->x);
    mul(b, b, c);
    mul(c, p->t, q->t);
    mul(c, c, twice_d);
    mul(d, p->z, q->z);
    add(d, d, d);
    sub(e, b, a);
    add(b, b, a);
    sub(a, d, c);
    add(d, d, c);
    mul(r->x, e, a);
    mul(r->y, d, b);
    mul(r->z, a, d);
    mul(r->t, e, b);
}

static void point_of(struct point *p, const number x, const number y)
{
    const number one = {1};
    copy(p->x, x);
    copy(p->y, y);
    copy(p->z, one);
    mul(p->t, x, y);
}

static void inverse(number r, const number a)
{
    number power = {1};
    for (uint8_t i = 255; i--;) { /* the exponent, 2^255 - 21, has all bits but two */
        mul(power, power, power);
        if (i != 2 && i != 4) mul(power, power, a);
    }
    copy(r, power);
}

static void reduce(number r)
{
    while (!is_less(r, prime)) minus(r, r, prime);
}

/* Bit by bit: it is done once. */
static void modulo_order(number r, const uint8_t digest[64])
{
    for (uint8_t i = 0; i < 8; i++) r[i] = 0;
    for (uint16_t i = 512; i--;) {
        plus(r, r, r);
        r[0] |= digest[i / 8] >> (i & 7) & 1u;
        if (!is_less(r, order)) minus(r, r, order);
    }
}

static bool bit_of(const number n, uint8_t i)
{
    return n[i / 32] >> (i & 31) & 1;
}

/* a of the base and b of the key's negative. */
static void sum_of_products(struct point *r, const number a, const number b)
{
    const number zero = {0}, one = {1};
    struct point base, key, both;
    point_of(&base, base_x, base_y);
    point_of(&key, up_key_x, up_key_y);
    sum(&both, &base, &key);
    point_of(r, zero, one);
    for (uint8_t i = 253; i--;) {
        sum(r, r, r);
        bool of_base = bit_of(a, i), of_key = bit_of(b, i);
        if (of_base || of_key) sum(r, r, of_base && of_key ? &both : of_base ? &base : &key);
    }
}

static bool ed25519_verify(const uint8_t signature[64], const uint8_t *head, const uint8_t digest[64])
{
    struct sha512 s;
    struct point p;
    uint8_t hash[64];
    number scalar, challenge;
    for (uint8_t i = 0; i < 8; i++) scalar[i] = up_word(signature + 32 + 4 * i);
    if (!is_less(scalar, order)) return false;
    sha512_start(&s);
    for (uint8_t i = 0; i < 32; i++) sha512_add(&s, signature[i]);
    for (uint8_t i = 0; i < 32; i++) sha512_add(&s, up_key[i]);
    for (uint8_t i = 0; i < UP_HEAD; i++) sha512_add(&s, head[i]);
    for (uint8_t i = 0; i < 64; i++) sha512_add(&s, digest[i]);
    sha512_end(&s, hash);
    modulo_order(challenge, hash);
    sum_of_products(&p, scalar, challenge);
    inverse(p.z, p.z);
    mul(p.x, p.x, p.z);
    mul(p.y, p.y, p.z);
    reduce(p.x);
    reduce(p.y);
    p.y[7] |= p.x[0] << 31;
    for (uint8_t i = 0; i < 8; i++)
        if (p.y[i] != up_word(signature + 4 * i)) return false;
    return true;
}

static bool up_is_signed(const uint8_t *head, up_place body, up_place length)
{
    struct sha512 s;
    uint8_t digest[64];
    sha512_start(&s);
    for (up_place i = 0; i < length; i++) sha512_add(&s, up_byte(body + i));
    sha512_end(&s, digest);
    return ed25519_verify(head + UP_HEAD, head, digest);
}
