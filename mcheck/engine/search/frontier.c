/* States that are to be expanded, in chunks; and what the log says of whom. */
#include "search/bfs.h"

bool mc_add_chunk(struct mc_chunks *c, struct mc_chunk x)
{
    if (c->count == c->room) {
        uint64_t room = c->room ? c->room * 2 : 16;
        struct mc_chunk *at = realloc(c->at, room * sizeof *at);
        if (!at) return false;
        c->at = at;
        c->room = room;
    }
    c->at[c->count++] = x;
    return true;
}

uint64_t *mc_chunk_room(struct mc_searcher *x)
{
    return x->spares ? x->spare[--x->spares] : malloc(8 * MC_CHUNK);
}

void mc_give_back(struct mc_searcher *x, uint64_t *room)
{
    if (x->spares == x->spares_room) {
        uint32_t n = x->spares_room ? x->spares_room * 2 : 16;
        uint64_t **spare = n <= 256 ? realloc(x->spare, n * sizeof *spare) : NULL;
        if (!spare) {
            free(room);
            return;
        }
        x->spare = spare;
        x->spares_room = n;
    }
    x->spare[x->spares++] = room;
}

bool mc_fetch_chunk(struct mc_searcher *x, struct mc_chunk *c)
{
    uint64_t *room = mc_chunk_room(x);
    if (!room) {
        x->e->space.crew.out_of_memory = true;
        return false;
    }
    if (!x->e->spills->read_chunk(x->e, c, room)) {
        mc_halt(x->e, MC_DISK);
        mc_give_back(x, room);
        return false;
    }
    c->root = room;
    return true;
}

bool mc_add_mark(struct mc_engine *e, struct mc_mark m)
{
    if (e->marks_count == e->marks_room) {
        uint64_t room = e->marks_room ? e->marks_room * 2 : 64;
        struct mc_mark *marks = realloc(e->marks, room * sizeof *marks);
        if (!marks) return false;
        e->marks = marks;
        e->marks_room = room;
    }
    e->marks[e->marks_count++] = m;
    return true;
}
