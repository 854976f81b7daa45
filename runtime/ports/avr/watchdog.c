/* The watchdog, if the board wants it: it resets the chip unless the kernel's loop comes round. */

#include "../../port.h"
#include "chip.h"

void lf_port_watchdog_start(void);
void lf_watchdog_set(uint8_t control);
void lf_watchdog_reset(void);

#if LF_WATCHDOG_MS

#define RESETS 0x08u /* in WDTCSR */
/* 16 ms times a power of two, of which bit 3 lies apart. */
#define POWER (LF_WATCHDOG_MS <= 16 ? 0u : LF_WATCHDOG_MS <= 32 ? 1u : LF_WATCHDOG_MS <= 64 ? 2u : LF_WATCHDOG_MS <= 125 ? 3u \
    : LF_WATCHDOG_MS <= 250 ? 4u : LF_WATCHDOG_MS <= 500 ? 5u : LF_WATCHDOG_MS <= 1000 ? 6u : LF_WATCHDOG_MS <= 2000 ? 7u \
    : LF_WATCHDOG_MS <= 4000 ? 8u : 9u)

void lf_port_watchdog_start(void)
{
    lf_watchdog_set((uint8_t)(RESETS | (POWER & 8u) << 2 | (POWER & 7u)));
}

/* The tick, which this has started, wakes the loop from its sleep. */
void lf_port_watchdog_feed(void)
{
    (void)lf_port_milliseconds();
    lf_watchdog_reset();
}

void lf_port_watchdog_stop(void)
{
    lf_watchdog_set(0);
}

#else

void lf_port_watchdog_start(void) {}
void lf_port_watchdog_feed(void) {}
void lf_port_watchdog_stop(void) {}

#endif
