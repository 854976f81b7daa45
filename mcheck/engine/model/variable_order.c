/* The order of the tree's leaves, from what the actions of a sample of states touch together. */
#include "model/variable_order.h"

#include "model/reduction.h"

enum { FEW_SLOTS = 64 };
enum { LEAST = 4, MOST = 512, WALKS = 16, STEPS = 512, VALUES = 1024, MOST_IMPROVED = 128 };

struct sample {
    uint32_t n;         /* components */
    uint32_t *together; /* how often two of them were touched by one step */
    uint64_t *values;   /* bits: which the sample came across, of each */
    uint32_t chance;
    uint32_t *next; /* the changes of a successor, taken by chance */
    uint32_t changed, count;
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
    if (!s->fault && by_chance(x, ++x->count) == 0) {
        memcpy(x->next, s->changes, 8ull * s->changed);
        x->changed = s->changed;
    }
    return true;
}

static void note_values(struct mc_worker *w, struct sample *x)
{
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t value = w->v[i];
        if (value < VALUES) x->values[i * (VALUES / 64) + value / 64] |= 1ull << value % 64;
    }
}

/* Pairs are not numbered: only components are. */
static void walk(struct mc_worker *w, struct sample *x)
{
    w->rootless = true;
    for (uint32_t i = 0; i < WALKS; i++) {
        mc_initial(w);
        for (uint32_t k = 0; k < STEPS && !w->space->crew.out_of_memory; k++) {
            note_values(w, x);
            x->count = 0;
            mc_expand(w, look, x);
            if (x->count == 0) break;
            for (uint32_t c = 0; c < x->changed; c++) w->v[x->next[2 * c]] = x->next[2 * c + 1];
        }
    }
}

/* What happens often counts for more, but not for so much more. */
static void flatten(struct sample *x)
{
    for (uint64_t i = 0; i < (uint64_t)x->n * x->n; i++)
        if (x->together[i]) x->together[i] = 32 - (uint32_t)__builtin_clz(x->together[i]);
}

/* About how many bits the values take; in eighths, and one more. */
static uint32_t weight_of(const struct sample *x, uint32_t component)
{
    uint32_t count = 0, weight = 1;
    for (uint32_t i = 0; i < VALUES / 64; i++) count += (uint32_t)__builtin_popcountll(x->values[component * (VALUES / 64) + i]);
    for (double c = count; c > 1.01; c /= 1.0905) weight++;
    return weight;
}

/* Each time, of those that are tied to what has its place (if there are any), the component that leaves the fewest ties
 * between that and the rest. */
static void arrange(const struct sample *x, uint32_t *order)
{
    uint32_t n = x->n;
    int32_t ties[MOST] = {0}, placed[MOST] = {0}; /* to all, less those to what has its place; -1: has its place, else how tied */
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) ties[i] += (int32_t)x->together[i * n + k];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t best = UINT32_MAX;
        for (uint32_t k = 0; k < n; k++) {
            if (placed[k] < 0) continue;
            bool better = best == UINT32_MAX || ties[k] < ties[best];
            if (best != UINT32_MAX && (placed[k] > 0) != (placed[best] > 0)) better = placed[k] > 0;
            if (better) best = k;
        }
        placed[best] = -1;
        order[i] = best;
        for (uint32_t k = 0; k < n; k++) {
            int32_t tie = (int32_t)x->together[best * n + k];
            ties[k] -= 2 * tie;
            if (placed[k] >= 0) placed[k] += tie;
        }
    }
}

/* --- the halves ------------------------------------------------------------------------------------------------------- */

struct cut {
    uint32_t *order, leaves; /* so many of them are left */
    uint64_t crossing;       /* how much is tied to the other half */
};

static int64_t tie(const struct sample *x, uint32_t a, uint32_t b) { return x->together[a * x->n + b]; }

