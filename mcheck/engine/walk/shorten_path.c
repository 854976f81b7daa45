/* A shorter way to an error: the states of the way, and some near it, are searched breadth-first. */
#include "walk/single_thread.h"

struct nearby {
    struct mc_visits near; /* the states that may be used */
    struct mc_visits met;  /* of these, those that have been reached, in the order of their distance */
    struct mc_origin *origin; /* by number in `met` */
    const struct mc_found *f;
    uint64_t most;
    uint32_t here; /* the state that is expanded */
    bool reached, broken;
};

static bool gather(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct nearby *x = context;
    uint32_t n;
    (void)w;
    if (s->fault || mc_visits_find(&x->near, s->root) != UINT32_MAX) return true;
    if (x->near.count >= x->most) return false;
    if (!mc_visits_add(&x->near, s->root, &n)) x->broken = true;
    return !x->broken;
}

/* Of a step from a state in `v`: is it the one that the error names, or one like it? */
static bool is_like(struct mc_worker *w, const struct mc_successor *s, const struct mc_error *e)
{
    if (e->kind == MC_VIOLATION) return !s->fault && mc_violated(w, s) >> e->fault_site & 1;
    return e->kind == MC_FAULT && s->fault && e->fault_kind == s->fault->kind && e->fault_site == s->fault->site;
}

static bool closer(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct nearby *x = context;
    const struct mc_error *e = &x->f->error;
    if (is_like(w, s, e)) x->reached = true;
    if (s->fault || x->reached) return !x->reached;
    if (mc_visits_find(&x->near, s->root) == UINT32_MAX || mc_visits_find(&x->met, s->root) != UINT32_MAX) return true;
    uint32_t n;
    if (!mc_visits_add(&x->met, s->root, &n)) {
        x->broken = true;
        return false;
    }
    x->origin[n] = (struct mc_origin){x->here, s->ordinal, x->origin[x->here].steps + 1, 0};
    return true;
}

static void take_over(struct mc_found *f, const struct nearby *x)
{
    uint64_t length = x->origin[x->here].steps;
    if (length >= f->length) return;
    f->root = x->met.root[x->here];
    f->error.depth = (uint32_t)length;
    f->length = length;
    for (uint32_t n = x->here; length > 0; n = x->origin[n].parent) f->ordinals[--length] = x->origin[n].ordinal;
}

/* The error's slot and values may differ where another state leads to it. */
static bool name_again(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct mc_error *e = context;
    if (!is_like(w, s, e)) return true;
    e->slot = s->slot;
    e->fault_first = s->fault ? s->fault->first : (int32_t)s->ordinal;
    e->fault_second = s->fault ? s->fault->second : 0;
    return false;
}

static void gather_near(struct mc_walk *d, struct nearby *x, uint64_t around)
{
    struct mc_worker *w = &d->worker;
    uint32_t n;
    x->broken |= !mc_visits_add(&x->near, mc_initial(w), &n);
    for (uint64_t i = 0; i < x->f->length && !x->broken && !d->e->interrupted; i++) {
        uint64_t root;
        if (!mc_walk_step(w, x->f->ordinals[i], &root)) x->broken = true;
        else if (mc_visits_find(&x->near, root) == UINT32_MAX) x->broken |= !mc_visits_add(&x->near, root, &n);
    }
    x->most = x->near.count + around;
    for (n = 0; around && n < x->near.count && x->near.count < x->most && !x->broken && !d->e->interrupted; n++) {
        mc_decode(w, x->near.root[n]);
        mc_expand(w, gather, x);
    }
}

void mc_walk_shorten(struct mc_walk *d, uint64_t number, uint64_t around)
{
    struct mc_found *f = &d->found[number];
    struct mc_worker *w = &d->worker;
    struct nearby x = {.f = f};
    uint32_t n;
    x.broken = !mc_visits_new(&x.near) || !mc_visits_new(&x.met);
    if (!x.broken) gather_near(d, &x, around);
    x.origin = x.broken ? NULL : malloc(sizeof *x.origin * (x.near.count + 1ull));
    if (x.origin) {
        mc_visits_add(&x.met, mc_initial(w), &n);
        x.origin[0] = (struct mc_origin){0, 0, 0, 0};
        for (x.here = 0; x.here < x.met.count && !x.broken && !d->e->interrupted; x.here++) {
            mc_decode(w, x.met.root[x.here]);
            enum mc_end end = mc_expand(w, closer, &x);
            if (f->error.kind == MC_DEADLOCK && end == MC_DEADLOCKED) x.reached = true;
            if (f->error.kind == MC_STUCK && x.met.root[x.here] == f->root) x.reached = true;
            if (!x.reached) continue;
            take_over(f, &x);
            if (mc_steps_beyond(f->error.kind)) {
                mc_decode(w, f->root);
                mc_expand(w, name_again, &f->error);
            }
            break;
        }
    }
    free(x.origin);
    mc_visits_free(&x.near);
    mc_visits_free(&x.met);
}
