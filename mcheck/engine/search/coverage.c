/* What the searches have come across: which blocks of the flow graphs, slots, positions and values are part of the states and
 * steps that were reached. What was executed only to be put together with others (an attempt without its partners) does
 * not count.
 */
#include "search/bfs.h"

void mc_get_seen(struct mc_engine *e, uint8_t *blocks, uint8_t *slots, uint8_t *positions)
{
    const struct mc_space *s = &e->space;
    memcpy(blocks, s->passed_in_full, s->p.blocks);
    for (uint32_t n = 0; n < s->passed_sets.count; n++) {
        const uint8_t *set = mc_value(&s->passed_sets, n);
        for (uint32_t i = 0; s->passed_sets.seen[n] && i < s->p.blocks; i++) blocks[i] |= set[i];
    }
    memcpy(slots, s->slot_seen, s->p.slots);
    memset(positions, 0, s->p.positions + 1);
    for (uint32_t c = 0; c < s->p.classes; c++) {
        const struct mc_values *v = &s->values[c];
        for (uint32_t n = 0; v->position && n < v->count; n++)
            if (v->seen[n]) positions[v->position[n]] = 1;
    }
}

static int64_t number_at(const uint8_t *bytes, uint32_t size, bool is_signed)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < size; i++) n |= (uint32_t)bytes[i] << 8 * i;
    uint32_t sign = 1u << (8 * size - 1);
    return is_signed && n & sign ? (int64_t)n - ((int64_t)sign << 1) : (int64_t)n;
}

void mc_get_range(struct mc_engine *e, uint32_t component, uint32_t offset, uint32_t size, uint32_t is_signed, struct mc_range *out)
{
    const struct mc_values *v = mc_values_of(&e->space, component);
    struct mc_values distinct;
    *out = (struct mc_range){0, 0, 0};
    if (!mc_values_new(&distinct, size, 0, NULL, NULL)) return;
    for (uint32_t n = 0; n < v->count; n++) {
        if (!v->seen[n] || (v->position && !v->position[n])) continue;
        uint32_t before = distinct.count;
        mc_intern_value(&distinct, mc_value(v, n) + offset);
        if (size == 0 || size > 4 || distinct.count == before) continue;
        int64_t found = number_at(mc_value(v, n) + offset, size, is_signed);
        if (before == 0 || found < out->lowest) out->lowest = found;
        if (before == 0 || found > out->highest) out->highest = found;
    }
    out->distinct = distinct.count;
    mc_values_free(&distinct);
}

struct queues { struct mc_worker *w; uint32_t *most, *now; };

static void count_waiting(uint64_t root, void *context)
{
    struct queues *x = context;
    const struct mc_program *p = &x->w->space->p;
    mc_decode(x->w, root);
    for (uint32_t slot = 0; slot < p->slots; slot++) {
        uint32_t c = p->slot_component[slot], at = mc_values_of(x->w->space, c)->position[x->w->v[c]];
        if (at >= p->first_waiting && ++x->now[at] > x->most[at]) x->most[at] = x->now[at];
        x->w->at[slot] = (uint16_t)at;
    }
    for (uint32_t slot = 0; slot < p->slots; slot++) x->now[x->w->at[slot]] = 0;
}

uint32_t mc_get_most_waiting(struct mc_engine *e, uint32_t *most)
{
    uint32_t positions = e->space.p.positions + 1;
    struct queues x = {e->made ? &e->searcher[0]->worker : NULL, most, calloc(positions, sizeof *x.now)};
    memset(most, 0, positions * sizeof *most);
    e->interrupted = 0;
    bool good = x.now && x.w && mc_each_root(e, count_waiting, &x);
    free(x.now);
    return good;
}
