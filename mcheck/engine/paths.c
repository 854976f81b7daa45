/* The way to a state, from the log of a breadth-first search; and the states themselves. */
#include "search.h"

static uint32_t read_number(const uint8_t **at)
{
    uint32_t n = 0, shift = 0;
    while (**at & 0x80) {
        n |= (uint32_t)(*(*at)++ & 0x7F) << shift;
        shift += 7;
    }
    return n | (uint32_t)*(*at)++ << shift;
}

uint64_t mc_path_to(struct mc_engine *e, uint64_t state, uint32_t *ordinals, uint64_t room)
{
    uint32_t *finder = malloc(4 * (state + 1)), *by = malloc(4 * (state + 1));
    if (!finder || !by) {
        free(finder);
        free(by);
        return UINT64_MAX;
    }
    const uint8_t *at = e->log;
    uint32_t owner = 0;
    for (uint64_t i = 1; i <= state; i++) {
        owner += read_number(&at);
        finder[i] = owner;
        by[i] = read_number(&at);
    }
    uint64_t length = 0;
    for (uint64_t i = state; i != 0; i = finder[i]) length++;
    uint64_t k = length;
    for (uint64_t i = state; i != 0; i = finder[i])
        if (--k < room) ordinals[k] = by[i];
    free(finder);
    free(by);
    return length;
}

struct wanted { uint32_t ordinal; bool found; uint64_t root; };

static bool is_wanted(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct wanted *x = context;
    (void)w;
    if (s->ordinal != x->ordinal) return true;
    x->found = !s->fault;
    x->root = s->root;
    return false;
}

uint32_t mc_blocks_along(struct mc_engine *e, const uint32_t *ordinals, uint64_t count, uint8_t *blocks)
{
    struct mc_worker *w = &e->worker;
    mc_initial(w);
    mc_put_state(w, blocks);
    for (uint64_t i = 0; i < count; i++) {
        struct wanted x = {ordinals[i], false, 0};
        mc_expand(w, is_wanted, &x);
        if (!x.found) return 0;
        mc_decode(w, x.root);
        mc_put_state(w, blocks + (i + 1) * e->space.p.block_size);
    }
    return 1;
}

void mc_all_states(struct mc_engine *e, void (*visit)(const uint8_t *block, void *context), void *context)
{
    struct mc_worker *w = &e->worker;
    uint64_t lines = (1ull << e->roots.line_bits) + MC_TAIL;
    for (uint64_t l = 0; l < lines; l++) {
        for (uint32_t i = 0; i < MC_LINE; i++) {
            uint32_t entry = e->roots.entry[l * MC_LINE + i];
            if (!entry) break;
            uint32_t a, b;
            mc_unpermute(&e->roots, mc_mixed_of(&e->roots, l, entry), &a, &b);
            mc_decode(w, a | (uint64_t)b << 32);
            mc_put_state(w, w->before);
            visit(w->before, context);
        }
    }
}
