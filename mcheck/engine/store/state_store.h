/* The store: which states have been found. A search asks it with whole batches whether they are new.
 *
 * Of several stores that share the states out among them (of several processes, some day of several machines) each keeps those that
 * it owns. And a state may be covered by another one that stands for more than itself, as one with undetermined values does: then
 * it is not new, though nobody has come across it. As long as nobody owns states elsewhere and nothing covers others, which is so
 * unless functions for that are set, a batch goes straight into the table.
 */
#ifndef MC_STORE_H
#define MC_STORE_H

#include "store/state_set.h"

/* A successor on its way into the store. */
struct mc_pending { uint64_t mixed, root, owner; uint32_t ordinal; };

struct mc_store {
    struct mc_roots roots;
    uint32_t rank;                                      /* which of the stores this one is */
    uint32_t (*owner)(void *context, uint64_t root);    /* the rank of a state's store; NULL: this one keeps all */
    bool (*is_covered)(void *context, uint64_t root);   /* by a state that is there; NULL: only by itself */
    void *context;
};

/* No state stands for another one. */
static inline bool mc_not_covered(void *context, uint64_t root)
{
    (void)context, (void)root;
    return false;
}

/* How many have an answer. */
static inline __attribute__((always_inline)) uint32_t
mc_insert_plain(const struct mc_roots *r, const struct mc_pending *batch, uint32_t n, uint8_t *results, bool shared)
{
    for (uint32_t i = 0; i < n; i++) {
        enum mc_inserted how = __builtin_expect(mc_fits(r, batch[i].mixed), 1) ? mc_insert(r, batch[i].mixed, shared) : MC_NARROW;
        results[i] = (uint8_t)how;
        if (__builtin_expect(how == MC_FULL || how == MC_NARROW, 0)) return i;
    }
    return n;
}

/* Of states that may be elsewhere, or be covered. */
static inline uint32_t mc_insert_or_cover_each(const struct mc_store *s, const struct mc_pending *batch, uint32_t n, uint8_t *results,
                                               bool shared)
{
    uint32_t i = 0;
    for (; i < n; i++) {
        if (s->owner && s->owner(s->context, batch[i].root) != s->rank) results[i] = MC_ELSEWHERE;
        else if (s->is_covered && s->is_covered(s->context, batch[i].root)) results[i] = MC_COVERED;
        else if (!mc_insert_plain(&s->roots, &batch[i], 1, &results[i], shared)) break;
    }
    return i;
}

/* What is to be said of each of the batch, in its order. How many have an answer: all, or up to the first that has no room
 * (MC_FULL) or whose numbers are too large for the entries (MC_NARROW): the table must grow first. `shared`: other threads
 * insert at the same time. */
static inline __attribute__((always_inline)) uint32_t
mc_insert_or_cover(const struct mc_store *s, const struct mc_pending *batch, uint32_t n, uint8_t *results, bool shared)
{
    if (__builtin_expect(s->owner || s->is_covered, 0)) return mc_insert_or_cover_each(s, batch, n, results, shared);
    if (shared) return mc_insert_plain(&s->roots, batch, n, results, true);
    return mc_insert_plain(&s->roots, batch, n, results, false);
}

#endif
