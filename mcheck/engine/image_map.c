/* See image_map.h. */
#include "image_map.h"

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
    struct img_map more = {NULL, NULL, m->key ? m->mask * 2 + 1 : 1023, m->used};
    more.key = calloc(more.mask + 1, 8);
    more.value = malloc((more.mask + 1) * 4);
    if (!more.key || !more.value) {
        free(more.key), free(more.value);
        return false;
    }
    for (uint64_t k = 0; m->key && k <= m->mask; k++) {
        if (!m->key[k]) continue;
        uint64_t i = mc_mix(m->key[k] - 1) & more.mask;
        while (more.key[i]) i = (i + 1) & more.mask;
        more.key[i] = m->key[k];
        more.value[i] = m->value[k];
    }
    free(m->key), free(m->value);
    *m = more;
    return true;
}

bool img_map_put(struct img_map *m, uint64_t key, uint32_t value)
{
    if ((!m->key || m->used * 2 > m->mask) && !grow_map(m)) return false;
    uint64_t i = mc_mix(key) & m->mask;
    while (m->key[i]) i = (i + 1) & m->mask;
    m->key[i] = key + 1;
    m->value[i] = value;
    m->used++;
    return true;
}

void img_map_free(struct img_map *m) { free(m->key), free(m->value); }
