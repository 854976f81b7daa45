/* nRF51822 (16 MHz), nRF52833 and nRF52840 (64 MHz): from the crystal, UART pins chosen by register. The first has no
   SysTick, and that of the others stops in sleep: the tick is one of three timers, of 16 MHz on all of them. */

#ifdef LF_CHIP_nrf51822
#define LF_NVIC_LINES 26
#define LF_VTOR 0
#define ONLY_HZ 16000000
#else
#define LF_NVIC_LINES 48
#define LF_VTOR 1
#define LF_AFTER_ROM 1 /* a boot loader may have started the program */
#define ONLY_HZ 64000000
#endif

#define LF_UART "uarts/nrf51.h"
#define LF_UART_AT 0x40002000
#define LF_UART_LINE 2

#if defined(LF_TICK_TIMER0)
#define LF_TICK_AT 0x40008000
#define LF_TICK_LINE 8
#elif defined(LF_TICK_TIMER1)
#define LF_TICK_AT 0x40009000
#define LF_TICK_LINE 9
#else
#define LF_TICK_AT 0x4000A000
#define LF_TICK_LINE 10
#endif

#ifndef __ASSEMBLER__

#define CLOCK_START_CRYSTAL 0x40000000
#define CLOCK_CRYSTAL_STARTED 0x40000100
#define PORT_OF(pin) (0x50000000u + 0x300u * ((pin) / 32u))
#define GPIO_SET(pin) (PORT_OF(pin) + 0x508u)
#define GPIO_CONFIGURE(pin) (PORT_OF(pin) + 0x700u + 4u * ((pin) % 32u))
#define OUTPUT 3u       /* its input is disconnected */
#define INPUT_PULLED_UP 12u

_Static_assert(LF_CLOCK_HZ == ONLY_HZ, "the chip has no other clock than 16 MHz (nRF51) or 64 MHz (nRF52)");

/* The processor runs on the RC oscillator until the crystal has started, then on that: UART and timer need it. */
static inline __attribute__((unused)) void lf_set_up_clock(void)
{
    lf_write(CLOCK_CRYSTAL_STARTED, 0);
    lf_write(CLOCK_START_CRYSTAL, 1);
    lf_wait_for(CLOCK_CRYSTAL_STARTED, 1, 1);
}

static inline __attribute__((unused)) void lf_connect_uart(void)
{
    lf_write(GPIO_SET(LF_CONSOLE_TX), 1u << LF_CONSOLE_TX % 32u); /* the line rests high */
    lf_write(GPIO_CONFIGURE(LF_CONSOLE_TX), OUTPUT);
    lf_write(GPIO_CONFIGURE(LF_CONSOLE_RX), INPUT_PULLED_UP);
}

/* The watchdog starts the oscillator of 32,768 Hz by itself. */
#define WATCHDOG_START 0x40010000
#define WATCHDOG_COUNTS 0x40010504
#define WATCHDOG_WHEN 0x4001050C
#define WATCHDOG_FEED 0x40010600
#define ALSO_ASLEEP 1u

static inline __attribute__((unused)) void lf_start_watchdog(void)
{
    lf_write(WATCHDOG_COUNTS, LF_WATCHDOG_MS * 32768u / 1000u);
    lf_write(WATCHDOG_WHEN, ALSO_ASLEEP);
    lf_write(WATCHDOG_START, 1);
}

static inline __attribute__((unused)) void lf_feed_watchdog(void) { lf_write(WATCHDOG_FEED, 0x6E524635); }

#endif