/* Ties of a leaf to the other half, less those to its own. */
static int64_t pull(const struct sample *x, const struct cut *c, uint32_t i)
{
    int64_t sum = 0;
    for (uint32_t k = 0; k < x->n; k++)
        sum += (i < c->leaves) == (k < c->leaves) ? -tie(x, c->order[i], c->order[k]) : tie(x, c->order[i], c->order[k]);
    return sum;
}

/* Where both halves may hold about the same. */
static void cut_in_the_middle(const struct sample *x, struct cut *c, const uint32_t *weight)
{
    uint64_t total = 0, left = 0;
    for (uint32_t i = 0; i < x->n; i++) total += weight[i];
    c->leaves = 1;
    for (left = weight[c->order[0]]; c->leaves < x->n - 1 && 2 * left + weight[c->order[c->leaves]] <= total; c->leaves++)
        left += weight[c->order[c->leaves]];
}

/* While it makes the ties fewer: two leaves that weigh about the same change places. */
static void improve(const struct sample *x, struct cut *c, const uint32_t *weight)
{
    for (uint32_t round = 0; round < x->n && x->n <= MOST_IMPROVED; round++) {
        int64_t best = 0, pulls[MOST_IMPROVED];
        uint32_t from = 0, to = 0;
        for (uint32_t i = 0; i < x->n; i++) pulls[i] = pull(x, c, i);
        for (uint32_t i = 0; i < c->leaves; i++)
            for (uint32_t k = c->leaves; k < x->n; k++) {
                uint32_t a = weight[c->order[i]], b = weight[c->order[k]];
                int64_t gain = pulls[i] + pulls[k] - 2 * tie(x, c->order[i], c->order[k]);
                if (gain > best && 2 * a <= 3 * b && 2 * b <= 3 * a) best = gain, from = i, to = k;
            }
        if (best == 0) break;
        uint32_t moved = c->order[from];
        c->order[from] = c->order[to];
        c->order[to] = moved;
    }
    c->crossing = 0;
    for (uint32_t i = 0; i < c->leaves; i++)
        for (uint32_t k = c->leaves; k < x->n; k++) c->crossing += (uint64_t)tie(x, c->order[i], c->order[k]);
}

bool mc_order_by_sample(struct mc_space *s)
{
    uint32_t n = s->p.components;
    if (n < LEAST || n > MOST) return true;
    struct mc_worker *w = calloc(1, sizeof *w);
    struct sample x = {.n = n, .chance = 1};
    x.together = calloc((uint64_t)n * n, 4);
    x.values = calloc(n, VALUES / 8);
    x.next = calloc(2ull * n + 4, 4);
    uint32_t *weight = calloc(n, 4);
    struct cut own = {calloc(n, 4), 0, 0}, sampled = {calloc(n, 4), 0, 0};
    bool good = x.next && w && x.together && x.values && own.order && sampled.order && weight && mc_worker_new(w, s);
    if (good) {
        struct mc_attached choice = s->reduction[MC_CHOOSE];
        if (s->p.slots > FEW_SLOTS) s->reduction[MC_CHOOSE].ops = NULL; /* for some thousand states it would take seconds */
        walk(w, &x);
        s->reduction[MC_CHOOSE] = choice;
        flatten(&x);
        for (uint32_t i = 0; i < n; i++) weight[i] = weight_of(&x, i);
        for (uint32_t i = 0; i < n; i++) own.order[i] = i;
        arrange(&x, sampled.order);
        cut_in_the_middle(&x, &own, weight);
        cut_in_the_middle(&x, &sampled, weight);
        improve(&x, &own, weight);
        improve(&x, &sampled, weight);
        const struct cut *best = sampled.crossing < own.crossing ? &sampled : &own;
        good = mc_shape_tree(s, best->order, weight, best->leaves);
    }
    if (w) mc_worker_free(w);
    free(w);
    free(x.together);
    free(x.values);
    free(x.next);
    free(own.order);
    free(sampled.order);
    free(weight);
    return good && !s->crew.out_of_memory;
}
