/* Symmetry: what is known of values: which numbers of channels they hold, and what they are without these. See symmetry.h. */
#include "reduce/symmetry_internal.h"

static void free_symmetry(struct mc_space *s)
{
    struct mc_symmetry *y = mc_symmetry_of(s);
    free(y->group_of);
    free(y);
}

uint32_t mc_real_slot(const struct mc_space *s, uint32_t slot) { return slot < MC_NOBODY ? mc_symmetry_of(s)->real[slot] : slot; }

struct mc_symmetric *mc_symmetric_of(struct mc_worker *w)
{
    if (w->of_reduction[MC_CANONICAL]) return w->of_reduction[MC_CANONICAL];
    const struct mc_space *s = w->space;
    struct mc_symmetric *x = calloc(1, sizeof *x);
    if (!x) return NULL;
    w->of_reduction[MC_CANONICAL] = x;
    x->view = calloc(s->p.classes, sizeof *x->view);
    x->room = calloc(s->p.classes, sizeof *x->room);
    x->found = calloc(mc_symmetry_of(s)->widest + 1ull, sizeof *x->found);
    x->bytes = calloc(1, mc_symmetry_of(s)->widest + 8ull);
    x->dead = calloc(mc_symmetry_of(s)->o.helds + 1ull, sizeof *x->dead);
    x->out = calloc(2ull * (s->p.components + 1) + 2 * MC_MOST_COMPONENTS, 4);
    return x->view && x->room && x->found && x->bytes && x->dead && x->out ? x : NULL;
}

static void free_symmetric(struct mc_worker *w)
{
    struct mc_symmetric *x = w->of_reduction[MC_CANONICAL];
    for (uint32_t i = 0; x->view && i < w->space->p.classes; i++) free(x->view[i]);
    free(x->view);
    free(x->room);
    free(x->held);
    free(x->found);
    free(x->bytes);
    free(x->dead);
    free(x->out);
    free(x);
}

uint32_t mc_sym_number(const uint8_t *at, uint32_t size)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < size; i++) n |= (uint32_t)at[i] << 8 * i;
    return n;
}

void mc_sym_put(uint8_t *at, uint32_t size, uint32_t number)
{
    for (uint32_t i = 0; i < size; i++) at[i] = (uint8_t)(number >> 8 * i);
}

uint32_t mc_sym_token(const struct mc_symmetry *y, const uint8_t *at, uint32_t kind, uint32_t size)
{
    uint32_t n = mc_sym_number(at, size), token = MC_MOST_SLOTS * (kind - MC_SYM_TOKEN) + n;
    return n >= MC_MOST_SLOTS || y->o.fixed[token] ? MC_SYM_NONE : token;
}

bool mc_sym_points(const struct mc_sym_group *g, const uint8_t *at, uint32_t kind)
{
    uint32_t offset = mc_sym_number(at, 2);
    if (kind == MC_SYM_OPEN && at[3] & 0x80) return false; /* a constant */
    return offset >= g->record_offset && offset - g->record_offset < g->slots * g->stride;
}

/* Frame by frame, from the innermost. */
uint32_t mc_sym_places(const struct mc_space *s, uint32_t slot, const uint8_t *bytes, struct mc_sym_found *to)
{
    const struct mc_sym_options *o = &mc_symmetry_of(s)->o;
    const struct mc_component *c = &s->p.component[s->p.slot_component[slot]];
    const struct mc_slot_frame *f = &s->p.frame[slot];
    const uint16_t *numbers = s->p.numbers + c->first_number;
    const uint8_t *record = bytes + c->position_size;
    uint32_t position = numbers[mc_sym_number(bytes, c->position_size)], n = 0;
    if (!position || c->size == c->position_size) return 0;
    uint32_t frame = f->field_size ? mc_sym_number(record + f->field, f->field_size) : f->frame0;
    for (;;) {
        const struct mc_sym_shape *shape = &o->shape[position];
        for (uint32_t i = 0; i < shape->places; i++) {
            const struct mc_sym_place *place = &o->place[shape->first_place + i];
            to[n++] = (struct mc_sym_found){c->position_size + frame + place->offset, place->kind, place->size};
        }
        if (!shape->return_size) return n;
        uint32_t back = mc_sym_number(record + frame + shape->return_offset, shape->return_size);
        if (!back) return n;
        position = numbers[back];
        frame -= o->shape[position].distance;
    }
}

