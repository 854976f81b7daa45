/* The successors of a state: all that a search asks of a model.
 *
 *     root = mc_initial(w);
 *     mc_decode(w, root);
 *     end = mc_expand(w, visit, context);
 *
 * calls `visit` for each successor of the state, in an order that depends on the state alone, and says what kind of state
 * it is. Successors are numbered from 0 in that order (their ordinals), so (state, ordinal) names a step. A visitor may
 * intern and look up, but must not decode: `v` holds the state that is expanded until mc_expand has returned. What a
 * successor points to is good until then too. What reductions leave out is left out here; where one passes over states, a
 * search asks mc_expand_to_kept instead (reduction.h).
 */
#ifndef MC_SUCCESSORS_H
#define MC_SUCCESSORS_H

#include "model/action_cache.h"

enum mc_end { MC_GOES_ON, MC_ENDED, MC_DEADLOCKED };

struct mc_successor {
    uint64_t root;                /* of the state after the step; of a fault 0 */
    uint32_t slot;                /* whose action it is; MC_NOBODY: an interrupt */
    uint32_t partner;             /* the slot that it met; MC_NOBODY: none */
    uint32_t ordinal;
    uint32_t meeting;             /* clauses of a meeting: own in bits 0..7, theirs in 16..23, and bit 31; 0: none */
    const struct mc_fault *fault; /* NULL: none */
    const uint32_t *changes;      /* pairs of component and new value */
    uint32_t changed;             /* how many pairs */
    const mc_slot *moved;         /* by slot: where its process is in the state that `root` names; NULL: where it was */
    bool woken;                   /* time ended the wait of `slot`, or an interrupt came */
    uint32_t elapsed;             /* milliseconds that have passed before it, if the clock is in the states */
    uint32_t passed;              /* see mc_expand_to_kept */
    uint32_t blocks;              /* the number of the set of blocks that it came through; MC_UNNUMBERED: that is not known */
};

/* False: enough, the other successors are not wanted. */
typedef bool (*mc_visit)(struct mc_worker *w, const struct mc_successor *successor, void *context);

/* Of a position at which the slot waits in `v`: the clauses that time can end (bits, as in mc_action), without closed ones. */
uint32_t mc_timed_clauses(const struct mc_worker *w, const struct mc_action *a, uint32_t slot);

/* Does this slot, no server, wait in `v` for what may never come: a partner, or an interrupt (and not for time)? */
bool mc_waits_for_partner(const struct mc_worker *w, uint32_t slot);

enum mc_end mc_expand(struct mc_worker *w, mc_visit visit, void *context);
/* Only the successors that one slot makes, which lives; `at` is right. With `half_of` (by component) it is tried what they
 * would be if it had no partners but those of its own half: nothing of that counts as reached. */
void mc_expand_slot(struct mc_worker *w, uint32_t slot, const uint8_t *half_of, mc_visit visit, void *context);

#endif
