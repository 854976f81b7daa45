/* Partial deadlocks in a walk: masks of slots that may be stuck, made smaller until they say who is.
 *
 * A slot is stuck in a state if it waits there for a partner and every step either leaves it waiting in a state in which
 * it is stuck, or there is no step; one that can fault lets all go. That is the greatest such assignment; masks start
 * with all that wait.
 */
#include "walk/single_thread.h"

void mc_waiting(const struct mc_worker *w, struct mc_mask *waiting)
{
    memset(waiting, 0, sizeof *waiting);
    for (uint32_t slot = 0; slot < w->space->p.slots; slot++)
        if (mc_waits_for_partner(w, slot)) waiting->w[slot / 64] |= 1ull << slot % 64;
}

void mc_without_changed(const struct mc_worker *w, const struct mc_successor *s, struct mc_mask *mask)
{
    for (uint32_t i = 0; i < s->changed; i++) {
        int32_t slot = w->space->p.component[s->changes[2 * i]].slot;
        if (slot >= 0) mask->w[slot / 64] &= ~(1ull << slot % 64);
    }
}

static bool narrow(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct mc_walk *d = context;
    /* a successor that has left the store was fine */
    uint32_t t = s->fault ? UINT32_MAX : mc_visits_find(&d->visits, s->root);
    if (t == UINT32_MAX || (!d->stuck.hoping && d->visits.info[t] & MC_ON_STACK)) memset(&d->stuck.now, 0, sizeof d->stuck.now);
    else {
        mc_without_changed(w, s, &d->stuck.now);
        mc_mask_and(&d->stuck.now, &d->masks.mask[d->visits.info[t] & ~MC_ON_STACK]);
    }
    return !mc_mask_empty(&d->stuck.now);
}

uint64_t mc_walk_resolve(struct mc_walk *d, bool hoping)
{
    uint64_t resolved = 0;
    d->stuck.hoping = hoping;
    for (bool changed = true; changed && !d->e->interrupted;) {
        changed = false;
        d->s.stuck_sweeps++;
        for (uint32_t n = d->visits.count; n-- > 0 && !d->e->interrupted;) {
            uint32_t before = d->visits.info[n];
            if (before == 0 || before & MC_ON_STACK) continue;
            d->stuck.now = d->masks.mask[before];
            mc_decode(&d->worker, d->visits.root[n]);
            mc_expand(&d->worker, narrow, d);
            uint32_t after = mc_mask_number(&d->masks, &d->stuck.now);
            if (after == UINT32_MAX || after == before) continue;
            d->visits.info[n] = after;
            changed = true;
            resolved += after == 0;
        }
    }
    d->c.resolved += resolved;
    return resolved;
}

/* The way to a state that was entered once, by another walk. */
static bool way_again(struct mc_walk *d, uint64_t root)
{
    struct mc_walk_options o = d->o;
    o.find_stuck = 0;
    struct mc_walk *again = mc_walk_new(d->e, &o);
    if (!again) return false;
    again->goal = root;
    mc_walk_run(again, 1e18);
    for (uint32_t i = 0; i < again->founds; i++) {
        const struct mc_found *f = &again->found[i];
        if (f->error.kind == MC_STUCK) mc_walk_note(d, MC_STUCK, NULL, 0, root, f->ordinals, f->length);
    }
    mc_walk_free(again);
    return d->founds && d->found[d->founds - 1].error.kind == MC_STUCK;
}

static int size_of(const struct mc_mask *m)
{
    int n = 0;
    for (uint32_t i = 0; i < MC_MASK_WORDS; i++) n += __builtin_popcountll(m->w[i]);
    return n;
}

/* The state in which the most are stuck. */
static void look_for_most(struct mc_walk *d)
{
    int most = 0;
    for (uint32_t n = 0; n < d->visits.count; n++) {
        if (d->visits.info[n] & MC_ON_STACK) continue;
        const struct mc_mask *mask = &d->masks.mask[d->visits.info[n]];
        int stuck = size_of(mask);
        if (stuck) d->s.stuck_left++;
        if (stuck <= most) continue;
        most = stuck;
        d->stuck.root = d->visits.root[n];
        d->stuck.slots = *mask;
    }
}

void mc_walk_conclude(struct mc_walk *d)
{
    mc_walk_resolve(d, false);
    look_for_most(d);
    for (uint32_t n = 0; n < d->visits.count; n++) d->visits.info[n] &= MC_ON_STACK;
    d->o.find_stuck = 0;
    d->stuck.concluded = true;
}

static void begin_with_all_that_wait(struct mc_walk *d)
{
    for (uint32_t n = 0; n < d->visits.count; n++) {
        struct mc_mask waiting;
        mc_decode(&d->worker, d->visits.root[n]);
        mc_waiting(&d->worker, &waiting);
        uint32_t number = mc_mask_number(&d->masks, &waiting);
        if (number == UINT32_MAX) d->stuck.concluded = true;
        else d->visits.info[n] = number;
    }
}

static bool note_way(struct mc_walk *d)
{
    if (!d->ops->path_to) return way_again(d, d->stuck.root);
    uint64_t length;
    uint32_t node = mc_visits_find(&d->visits, d->stuck.root);
    uint32_t *way = d->ops->path_to(d, node, &length);
    if (way) mc_walk_note(d, MC_STUCK, NULL, 0, d->stuck.root, way, length);
    free(way);
    return way != NULL;
}

uint32_t mc_walk_stuck(struct mc_walk *d, uint64_t *number, uint8_t *slots)
{
    double begin = mc_now();
    d->e->interrupted = 0;
    if (!d->stuck.concluded) {
        if (!d->ops->keeps_masks) begin_with_all_that_wait(d);
        mc_walk_resolve(d, true);
        if (!d->stuck.concluded) look_for_most(d);
    }
    uint32_t result = 1;
    if (mc_mask_empty(&d->stuck.slots)) result = d->stuck.concluded ? 3 : 0;
    else if (!note_way(d)) result = 3;
    if (d->e->interrupted) result = 2;
    if (result == 1) {
        *number = d->founds - 1;
        for (uint32_t slot = 0; slot < d->space->p.slots; slot++) slots[slot] = d->stuck.slots.w[slot / 64] >> slot % 64 & 1;
    }
    d->s.seconds += mc_now() - begin;
    return result;
}
