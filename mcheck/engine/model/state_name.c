/* Names of states. See state_name.h. */
#include "model/state_name.h"

uint64_t mc_name_size(const struct mc_space *s)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < s->p.components; i++) size += s->p.component[i].size;
    return size;
}

void mc_put_name(const struct mc_worker *w, uint8_t *name)
{
    const struct mc_space *s = w->space;
    for (uint32_t i = 0; i < s->p.components; name += s->p.component[i++].size)
        memcpy(name, mc_value(mc_values_of(s, i), w->v[i]), s->p.component[i].size);
}

uint64_t mc_root_of_name(struct mc_worker *w, const uint8_t *name)
{
    const struct mc_space *s = w->space;
    w->is_decoded = false;
    for (uint32_t i = 0; i < s->p.components; name += s->p.component[i++].size) {
        w->v[i] = mc_intern_value(mc_values_of(s, i), name);
        mc_note_value(w->space, i, w->v[i]);
    }
    return mc_root_here(w);
}

uint32_t mc_owner_by_hash(const uint8_t *name, const uint8_t *undetermined, uint64_t size, uint32_t owners)
{
    uint64_t hash = size;
    for (uint64_t i = 0; i < size; i++) {
        uint64_t byte = undetermined && undetermined[i] ? 256 : name[i];
        hash = (hash ^ byte) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return (uint32_t)(mc_mix(hash) % owners);
}
