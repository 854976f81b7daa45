/* Sleeps without the tick: what interrupts on a Cortex-M wakes it, and its devices go on. */

#include "../../port.h"
#include "chip.h"

void lf_stop_tick(void);
void lf_go_on_ticking(void);

bool lf_port_may_rest(void)
{
    return !LF_WATCHDOG_MS; /* a watchdog goes on, and is fed at each tick */
}

void lf_port_rest(void)
{
    lf_stop_tick();
    lf_port_idle();
    lf_go_on_ticking();
}
