/* What modular exploration asks of the engine: see api/modular.h. */
#include "api/modular.h"
#include "walk/single_thread.h"

uint32_t mc_modular_position(const struct mc_walk *d, uint32_t component, uint32_t value)
{
    return mc_values_of(d->space, component)->position[value];
}

struct only { uint32_t count, *v; };

static bool take(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct only *x = context;
    if (++x->count > 1 || s->fault) return true;
    memcpy(x->v, w->v, 4ull * w->space->p.components);
    for (uint32_t i = 0; i < s->changed; i++) x->v[s->changes[2 * i]] = s->changes[2 * i + 1];
    return true;
}

uint32_t mc_modular_start(struct mc_walk *d, uint32_t *v)
{
    struct only x = {0, v};
    mc_initial(&d->worker);
    memcpy(v, d->worker.v, 4ull * d->space->p.components);
    mc_expand(&d->worker, take, &x);
    return x.count;
}

static const uint32_t *result_of(struct mc_worker *w, uint32_t slot, uint32_t partner)
{
    const struct mc_program *p = &w->space->p;
    uint32_t c = p->slot_component[slot];
    const struct mc_action *a = &p->action[mc_values_of(w->space, c)->position[w->v[c]]];
    if (partner >= MC_NOBODY) return mc_remembered(w, a, slot);
    for (uint32_t i = 0; i < a->partners; i++)
        if (p->partner[a->first_partner + i] == partner) return mc_remembered_pair(w, a, slot, partner, i);
    return NULL;
}

uint32_t mc_modular_outcomes(struct mc_walk *d, const uint32_t *v, uint32_t slot, uint32_t partner, uint32_t note,
                             uint32_t *out, uint32_t room)
{
    struct mc_worker *w = &d->worker;
    memcpy(w->v, v, 4ull * d->space->p.components);
    w->scratch_used = 0;
    const uint32_t *r = result_of(w, slot, partner), *from = r;
    out[0] = 0;
    if (!r) return 1;
    if (*r == MC_LOOKS_AT_ALL) return UINT32_MAX - 1;
    uint32_t n = *r++;
    for (uint32_t i = 0; i < n; i++, r = mc_after_outcome(r))
        if (i == note && !(*r & MC_HEAD_SEEN)) mc_note_seen(w, r);
    uint64_t words = (uint64_t)(r - from);
    if (words > room) return UINT32_MAX;
    memcpy(out, from, 4 * words);
    return (uint32_t)words;
}

struct looked { uint64_t target; uint32_t slot, ordinal; bool there; };

static bool is_it(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct looked *x = context;
    (void)w;
    if (s->fault || s->slot != x->slot || s->root != x->target) return true;
    x->there = true;
    x->ordinal = s->ordinal;
    return false;
}

uint32_t mc_modular_follow(struct mc_walk *d, uint64_t *root, uint32_t slot, const uint32_t *changes, uint32_t n, uint32_t *ordinal)
{
    struct mc_worker *w = &d->worker;
    mc_decode(w, *root);
    struct looked x = {mc_root_after(w, changes, n), slot, 0, false};
    mc_expand(w, is_it, &x);
    *ordinal = x.ordinal;
    *root = x.target;
    return x.there;
}

void mc_modular_block(struct mc_walk *d, const uint32_t *v, uint8_t *block)
{
    memcpy(d->worker.v, v, 4ull * d->space->p.components);
    mc_put_state(&d->worker, block);
}

uint64_t mc_modular_initial(struct mc_walk *d) { return mc_initial(&d->worker); }

void mc_modular_note(struct mc_walk *d, uint32_t kind, const struct mc_fault *f, uint32_t slot, uint64_t root,
                     const uint32_t *ordinals, uint64_t length)
{
    mc_walk_note(d, kind, kind == MC_FAULT ? f : NULL, slot, root, ordinals, length);
}

uint32_t mc_modular_found(const struct mc_walk *d) { return d->founds; }
