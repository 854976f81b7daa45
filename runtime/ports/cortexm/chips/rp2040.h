/* RP2040: 12 MHz crystal, the system's PLL, UART 0 or 1. The processor's clock feeds the UART as well. */

#define LF_NVIC_LINES 26
#define LF_VTOR 1
#define LF_BOOT_BLOCK 1 /* the ROM copies the first 256 bytes of the flash into RAM and runs them */

#ifdef LF_CONSOLE_USB
#define LF_USB "rp2040.h"
#define LF_USB_LINE 5
#else
#define LF_UART "../pl011.h"
#endif
#define LF_UART_HZ LF_CLOCK_HZ
#if defined(LF_CONSOLE_UART1)
#define LF_UART_AT 0x40038000
#define LF_UART_LINE 21
#define LF_UART_RESET (1u << 23)
#elif !defined(LF_CONSOLE_USB)
#define LF_UART_AT 0x40034000
#define LF_UART_LINE 20
#define LF_UART_RESET (1u << 22)
#endif

#ifndef __ASSEMBLER__

#define RP_RESETS 0x4000C000
#define RP_RESET_PLL (1u << 12)
#define RP_RESET_PINS (1u << 5 | 1u << 8) /* their functions, their pads */
#define RP_CLOCKS 0x40008000
#define RP_CRYSTAL 0x40024000
#define RP_PLL 0x40028000
#define RP_FIRST 6u
#define RP_SECOND 2u
#define RP_PINS 0x40014000
#define RP_PADS 0x4001C000

_Static_assert(LF_CLOCK_HZ >= 63000000 && LF_CLOCK_HZ <= 133000000, "the clock must be 63 to 133 MHz");

#include "../../rp_clock.h"

/* The watchdog counts down twice in each microsecond (an erratum of the chip). What it resets: all but the oscillators. */
#define WATCHDOG_CONTROL 0x40058000
#define WATCHDOG_LOAD 0x40058004
#define WATCHDOG_TICK 0x4005802C
#define RESET_BY_WATCHDOG 0x40010008
#define ALL_BUT_OSCILLATORS 0x1FFFCu
#define WATCHDOG_ON (1u << 30)
#define TICK_ON (1u << 9)
#define WATCHDOG_COUNTS (LF_WATCHDOG_MS * 2000u)

static inline __attribute__((unused)) void lf_start_watchdog(void)
{
    lf_write(WATCHDOG_TICK, TICK_ON | LF_CRYSTAL_HZ / 1000000u);
    lf_write(RESET_BY_WATCHDOG, ALL_BUT_OSCILLATORS);
    lf_write(WATCHDOG_LOAD, WATCHDOG_COUNTS);
    lf_write(WATCHDOG_CONTROL, WATCHDOG_ON);
}

static inline __attribute__((unused)) void lf_feed_watchdog(void) { lf_write(WATCHDOG_LOAD, WATCHDOG_COUNTS); }

#endif
