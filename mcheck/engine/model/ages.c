/* How stamps grow older. See ages.h. */
#include "model/ages.h"

#include "model/reduction.h"

/* What is done with each stamp: at these bytes, up to this bound. */
typedef void on_stamp(uint8_t *at, uint32_t bound, void *context);

static uint32_t number_at(const uint8_t *at, uint32_t size)
{
    return size == 1 ? at[0] : (uint32_t)(at[0] | at[1] << 8);
}

static void each_of(const struct mc_timing *t, uint32_t first, uint32_t count, uint8_t *bytes, on_stamp *visit, void *context)
{
    for (uint32_t i = first; i < first + count; i++) visit(bytes + t->stamp[i].offset, t->stamp[i].bound, context);
}

/* Frame by frame, from the innermost. */
static void each_in_slot(const struct mc_space *s, const struct mc_component *c, uint8_t *bytes, on_stamp *visit, void *context)
{
    const struct mc_timing *t = &s->p.timing;
    const uint16_t *numbers = s->p.numbers + c->first_number;
    uint32_t position = numbers[number_at(bytes, c->position_size)];
    if (!position || c->pieces < 2) return;
    const struct mc_slot_frame *f = &s->p.frame[c->slot];
    uint8_t *record = bytes + c->position_size;
    uint32_t frame = f->field_size ? number_at(record + f->field, f->field_size) : f->frame0;
    for (;;) {
        const struct mc_stamp_shape *shape = &t->stamp_shape[position];
        each_of(t, shape->first_stamp, shape->stamps, record + frame, visit, context);
        if (!shape->return_size) return;
        uint32_t back = number_at(record + frame + shape->return_offset, shape->return_size);
        if (!back) return;
        position = numbers[back];
        frame -= t->stamp_shape[position].distance;
    }
}

static void each_stamp(const struct mc_space *s, uint32_t stamped, uint8_t *bytes, on_stamp *visit, void *context)
{
    const struct mc_stamped *x = &s->p.timing.stamped[stamped];
    const struct mc_component *c = &s->p.component[x->component];
    if (c->slot >= 0) each_in_slot(s, c, bytes, visit, context);
    else each_of(&s->p.timing, x->first_stamp, x->stamps, bytes, visit, context);
}

struct passing { uint32_t clock, elapsed, then; };

static uint32_t age_at(const uint8_t *at, uint32_t clock, uint32_t bound)
{
    uint32_t stamp;
    memcpy(&stamp, at, 4);
    return clock - stamp < bound ? clock - stamp : bound;
}

static void grow_older(uint8_t *at, uint32_t bound, void *context)
{
    const struct passing *x = context;
    uint64_t age = (uint64_t)age_at(at, x->clock, bound) + x->elapsed;
    uint32_t stamp = x->then - (age < bound ? (uint32_t)age : bound);
    memcpy(at, &stamp, 4);
}

uint32_t mc_clock_of_ages(const struct mc_space *s, uint32_t clock, uint32_t elapsed)
{
    uint32_t most = s->p.timing.most_clock;
    return (uint64_t)clock + elapsed < most ? clock + elapsed : most;
}

uint32_t mc_aged(struct mc_worker *w, uint32_t stamped, uint32_t value, uint32_t clock, uint32_t elapsed)
{
    struct mc_space *s = w->space;
    uint32_t component = s->p.timing.stamped[stamped].component;
    const struct mc_component *c = &s->p.component[component];
    struct passing x = {clock, elapsed, mc_clock_of_ages(s, clock, elapsed)};
    memcpy(w->gather, mc_value(mc_values_of(s, component), value), c->size);
    each_stamp(s, stamped, w->gather, grow_older, &x);
    const struct mc_reduction_ops *resets = s->reduction[MC_RESET].ops;
    if (resets && c->slot >= 0) {
        uint32_t position = s->p.numbers[c->first_number + number_at(w->gather, c->position_size)];
        resets->reset(s, (uint32_t)c->slot, position, w->gather + c->position_size);
    }
    uint32_t aged = mc_intern_value(mc_values_of(s, component), w->gather);
    if (mc_reduces(w, MC_CHOOSE)) s->reduction[MC_CHOOSE].ops->note_value(w, component, aged);
    return aged;
}

struct youngest { uint32_t clock, left; };

static void look_how_young(uint8_t *at, uint32_t bound, void *context)
{
    struct youngest *x = context;
    uint32_t left = bound - age_at(at, x->clock, bound);
    if (left > x->left) x->left = left;
}

uint32_t mc_time_to_age(struct mc_worker *w, uint32_t clock)
{
    const struct mc_timing *t = &w->space->p.timing;
    struct youngest x = {clock, t->most_clock - clock};
    for (uint32_t i = 0; i < t->stamped_count; i++) {
        uint32_t component = t->stamped[i].component;
        memcpy(w->gather, mc_value(mc_values_of(w->space, component), w->v[component]), w->space->p.component[component].size);
        each_stamp(w->space, i, w->gather, look_how_young, &x);
    }
    return x.left;
}

struct old { uint32_t clock; bool there; };

static void look_how_old(uint8_t *at, uint32_t bound, void *context)
{
    struct old *x = context;
    if (age_at(at, x->clock, bound) == bound) x->there = true;
}

bool mc_is_old(struct mc_worker *w, uint32_t component, uint32_t clock)
{
    const struct mc_timing *t = &w->space->p.timing;
    struct old x = {clock, false};
    for (uint32_t i = 0; i < t->stamped_count && !x.there; i++) {
        if (t->stamped[i].component != component) continue;
        memcpy(w->gather, mc_value(mc_values_of(w->space, component), w->v[component]), w->space->p.component[component].size);
        each_stamp(w->space, i, w->gather, look_how_old, &x);
    }
    return x.there;
}
