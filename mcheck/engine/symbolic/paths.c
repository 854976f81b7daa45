/* Lists that grow, and paths made of them: copied where a question splits one. */
#include "symbolic/machine.h"

#include <stdlib.h>
#include <string.h>

bool mc_list_grown(void **at, uint32_t *room, uint64_t wanted, size_t size)
{
    uint64_t more = *room ? *room : 16;
    while (more < wanted) more *= 2;
    void *p = more > UINT32_MAX / 2 ? NULL : realloc(*at, more * size);
    if (!p) return false;
    *at = p;
    *room = (uint32_t)more;
    return true;
}

/* What has `count` elements in the one list is to be in the other. */
static bool copied(void **to, uint32_t *count, uint32_t *room, const void *from, uint32_t wanted, size_t size)
{
    if (wanted > *room && !mc_list_grown(to, room, wanted, size)) return false;
    if (wanted) memcpy(*to, from, wanted * size);
    *count = wanted;
    return true;
}

#define COPIED(list) \
    copied((void **)&to->list.at, &to->list.count, &to->list.room, from->list.at, from->list.count, sizeof *from->list.at)

bool mc_path_copied(struct path *to, const struct path *from)
{
    if (!COPIED(registers) || !COPIED(active) || !COPIED(cells) || !COPIED(pieces) || !COPIED(symbols) || !COPIED(items) ||
        !COPIED(alternatives) || !COPIED(pointers))
        return false;
    to->steps = from->steps;
    to->decided = from->decided;
    to->assumed = from->assumed;
    to->has_ended = from->has_ended;
    to->fault = from->fault;
    to->site = from->site;
    return true;
}

void mc_path_emptied(struct path *p)
{
    p->registers.count = p->active.count = p->cells.count = p->pieces.count = p->symbols.count = p->items.count = 0;
    p->alternatives.count = p->pointers.count = 0;
    p->steps = 0;
    p->decided = UNDECIDED;
    p->assumed = p->has_ended = p->fault = p->site = 0;
}

void mc_path_freed(struct path *p)
{
    free(p->registers.at);
    free(p->active.at);
    free(p->cells.at);
    free(p->pieces.at);
    free(p->symbols.at);
    free(p->items.at);
    free(p->alternatives.at);
    free(p->pointers.at);
    memset(p, 0, sizeof *p);
}
