/* Dead variables. See dead_variables.h. */
#include "reduce/dead_variables.h"

#include "model/reduction.h"

struct dead_variables {
    const struct mc_dead_shape *shape;
    const struct mc_dead_piece *piece;
};

static uint32_t number_at(const uint8_t *at, uint32_t size)
{
    return size == 1 ? at[0] : (uint32_t)(at[0] | at[1] << 8);
}

/* Frame by frame, from the innermost. What is read on the way is never dead: positions, and where parameters point. */
static void reset_record(const struct mc_space *s, uint32_t slot, uint32_t position, uint8_t *record)
{
    const struct dead_variables *dead = s->reduction[MC_RESET].state;
    const struct mc_component *c = &s->p.component[s->p.slot_component[slot]];
    if (!position || c->pieces < 2) return;
    const struct mc_piece *own = &s->p.pieces[c->first_piece + 1];
    const struct mc_slot_frame *f = &s->p.frame[slot];
    const uint16_t *numbers = s->p.numbers + c->first_number;
    uint32_t frame = f->field_size ? number_at(record + f->field, f->field_size) : f->frame0;
    for (;;) {
        const struct mc_dead_shape *shape = &dead->shape[position];
        for (uint32_t i = 0; i < shape->pieces; i++) {
            const struct mc_dead_piece *p = &dead->piece[shape->first_piece + i];
            uint32_t at = frame + p->offset;
            if (p->origin != MC_DEAD_OWN) at = number_at(record + frame + p->origin, 2) - own->offset + p->offset;
            if (at < own->size && p->size <= own->size - at) memset(record + at, 0, p->size);
        }
        if (!shape->return_size) return;
        uint32_t back = number_at(record + frame + shape->return_offset, shape->return_size);
        if (!back) return;
        position = numbers[back];
        frame -= dead->shape[position].distance;
    }
}

static void free_dead_variables(struct mc_space *s) { free(s->reduction[MC_RESET].state); }

static const struct mc_reduction_ops dead_variables = {.name = "dead variables", .reset = reset_record, .free = free_dead_variables};

bool mc_attach_dead_variables(struct mc_space *s, const struct mc_dead_shape *shape, const struct mc_dead_piece *pieces)
{
    struct dead_variables *d = malloc(sizeof *d);
    if (!d) return false;
    *d = (struct dead_variables){shape, pieces};
    mc_attach(s, MC_RESET, &dead_variables, d);
    return true;
}
