/* RP2350, whichever of its processors runs: 12 MHz crystal, the system's PLL, UART 0 or 1. The processor's clock feeds the UART
   as well. */

#define LF_UART "../pl011.h"
#define LF_UART_HZ LF_CLOCK_HZ
#if defined(LF_CONSOLE_UART1)
#define LF_UART_AT 0x40078000
#define LF_UART_LINE 34
#define LF_UART_RESET (1u << 27)
#else
#define LF_UART_AT 0x40070000
#define LF_UART_LINE 33
#define LF_UART_RESET (1u << 26)
#endif

#ifndef __ASSEMBLER__

#define RP_RESETS 0x40020000
#define RP_RESET_PLL (1u << 14)
#define RP_RESET_PINS (1u << 6 | 1u << 9) /* their functions, their pads */
#define RP_CLOCKS 0x40010000
#define RP_CRYSTAL 0x40048000
#define RP_PLL 0x40050000
#define RP_FIRST 5u
#define RP_SECOND 2u
#define RP_PINS 0x40028000
#define RP_PADS 0x40038000
#define RP_PADS_ARE_ISOLATED 1

_Static_assert(LF_CLOCK_HZ >= 75000000 && LF_CLOCK_HZ <= 150000000, "the clock must be 75 to 150 MHz");

#include "rp_clock.h"

/* The watchdog counts the microseconds that the block of ticks makes for it. What it resets: all but the oscillators. */
#define WATCHDOG_CONTROL 0x400D8000
#define WATCHDOG_LOAD 0x400D8004
#define WATCHDOG_TICK 0x40108030
#define WATCHDOG_TICK_CYCLES 0x40108034
#define RESET_BY_WATCHDOG 0x40018008
#define ALL_BUT_OSCILLATORS 0x1FFFFF3u
#define WATCHDOG_ON (1u << 30)
#define WATCHDOG_COUNTS (LF_WATCHDOG_MS * 1000u)

static inline __attribute__((unused)) void lf_start_watchdog(void)
{
    lf_write(WATCHDOG_TICK_CYCLES, LF_CRYSTAL_HZ / 1000000u);
    lf_write(WATCHDOG_TICK, 1);
    lf_write(RESET_BY_WATCHDOG, ALL_BUT_OSCILLATORS);
    lf_write(WATCHDOG_LOAD, WATCHDOG_COUNTS);
    lf_write(WATCHDOG_CONTROL, WATCHDOG_ON);
}

static inline __attribute__((unused)) void lf_feed_watchdog(void) { lf_write(WATCHDOG_LOAD, WATCHDOG_COUNTS); }

#endif
