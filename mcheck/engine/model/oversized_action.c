/* Which action has stopped a search from within. */
#include "model/oversized_action.h"

#include "base/clock.h"

enum mc_crowd mc_stopped_within(const struct mc_worker *w)
{
    const struct mc_space *s = w->space;
    if (!s->interrupted) return 0; /* no search is at work */
    return *s->interrupted ? MC_STOPPED_WITHIN : mc_now() > s->until ? MC_TOO_LONG : 0;
}

void mc_note_crowded(struct mc_worker *w, enum mc_crowd why, uint32_t slot, uint64_t executions)
{
    struct mc_space *s = w->space;
    const struct mc_context *c = w->context;
    pthread_mutex_lock(&s->crew.mutex);
    if (!s->crowded.why) {
        s->crowded = (struct mc_crowded){.why = why, .slot = slot, .executions = executions, .inputs = c->inputs};
        for (uint32_t i = 0; i < c->inputs && i < MC_INPUTS_TOLD; i++) {
            s->crowded.width[i] = c->input_width[i];
            s->crowded.address[i] = c->input_address[i];
        }
        s->crowded_block = malloc(s->p.block_size + 1ull);
        if (s->crowded_block) memcpy(s->crowded_block, w->before, s->p.block_size);
    }
    pthread_mutex_unlock(&s->crew.mutex);
}
