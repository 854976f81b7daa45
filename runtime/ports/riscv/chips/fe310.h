/* SiFive FE310-G000 and G002: the crystal of 16 MHz, or the PLL over it. UART 0 on GPIO 16 (receives) and 17, UART 1 on 23
   and 18. */

#define LF_LINES 53
#define LF_CONTROLLER "controllers/plic.h"
#define LF_PLIC_AT 0x0C000000

#define LF_MTIMECMP_AT 0x02004000
#define LF_MTIME_AT 0x0200BFF8

#define LF_UART "uarts/sifive.h"
#define LF_UART_HZ LF_CLOCK_HZ
#if defined(LF_CONSOLE_UART0)
#define LF_UART_AT 0x10013000
#define LF_UART_LINE 3
#define UART_PINS (1u << 16 | 1u << 17)
#elif defined(LF_CONSOLE_UART1)
#define LF_UART_AT 0x10023000
#define LF_UART_LINE 4
#define UART_PINS (1u << 18 | 1u << 23)
#endif

#ifndef __ASSEMBLER__

#define CRYSTAL_CONTROL 0x10008004
#define PLL_CONTROL 0x10008008
#define PLL_DIVIDER 0x1000800C
#define ENABLE_AND_READY (1u << 30 | 1u << 31)
#define PLL_SELECTED (1u << 16)
#define PLL_BY_CRYSTAL (1u << 17)
#define PLL_BYPASSED (1u << 18)
#define PLL_LOCKED (1u << 31)
#define PLL_AS_IT_IS (1u << 8) /* the divider behind it: by 1 */
#define GPIO_FUNCTION_ENABLE 0x10012038
#define GPIO_FUNCTION_SELECT 0x1001203C
#define GPIO_PULL_UP 0x10012010

_Static_assert(LF_CRYSTAL_HZ == 16000000, "the port knows the crystal of 16 MHz only");

/* The crystal by 2 is compared with the oscillator by twice F + 1, which has 384 to 768 MHz; behind it, a division by 2, 4
   or 8. */
#define LF_DIVISION (LF_CLOCK_HZ * 2 >= 384000000 ? 1u : LF_CLOCK_HZ * 4 >= 384000000 ? 2u : 3u)
#define LF_F ((LF_CLOCK_HZ << LF_DIVISION) / 16000000 - 1)

_Static_assert(LF_CLOCK_HZ == LF_CRYSTAL_HZ ||
                   (LF_CLOCK_HZ >= 48000000 && LF_CLOCK_HZ <= 320000000 &&
                    (LF_F + 1) * (16000000 >> LF_DIVISION) == LF_CLOCK_HZ),
               "the clock must be that of the crystal, or 48 to 320 MHz in steps of 2 (up to 96), 4 (up to 190) or 8 MHz");

static inline __attribute__((unused)) void lf_set_up_clock(void)
{
    lf_set_bits(CRYSTAL_CONTROL, 1u << 30);
    if (!lf_wait_for(CRYSTAL_CONTROL, ENABLE_AND_READY, ENABLE_AND_READY))
        return;
    lf_write(PLL_DIVIDER, PLL_AS_IT_IS);
    if (LF_CLOCK_HZ == LF_CRYSTAL_HZ) {
        lf_write(PLL_CONTROL, PLL_BYPASSED | PLL_BY_CRYSTAL | PLL_SELECTED);
        return;
    }
    uint32_t settings = PLL_BY_CRYSTAL | 1u | (uint32_t)LF_F << 4 | LF_DIVISION << 10; /* 1: the crystal by 2 */
    lf_write(PLL_CONTROL, settings | PLL_BYPASSED);
    lf_write(PLL_CONTROL, settings);
    lf_wait_for(PLL_CONTROL, 0, 1); /* what it says of the lock is worth nothing for the first 100 us */
    if (lf_wait_for(PLL_CONTROL, PLL_LOCKED, PLL_LOCKED))
        lf_write(PLL_CONTROL, settings | PLL_SELECTED);
}

static inline __attribute__((unused)) void lf_connect_uart(void)
{
    lf_set_bits(GPIO_PULL_UP, UART_PINS); /* a line that nobody drives is quiet */
    lf_write(GPIO_FUNCTION_SELECT, lf_read(GPIO_FUNCTION_SELECT) & ~UART_PINS);
    lf_set_bits(GPIO_FUNCTION_ENABLE, UART_PINS);
}

/* The timer counts the always-on clock, 32,768 Hz. QEMU's counts 10 MHz; it names itself in `marchid`, by its version or
   by its number 42, while the chip says 1 or a negative number. */
#define OF_QEMU 42

static inline __attribute__((unused)) uint32_t lf_mtime_hz(void)
{
    return (int32_t)lf_architecture() >= OF_QEMU ? 10000000u : 32768u;
}

/* The watchdog of the always-on domain. Each write of its registers wants the key before it. */
#define WATCHDOG_CONFIGURATION 0x10000000
#define WATCHDOG_COUNT 0x10000008
#define WATCHDOG_FEED 0x10000018
#define WATCHDOG_KEY 0x1000001C
#define WATCHDOG_COMPARE 0x10000020
#define KEY 0x51F15Eu
#define FOOD 0xD09F00Du
#define BY_EIGHT 3u
#define RESETS (1u << 8)
#define RUNS (1u << 12)
#define WATCHDOG_HZ (32768u / 8u)

static inline __attribute__((unused)) void lf_write_unlocked(uint32_t address, uint32_t value)
{
    lf_write(WATCHDOG_KEY, KEY);
    lf_write(address, value);
}

static inline __attribute__((unused)) void lf_feed_watchdog(void) { lf_write_unlocked(WATCHDOG_FEED, FOOD); }

static inline __attribute__((unused)) void lf_start_watchdog(void)
{
    lf_feed_watchdog();
    lf_write_unlocked(WATCHDOG_COMPARE, WATCHDOG_HZ * LF_WATCHDOG_MS / 1000u);
    lf_write_unlocked(WATCHDOG_CONFIGURATION, BY_EIGHT | RESETS | RUNS);
}

static inline __attribute__((unused)) void lf_stop_watchdog(void) { lf_write_unlocked(WATCHDOG_CONFIGURATION, 0); }

/* It has no other reset by the program: the watchdog's, at once. */
static inline __attribute__((unused)) void lf_reset_chip(void)
{
    lf_write_unlocked(WATCHDOG_COMPARE, 0);
    lf_write_unlocked(WATCHDOG_CONFIGURATION, RESETS | RUNS);
}

#endif
