/* What a board decides, and what it remembers for that in the policy block. The host's run uses the same functions.
 *
 * Invariants: `arrivals` lists each slot at most once, longest waiting first; `sleepers` holds one entry for each process
 * that waits for time, the one that is due first at the head, of those that are due at the same time the one that began
 * first; entries past the count are zero.
 */
#ifndef LF_POLICIES_BOARD_H
#define LF_POLICIES_BOARD_H

#include "../kernel/lf.h"

LF_INLINE lf_byte *lf_policy_block(lf_byte *b) { return b - lf_policy_size; }

LF_INLINE uint32_t lf_load32(const lf_byte *at)
{
    return at[0] | ((uint32_t)at[1] << 8) | ((uint32_t)at[2] << 16) | ((uint32_t)at[3] << 24);
}

LF_INLINE void lf_store32(lf_byte *at, uint32_t v)
{
    at[0] = (lf_byte)v;
    at[1] = (lf_byte)(v >> 8);
    at[2] = (lf_byte)(v >> 16);
    at[3] = (lf_byte)(v >> 24);
}

/* Times are compared modulo 2^32: what is further away counts as this far away, 24 days. */
LF_INLINE uint32_t lf_time_after(uint32_t now, uint32_t milliseconds)
{
    return now + (milliseconds < 0x7FFFFFFFu ? milliseconds : 0x7FFFFFFFu);
}

#ifdef LF_WIDE
#include "wide.h"
#else

/* --- order of arrival ---------------------------------------------------------------------------------------- */

LF_INLINE void lf_arrivals_add(lf_byte *b, lf_slot slot)
{
    lf_byte *a = lf_policy_block(b) + lf_policy_arrivals_at;
    a[1 + a[0]] = slot;
    a[0]++;
}

LF_INLINE void lf_arrivals_remove(lf_byte *b, lf_slot slot)
{
    lf_byte *a = lf_policy_block(b) + lf_policy_arrivals_at;
    uint8_t left = a[0]; /* counted down, so that its end is seen in the machine code */
    for (lf_byte *e = a + 1; left; e++, left--) {
        if (*e != slot) continue;
        for (; --left; e++) *e = e[1];
        *e = 0;
        --*a;
        return;
    }
}

/* Has `x` waited longer than `y`? Both are in the list. */
LF_INLINE bool lf_arrived_before(lf_byte *b, lf_slot x, lf_slot y)
{
    const lf_byte *a = lf_policy_block(b) + lf_policy_arrivals_at;
    for (uint8_t i = 0; i < a[0]; i++) {
        if (a[1 + i] == x) return true;
        if (a[1 + i] == y) return false;
    }
    return false;
}

#endif

/* First clause in the text, then the longest waiting partner, then its first clause. Alternatives come clause by clause
 * of the attempting process, but partners come in any order of slots and clauses. */
LF_INLINE void lf_board_alternative(lf_byte *b, struct lf_meeting *m, uint8_t own, lf_slot partner, uint8_t theirs,
                                    uint8_t shares)
{
    if (m->found) {
        if (m->own != own) return;
        if (m->partner == partner) {
            if (m->theirs <= theirs) return;
        } else if (!shares || !lf_arrived_before(b, partner, m->partner)) {
            return;
        }
    }
    m->found = 1;
    m->own = own;
    m->partner = partner;
    m->theirs = theirs;
}

#ifndef LF_WIDE
/* --- time ---------------------------------------------------------------------------------------------------- */

LF_INLINE uint8_t lf_sleepers(lf_byte *b) { return lf_sleepers_room ? lf_policy_block(b)[lf_policy_sleepers_at] : 0; }

/* An entry: slot, clause, when. */
LF_INLINE lf_byte *lf_sleeper(lf_byte *b, uint8_t index)
{
    return lf_policy_block(b) + lf_policy_sleepers_at + 1 + 6u * index;
}

/* How long after `now` an entry is due; negative: that long ago. */
LF_INLINE int32_t lf_time_left(const lf_byte *sleeper, uint32_t now) { return (int32_t)(lf_load32(sleeper + 2) - now); }

/* The slot's entry; null if it has none. */
LF_INLINE lf_byte *lf_find_sleeper(lf_byte *b, lf_slot slot)
{
    lf_byte *e = lf_sleeper(b, 0);
    for (uint8_t left = lf_sleepers(b); left; left--, e += 6)
        if (e[0] == slot) return e;
    return 0;
}

