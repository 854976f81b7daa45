/* ESP32-C6: the crystal of 40 MHz. UART 0 on GPIO 16 (sends) and 17. The loader in the ROM has copied the program to RAM. */

#define LF_LINES 77
#define LF_TICK_SOURCE 57
#define LF_MATRIX_AT 0x60010000
#define LF_MATRIX_STATUS 0x60010134
#define LF_CORE_ENABLE 0x20001000
#define LF_CORE_PRIORITY 0x20001010
#define LF_CORE_THRESHOLD 0x20001090
#define LF_CORE_HAS_MIE 1 /* and what it says is asked as well */

#define LF_SYSTIMER_AT 0x6000A000

#define LF_UART_AT 0x60000000
#define LF_UART_LINE 43
#define LF_UART_TX 16
#define LF_UART_RX 17

#define TIMER_GROUP_0 0x60008000u
#define RTC_WATCHDOG 0x600B1C00
#define RTC_WATCHDOG_KEY 0x600B1C18
#define SUPER_WATCHDOG 0x600B1C1C
#define SUPER_WATCHDOG_KEY 0x600B1C20
#define KEY_OF_SUPER_WATCHDOG 0x50D83AA1u
#define FEEDS_ITSELF (1u << 18)
#define IO_MUX 0x60090000

#include "esp32.h"

#ifndef __ASSEMBLER__

#define SYSTEM_CLOCK 0x60096110
#define WHICH_CLOCK (3u << 16) /* 0: the crystal */
#define CLOCK_OF_CORE 0x60096118
#define CONFIGURATION_OF_UART 0x60096000
#define CLOCK_OF_UART 0x60096004
#define CONFIGURATION_OF_SYSTIMER 0x60096054
#define ON_AND_NOT_RESET 1u
#define CRYSTAL_IS_ON 0x00700000u

static inline __attribute__((unused)) void lf_set_up_clock(void)
{
    lf_stop_watchdogs_of_boot();
    lf_write(SYSTEM_CLOCK, lf_read(SYSTEM_CLOCK) & ~WHICH_CLOCK);
    lf_write(CLOCK_OF_CORE, (lf_read(CLOCK_OF_CORE) & ~0xFFu) | (LF_CRYSTAL_HZ / LF_CLOCK_HZ - 1));
    lf_write(CONFIGURATION_OF_UART, ON_AND_NOT_RESET);
    lf_write(CONFIGURATION_OF_SYSTIMER, ON_AND_NOT_RESET);
}

#define UART_TAKES_OVER (LF_UART_AT + 0x98u)

static inline __attribute__((unused)) void lf_select_uart_clock(uint32_t division)
{
    lf_write(CLOCK_OF_UART, CRYSTAL_IS_ON | division);
}

static inline __attribute__((unused)) void lf_take_over_uart(void) { lf_write(UART_TAKES_OVER, 1); }

#define LF_EIGHT_BITS_ONE_STOP 0x0010001Cu /* with the clock of the FIFOs' memory */
#define LF_FORGET_RECEIVED (1u << 22)
#define UART_LIMITS (LF_UART_AT + 0x24u)
#define UART_WAITS (LF_UART_AT + 0x64u)
#define TEN_BITS (10u << 2 | 1u)

static inline __attribute__((unused)) void lf_set_uart_limits(uint32_t received)
{
    lf_write(UART_WAITS, TEN_BITS);
    lf_write(UART_LIMITS, received);
}

#define SYSTEM_OF_ALWAYS_ON 0x600B1034

static inline __attribute__((unused)) void lf_reset_chip(void) { lf_set_bits(SYSTEM_OF_ALWAYS_ON, 1u << 31); }

#endif
