/* Which errors are reported: of each kind and place the nearest one, and of equally near ones the least by its block, so
 * that it is the same one whichever thread comes first. */
#include "search/bfs.h"

static bool same_place(const struct mc_error *x, const struct mc_error *y)
{
    return x->kind == y->kind && x->fault_kind == y->fault_kind && x->fault_site == y->fault_site;
}

static int compare(const struct mc_error *x, const uint8_t *of_x, const struct mc_error *y, const uint8_t *of_y, uint32_t size)
{
    int c = memcmp(of_x, of_y, size);
    if (c) return c;
    if (x->slot != y->slot) return x->slot < y->slot ? -1 : 1;
    if (x->fault_first != y->fault_first) return x->fault_first < y->fault_first ? -1 : 1;
    if (x->fault_second != y->fault_second) return x->fault_second < y->fault_second ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->fault_kind != y->fault_kind) return x->fault_kind < y->fault_kind ? -1 : 1;
    return x->fault_site < y->fault_site ? -1 : x->fault_site > y->fault_site;
}

void mc_note_error(struct mc_searcher *x, uint32_t kind, const struct mc_successor *s)
{
    struct mc_engine *e = x->e;
    uint32_t size = e->space.p.block_size, i = 0;
    struct mc_error error = {.kind = kind, .state = x->owner, .depth = e->s.depth};
    if (s) {
        error.slot = s->slot;
        error.fault_kind = s->fault->kind;
        error.fault_site = s->fault->site;
        error.fault_first = s->fault->first;
        error.fault_second = s->fault->second;
    }
    for (uint32_t k = 0; k < e->s.errors; k++)
        if (same_place(&e->errors[k], &error)) return; /* there is a nearer one */
    if (!x->blocks) x->blocks = malloc((MC_ERRORS_ROOM + 1ull) * size);
    if (!x->blocks) return;
    uint8_t *block = x->blocks + (uint64_t)MC_ERRORS_ROOM * size;
    mc_put_state(&x->worker, block);
    while (i < x->error_count && !same_place(&x->errors[i], &error)) i++;
    if (i == MC_ERRORS_ROOM) return;
    if (i < x->error_count && compare(&error, block, &x->errors[i], x->blocks + (uint64_t)i * size, size) >= 0) return;
    if (i == x->error_count) x->error_count++;
    x->errors[i] = error;
    memcpy(x->blocks + (uint64_t)i * size, block, size);
}

static const uint8_t *block_of(const struct mc_searcher *x, uint32_t i)
{
    return x->blocks + (uint64_t)i * x->e->space.p.block_size;
}

/* The least of all that are left in this level; false if none is. */
static bool take_least(struct mc_engine *e, struct mc_error *least)
{
    const uint8_t *block = NULL;
    for (uint32_t k = 0; k < e->made; k++) {
        const struct mc_searcher *x = e->searcher[k];
        for (uint32_t i = 0; i < x->error_count; i++) {
            if (x->errors[i].kind == 0) continue;
            if (block && compare(&x->errors[i], block_of(x, i), least, block, e->space.p.block_size) >= 0) continue;
            *least = x->errors[i];
            block = block_of(x, i);
        }
    }
    for (uint32_t k = 0; k < e->made && block; k++)
        for (uint32_t i = 0; i < e->searcher[k]->error_count; i++)
            if (same_place(&e->searcher[k]->errors[i], least)) e->searcher[k]->errors[i].kind = 0;
    return block != NULL;
}

/* Those of the level that has been searched come after those of earlier levels. */
void mc_gather_errors(struct mc_engine *e)
{
    struct mc_error least;
    while (e->s.errors < MC_ERRORS_ROOM && take_least(e, &least)) e->errors[e->s.errors++] = least;
    for (uint32_t k = 0; k < e->made; k++) e->searcher[k]->error_count = 0;
}

uint32_t mc_get_error(struct mc_engine *e, uint32_t number, struct mc_error *out)
{
    if (number >= e->s.errors) return 0;
    *out = e->errors[number];
    return 1;
}
