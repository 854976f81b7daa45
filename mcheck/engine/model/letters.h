/* What the atoms of properties say of a step: its letter, from the state after it and from what was said. */
#ifndef MC_LETTERS_H
#define MC_LETTERS_H

#include "api/product.h"
#include "model/successors.h"

struct mc_letter {
    uint64_t atoms, faults; /* bits: which are true; which could not be evaluated */
    uint64_t bad;           /* of who asks: bits of invariants (model/invariants.c) */
    bool known;
};

/* Of one thread. */
struct mc_letters {
    const struct mc_atoms *atoms;
    struct mc_pairs folded;   /* the numbers of the components that the atoms read, folded to one */
    struct mc_letter *letter; /* by that number */
    uint32_t room;
    uint8_t *memory, *block, *source;
    bool source_there; /* the block of the state in `v`; who goes on to another state says so */
};

/* `behind`: so many bytes are free behind the block. False: no memory. */
bool mc_letters_new(struct mc_letters *l, const struct mc_space *s, const struct mc_atoms *atoms, uint32_t behind);
void mc_letters_free(struct mc_letters *l);

/* What a step has said: message << 8 | channel (of a wide program << 16); 0: nothing, or nobody asks. */
uint32_t mc_taken_by(struct mc_letters *l, const struct mc_worker *w, const struct mc_successor *s);
/* The number of what the atoms read after a step from the state in `v` (NULL: in that state), with what was said. */
uint32_t mc_number_read(struct mc_letters *l, const struct mc_worker *w, const struct mc_successor *s, uint32_t taken);
/* The letter of this number, if it is known or (in `block`) the state after the step. NULL: no memory. */
struct mc_letter *mc_letter_at(struct mc_letters *l, uint32_t number);
void mc_read_letter(struct mc_letters *l, struct mc_letter *letter, uint32_t taken);

/* A number of up to four bytes, the least one first. */
uint32_t mc_number_at(const uint8_t *bytes, uint32_t size);
/* The innermost frame of the process in a slot whose component has this value. */
const uint8_t *mc_frame_of(const struct mc_space *s, const struct mc_atoms *atoms, uint32_t slot, uint32_t value);

static inline uint32_t mc_value_after(const struct mc_worker *w, const struct mc_successor *s, uint32_t component)
{
    for (uint32_t i = 0; i < s->changed; i++)
        if (s->changes[2 * i] == component) return s->changes[2 * i + 1];
    return w->v[component];
}

#endif
