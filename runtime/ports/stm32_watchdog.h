/* The independent watchdog of all STM32, whose own oscillator has some LF_WATCHDOG_KHZ: 256 of its cycles are one count. */
#ifndef LF_STM32_WATCHDOG_H
#define LF_STM32_WATCHDOG_H

#define WATCHDOG_KEY 0x40003000
#define WATCHDOG_PRESCALER 0x40003004
#define WATCHDOG_RELOAD 0x40003008
#define WATCHDOG_COUNTS (LF_WATCHDOG_MS * LF_WATCHDOG_KHZ / 256u + 1u)

static inline __attribute__((unused)) void lf_start_watchdog(void)
{
    lf_write(WATCHDOG_KEY, 0xCCCC);   /* starts it, */
    lf_write(WATCHDOG_KEY, 0x5555);   /* lets it be changed, */
    lf_write(WATCHDOG_PRESCALER, 6);
    lf_write(WATCHDOG_RELOAD, WATCHDOG_COUNTS - 1u);
    lf_wait_for(WATCHDOG_KEY + 12u, 3u, 0); /* until both have arrived */
    lf_write(WATCHDOG_KEY, 0xAAAA);   /* and feeds it */
}

static inline __attribute__((unused)) void lf_feed_watchdog(void) { lf_write(WATCHDOG_KEY, 0xAAAA); }

#endif
