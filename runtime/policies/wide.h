/* What board.h keeps in the policy block, of a wide program: slots and numbers of them have two bytes. No board has the
 * memory for one, so this is the host's; order and meaning are as in board.h.
 */
#ifndef LF_POLICIES_WIDE_H
#define LF_POLICIES_WIDE_H

LF_INLINE lf_slot lf_listed(const lf_byte *list, uint16_t index) { return lf_load16(list + 2u * index); }
LF_INLINE void lf_list(lf_byte *list, uint16_t index, lf_slot slot) { lf_store16(list + 2u * index, slot); }

/* --- order of arrival: how many, then who -------------------------------------------------------------------- */

LF_INLINE void lf_arrivals_add(lf_byte *b, lf_slot slot)
{
    lf_byte *a = lf_policy_block(b) + lf_policy_arrivals_at;
    uint16_t n = (uint16_t)(lf_listed(a, 0) + 1u);
    lf_list(a, n, slot);
    lf_list(a, 0, n);
}

LF_INLINE void lf_arrivals_remove(lf_byte *b, lf_slot slot)
{
    lf_byte *a = lf_policy_block(b) + lf_policy_arrivals_at;
    uint16_t n = lf_listed(a, 0), kept = 0;
    for (uint16_t i = 1; i <= n; i++)
        if (lf_listed(a, i) != slot) lf_list(a, ++kept, lf_listed(a, i));
    for (uint16_t i = (uint16_t)(kept + 1u); i <= n; i++) lf_list(a, i, 0);
    lf_list(a, 0, kept);
}

LF_INLINE bool lf_arrived_before(lf_byte *b, lf_slot x, lf_slot y)
{
    const lf_byte *a = lf_policy_block(b) + lf_policy_arrivals_at;
    for (uint16_t i = 1; i <= lf_listed(a, 0); i++) {
        if (lf_listed(a, i) == x) return true;
        if (lf_listed(a, i) == y) return false;
    }
    return false;
}

/* --- time: how many, then of each slot, clause, 0, when ------------------------------------------------------ */

#define LF_SLEEPER_SIZE 8u

LF_INLINE lf_slot lf_sleeper_slot(const lf_byte *e) { return lf_load16(e); }
LF_INLINE uint8_t lf_sleeper_clause(const lf_byte *e) { return e[2]; }
LF_INLINE uint32_t lf_sleeper_when(const lf_byte *e) { return lf_load32(e + 4); }

LF_INLINE uint16_t lf_sleepers(lf_byte *b)
{
    return lf_sleepers_room ? lf_load16(lf_policy_block(b) + lf_policy_sleepers_at) : 0;
}

LF_INLINE lf_byte *lf_sleeper(lf_byte *b, uint16_t index)
{
    return lf_policy_block(b) + lf_policy_sleepers_at + 2 + LF_SLEEPER_SIZE * index;
}

LF_INLINE int32_t lf_time_left(const lf_byte *e, uint32_t now) { return (int32_t)(lf_sleeper_when(e) - now); }

LF_INLINE lf_byte *lf_find_sleeper(lf_byte *b, lf_slot slot)
{
    for (uint16_t i = 0; i < lf_sleepers(b); i++)
        if (lf_sleeper_slot(lf_sleeper(b, i)) == slot) return lf_sleeper(b, i);
    return 0;
}

LF_INLINE void lf_sleepers_remove(lf_byte *b, lf_slot slot)
{
    lf_byte *p = lf_find_sleeper(b, slot);
    if (!p) return;
    uint16_t n = lf_sleepers(b);
    lf_byte *last = lf_sleeper(b, (uint16_t)(n - 1u));
    for (; p < last; p++) *p = p[LF_SLEEPER_SIZE];
    lf_clear(last, LF_SLEEPER_SIZE);
    lf_store16(lf_policy_block(b) + lf_policy_sleepers_at, (uint16_t)(n - 1u));
}

LF_INLINE void lf_sleepers_add(lf_byte *b, lf_slot slot, uint8_t clause, uint32_t now, uint32_t milliseconds)
{
    uint32_t when = lf_time_after(now, milliseconds);
    int32_t away = (int32_t)(when - now);
    uint16_t n = lf_sleepers(b);
    for (uint16_t k = 0; k < n; k++)
        if (lf_sleeper_slot(lf_sleeper(b, k)) == slot && (int32_t)(lf_sleeper_when(lf_sleeper(b, k)) - now) <= away) return;
    lf_sleepers_remove(b, slot);
    n = lf_sleepers(b);
    uint16_t i = 0;
    while (i < n && (int32_t)(lf_sleeper_when(lf_sleeper(b, i)) - now) <= away) i++;
    lf_byte *e = lf_sleeper(b, i);
    for (lf_byte *p = lf_sleeper(b, n); p > e; p--) p[LF_SLEEPER_SIZE - 1u] = p[-1];
    lf_store16(e, slot);
    e[2] = clause;
    e[3] = 0;
    lf_store32(e + 4, when);
    lf_store16(lf_policy_block(b) + lf_policy_sleepers_at, (uint16_t)(n + 1u));
}

/* --- the slot that ran last ---------------------------------------------------------------------------------- */

LF_INLINE void lf_note_who_runs(lf_byte *b, lf_slot slot) { lf_list(lf_policy_block(b) + lf_policy_cursor_at, 0, slot); }

LF_INLINE void lf_start_cursor(lf_byte *b) { lf_list(lf_policy_block(b) + lf_policy_cursor_at, 0, LF_NOBODY); }

LF_INLINE lf_slot lf_pick_round_robin(lf_byte *b)
{
    lf_byte *cursor = lf_policy_block(b) + lf_policy_cursor_at;
    lf_slot slot = lf_listed(cursor, 0);
    for (uint16_t tried = 0; tried <= lf_slots; tried++) {
        slot = (lf_slot)(slot + 1u);
        if (slot >= lf_slots) slot = lf_wrap_to;
        if (lf_is_ready(b, slot)) {
            lf_list(cursor, 0, slot < lf_wrap_to ? (lf_slot)(lf_slots - 1u) : slot);
            return slot;
        }
    }
    return LF_NOBODY;
}

#endif