/* In both, what moves goes as far as there is room, and not as far as there are entries: less code, and as fast as it is
 * with all of them. */
LF_INLINE void lf_sleepers_remove(lf_byte *b, lf_slot slot)
{
    lf_byte *e = lf_find_sleeper(b, slot);
    if (!e) return;
    lf_byte *last = lf_sleeper(b, lf_sleepers_room) - 6;
    --lf_policy_block(b)[lf_policy_sleepers_at];
    for (; e != last + 6; e++) *e = e < last ? e[6] : 0;
}

/* Of several clauses of one process that wait for time only the first that is due can ever go: one entry does. */
LF_INLINE void lf_sleepers_add(lf_byte *b, lf_slot slot, uint8_t clause, uint32_t now, uint32_t milliseconds)
{
    uint32_t when = lf_time_after(now, milliseconds);
    int32_t away = (int32_t)(when - now);
    if (lf_timed_selects) {
        lf_byte *other = lf_find_sleeper(b, slot);
        if (other && lf_time_left(other, now) <= away) return;
        lf_sleepers_remove(b, slot);
    }
    lf_byte *count = lf_policy_block(b) + lf_policy_sleepers_at, *e = count + 1;
    for (uint8_t left = *count; left && lf_time_left(e, now) <= away; left--) e += 6;
    ++*count;
    for (lf_byte *p = lf_sleeper(b, lf_sleepers_room) - 1; p >= e + 6; p--) *p = *(p - 6);
    e[0] = slot;
    e[1] = clause;
    lf_store32(e + 2, when);
}

LF_INLINE lf_slot lf_sleeper_slot(const lf_byte *e) { return e[0]; }
LF_INLINE uint8_t lf_sleeper_clause(const lf_byte *e) { return e[1]; }
LF_INLINE uint32_t lf_sleeper_when(const lf_byte *e) { return lf_load32(e + 2); }
#endif

/* Is the first one due? There is one. */
LF_INLINE bool lf_sleeper_due(lf_byte *b, uint32_t now) { return (int32_t)(now - lf_sleeper_when(lf_sleeper(b, 0))) >= 0; }

/* --- waiting and leaving ------------------------------------------------------------------------------------- */

LF_INLINE void lf_board_waits(lf_byte *b, lf_slot slot, uint8_t shares)
{
    if (shares) lf_arrivals_add(b, slot);
}

/* --- deadlines ----------------------------------------------------------------------------------------------- */

#define LF_NO_DEADLINE 0xFFFFFFFFu

/* Of each slot when it must be done; behind these, of each slot how long it has from its release on. Only the second says for
 * certain that there is no deadline: the first may have this value by chance. */
LF_INLINE lf_byte *lf_deadline_of(lf_byte *b, lf_slot slot)
{
    return lf_policy_block(b) + lf_policy_deadlines_at + 4u * slot;
}

LF_INLINE uint32_t lf_relative_deadline(lf_byte *b, lf_slot slot) { return lf_load32(lf_deadline_of(b, slot) + 4u * lf_slots); }

LF_INLINE void lf_set_deadline(lf_byte *b, lf_slot slot, uint32_t released, uint32_t relative)
{
    uint32_t at = relative == LF_NO_DEADLINE ? relative : lf_time_after(released, relative);
    lf_store32(lf_deadline_of(b, slot), at);
}

/* `relative` counts from each release on; LF_NO_DEADLINE: there is none. Creation is the first release. */
LF_INLINE void lf_begin_deadline(lf_byte *b, lf_slot slot, uint32_t now, uint32_t relative)
{
    if (!lf_has_deadlines) return;
    lf_set_deadline(b, slot, now, relative);
    lf_store32(lf_deadline_of(b, slot) + 4u * lf_slots, relative);
}

/* A wait is over: it was released now, or when its time was due, if that is longer ago. Its sleeper is still there. */
LF_INLINE void lf_renew_deadline(lf_byte *b, lf_slot slot, uint32_t now)
{
    if (!lf_has_deadlines) return;
    const lf_byte *sleeper = lf_sleepers_room ? lf_find_sleeper(b, slot) : 0;
    if (sleeper && lf_time_left(sleeper, now) < 0) now = lf_sleeper_when(sleeper);
    lf_set_deadline(b, slot, now, lf_relative_deadline(b, slot));
}

