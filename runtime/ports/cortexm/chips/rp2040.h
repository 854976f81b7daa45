/* RP2040: 12 MHz crystal, the system's PLL, UART 0 or 1. The processor's clock feeds the UART as well. */

#define LF_NVIC_LINES 26
#define LF_VTOR 1
#define LF_BOOT_BLOCK 1 /* the ROM copies the first 256 bytes of the flash into RAM and runs them */

#define LF_UART "uarts/pl011.h"
#define LF_UART_HZ LF_CLOCK_HZ
#if defined(LF_CONSOLE_UART1)
#define LF_UART_AT 0x40038000
#define LF_UART_LINE 21
#define LF_UART_RESET (1u << 23)
#else
#define LF_UART_AT 0x40034000
#define LF_UART_LINE 20
#define LF_UART_RESET (1u << 22)
#endif

#ifndef __ASSEMBLER__

#define SET 0x2000u   /* the same registers once more: what is written there is set, or cleared, bit by bit */
#define CLEAR 0x3000u

#define RESETS 0x4000C000
#define RESETS_DONE 0x4000C008
#define RESET_PLL (1u << 12)
#define RESET_PINS (1u << 5 | 1u << 8) /* their functions, their pads */

#define CRYSTAL 0x40024000
#define CRYSTAL_STATUS 0x40024004
#define CRYSTAL_STARTUP 0x4002400C
#define CRYSTAL_1_TO_15_MHZ 0xAA0u
#define CRYSTAL_ENABLE (0xFABu << 12)
#define CRYSTAL_STABLE (1u << 31)
#define A_MILLISECOND ((LF_CRYSTAL_HZ / 1000u + 128u) / 256u)

#define REFERENCE_CLOCK 0x40008030
#define REFERENCE_SELECTED 0x40008038
#define SYSTEM_CLOCK 0x4000803C
#define SYSTEM_SELECTED 0x40008044
#define PERIPHERAL_CLOCK 0x40008048
#define REFERENCE_FROM_CRYSTAL 2u
#define SYSTEM_FROM_REFERENCE 0u
#define SYSTEM_FROM_PLL 1u
#define PERIPHERALS_FROM_SYSTEM (1u << 11)

#define PLL_CONTROL 0x40028000
#define PLL_POWER 0x40028004
#define PLL_FEEDBACK 0x40028008
#define PLL_DIVISORS 0x4002800C
#define PLL_LOCKED (1u << 31)
#define PLL_OSCILLATOR 0x21u /* its power-down bits */
#define PLL_DIVIDER 8u
/* The oscillator of the PLL: the crystal times FEEDBACK, 12 times the clock; it is divided by 6 and by 2. */
#define FEEDBACK (LF_CLOCK_HZ / (LF_CRYSTAL_HZ / 12u))

#define PIN_FUNCTION(pin) (0x40014004u + 8u * (pin))
#define PIN_PAD(pin) (0x4001C004u + 4u * (pin))
#define FUNCTION_UART 2u
#define PULLED_INPUT 0x5Au /* input enabled, pull-up, Schmitt trigger */

_Static_assert(LF_CRYSTAL_HZ % 12 == 0 && FEEDBACK * (LF_CRYSTAL_HZ / 12u) == LF_CLOCK_HZ,
               "twelve times the clock must be a multiple of the crystal's");
_Static_assert(LF_CLOCK_HZ >= 63000000 && LF_CLOCK_HZ <= 133000000, "the clock must be 63 to 133 MHz");

static inline __attribute__((unused)) void take_out_of_reset(uint32_t bits)
{
    lf_write(RESETS + CLEAR, bits);
    lf_wait_for(RESETS_DONE, bits, bits);
}

static inline __attribute__((unused)) void lf_set_up_clock(void)
{
    lf_write(PERIPHERAL_CLOCK, PERIPHERALS_FROM_SYSTEM);
    lf_write(CRYSTAL, CRYSTAL_1_TO_15_MHZ);
    lf_write(CRYSTAL_STARTUP, A_MILLISECOND);
    lf_write(CRYSTAL + SET, CRYSTAL_ENABLE);
    if (!lf_wait_for(CRYSTAL_STATUS, CRYSTAL_STABLE, CRYSTAL_STABLE))
        return;
    /* A boot loader may have left the processor on the PLL, which must not be stopped under it. */
    lf_write(SYSTEM_CLOCK + CLEAR, SYSTEM_FROM_PLL);
    if (!lf_wait_for(SYSTEM_SELECTED, 15, 1u << SYSTEM_FROM_REFERENCE))
        return;
    lf_write(REFERENCE_CLOCK, REFERENCE_FROM_CRYSTAL);
    if (!lf_wait_for(REFERENCE_SELECTED, 15, 1u << REFERENCE_FROM_CRYSTAL))
        return;
    lf_write(RESETS + SET, RESET_PLL);
    take_out_of_reset(RESET_PLL);
    lf_write(PLL_CONTROL, 1); /* the crystal undivided */
    lf_write(PLL_FEEDBACK, FEEDBACK);
    lf_write(PLL_POWER + CLEAR, PLL_OSCILLATOR);
    if (!lf_wait_for(PLL_CONTROL, PLL_LOCKED, PLL_LOCKED))
        return;
    lf_write(PLL_DIVISORS, 6u << 16 | 2u << 12);
    lf_write(PLL_POWER + CLEAR, PLL_DIVIDER);
    lf_write(SYSTEM_CLOCK, SYSTEM_FROM_REFERENCE); /* the other source: the PLL */
    lf_write(SYSTEM_CLOCK + SET, SYSTEM_FROM_PLL);
    lf_wait_for(SYSTEM_SELECTED, 15, 1u << SYSTEM_FROM_PLL);
}

static inline __attribute__((unused)) void lf_connect_uart(void)
{
    take_out_of_reset(RESET_PINS | LF_UART_RESET);
    lf_write(PIN_PAD(LF_CONSOLE_RX), PULLED_INPUT); /* a line that nobody drives is quiet */
    lf_write(PIN_FUNCTION(LF_CONSOLE_TX), FUNCTION_UART);
    lf_write(PIN_FUNCTION(LF_CONSOLE_RX), FUNCTION_UART);
}

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
