/* LM3S6965: up to 50 MHz from the PLL, UART 0 on PA0 (receives) and PA1. */

#define LF_NVIC_LINES 44
#define LF_VTOR 1

#define LF_UART "../pl011.h"
#define LF_UART_AT 0x4000C000
#define LF_UART_LINE 5
#define LF_UART_HZ LF_CLOCK_HZ

#ifndef __ASSEMBLER__

#define SYSTEM_REVISION 0x400FE000
#define SYSTEM_LDO 0x400FE034
#define SYSTEM_STATUS 0x400FE050
#define SYSTEM_CLOCK 0x400FE060
#define SYSTEM_UART_CLOCK 0x400FE104
#define SYSTEM_PORT_CLOCK 0x400FE108
#define PORT_A_FUNCTION 0x40004420
#define PORT_A_PULL_UP 0x40004510
#define PORT_A_DIGITAL 0x4000451C

#define PLL_LOCKED 0x40u
#define USE_DIVISOR (1u << 22)
#define DIVISOR(n) (((n) - 1u) << 23)
#define PLL_OFF (1u << 13)
#define BYPASS (1u << 11)
#define CRYSTAL_8_MHZ (14u << 6)
#define SOURCE_INTERNAL 0x10u /* as after reset; the bit that turns the crystal off is 0 */

#define REVISION_A2 2u /* in 16 bits; its erratum: with less than 2.75 V in the core the PLL may not run as it should */
#define VOLTS_2_75 0x1Bu

/* The PLL has 200 MHz after its own halving. */
#define BY (200000000u / LF_CLOCK_HZ)

_Static_assert(LF_CRYSTAL_HZ == 8000000, "the port knows the crystal of 8 MHz only");
_Static_assert(BY * LF_CLOCK_HZ == 200000000 && BY >= 4 && BY <= 16, "the clock must be 200 MHz by 4 to 16");

static inline __attribute__((unused)) void lf_set_up_clock(void)
{
    if ((lf_read(SYSTEM_REVISION) & 0xFFFFu) == REVISION_A2)
        lf_write(SYSTEM_LDO, VOLTS_2_75);
    lf_write(SYSTEM_CLOCK, PLL_OFF | BYPASS | CRYSTAL_8_MHZ | SOURCE_INTERNAL);
    lf_wait_for(SYSTEM_STATUS, 0, 1); /* nothing tells that the crystal has started: the whole time is waited */
    lf_write(SYSTEM_CLOCK, BYPASS | CRYSTAL_8_MHZ | DIVISOR(BY) | USE_DIVISOR);
    if (lf_wait_for(SYSTEM_STATUS, PLL_LOCKED, PLL_LOCKED))
        lf_write(SYSTEM_CLOCK, CRYSTAL_8_MHZ | DIVISOR(BY) | USE_DIVISOR);
}

static inline __attribute__((unused)) void lf_connect_uart(void)
{
    lf_set_bits(SYSTEM_UART_CLOCK, 1);
    lf_set_bits(SYSTEM_PORT_CLOCK, 1);
    lf_read(SYSTEM_PORT_CLOCK); /* three cycles must pass before the port is reached */
    lf_set_bits(PORT_A_FUNCTION, 3);
    lf_set_bits(PORT_A_PULL_UP, 1); /* PA0 receives: a line that nobody drives is quiet */
    lf_set_bits(PORT_A_DIGITAL, 3);
}

/* The watchdog resets the chip when it has come to 0 for the second time. */
#define SYSTEM_WATCHDOG_CLOCK 0x400FE100
#define WATCHDOG_LOAD 0x40000000
#define WATCHDOG_CONTROL 0x40000008
#define WATCHDOG_CLEAR 0x4000000C
#define RESETS_AND_RUNS 3u

static inline __attribute__((unused)) void lf_start_watchdog(void)
{
    lf_set_bits(SYSTEM_WATCHDOG_CLOCK, 1u << 3);
    lf_read(SYSTEM_WATCHDOG_CLOCK); /* its clock comes some cycles later */
    lf_write(WATCHDOG_LOAD, LF_CLOCK_HZ / 2000u * LF_WATCHDOG_MS);
    lf_write(WATCHDOG_CONTROL, RESETS_AND_RUNS);
}

/* The interrupt that the first zero leaves is taken back, and the count begins anew. */
static inline __attribute__((unused)) void lf_feed_watchdog(void) { lf_write(WATCHDOG_CLEAR, 1); }

#endif
