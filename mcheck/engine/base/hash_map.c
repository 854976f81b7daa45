/* See hash_map.h. */
#include "base/hash_map.h"

void *img_room(void *at, uint32_t *room, uint32_t used, size_t size, bool *no_memory)
{
    if (used < *room) return at;
    uint32_t more = *room ? *room * 2 : 256;
    void *grown = realloc(at, more * size);
    if (!grown) {
        *no_memory = true;
        return at;
    }
    *room = more;
    return grown;
}

static bool grow_map(struct img_map *m)
{
    struct img_map more = {NULL, m->entry ? m->mask * 2 + 1 : 1023, m->used};
    uint64_t size = (more.mask + 1) * sizeof *more.entry;
    more.entry = mc_grown(NULL, 0, size); /* zero */
    if (!more.entry) return false;
    mc_huge(more.entry, size);
    for (uint64_t k = 0; m->entry && k <= m->mask; k++) {
        if (!m->entry[k].key) continue;
        uint64_t i = mc_mix(m->entry[k].key - 1) & more.mask;
        while (more.entry[i].key) i = (i + 1) & more.mask;
        more.entry[i] = m->entry[k];
    }
    img_map_free(m);
    *m = more;
    return true;
}

bool img_map_put(struct img_map *m, uint64_t key, uint32_t value)
{
    if ((!m->entry || m->used * 2 > m->mask) && !grow_map(m)) return false;
    uint64_t i = mc_mix(key) & m->mask;
    while (m->entry[i].key) i = (i + 1) & m->mask;
    m->entry[i] = (struct img_map_entry){key + 1, value};
    m->used++;
    return true;
}

void img_map_free(struct img_map *m)
{
    if (m->entry) mc_release(m->entry, (m->mask + 1) * sizeof *m->entry);
}
