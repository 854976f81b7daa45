/* State vectors: from roots to components to blocks, and back. */
#include "model/worker.h"

#include "model/action_cache.h"
#include "model/clocks_and_zones.h"
#include "model/half_state_cache.h"
#include "model/invariants.h"
#include "model/reduction.h"

bool mc_worker_new(struct mc_worker *w, struct mc_space *s)
{
    const struct mc_program *p = &s->p;
    memset(w, 0, sizeof *w);
    w->space = s;
    w->v = calloc(2ull * p->components + 1, sizeof *w->v);
    mc_memo_new(&w->memo);
    w->worth = calloc(p->positions + 1ull, sizeof *w->worth);
    w->direct = calloc(p->slots, sizeof *w->direct);
    w->direct_room = calloc(p->slots, sizeof *w->direct_room);
    w->asked = calloc(p->components + 1ull, sizeof *w->asked);
    w->is_asked = calloc(p->components + 1ull, 1);
    uint32_t before = (p->room_before_block + 63u) & ~63u;
    w->room = aligned_alloc(64, before + ((p->block_size + 127u) & ~63u));
    w->block = w->room + before;
    w->passed = w->block - p->room_before_block;
    w->before = calloc(1, p->block_size + 8);
    w->gather = malloc(p->block_size + 8);
    w->context = calloc(1, sizeof *w->context);
    uint64_t bytes = s->o.scratch ? (uint64_t)s->o.scratch << 20 : 1ull << 30;
    w->scratch = mc_reserve_most(&bytes);
    w->scratch_room = bytes / 4;
    bytes = 1ull << 32;
    w->results = mc_reserve_most(&bytes);
    w->results_room = bytes / 4;
    w->results_used = 1; /* an empty result, where there is no room for another */
    if (!w->v || !w->memo.entry || !w->asked || !w->is_asked || !w->worth || !w->direct || !w->direct_room || !w->room || !w->before || !w->gather ||
        !w->context || !w->scratch || !w->results)
        return false;
    w->context->rounds = s->o.rounds;
    w->context->is_told = calloc(p->tellings + 1ull, 1);
    w->context->telling = calloc(p->tellings + 1ull, sizeof *w->context->telling);
    if (!w->context->is_told || !w->context->telling) return false;
    w->context->assume = p->assume;
    w->context->assumes = p->assumes;
    w->context->character = p->character;
    w->context->characters = p->characters;
    w->context->clock_at = p->timing.has_clock ? p->timing.clock_at : 0;
    return mc_timers_new(w) && mc_halves_new(w);
}

void mc_worker_free(struct mc_worker *w)
{
    mc_results_free(w);
    mc_timers_free(w);
    mc_halves_free(w);
    mc_watched_free(w);
    free(w->v);
    free(w->asked);
    free(w->is_asked);
    free(w->worth);
    if (w->space) mc_free_worker_of_reductions(w);
    free(w->room);
    free(w->before);
    free(w->gather);
    if (w->context) {
        free(w->context->is_told);
        free(w->context->telling);
    }
    free(w->context);
    mc_unreserve(w->scratch, 4 * w->scratch_room);
    mc_unreserve(w->results, 4 * w->results_room);
}

void mc_put_component(const struct mc_space *s, uint8_t *block, uint32_t component, uint32_t number)
{
    const struct mc_component *c = &s->p.component[component];
    const uint8_t *from = mc_value(mc_values_of(s, component), number);
    for (uint32_t i = 0; i < c->pieces; i++) {
        const struct mc_piece *piece = &s->p.pieces[c->first_piece + i];
        mc_copy(block + piece->offset, from, piece->size);
        from += piece->size;
    }
}

static uint32_t position_in(const struct mc_space *s, const struct mc_component *c, const uint8_t *bytes)
{
    return s->p.numbers[c->first_number + (c->position_size == 1 ? bytes[0] : (uint32_t)(bytes[0] | bytes[1] << 8))];
}

void mc_reset_block(const struct mc_space *s, uint8_t *block)
{
    const struct mc_reduction_ops *resets = s->reduction[MC_RESET].ops;
    for (uint32_t slot = 0; resets && slot < s->p.slots; slot++) {
        const struct mc_component *c = &s->p.component[s->p.slot_component[slot]];
        const struct mc_piece *piece = &s->p.pieces[c->first_piece]; /* the position; the record follows */
        if (c->pieces > 1) resets->reset(s, slot, position_in(s, c, block + piece->offset), block + piece[1].offset);
    }
}

uint32_t mc_get_component(struct mc_worker *w, const uint8_t *block, uint32_t component)
{
    struct mc_space *s = w->space;
    const struct mc_component *c = &s->p.component[component];
    uint8_t *to = w->gather;
    for (uint32_t i = 0; i < c->pieces; i++) {
        const struct mc_piece *piece = &s->p.pieces[c->first_piece + i];
        mc_copy(to, block + piece->offset, piece->size);
        to += piece->size;
    }
    const struct mc_reduction_ops *resets = s->reduction[MC_RESET].ops;
    if (resets && c->slot >= 0)
        resets->reset(s, (uint32_t)c->slot, position_in(s, c, w->gather), w->gather + c->position_size);
    return mc_intern_value(mc_values_of(s, component), w->gather);
}