static bool more_views(struct mc_symmetric *x, uint32_t class_number, uint32_t value)
{
    uint32_t old = x->room[class_number], room = old ? old * 2 : 64;
    while (room <= value) room *= 2;
    struct mc_sym_view *wider = realloc(x->view[class_number], room * sizeof *wider);
    if (!wider) return false;
    memset(wider + old, 0, (room - old) * sizeof *wider);
    x->view[class_number] = wider;
    x->room[class_number] = room;
    return true;
}

static bool more_helds(struct mc_symmetric *x, uint32_t more)
{
    if (x->helds + more <= x->helds_room) return true;
    uint32_t room = x->helds_room ? x->helds_room * 2 : 256;
    while (room < x->helds + more) room *= 2;
    struct mc_sym_held_at *wider = realloc(x->held, room * sizeof *wider);
    if (!wider) return false;
    x->held = wider;
    x->helds_room = room;
    return true;
}

const struct mc_sym_view *mc_sym_view(struct mc_worker *w, uint32_t slot, uint32_t value)
{
    struct mc_symmetric *x = w->of_reduction[MC_CANONICAL];
    const struct mc_space *s = w->space;
    uint32_t component = s->p.slot_component[slot], class_number = s->p.component[component].class_number;
    if (value >= x->room[class_number] && !more_views(x, class_number, value)) return NULL;
    struct mc_sym_view *v = &x->view[class_number][value];
    if (v->known) return v;
    const struct mc_sym_group *g = mc_symmetry_of(s)->group_of[slot];
    uint32_t size = s->p.component[component].size;
    memcpy(x->bytes, mc_value(mc_values_of(s, component), value), size);
    uint32_t places = mc_sym_places(s, slot, x->bytes, x->found);
    if (!more_helds(x, places)) return NULL;
    v->first = x->helds;
    for (uint32_t i = 0; i < places; i++) {
        const struct mc_sym_found *at = &x->found[i];
        uint8_t *bytes = x->bytes + at->offset;
        if (at->kind >= MC_SYM_TOKEN) {
            uint32_t token = mc_sym_token(mc_symmetry_of(s), bytes, at->kind, at->size);
            if (token == MC_SYM_NONE) continue;
            x->held[x->helds++] = (struct mc_sym_held_at){(uint16_t)at->offset, (uint16_t)token, (uint8_t)at->size};
            memset(bytes, 0, at->size);
        } else if (mc_sym_points(g, bytes, at->kind)) {
            v->refers = 1;
            mc_sym_put(bytes, 2, (mc_sym_number(bytes, 2) - g->record_offset) % g->stride);
        }
    }
    v->tokens = (uint16_t)(x->helds - v->first);
    v->hash = mc_hash_bytes(x->bytes, size);
    for (uint32_t i = v->first; i < x->helds; i++) v->hash += mc_mix(x->held[i].offset);
    v->known = 1;
    return v;
}

static bool is_twin(const struct mc_worker *w, uint32_t slot)
{
    const struct mc_program *p = &w->space->p;
    const struct mc_sym_group *g = mc_symmetry_of(w->space)->group_of[slot];
    return slot > g->first_slot && w->v[p->slot_component[slot]] == w->v[p->slot_component[slot - 1]];
}

static const struct mc_reduction_ops symmetry = {
    .name = "symmetry",
    .canonical = mc_symmetric_root,
    .is_twin = is_twin,
    .unwind = mc_symmetric_path,
    .free_worker = free_symmetric,
    .free = free_symmetry,
};

bool mc_attach_symmetry(struct mc_space *s, const struct mc_sym_options *o)
{
    const struct mc_program *p = &s->p;
    struct mc_symmetry *y = calloc(1, sizeof *y);
    if (!y) return false;
    mc_attach(s, MC_CANONICAL, &symmetry, y);
    y->o = *o;
    y->group_of = calloc(p->slots, sizeof *y->group_of);
    if (!y->group_of) return false;
    for (uint32_t g = 0; g < o->groups; g++)
        for (uint32_t i = 0; i < o->group[g].slots; i++) y->group_of[o->group[g].first_slot + i] = &o->group[g];
    for (uint32_t i = 0; i < p->components; i++)
        if (p->component[i].size > y->widest) y->widest = p->component[i].size;
    return true;
}
