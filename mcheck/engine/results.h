/* What actions do: computed by running them once on the components that they touch, and remembered.
 *
 * A result is a number of outcomes, then of each one a head, its path, its meeting, the number of the set of blocks that it
 * passed, and its changes (component, new value) or its fault. Paths tell decisions other than the meeting apart.
 */
#ifndef MC_RESULTS_H
#define MC_RESULTS_H

#include "worker.h"

enum { MC_HEAD_FAULT = 1u << 31, MC_HEAD_UNMET = 1u << 30, MC_HEAD_MET = 1u << 29, MC_HEAD_SEEN = 1u << 28,
       MC_CHANGES = 0xFFFFu };

struct mc_fault { uint32_t kind, site; int32_t first, second; };

enum { MC_OUTCOME_WORDS = 4, MC_FAULT_WORDS = 4 };

enum mc_event { MC_RUN, MC_WAKE, MC_INTERRUPT };
enum mc_memo_kind { MC_MEMO_BASE = 1, MC_MEMO_PAIR = 2, MC_MEMO_WAKE = 3 };

static inline const uint32_t *mc_after_outcome(const uint32_t *outcome)
{
    return outcome + MC_OUTCOME_WORDS + (*outcome & MC_HEAD_FAULT ? MC_FAULT_WORDS : 2 * (*outcome & MC_CHANGES));
}

/* In place of a number of outcomes: a process or a channel is made, so that all the block matters. */
enum { MC_LOOKS_AT_ALL = 0x7FFFFFFF };

/* What the action of `slot` does without partners (base), or with `other` as the only one there (pair); or what happens
 * when time ends the wait of `slot` (wake; `other` is the clause, MC_SLEEP_CLAUSE of a sleep). */
const uint32_t *mc_result(struct mc_worker *w, const struct mc_action *a, uint32_t kind, uint32_t slot, uint32_t other);
/* An action or event that may read anything: run in full. What it gives is to be used at once; `before` is overwritten. */
const uint32_t *mc_result_in_full(struct mc_worker *w, enum mc_event event, uint32_t which);
/* An outcome is for the first time a step from a state that was reached. */
void mc_note_seen(struct mc_worker *w, const uint32_t *outcome);

enum { MC_SLEEP_CLAUSE = 63, MC_DIRECT_VALUES = 4096 };

/* What an action that touches no variables does depends on few numbers: looked up directly while they are small. */
struct mc_direct {
    uint32_t base;   /* result + 1 */
    uint32_t **pair; /* by index of the partner in the action's list, then by its value: result + 1 */
    uint32_t *room;  /* how long these are */
};

void mc_direct_free(struct mc_worker *w);
/* All that is remembered can be computed again. No result may be in use. */
void mc_forget(struct mc_worker *w);
static inline uint64_t mc_memory_of_results(const struct mc_worker *w)
{
    return 4 * w->results_used + sizeof(struct mc_memo_entry) * (w->memo.mask + 1ull);
}
/* Makes room for this value, or (pair) for the partner's. */
struct mc_direct *mc_direct_widened(struct mc_worker *w, uint32_t slot, uint32_t value);
uint32_t *mc_direct_pair_widened(struct mc_direct *d, const struct mc_action *a, uint32_t index, uint32_t value);

static inline struct mc_direct *mc_direct_of(struct mc_worker *w, uint32_t slot, uint32_t value)
{
    return value < w->direct_room[slot] ? &w->direct[slot][value] : mc_direct_widened(w, slot, value);
}

static inline const uint32_t *mc_remembered(struct mc_worker *w, const struct mc_action *a, uint32_t slot)
{
    uint32_t value = w->v[w->space->p.slot_component[slot]];
    if (a->touched || !w->space->o.remember || value >= MC_DIRECT_VALUES) return mc_result(w, a, MC_MEMO_BASE, slot, 0);
    struct mc_direct *d = mc_direct_of(w, slot, value);
    if (!d->base) d->base = (uint32_t)(mc_result(w, a, MC_MEMO_BASE, slot, 0) - w->results) + 1;
    return w->results + d->base - 1;
}

/* With the partner that is number `index` in the action's list. */
static inline const uint32_t *mc_remembered_pair(struct mc_worker *w, const struct mc_action *a, uint32_t slot,
                                                 uint32_t other, uint32_t index)
{
    uint32_t value = w->v[w->space->p.slot_component[slot]], theirs = w->v[w->space->p.slot_component[other]];
    if (a->touched || !w->space->o.remember || value >= MC_DIRECT_VALUES || theirs >= MC_DIRECT_VALUES)
        return mc_result(w, a, MC_MEMO_PAIR, slot, other);
    struct mc_direct *d = mc_direct_of(w, slot, value);
    uint32_t *known = d->pair && theirs < d->room[index] ? &d->pair[index][theirs] : mc_direct_pair_widened(d, a, index, theirs);
    if (!*known) *known = (uint32_t)(mc_result(w, a, MC_MEMO_PAIR, slot, other) - w->results) + 1;
    return w->results + *known - 1;
}

#endif
