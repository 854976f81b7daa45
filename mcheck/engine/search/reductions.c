/* The registry of the reductions: how each is attached to a search, and what it has saved. Everything else that the engine asks of
 * one, it asks by model/reduction.h. */
#include "search/reductions.h"

#include "model/half_state_cache.h"
#include "reduce/chains.h"
#include "reduce/dead_variables.h"
#include "reduce/partial_order.h"
#include "reduce/symmetry.h"

static struct mc_reduced reduced_by(const struct mc_engine *e, enum mc_role role)
{
    struct mc_reduced sum = {0, 0};
    for (uint32_t i = 0; i < e->made; i++) {
        const struct mc_reduced *of = &e->searcher[i]->worker.reduced[role];
        sum.states += of->states;
        sum.within += of->within;
    }
    return sum;
}

/* --- partial order -------------------------------------------------------------------------------------------------- */

bool mc_reduce(struct mc_engine *e, const struct mc_reduction_options *o) { return mc_attach_partial_order(&e->space, o); }
uint64_t mc_reduced_states(const struct mc_engine *e) { return reduced_by(e, MC_CHOOSE).states; }

/* --- chains --------------------------------------------------------------------------------------------------------- */

static bool is_known(const struct mc_engine *e, uint64_t root)
{
    return !e->on_disk && mc_find(&e->store.roots, mc_permute_root(root)) != UINT64_MAX;
}

void mc_pass_chains(struct mc_engine *e, struct mc_chains *c)
{
    c->of = e;
    mc_attach_chains(&e->space, c, is_known);
}

uint64_t mc_passed_states(const struct mc_engine *e) { return reduced_by(e, MC_PASS).states; }

/* --- dead variables ------------------------------------------------------------------------------------------------- */

void mc_reset_dead(struct mc_engine *e, const struct mc_dead_shape *shape, const struct mc_dead_piece *pieces)
{
    if (!mc_attach_dead_variables(&e->space, shape, pieces)) e->space.crew.out_of_memory = true;
}

/* --- symmetry ------------------------------------------------------------------------------------------------------- */

bool mc_symmetry_begin(struct mc_engine *e, const struct mc_sym_options *o) { return mc_attach_symmetry(&e->space, o); }
uint64_t mc_symmetry_moved(const struct mc_engine *e) { return reduced_by(e, MC_CANONICAL).states; }
uint32_t mc_symmetry_slot(const struct mc_engine *e, uint32_t slot) { return mc_real_slot(&e->space, slot); }

uint32_t mc_symmetric_run(struct mc_engine *e, const uint32_t *ordinals, uint64_t count, uint8_t *blocks, mc_slot *slots)
{
    struct mc_worker own, *w = e->made ? &e->searcher[0]->worker : &own; /* it may be that only products have been searched */
    if (e->made || mc_worker_new(&own, &e->space)) count = e->space.reduction[MC_CANONICAL].ops->unwind(w, ordinals, count, blocks, slots);
    else count = 0;
    if (!e->made) mc_worker_free(&own);
    return (uint32_t)count;
}

/* --- all of them ---------------------------------------------------------------------------------------------------- */

static uint64_t *all_roots(void *search) { return mc_all_roots(search); }

/* Now that states are expanded one by one, their halves may be remembered. */
static void make_halves(struct mc_engine *e)
{
    for (uint32_t i = 0; i < e->made; i++) {
        struct mc_worker *w = &e->searcher[i]->worker;
        if (mc_halves_new(w)) continue;
        mc_halves_free(w); /* it does without */
        w->halves = NULL;
    }
}

void mc_reductions_at_level(struct mc_engine *e)
{
    struct mc_space *s = &e->space;
    bool passed = mc_is_in_force(s, MC_PASS);
    struct mc_level level = {.states = e->levels_end, .first = e->levels_end - e->level_states, .depth = e->s.depth,
                             .in_memory = !e->on_disk, .all_roots = all_roots, .search = e};
    for (uint32_t i = 0; i < MC_ROLES; i++) level.reduced[i] = reduced_by(e, i);
    for (uint32_t i = 0; i < MC_ROLES; i++)
        if (mc_is_in_force(s, i) && s->reduction[i].ops->begin_level) s->reduction[i].ops->begin_level(s, &level);
    if (passed && !mc_is_in_force(s, MC_PASS)) make_halves(e);
}
