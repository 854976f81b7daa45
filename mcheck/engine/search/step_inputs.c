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

static void tell(const struct mc_context *c, struct mc_way *way)
{
    _Static_assert(MC_MOST_ASKED <= MC_MOST_DECISIONS, "there is room for all");
    way->inputs = c->inputs;
    for (uint32_t i = 0; i < c->inputs; i++) way->input[i] = mc_least_left(&c->input[i]);
    way->decisions = 0;
    for (uint32_t i = 0; i < c->asked && i < MC_MOST_ASKED; i++)
        if (!c->of_input[i]) way->decision[way->decisions++] = i < c->script_size ? c->script[i] : 0;
}

uint32_t mc_inputs_of(struct mc_engine *e, const uint8_t *before, const uint8_t *after, uint32_t slot, uint32_t kind,
                      uint32_t site, struct mc_way *way)
{
    struct mc_worker w;
    bool found = false;
    uint32_t script[MC_MOST_ASKED], size = 0, path = 0;
    bool more = mc_worker_new(&w, &e->space);
    while (more && !found) {
        struct mc_context *c = w.context;
        memcpy(w.block, before, w.space->p.block_size);
        c->asked = c->time_steps = c->told = c->overflow = 0;
        c->script = script;
        c->script_size = size;
        bool faulted = w.space->p.run(w.block, c, slot) != 0;
        for (uint32_t i = 0; i < c->told; i++) c->is_told[c->telling[i]] = 0;
        if (c->overflow != MC_NO_EXECUTION && leads_there(&w, faulted, after, kind, site)) {
            found = true;
            tell(c, way);
        }
        more = mc_next_script(c, script, &size, &path);
    }
    mc_worker_free(&w);
    return found;
}
