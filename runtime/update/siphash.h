/* SipHash-2-4 with a tag of 128 bits (Aumasson and Bernstein, *SipHash: a fast short-input PRF*, 2012), over the signed part of
   the head and the body. Whoever has the key can sign: it is for chips that have no room for a signature with two keys. Words of
   64 bits are bytes here, the lowest first: so it takes least room. */

struct siphash {
    uint8_t v[4][8], m[8];
    uint8_t size; /* bytes so far, modulo 256 */
};

static const UP_FLASH uint8_t up_key[16] = {UP_KEY};
static const UP_FLASH char siphash_begin[] = "uespemosmodnarodarenegylsetybdet"; /* each word back to front */

static void add_to(uint8_t *a, const uint8_t *b)
{
    uint16_t carry = 0;
    for (uint8_t i = 0; i < 8; i++, carry >>= 8) a[i] = (uint8_t)(carry += (uint16_t)(a[i] + b[i]));
}

static void xor_to(uint8_t *a, const uint8_t *b)
{
    for (uint8_t i = 0; i < 8; i++) a[i] ^= b[i];
}

/* To the left. */
static void turn(uint8_t *a, uint8_t bytes, uint8_t bits)
{
    while (bytes--) {
        uint8_t top = a[7];
        for (uint8_t i = 7; i; i--) a[i] = a[i - 1];
        a[0] = top;
    }
    while (bits--) {
        uint8_t carry = a[7] >> 7;
        for (uint8_t i = 0; i < 8; i++) {
            uint8_t next = a[i] >> 7;
            a[i] = (uint8_t)(a[i] << 1 | carry);
            carry = next;
        }
    }
}

static void mix(uint8_t *a, uint8_t *b, uint8_t bytes, uint8_t bits)
{
    add_to(a, b);
    turn(b, bytes, bits);
    xor_to(b, a);
}

static void siphash_rounds(struct siphash *s, uint8_t rounds)
{
    while (rounds--) {
        mix(s->v[0], s->v[1], 1, 5);
        turn(s->v[0], 4, 0);
        mix(s->v[2], s->v[3], 2, 0);
        mix(s->v[0], s->v[3], 2, 5);
        mix(s->v[2], s->v[1], 2, 1);
        turn(s->v[2], 4, 0);
    }
}

static void siphash_add(struct siphash *s, uint8_t byte)
{
    uint8_t at = s->size++ & 7;
    s->m[at] = byte;
    if (at < 7) return;
    xor_to(s->v[3], s->m);
    siphash_rounds(s, 2);
    xor_to(s->v[0], s->m);
}

static bool is_half(struct siphash *s, const uint8_t *tag)
{
    siphash_rounds(s, 4);
    uint8_t differs = 0; /* in a time that does not depend on where */
    for (uint8_t i = 0; i < 8; i++) differs |= s->v[0][i] ^ s->v[1][i] ^ s->v[2][i] ^ s->v[3][i] ^ tag[i];
    return differs == 0;
}

static bool up_is_signed(const uint8_t *head, up_place body, up_place length)
{
    struct siphash s;
    s.size = 0;
    for (uint8_t i = 0; i < 32; i++) s.v[i / 8][i & 7] = (uint8_t)siphash_begin[i] ^ up_key[i & 15];
    s.v[1][0] ^= 0xEE;
    for (uint8_t i = 0; i < UP_HEAD; i++) siphash_add(&s, head[i]);
    for (up_place i = 0; i < length; i++) siphash_add(&s, up_byte(body + i));
    uint8_t size = s.size;
    while ((s.size & 7) != 7) siphash_add(&s, 0);
    siphash_add(&s, size);
    s.v[2][0] ^= 0xEE;
    if (!is_half(&s, head + UP_HEAD)) return false;
    s.v[1][0] ^= 0xDD;
    return is_half(&s, head + UP_HEAD + 8);
}
