/* SAM D21: 48 MHz, locked to the crystal of 32,768 Hz. SERCOM 5 on PB22 (sends) and PB23, SERCOM 0 on PA10 and PA11. */

#define LF_NVIC_LINES 28
#define LF_VTOR 1
#define LF_AFTER_ROM 1 /* a boot loader in the flash may have started the program */

#ifdef LF_CONSOLE_USB
#define LF_USB "samd21.h"
#define LF_USB_LINE 7
#else
#define LF_UART "uarts/sercom.h"
#endif
#define LF_UART_HZ LF_CLOCK_HZ
#if defined(LF_CONSOLE_SERCOM0)
#define LF_UART_AT 0x42000800
#define LF_UART_LINE 9
#define UART_NUMBER 0u
#define UART_PORT_AT 0x41004400 /* A */
#define UART_PIN 10u
#define UART_FUNCTION 2u
#else
#define LF_UART_AT 0x42001C00
#define LF_UART_LINE 14
#define UART_NUMBER 5u
#define UART_PORT_AT 0x41004480 /* B */
#define UART_PIN 22u
#define UART_FUNCTION 3u
#endif

#ifndef __ASSEMBLER__

#define POWER_APBC 0x40000420
#define OSCILLATORS_STATUS 0x4000080C
#define CRYSTAL 0x40000814
#define LOOP_CONTROL 0x40000824
#define LOOP_MULTIPLIER 0x4000082C
#define CLOCK_USERS 0x40000C00 /* in the upper half; in bits 8 to 15 whether a write is under way */
#define CLOCK_GENERATORS 0x40000C04
#define CLOCK_DIVISORS 0x40000C08
#define FLASH_CONTROL 0x41004004

#define CRYSTAL_READY 2u
#define LOOP_READY 0x10u
#define LOOP_LOCKED 0xC0u /* fine and coarse */
#define CRYSTAL_SETTINGS 0x60Cu /* a long start, 32,768 Hz to the chip */
#define CRYSTAL_ON 2u
#define LOOP_ON 2u
#define LOOP_CLOSED 0xA04u /* it locks before it is given out, and not in a hurry */
#define LARGEST_STEPS (31u << 26 | 511u << 16)
#define MULTIPLIER ((LF_CLOCK_HZ + LF_CRYSTAL_HZ / 2u) / LF_CRYSTAL_HZ)
#define FROM_CRYSTAL (5u << 8)
#define FROM_LOOP (7u << 8)
#define GENERATOR_ON (1u << 16)
#define EVEN_DUTY (1u << 17)
#define USER(id, generator) ((1u << 14 | (generator) << 8 | (id)) << 16)
#define OF_LOOP 0u
#define OF_UART (0x14u + UART_NUMBER)
#define A_WAIT_STATE 2u

_Static_assert(LF_CRYSTAL_HZ == 32768, "the port knows the crystal of 32,768 Hz only");
_Static_assert(LF_CLOCK_HZ == 48000000, "the clock must be 48 MHz");

static inline __attribute__((unused)) void await_generators(void) { lf_wait_for(CLOCK_USERS, 0x8000u, 0); }

