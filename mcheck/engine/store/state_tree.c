/* Making and ending what search threads share. */
#include "store/state_tree.h"

enum { MC_LIGHT = 4, MC_HEAVY = 8 }; /* a component's least and most weight */

/* What a component may hold grows with its bytes. */
static uint32_t weight(const struct mc_space *s, uint32_t component)
{
    uint32_t size = s->p.component[component].size;
    return size < MC_LIGHT ? MC_LIGHT : size < MC_HEAVY ? size : MC_HEAVY;
}

/* Where the leaves first..last-1 are cut: what both sides hold is about the same, so that neither has many numbers. */
static uint32_t middle_of(const struct mc_space *s, uint32_t first, uint32_t last)
{
    uint32_t total = 0, left = 0, i = first;
    for (uint32_t k = first; k < last; k++) total += s->weight[s->order[k]];
    while (i < last - 1 && (i == first || 2 * left + s->weight[s->order[i]] <= total)) left += s->weight[s->order[i++]];
    return i;
}

/* Over the leaves first..last-1; children get lower numbers than parents. */
static uint32_t build_tree(struct mc_space *s, uint32_t first, uint32_t last, uint32_t *next)
{
    if (last - first == 1) return s->order[first];
    bool all = last - first == s->p.components;
    uint32_t middle = all && s->left ? s->left : middle_of(s, first, last);
    uint32_t left = build_tree(s, first, middle, next), right = build_tree(s, middle, last, next);
    uint32_t n = (*next)++;
    s->tree[n] = (struct mc_node){left, right, 0};
    s->tree[left].parent = s->tree[right].parent = n;
    return n;
}

static void free_pairs(struct mc_space *s)
{
    for (uint32_t k = s->p.components; k < s->nodes; k++)
        if (k != s->root) mc_pairs_free(&s->pairs[k]);
}

bool mc_shape_tree(struct mc_space *s, const uint32_t *order, const uint32_t *weight, uint32_t left)
{
    uint32_t n = s->p.components, next = n;
    free_pairs(s);
    s->nodes = n;
    memcpy(s->order, order, 4ull * n);
    memcpy(s->weight, weight, 4ull * n);
    s->left = left;
    s->root = build_tree(s, 0, n, &next);
    for (; s->nodes < next; s->nodes++) {
        if (s->nodes == s->root) continue;
        if (!mc_pairs_new(&s->pairs[s->nodes])) return false;
        s->pairs[s->nodes].crew = &s->crew;
    }
    return true;
}

/* Until more is known: in their own order. */
static bool shape_first_tree(struct mc_space *s)
{
    uint32_t n = s->p.components, *order = calloc(n + 1ull, 4), *weights = calloc(n + 1ull, 4);
    bool good = order && weights && s->order && s->weight;
    for (uint32_t i = 0; good && i < n; i++) {
        order[i] = i;
        weights[i] = weight(s, i);
    }
    good = good && mc_shape_tree(s, order, weights, 0);
    free(order);
    free(weights);
    return good;
}

bool mc_space_new(struct mc_space *s, const struct mc_program *p, const struct mc_options *o)
{
    memset(s, 0, sizeof *s);
    s->p = *p;
    s->o = *o;
    mc_crew_new(&s->crew);
    uint32_t n = p->components;
    s->values = calloc(p->classes, sizeof *s->values);
    for (uint32_t i = 0; i < n; i++) {
        const struct mc_component *c = &p->component[i];
        if (!s->values[c->class_number].bytes)
            if (!mc_values_new(&s->values[c->class_number], c->size, c->slot >= 0 ? c->position_size : 0,
                               p->numbers + c->first_number, &s->crew))
                return false;
    }
    s->tree = calloc(2ull * n + 1, sizeof *s->tree);
    s->pairs = calloc(2ull * n + 1, sizeof *s->pairs);
    s->order = calloc(n + 1ull, 4);
    s->weight = calloc(n + 1ull, 4);
    s->nodes = n;
    if (!s->tree || !s->pairs || !shape_first_tree(s)) return false;
    s->passed_in_full = calloc(1, p->blocks + 1);
    return s->passed_in_full && mc_values_new(&s->passed_sets, p->blocks, 0, NULL, &s->crew);
}

void mc_space_free(struct mc_space *s)
{
    for (uint32_t c = 0; c < s->p.classes; c++) mc_values_free(&s->values[c]);
    free_pairs(s);
    free(s->order);
    free(s->weight);
    mc_values_free(&s->passed_sets);
    free(s->passed_in_full);
    free(s->crowded_block);
    free(s->values);
    free(s->tree);
    free(s->pairs);
}

static uint32_t count_of(const struct mc_space *s, uint32_t node)
{
    return node < s->p.components ? mc_values_of(s, node)->count : s->pairs[node].count;
}

void mc_halves(const struct mc_space *s, uint32_t *left, uint32_t *right)
{
    bool leaf = s->p.components == 1;
    *left = count_of(s, leaf ? 0 : s->tree[s->root].left);
    *right = leaf ? 0 : count_of(s, s->tree[s->root].right);
}

void mc_space_measure(const struct mc_space *s, struct mc_statistics *out)
{
    out->nodes = out->values = out->value_bytes = 0;
    out->node_bytes = 0;
    for (uint32_t n = s->p.components; n < s->nodes; n++) {
        if (n == s->root) continue;
        out->nodes += mc_count_of(&s->pairs[n].count);
        out->node_bytes += mc_pairs_bytes(&s->pairs[n]);
    }
    for (uint32_t c = 0; c < s->p.classes; c++) {
        const struct mc_values *v = &s->values[c];
        uint32_t count = mc_count_of(&v->count);
        out->values += count;
        out->value_bytes += (uint64_t)count * (v->size + 3) + 4ull * (v->index.mask + 1ull);
    }
}
