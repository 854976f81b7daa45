/* The watchdog, if the board wants it: it resets the chip unless the kernel's loop comes round. The chips' own parts are
   in chips/. */

#include "../../port.h"
#include "chip.h"

void lf_port_watchdog_start(void);

#if LF_WATCHDOG_MS

void lf_port_watchdog_start(void)
{
    lf_start_watchdog();
}

/* The tick, which this has started, wakes the loop from its sleep. */
void lf_port_watchdog_feed(void)
{
    (void)lf_port_milliseconds();
    lf_feed_watchdog();
}

void lf_port_watchdog_stop(void)
{
    lf_stop_watchdog();
}

#else

void lf_port_watchdog_start(void) {}
void lf_port_watchdog_feed(void) {}
void lf_port_watchdog_stop(void) {}

#endif
