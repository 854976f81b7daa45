/* The Cortex-M cores: special registers, interrupts on and off, sleep, barriers, exceptions. See thumb.h. */
#include "thumb_core.h"

enum { PSP_IN_USE = 2, BARRIER_COSTS = 3, SPECIAL_COSTS = 1 };
static const uint8_t smaller_costs[] = {3, 2}; /* of the M0 and M0+: special registers and barriers, beyond one cycle */

static void wait_for_it(struct thumb *t, uint32_t main_costs)
{
    t->cycles += is_main(t) ? main_costs : smaller_costs[t->core];
}

/* Which of these exist; of the smaller cores no BASEPRI and FAULTMASK. */
static bool exists(const struct thumb *t, uint32_t which)
{
    if (which < 4 || (which >= 5 && which <= 9) || which == 16 || which == 20) return true;
    return is_main(t) && which > 16 && which < 20;
}

static uint32_t apsr(const struct thumb *t)
{
    uint32_t which = THUMB_N | THUMB_Z | THUMB_C | THUMB_V;
    if (is_main(t)) which |= THUMB_Q;
    if (has_dsp(t)) which |= THUMB_GE;
    return which;
}

static uint32_t read_special(const struct thumb *t, uint32_t which)
{
    bool process = t->control & PSP_IN_USE;
    switch (which) {
    case 8: return process ? t->other_sp : t->r[SP];
    case 9: return process ? t->r[SP] : t->other_sp;
    case 16: return t->primask;
    case 17: case 18: return t->basepri;
    case 19: return t->faultmask;
    case 20: return t->control;
    default: return (which & 1 ? t->ipsr : 0) | (which & 4 ? 0 : t->flags & apsr(t));
    }
}

static enum thumb_stop write_control(struct thumb *t, uint32_t v)
{
    if (v & 1) return THUMB_ILLEGAL; /* without privileges */
    if (t->ipsr) return THUMB_RUNS;
    if ((v ^ t->control) & PSP_IN_USE) {
        uint32_t sp = t->r[SP];
        t->r[SP] = t->other_sp;
        t->other_sp = sp;
    }
    t->control = v & PSP_IN_USE;
    return THUMB_RUNS;
}

static enum thumb_stop write_special(struct thumb *t, uint32_t which, uint32_t mask, uint32_t v)
{
    switch (which) {
    case 0: case 1: case 2: case 3: {
        uint32_t written = (mask & 2 ? apsr(t) & ~(uint32_t)THUMB_GE : 0) | (mask & 1 ? THUMB_GE : 0);
        t->flags = (t->flags & ~written) | (v & written);
        return THUMB_RUNS;
    }
    case 8: case 9:
        if ((which == 9) == !!(t->control & PSP_IN_USE)) thumb_set_sp(t, v);
        else t->other_sp = v & ~3u;
        return THUMB_RUNS;
    case 16: t->primask = v & 1; return THUMB_RUNS;
    case 17: t->basepri = v & 0xFF; return THUMB_RUNS;
    case 18:
        if (v & 0xFF && ((v & 0xFF) < t->basepri || !t->basepri)) t->basepri = v & 0xFF;
        return THUMB_RUNS;
    case 19: t->faultmask = v & 1; return THUMB_RUNS;
    case 20: return write_control(t, v);
    default: return THUMB_RUNS; /* read only */
    }
}

enum thumb_stop thumb_hint(struct thumb *t, uint32_t hint)
{
    switch (hint) {
    case 0: case 1: return THUMB_RUNS; /* NOP, YIELD */
    case 2: /* WFE */
        t->cycles++;
        if (!t->event) return THUMB_SLEEPS;
        t->event = false;
        return THUMB_RUNS;
    case 3: t->cycles++; return THUMB_SLEEPS; /* WFI */
    case 4: t->event = true; return THUMB_RUNS; /* SEV */
    default: return THUMB_ILLEGAL;
    }
}

enum thumb_stop thumb_change_state(struct thumb *t, uint32_t w)
{
    uint32_t which = w & 3, off = w >> 4 & 1;
    if ((w & 0xFFEC) != 0xB660 || !which || t->it_now || (which & 1 && !is_main(t))) return THUMB_ILLEGAL;
    if (which & 2) t->primask = off;
    if (which & 1) t->faultmask = off;
    return THUMB_RUNS;
}

static enum thumb_stop barrier(struct thumb *t, uint32_t v)
{
    if ((v & 0xFF00) != 0x8F00) return THUMB_ILLEGAL;
    switch (v >> 4 & 15) {
    case 2: /* CLREX */
        if (!is_main(t) || (v & 15) != 15) return THUMB_ILLEGAL;
        t->exclusive = false;
        return THUMB_RUNS;
    case 4: case 5: case 6: /* DSB, DMB, ISB: other kinds of them are reserved */
        if ((v & 15) != 15) return THUMB_ILLEGAL;
        wait_for_it(t, BARRIER_COSTS);
        return THUMB_RUNS;
    default: return THUMB_ILLEGAL;
    }
}

enum thumb_stop thumb_system(struct thumb *t, uint32_t w, uint32_t v)
{
    uint32_t which = v & 0xFF, mask = v >> 10 & 3, d = v >> 8 & 15;
    if ((w & 0xFFF0) == 0xF380) { /* MSR */
        if ((v & 0xF300) != 0x8000 || sp_or_pc(w & 15) || !exists(t, which) || !mask) return THUMB_ILLEGAL;
        if (mask != 2 && (which > 3 || !has_dsp(t))) return THUMB_ILLEGAL;
        wait_for_it(t, SPECIAL_COSTS);
        return write_special(t, which, mask, t->r[w & 15]);
    }
    if (w == 0xF3EF) { /* MRS */
        if ((v & 0xF000) != 0x8000 || sp_or_pc(d) || !exists(t, which)) return THUMB_ILLEGAL;
        wait_for_it(t, SPECIAL_COSTS);
        t->r[d] = read_special(t, which);
        return THUMB_RUNS;
    }
    if (w == 0xF3BF) return barrier(t, v);
    if (w == 0xF3AF && is_main(t) && (v & 0xFF00) == 0x8000) return thumb_hint(t, which);
    return THUMB_ILLEGAL;
}