static inline __attribute__((unused)) void lf_set_up_clock(void)
{
    lf_set_bits(FLASH_CONTROL, A_WAIT_STATE);
    lf_write(CRYSTAL, CRYSTAL_SETTINGS);
    lf_write(CRYSTAL, CRYSTAL_SETTINGS | CRYSTAL_ON);
    if (!lf_wait_for(OSCILLATORS_STATUS, CRYSTAL_READY, CRYSTAL_READY))
        return;
    lf_write(CLOCK_DIVISORS, 1); /* of generator 1: none */
    lf_write(CLOCK_GENERATORS, 1u | FROM_CRYSTAL | GENERATOR_ON);
    await_generators();
    lf_write(CLOCK_USERS, USER(OF_LOOP, 1u));
    lf_write(LOOP_CONTROL, LOOP_ON); /* not only on demand, before anything else of it is written: an erratum */
    lf_wait_for(OSCILLATORS_STATUS, LOOP_READY, LOOP_READY);
    lf_write(LOOP_MULTIPLIER, LARGEST_STEPS | MULTIPLIER);
    lf_wait_for(OSCILLATORS_STATUS, LOOP_READY, LOOP_READY);
    lf_write(LOOP_CONTROL, LOOP_ON | LOOP_CLOSED);
    if (!lf_wait_for(OSCILLATORS_STATUS, LOOP_LOCKED, LOOP_LOCKED))
        return;
    lf_wait_for(OSCILLATORS_STATUS, LOOP_READY, LOOP_READY);
    lf_write(CLOCK_DIVISORS, 0); /* generator 0 is the processor's */
    lf_write(CLOCK_GENERATORS, FROM_LOOP | GENERATOR_ON | EVEN_DUTY);
    await_generators();
}

#define PORT_OUT_SET (UART_PORT_AT + 0x18u)
#define PORT_CONFIGURE (UART_PORT_AT + 0x28u)
/* Of two pins beside each other: what they are connected to, input enabled, the second one pulled. */
#define UPPER_PINS (UART_PIN >= 16u ? 1u << 31 : 0u)
#define CONNECTED (UPPER_PINS | 1u << 30 | 1u << 28 | UART_FUNCTION << 24 | 1u << 17 | 1u << 16)
#define PULLED (1u << 18)

#ifdef LF_UART
static inline __attribute__((unused)) void lf_connect_uart(void)
{
    lf_set_bits(POWER_APBC, 1u << (2u + UART_NUMBER));
    lf_write(CLOCK_USERS, USER(OF_UART, 0u));
    lf_write(PORT_OUT_SET, 2u << UART_PIN); /* up: a line that nobody drives is quiet */
    lf_write(PORT_CONFIGURE, CONNECTED | 1u << UART_PIN % 16u);
    lf_write(PORT_CONFIGURE, CONNECTED | PULLED | 2u << UART_PIN % 16u);
}

#endif

/* The watchdog counts 1,024 in a second, as long as its own oscillator does; its time is a power of two. */
#define WATCHDOG_CONTROL 0x40001000
#define WATCHDOG_CLEAR 0x40001008
#define WATCHDOG_CODE                                                                                                     \
    (LF_WATCHDOG_MS <= 31    ? 2u                                                                                         \
     : LF_WATCHDOG_MS <= 62  ? 3u                                                                                         \
     : LF_WATCHDOG_MS <= 125 ? 4u                                                                                         \
     : LF_WATCHDOG_MS <= 250 ? 5u                                                                                         \
     : LF_WATCHDOG_MS <= 500 ? 6u                                                                                         \
     : LF_WATCHDOG_MS <= 1000 ? 7u                                                                                        \
     : LF_WATCHDOG_MS <= 2000 ? 8u                                                                                        \
     : LF_WATCHDOG_MS <= 4000 ? 9u                                                                                        \
                              : 10u)

static inline __attribute__((unused)) void lf_start_watchdog(void)
{
    lf_write(CLOCK_DIVISORS, 4u << 8 | 2u); /* generator 2: the slow oscillator by 32 */
    lf_write(CLOCK_GENERATORS, 2u | 3u << 8 | GENERATOR_ON | 1u << 20);
    await_generators();
    lf_write(CLOCK_USERS, USER(3u, 2u));
    lf_write(WATCHDOG_CONTROL, WATCHDOG_CODE << 8); /* which counts from 8 cycles on */
    lf_write(WATCHDOG_CONTROL, WATCHDOG_CODE << 8 | 2u);
}

static inline __attribute__((unused)) void lf_feed_watchdog(void) { lf_write(WATCHDOG_CLEAR, 0xA5); }

#endif
