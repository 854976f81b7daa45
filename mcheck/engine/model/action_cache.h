/* What actions do: computed by running them once on the components that they touch, and remembered. api/modular.h
 * says what a result is.
 */
#ifndef MC_RESULTS_H
#define MC_RESULTS_H

#include "api/modular.h"
#include "model/worker.h"

enum mc_event { MC_RUN, MC_WAKE, MC_INTERRUPT };
enum mc_memo_kind { MC_MEMO_BASE = 1, MC_MEMO_PAIR = 2, MC_MEMO_WAKE = 3, MC_MEMO_ANSWER = 4 };

enum { MC_UNNUMBERED = UINT32_MAX }; /* instead of a set of blocks: of an execution in full */

static inline const uint32_t *mc_after_outcome(const uint32_t *outcome)
{
    return outcome + MC_OUTCOME_WORDS + (*outcome & MC_HEAD_FAULT ? MC_FAULT_WORDS : 2 * (*outcome & MC_CHANGES));
}

/* The next combination of alternatives; false after the last. `*path` counts combinations of all but the meeting. */
bool mc_next_script(const struct mc_context *c, uint32_t *script, uint32_t *size, uint32_t *path);
/* An action or event that may read anything: run in full. What it gives is to be used at once; `before` is overwritten. */
const uint32_t *mc_result_in_full(struct mc_worker *w, enum mc_event event, uint32_t which);
/* An outcome is for the first time a step from a state that was reached. */
void mc_note_seen(struct mc_worker *w, const uint32_t *outcome);

enum { MC_DIRECT_VALUES = 4096 };
enum { MC_CLAUSES = 32 }; /* the last one for a sleep */

/* What an action does depends on the value of its slot's component, of its partner's, and of the variables that it asks for:
 * which one it asks for next depends on the values of those before. So what is remembered is a tree of questions. A
 * reference is 0 where nothing is known yet, or says which question comes next (bit 31), or the place of the result + 1. */
enum { MC_QUESTION = 1u << 31 };

struct mc_question {
    uint32_t component;
    uint32_t room;    /* of `answer` */
    uint32_t *answer; /* references, by the component's value; those of large values are in the memo */
};

/* The first references of an action, by the value of its slot's component. */
struct mc_direct {
    uint32_t base;
    uint32_t *wake;  /* by clause */
    uint32_t **pair; /* by index of the partner in the action's list, then by its value */
    uint32_t *room;  /* how long these are */
};

void mc_results_free(struct mc_worker *w);
/* All that is remembered can be computed again. No result may be in use. */
void mc_forget(struct mc_worker *w);
static inline uint64_t mc_memory_of_results(const struct mc_worker *w)
{
    return 4 * w->results_used + sizeof(struct mc_memo_entry) * (w->memo.mask + 1ull) + w->questions_bytes;
}
/* Makes room for this value, or (pair) for the partner's. */
struct mc_direct *mc_direct_widened(struct mc_worker *w, uint32_t slot, uint32_t value);
uint32_t *mc_direct_pair_widened(struct mc_worker *w, struct mc_direct *d, const struct mc_action *a, uint32_t index,
                                 uint32_t value);
uint32_t *mc_direct_wake(struct mc_worker *w, struct mc_direct *d, uint32_t clause);
uint32_t mc_far_answer(const struct mc_worker *w, uint32_t question, uint32_t value);

/* What the action of `slot` does: `kind` and `other` say without partners (base), or with `other` as the only one there,
 * number `index` in the action's list (pair); or what happens when time ends the wait of `slot` (wake; `other` is the
 * clause). It is run, and remembered unless it is not worth it. */
struct mc_wanted { uint32_t kind, slot, other, index; };
const uint32_t *mc_find_out(struct mc_worker *w, const struct mc_action *a, struct mc_wanted x);
/* Where the first reference is kept; NULL: nowhere. */
uint32_t *mc_first_reference(struct mc_worker *w, const struct mc_action *a, struct mc_wanted x);

static inline struct mc_direct *mc_direct_of(struct mc_worker *w, uint32_t slot, uint32_t value)
{
    return value < w->direct_room[slot] ? &w->direct[slot][value] : mc_direct_widened(w, slot, value);
}

/* Asks on, from a reference: the result's place + 1, or 0. */
static inline __attribute__((always_inline)) uint32_t mc_answered(const struct mc_worker *w, uint32_t reference)
{
    while (reference & MC_QUESTION) {
        const struct mc_question *q = &w->question[reference & ~MC_QUESTION];
        uint32_t value = w->v[q->component];
        reference = __builtin_expect(value < q->room, 1) ? q->answer[value] : mc_far_answer(w, reference, value);
    }
    return reference;
}

static inline __attribute__((always_inline)) const uint32_t *
mc_remembered_from(struct mc_worker *w, const struct mc_action *a, const uint32_t *first, struct mc_wanted x)
{
    struct mc_worth *worth = &w->worth[a - w->space->p.action];
    if (__builtin_expect(!worth->skipping, 1)) {
        uint32_t found = mc_answered(w, *first);
        worth->looked++;
        if (__builtin_expect(found != 0, 1)) return w->results + found - 1;
    }
    return mc_find_out(w, a, x);
}

static inline const uint32_t *mc_remembered(struct mc_worker *w, const struct mc_action *a, uint32_t slot)
{
    uint32_t value = w->v[w->space->p.slot_component[slot]];
    struct mc_wanted x = {MC_MEMO_BASE, slot, 0, 0};
    if (__builtin_expect(!w->space->o.remember || value >= MC_DIRECT_VALUES, 0)) return mc_find_out(w, a, x);
    return mc_remembered_from(w, a, &mc_direct_of(w, slot, value)->base, x);
}

/* With the partner that is number `index` in the action's list. */
static inline const uint32_t *mc_remembered_pair(struct mc_worker *w, const struct mc_action *a, uint32_t slot,
                                                 uint32_t other, uint32_t index)
{
    uint32_t value = w->v[w->space->p.slot_component[slot]], theirs = w->v[w->space->p.slot_component[other]];
    struct mc_wanted x = {MC_MEMO_PAIR, slot, other, index};
    if (!w->space->o.remember || value >= MC_DIRECT_VALUES || theirs >= MC_DIRECT_VALUES) return mc_find_out(w, a, x);
    struct mc_direct *d = mc_direct_of(w, slot, value);
    bool there = d->pair && theirs < d->room[index];
    return mc_remembered_from(w, a, there ? &d->pair[index][theirs] : mc_direct_pair_widened(w, d, a, index, theirs), x);
}

static inline const uint32_t *mc_remembered_wake(struct mc_worker *w, const struct mc_action *a, uint32_t slot, uint32_t clause)
{
    uint32_t value = w->v[w->space->p.slot_component[slot]];
    struct mc_wanted x = {MC_MEMO_WAKE, slot, clause, 0};
    if (!w->space->o.remember || value >= MC_DIRECT_VALUES) return mc_find_out(w, a, x);
    struct mc_direct *d = mc_direct_of(w, slot, value);
    return mc_remembered_from(w, a, mc_direct_wake(w, d, clause), x);
}

#endif
