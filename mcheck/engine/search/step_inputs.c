/* What came from outside in a step: the least of the values that lead to the same state. */
#include "model/inputs.h"

#include "model/action_cache.h"
#include "search/bfs.h"

/* Is this the step that is looked for? Of one that faults its kind and place are known, of others the block after it. */
static bool leads_there(const struct mc_worker *w, bool faulted, const uint8_t *after, uint32_t kind, uint32_t site)
{
    if (!after) return faulted && w->context->fault_kind == kind && w->context->fault_site == site;
    if (faulted) return false;
    mc_reset_block(w->space, w->block);
    return memcmp(w->block, after, w->space->p.block_size) == 0;
}

uint64_t mc_inputs_of(struct mc_engine *e, const uint8_t *before, const uint8_t *after, uint32_t slot, uint32_t kind,
                      uint32_t site, uint32_t *values, uint64_t room)
{
    struct mc_worker w;
    uint64_t found = UINT64_MAX;
    uint32_t script[MC_MOST_ASKED], size = 0, path = 0;
    bool more = mc_worker_new(&w, &e->space);
    while (more && found == UINT64_MAX) {
        struct mc_context *c = w.context;
        memcpy(w.block, before, w.space->p.block_size);
        c->asked = c->time_steps = c->told = c->overflow = 0;
        c->script = script;
        c->script_size = size;
        bool faulted = w.space->p.run(w.block, c, slot) != 0;
        for (uint32_t i = 0; i < c->told; i++) c->is_told[c->telling[i]] = 0;
        if (c->overflow != MC_NO_EXECUTION && leads_there(&w, faulted, after, kind, site)) {
            found = c->inputs;
            for (uint32_t i = 0; i < c->inputs && i < room; i++) values[i] = mc_least_left(&c->input[i]);
        }
        more = mc_next_script(c, script, &size, &path);
    }
    mc_worker_free(&w);
    return found;
}
