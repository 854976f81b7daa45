/* Each thread keeps the letters that it has met, and of each which invariants it violates. */
#include "model/invariants.h"

static struct mc_letters *letters_of(struct mc_worker *w)
{
    struct mc_letters *l = w->letters;
    if (l) return l;
    l = calloc(1, sizeof *l);
    if (!l || !mc_letters_new(l, w->space, &w->space->invariants->atoms, 0)) {
        w->space->crew.out_of_memory = true;
        free(l);
        return NULL;
    }
    return w->letters = l;
}

void mc_watched_free(struct mc_worker *w)
{
    if (!w->letters) return;
    mc_letters_free(w->letters);
    free(w->letters);
    w->letters = NULL;
}

static void put_state_after(const struct mc_worker *w, const struct mc_successor *s, uint8_t *block)
{
    mc_put_state(w, block);
    for (uint32_t i = 0; s && i < s->changed; i++) mc_put_component(w->space, block, s->changes[2 * i], s->changes[2 * i + 1]);
}

static bool is_bad(const struct mc_invariants *all, const struct mc_invariant *i, uint64_t letter)
{
    for (uint32_t c = i->first_cube; c < i->first_cube + i->cubes; c++)
        if ((letter & all->positive[c]) == all->positive[c] && !(letter & all->negative[c])) return true;
    return false;
}

static void judge(struct mc_worker *w, struct mc_letter *letter)
{
    const struct mc_invariants *all = w->space->invariants;
    uint64_t unclear = 0;
    for (uint32_t n = 0; n < all->count; n++) {
        const struct mc_invariant *i = &all->at[n];
        if (letter->faults & i->wanted) unclear |= 1ull << n;
        else if (is_bad(all, i, letter->atoms)) letter->bad |= 1ull << n;
    }
    if (unclear) __atomic_fetch_or(&w->space->unclear, unclear, __ATOMIC_RELAXED);
}

uint64_t mc_violated_by(struct mc_worker *w, const struct mc_successor *s)
{
    struct mc_letters *l = letters_of(w);
    if (!l) return 0;
    l->source_there = false;
    uint32_t taken = s ? mc_taken_by(l, w, s) : 0;
    struct mc_letter *letter = mc_letter_at(l, mc_number_read(l, w, s, taken));
    if (!letter) {
        w->space->crew.out_of_memory = true;
        return 0;
    }
    if (!letter->known) {
        put_state_after(w, s, l->block);
        mc_read_letter(l, letter, taken);
        judge(w, letter);
    }
    return letter->bad;
}