LF_INLINE void lf_board_leaves(lf_byte *b, lf_slot slot, uint8_t shares, uint32_t now)
{
    lf_renew_deadline(b, slot, now);
    if (shares) lf_arrivals_remove(b, slot);
    if (lf_sleepers_room) lf_sleepers_remove(b, slot);
}

#ifndef LF_WIDE
/* --- schedulers ---------------------------------------------------------------------------------------------- */

/* The next ready slot after the one that ran last. Slot 0, the initialisation, is passed over where it has only one
 * action: the cursor starts at LF_NOBODY, so that this one comes first; then it stands on the last slot, which comes to
 * the same and is a slot that the search meets again, so that the search ends. */
LF_INLINE void lf_start_cursor(lf_byte *b)
{
    lf_policy_block(b)[lf_policy_cursor_at] = LF_NOBODY;
    if (lf_takers_first) lf_policy_block(b)[lf_policy_taker_at] = LF_NOBODY;
}

/* Who has taken an interrupt runs next, before anything else is looked at, and the cursor stays where it was. Behind it comes
 * an ordinary turn, before the next interrupt is looked at: so nobody who is ready waits for ever, however often interrupts
 * come. The taker is a slot, LF_TURN_OWED until that turn has been, else LF_NOBODY. */
#define LF_TURN_OWED 0xFEu

LF_INLINE lf_slot lf_taker(lf_byte *b) { return lf_takers_first ? lf_policy_block(b)[lf_policy_taker_at] : LF_NOBODY; }

LF_INLINE void lf_set_taker(lf_byte *b, lf_slot taker)
{
    if (lf_takers_first) lf_policy_block(b)[lf_policy_taker_at] = taker;
}

/* The interrupt that is looked at first: the one behind that which came last. Of only one it is not kept. */
LF_INLINE uint8_t lf_interrupts_turn(lf_byte *b)
{
    return lf_takers_first && lf_interrupts > 1 ? lf_policy_block(b)[lf_policy_taker_at + 1u] : 0;
}

LF_INLINE uint8_t lf_interrupt_after(uint8_t bit) { return (uint8_t)(bit + 1u == lf_interrupts ? 0 : bit + 1u); }

LF_INLINE void lf_set_interrupts_turn(lf_byte *b, uint8_t bit)
{
    if (lf_takers_first && lf_interrupts > 1) lf_policy_block(b)[lf_policy_taker_at + 1u] = bit;
}

LF_INLINE lf_slot lf_pick_round_robin(lf_byte *b)
{
    lf_byte *cursor = lf_policy_block(b) + lf_policy_cursor_at;
    lf_slot slot = *cursor, last = slot;
    do {
        slot = (lf_slot)(slot + 1u);
        if (slot >= lf_slots) slot = lf_wrap_to;
        if (!lf_is_ready(b, slot)) continue;
        if (__builtin_expect(slot < lf_wrap_to, 0)) /* a branch, so that it is one with that which chooses the code */
            *cursor = (lf_slot)(lf_slots - 1u);
        else
            *cursor = slot;
        return slot;
    } while (slot != last);
    return LF_NOBODY;
}
#endif

#ifndef LF_WIDE
LF_INLINE void lf_note_who_runs(lf_byte *b, lf_slot slot) { lf_policy_block(b)[lf_policy_cursor_at] = slot; }
#endif

/* Deadlines are compared modulo 2^32 around `now`. Who runs is noted where round-robin has its cursor; nothing decides by it. */
LF_INLINE lf_slot lf_pick_earliest(lf_byte *b, uint32_t now)
{
    lf_slot best = LF_NOBODY;
    int32_t soonest = 0;
    for (lf_slot slot = 0; slot < lf_slots; slot++) {
        if (!lf_is_ready(b, slot)) continue;
        uint32_t d = lf_load32(lf_deadline_of(b, slot));
        bool none = d == LF_NO_DEADLINE && lf_relative_deadline(b, slot) == LF_NO_DEADLINE;
        int32_t left = none ? INT32_MAX : (int32_t)(d - now);
        if (best == LF_NOBODY || left < soonest) {
            best = slot;
            soonest = left;
        }
    }
    if (best != LF_NOBODY) lf_note_who_runs(b, best);
    return best;
}

#endif
