/* Bytes that are only written at the end: the log of a search thread. */
#ifndef MC_STREAM_H
#define MC_STREAM_H

#include "base/growing_memory.h"

struct mc_stream {
    uint8_t *byte;
    uint64_t used, room;
    bool on_disk; /* it is only read */
};

static inline bool mc_stream_room(struct mc_stream *s, uint64_t more)
{
    if (s->used + more <= s->room) return true;
    uint64_t room = s->room ? s->room + s->room / 2 : 4096;
    uint8_t *byte = mc_grown(s->byte, s->room, room);
    if (!byte) return false;
    s->byte = byte;
    s->room = room;
    return true;
}

static inline void mc_write_number(struct mc_stream *s, uint64_t n)
{
    while (n >= 0x80) {
        s->byte[s->used++] = (uint8_t)(n | 0x80);
        n >>= 7;
    }
    s->byte[s->used++] = (uint8_t)n;
}

static inline uint64_t mc_read_number(const uint8_t **at)
{
    uint64_t n = 0;
    uint32_t shift = 0;
    while (**at & 0x80) {
        n |= (uint64_t)(*(*at)++ & 0x7F) << shift;
        shift += 7;
    }
    return n | (uint64_t)*(*at)++ << shift;
}

enum { MC_STEP_FAR = 62, MC_STEP_ROOM = 21 };

/* How much further a state's finder is than that of the state before, and by which of its successors it was found: one
 * byte in most cases. */
static inline void mc_write_step(struct mc_stream *s, uint64_t further, uint32_t ordinal)
{
    if (further < 4 && ordinal < MC_STEP_FAR) {
        s->byte[s->used++] = (uint8_t)(further << 6 | ordinal);
        return;
    }
    s->byte[s->used++] = MC_STEP_FAR;
    mc_write_number(s, further);
    mc_write_number(s, ordinal);
}

static inline void mc_read_step(const uint8_t **at, uint64_t *further, uint32_t *ordinal)
{
    uint8_t first = *(*at)++;
    *further = first >> 6;
    *ordinal = first & 63;
    if (*ordinal != MC_STEP_FAR) return;
    *further = mc_read_number(at);
    *ordinal = (uint32_t)mc_read_number(at);
}

#endif
