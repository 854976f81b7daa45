/* The order of the tree's leaves, from what the actions of a sample of states touch together. */
#include "order.h"

#include "successors.h"

enum { LEAST = 4, MOST = 512, WALKS = 48, STEPS = 96, VALUES = 1024 };

struct sample {
    uint32_t n;         /* components */
    uint32_t *together; /* how often two of them were touched by one step */
    uint64_t *values;   /* bits: which the sample came across, of each */
    uint32_t chance;
    uint64_t next; /* a successor, taken by chance */
    uint32_t count;
};

static uint32_t by_chance(struct sample *x, uint32_t below)
{
    x->chance = x->chance * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)x->chance * below >> 32);
}

static void note_together(struct sample *x, uint32_t a, uint32_t b)
{
    if (a == b) return;
    x->together[a * x->n + b]++;
    x->together[b * x->n + a]++;
}

static bool look(struct mc_worker *w, const struct mc_successor *s, void *context)
{
    struct sample *x = context;
    const struct mc_program *p = &w->space->p;
    uint32_t touched[MC_MOST_COMPONENTS + 2], n = 0;
    if (s->slot != MC_NOBODY) touched[n++] = p->slot_component[s->slot];
    if (s->partner != MC_NOBODY) touched[n++] = p->slot_component[s->partner];
    for (uint32_t i = 0; i < s->changed; i++) touched[n++] = s->changes[2 * i];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++) note_together(x, touched[i], touched[k]);
    if (!s->fault && by_chance(x, ++x->count) == 0) x->next = s->root;
    return true;
}

static void note_values(struct mc_worker *w, struct sample *x)
{
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t value = w->v[i];
        if (value < VALUES) x->values[i * (VALUES / 64) + value / 64] |= 1ull << value % 64;
    }
}

static void walk(struct mc_worker *w, struct sample *x, uint64_t first)
{
    for (uint32_t i = 0; i < WALKS; i++) {
        uint64_t root = first;
        for (uint32_t k = 0; k < STEPS && !w->space->crew.out_of_memory; k++) {
            mc_decode(w, root);
            note_values(w, x);
            x->count = 0;
            mc_expand(w, look, x);
            if (x->count == 0) break;
            root = x->next;
        }
    }
}

/* About how many bits the values take; in eighths, and one more. */
static uint32_t weight_of(const struct sample *x, uint32_t component)
{
    uint32_t count = 0, weight = 1;
    for (uint32_t i = 0; i < VALUES / 64; i++) count += (uint32_t)__builtin_popcountll(x->values[component * (VALUES / 64) + i]);
    for (double c = count; c > 1.01; c /= 1.0905) weight++;
    return weight;
}

/* Each time the component that leaves the fewest ties between those that have their place and the rest. */
static void arrange(const struct sample *x, uint32_t *order)
{
    uint32_t n = x->n;
    int64_t *ties = calloc(n, sizeof *ties); /* to the rest, without those to what has its place */
    if (!ties) {
        for (uint32_t i = 0; i < n; i++) order[i] = i;
        return;
    }
    bool placed[MOST] = {false};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) ties[i] += x->together[i * n + k];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t best = UINT32_MAX;
        for (uint32_t k = 0; k < n; k++)
            if (!placed[k] && (best == UINT32_MAX || ties[k] < ties[best])) best = k;
        placed[best] = true;
        order[i] = best;
        for (uint32_t k = 0; k < n; k++) ties[k] -= 2 * (int64_t)x->together[best * n + k];
    }
    free(ties);
}

bool mc_order_by_sample(struct mc_space *s)
{
    uint32_t n = s->p.components;
    if (n < LEAST || n > MOST) return true;
    struct mc_worker *w = calloc(1, sizeof *w);
    struct sample x = {.n = n, .chance = 1};
    x.together = calloc((uint64_t)n * n, 4);
    x.values = calloc(n, VALUES / 8);
    uint32_t *order = calloc(n, 4), *weight = calloc(n, 4);
    bool good = w && x.together && x.values && order && weight && mc_worker_new(w, s);
    if (good) {
        walk(w, &x, mc_initial(w));
        arrange(&x, order);
        for (uint32_t i = 0; i < n; i++) weight[i] = weight_of(&x, i);
        good = mc_shape_tree(s, order, weight);
    }
    if (w) mc_worker_free(w);
    free(w);
    free(x.together);
    free(x.values);
    free(order);
    free(weight);
    return good && !s->crew.out_of_memory;
}
