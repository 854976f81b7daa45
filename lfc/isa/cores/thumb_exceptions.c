/* The Cortex-M cores: how exceptions come and go. They do not interrupt each other. See thumb.h. */
#include "thumb_core.h"

enum { FRAME = 32, PSP_IN_USE = 2, FROM_HANDLER = 1, FROM_MAIN = 9, FROM_PROCESS = 13, PADDED = 1 << 9, THUMB_STATE = 1 << 24 };
#define LEAVES 0xFFFFFFF0u
static const uint8_t costs[] = {16, 15, 12, 12, 12}; /* to enter; to leave it is no more */

static uint32_t whole_status(const struct thumb *t)
{
    return t->flags | THUMB_STATE | (t->it & 3) << 25 | t->it >> 2 << 10 | t->ipsr;
}

enum thumb_stop thumb_enter(struct thumb *t, uint32_t number, uint32_t table)
{
    uint32_t sp = t->r[SP], frame = (sp - FRAME) & ~7u, routine;
    bool process = t->control & PSP_IN_USE;
    uint32_t v[8] = {t->r[0], t->r[1], t->r[2], t->r[3], t->r[12], t->r[LR], t->r[PC], whole_status(t)};
    if ((sp - FRAME) & 4) v[7] |= PADDED;
    for (uint32_t i = 0; i < 8; i++) {
        enum thumb_stop said = store_above(t, frame, frame + 4 * i, 4, true, v[i]);
        if (said) return said;
    }
    enum thumb_stop said = load(t, table + 4 * number, 4, true, &routine);
    if (said) return said;
    t->r[LR] = LEAVES | (t->ipsr ? FROM_HANDLER : process ? FROM_PROCESS : FROM_MAIN);
    t->r[SP] = process ? t->other_sp : frame;
    if (process) t->other_sp = frame;
    t->control = 0;
    t->ipsr = number;
    t->it = 0;
    t->exclusive = false;
    t->cycles += costs[t->core];
    t->where = routine;
    t->r[PC] = routine & ~1u;
    return routine & 1 ? THUMB_RUNS : THUMB_NO_THUMB;
}

enum thumb_stop thumb_leave(struct thumb *t)
{
    uint32_t kind = t->where & 15, v[8];
    bool process = kind == FROM_PROCESS;
    if ((t->where & LEAVES) != LEAVES || (kind != FROM_HANDLER && kind != FROM_MAIN && !process)) return THUMB_ILLEGAL;
    if (process) {
        uint32_t sp = t->r[SP];
        t->r[SP] = t->other_sp;
        t->other_sp = sp;
        t->control = PSP_IN_USE;
    }
    for (uint32_t i = 0; i < 8; i++) {
        enum thumb_stop said = load(t, t->r[SP] + 4 * i, 4, true, &v[i]);
        if (said) return said;
    }
    thumb_set_sp(t, (t->r[SP] + FRAME) | (v[7] & PADDED ? 4 : 0));
    memcpy(t->r, v, 16);
    t->r[12] = v[4];
    t->r[LR] = v[5];
    t->r[PC] = v[6] & ~1u;
    t->flags = v[7] & (THUMB_N | THUMB_Z | THUMB_C | THUMB_V | THUMB_Q | THUMB_GE);
    t->it = (v[7] >> 25 & 3) | (v[7] >> 10 & 0x3F) << 2;
    t->ipsr = v[7] & 0x1FF;
    t->faultmask = 0;
    t->event = true;
    t->exclusive = false;
    t->cycles += costs[t->core];
    return (kind == FROM_HANDLER) == (t->ipsr != 0) ? THUMB_RUNS : THUMB_ILLEGAL;
}
