/* The letter of a step is evaluated once for all states in which the atoms read the same. */
#include "model/letters.h"

enum { MC_BEFORE = 64 };

bool mc_letters_new(struct mc_letters *l, const struct mc_space *s, const struct mc_atoms *atoms, uint32_t behind)
{
    memset(l, 0, sizeof *l);
    l->atoms = atoms;
    l->memory = aligned_alloc(64, MC_BEFORE + ((s->p.block_size + behind + 127u) & ~63u));
    l->block = l->memory + MC_BEFORE;
    l->source = calloc(1, s->p.block_size + 8);
    return mc_pairs_new(&l->folded) && l->memory && l->source;
}

void mc_letters_free(struct mc_letters *l)
{
    mc_pairs_free(&l->folded);
    free(l->letter);
    free(l->memory);
    free(l->source);
}

uint32_t mc_number_at(const uint8_t *bytes, uint32_t size)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < size; i++) n |= (uint32_t)bytes[i] << 8 * i;
    return n;
}

const uint8_t *mc_frame_of(const struct mc_space *s, const struct mc_atoms *atoms, uint32_t slot, uint32_t value)
{
    const struct mc_slot_frame *f = &atoms->frame[slot];
    const uint8_t *record = mc_value(mc_values_of(s, s->p.slot_component[slot]), value) + s->p.position_size;
    return record + (f->field_size ? mc_number_at(record + f->field, f->field_size) : f->frame0);
}

/* The meeting of a step: where its partner waits says which message it is, and on which channel. */
uint32_t mc_taken_by(struct mc_letters *l, const struct mc_worker *w, const struct mc_successor *s)
{
    const struct mc_space *space = w->space;
    if (!l->atoms->asks_taken || s->partner == MC_NOBODY) return 0;
    uint32_t component = space->p.slot_component[s->partner], theirs = mc_their_clause_of(s->meeting);
    uint32_t at = mc_values_of(space, component)->position[w->v[component]];
    const struct mc_clause *c = &l->atoms->clause[l->atoms->first_clause[at] + (theirs == 0xFF ? 0 : theirs)];
    uint32_t channel = c->where;
    if (c->message == 0) return 0;
    if (c->place == MC_IN_FRAME) {
        channel = mc_number_at(mc_frame_of(space, l->atoms, s->partner, w->v[component]) + c->where, sizeof(mc_slot));
    } else if (c->place == MC_IN_BLOCK) {
        if (!l->source_there) {
            mc_put_state(w, l->source);
            l->source_there = true;
        }
        channel = mc_number_at(l->source + c->where, sizeof(mc_slot));
    }
    return c->message << 8 * sizeof(mc_slot) | channel;
}

uint32_t mc_number_read(struct mc_letters *l, const struct mc_worker *w, const struct mc_successor *s, uint32_t taken)
{
    const struct mc_atoms *atoms = l->atoms;
    uint32_t n = taken;
    if (!atoms->letter) return 0;
    for (uint32_t i = 0; i < atoms->read_count; i++) {
        uint32_t component = atoms->reads[i];
        n = mc_intern_pair(&l->folded, n, s ? mc_value_after(w, s, component) : w->v[component]);
    }
    return n;
}

struct mc_letter *mc_letter_at(struct mc_letters *l, uint32_t number)
{
    if (number >= l->room) {
        uint64_t room = l->room ? l->room : 64;
        while (room <= number) room *= 2;
        struct mc_letter *wider = realloc(l->letter, room * sizeof *wider);
        if (!wider) return NULL;
        memset(wider + l->room, 0, (room - l->room) * sizeof *wider);
        l->letter = wider;
        l->room = (uint32_t)room;
    }
    return &l->letter[number];
}

void mc_read_letter(struct mc_letters *l, struct mc_letter *letter, uint32_t taken)
{
    letter->atoms = l->atoms->letter(l->block, taken, &letter->faults);
    letter->known = true;
}
