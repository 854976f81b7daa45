/* A search begins with code that was made soon. When executions have taken so long that better code pays, whoever made the
 * program is asked for it. What an action does is the same with both, so nothing else changes.
 */
#include "search/recompile.h"

void mc_ask_for_code(struct mc_engine *e, double after, void (*ask)(void))
{
    e->ask_after = after;
    e->ask = ask;
}

void mc_use_code(struct mc_engine *e, const struct mc_program *p)
{
    e->space.p.run = p->run;
    e->space.p.wake = p->wake;
    e->space.p.interrupt = p->interrupt;
    e->ask = NULL;
}

void mc_ask_if_slow(struct mc_engine *e)
{
    double seconds = 0;
    if (!e->ask) return;
    for (uint32_t i = 0; i < e->made; i++) seconds += e->searcher[i]->worker.executing;
    if (seconds <= e->ask_after) return;
    void (*ask)(void) = e->ask;
    e->ask = NULL;
    ask();
}