void mc_put_state(const struct mc_worker *w, uint8_t *block)
{
    const struct mc_space *s = w->space;
    memset(block, 0, s->p.block_size);
    for (uint32_t i = 0; i < s->p.components; i++) mc_put_component(s, block, i, w->v[i]);
}

/* Of the state in `v`, whose nodes all have their numbers. */
static uint64_t root_of_nodes(const struct mc_worker *w)
{
    const struct mc_space *s = w->space;
    if (s->p.components == 1) return w->v[0];
    return w->v[s->tree[s->root].left] | (uint64_t)w->v[s->tree[s->root].right] << 32;
}

uint64_t mc_root_here(struct mc_worker *w)
{
    const struct mc_space *s = w->space;
    for (uint32_t n = s->p.components; n < s->nodes; n++)
        if (n != s->root) w->v[n] = mc_intern_pair(&s->pairs[n], w->v[s->tree[n].left], w->v[s->tree[n].right]);
    return root_of_nodes(w);
}

uint64_t mc_root_of_block(struct mc_worker *w, const uint8_t *block)
{
    struct mc_space *s = w->space;
    w->is_decoded = false;
    for (uint32_t i = 0; i < s->p.components; i++) {
        memset(w->gather, 0, s->p.component[i].pieces ? 0 : 4); /* what no block holds begins with 0 */
        w->v[i] = mc_is_timed(s) && i == s->p.timing.component ? mc_no_timers(w) : mc_get_component(w, block, i);
        mc_note_value(s, i, w->v[i]);
    }
    return mc_root_here(w);
}

uint64_t mc_initial(struct mc_worker *w) { return mc_root_of_block(w, w->space->p.initial); }

static void split(struct mc_worker *w, uint32_t node, uint32_t value)
{
    const struct mc_space *s = w->space;
    w->v[node] = value;
    if (node < s->p.components) return;
    uint64_t pair = s->pairs[node].pair[value];
    split(w, s->tree[node].left, (uint32_t)pair);
    split(w, s->tree[node].right, (uint32_t)(pair >> 32));
}

void mc_decode(struct mc_worker *w, uint64_t root)
{
    const struct mc_space *s = w->space;
    w->is_decoded = false;
    if (s->p.components == 1) {
        w->v[0] = (uint32_t)root;
        return;
    }
    split(w, s->tree[s->root].left, (uint32_t)root);
    split(w, s->tree[s->root].right, (uint32_t)(root >> 32));
}

static void decode_half(struct mc_worker *w, uint32_t node, uint32_t value, uint32_t half)
{
    const struct mc_halves *h = w->halves;
    split(w, node, value);
    for (uint32_t i = 0; i < h->slots[half]; i++) {
        uint32_t slot = h->slot[half][i], component = w->space->p.slot_component[slot];
        w->at[slot] = mc_values_of(w->space, component)->position[w->v[component]];
    }
}

void mc_decode_halves(struct mc_worker *w, uint64_t root)
{
    const struct mc_node *top = &w->space->tree[w->space->root];
    uint64_t changed = w->is_decoded ? w->decoded ^ root : ~0ull;
    if ((uint32_t)changed) decode_half(w, top->left, (uint32_t)root, 0);
    if (changed >> 32) decode_half(w, top->right, (uint32_t)(root >> 32), 1);
    w->decoded = root;
    w->is_decoded = true;
}

uint64_t mc_root_after(struct mc_worker *w, const uint32_t *changes, uint32_t n)
{
    struct mc_space *s = w->space;
    uint32_t *v = w->v;
    uint32_t touched[2 * MC_MOST_COMPONENTS], old[2 * MC_MOST_COMPONENTS], count = 0;
    uint64_t dirty[MC_MOST_COMPONENTS / 64];
    uint32_t inner0 = s->p.components, words = (s->nodes - inner0 + 63) / 64;
    for (uint32_t k = 0; k < words; k++) dirty[k] = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = changes[2 * i];
        touched[count] = c;
        old[count++] = v[c];
        v[c] = changes[2 * i + 1];
        if (inner0 == 1) continue;
        uint32_t parent = s->tree[c].parent - inner0;
        dirty[parent / 64] |= 1ull << parent % 64;
    }
    for (uint32_t k = 0; k < words; k++) {
        while (dirty[k]) {
            uint32_t node = inner0 + k * 64 + (uint32_t)__builtin_ctzll(dirty[k]);
            dirty[k] &= dirty[k] - 1;
            if (node == s->root) break;
            uint32_t number = mc_intern_pair(&s->pairs[node], v[s->tree[node].left], v[s->tree[node].right]);
            touched[count] = node;
            old[count++] = v[node];
            v[node] = number;
            uint32_t parent = s->tree[node].parent - inner0;
            dirty[parent / 64] |= 1ull << parent % 64;
        }
    }
    uint64_t root = root_of_nodes(w);
    while (count-- > 0) v[touched[count]] = old[count];
    return root;
}
