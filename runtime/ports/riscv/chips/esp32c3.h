/* ESP32-C3: the crystal of 40 MHz. UART 0 on GPIO 21 (sends) and 20. The loader in the ROM has copied the program to RAM. */

#define LF_LINES 62
#define LF_TICK_SOURCE 37
#define LF_MATRIX_AT 0x600C2000
#define LF_MATRIX_STATUS 0x600C20F8
#define LF_CORE_ENABLE 0x600C2104
#define LF_CORE_PRIORITY 0x600C2114
#define LF_CORE_THRESHOLD 0x600C2194

#define LF_SYSTIMER_AT 0x60023000

#define LF_UART_AT 0x60000000
#define LF_UART_LINE 21
#define LF_UART_TX 21
#define LF_UART_RX 20

#define TIMER_GROUP_0 0x6001F000u
#define RTC_WATCHDOG 0x60008090
#define RTC_WATCHDOG_KEY 0x600080A8
#define SUPER_WATCHDOG 0x600080AC
#define SUPER_WATCHDOG_KEY 0x600080B0
#define KEY_OF_SUPER_WATCHDOG 0x8F1D312Au
#define FEEDS_ITSELF (1u << 31)
#define IO_MUX 0x60009000

#include "esp32.h"

#ifndef __ASSEMBLER__

#define SYSTEM_CLOCK 0x600C0058
#define CLOCK_BITS 0xFFFu /* which one it is, 0: the crystal; and by what it is divided, less one */
#define CLOCKS_OF_DEVICES 0x600C0010
#define RESETS_OF_DEVICES 0x600C0018
#define UART_SYSTIMER_AND_MEMORY (1u << 2 | 1u << 29 | 1u << 24)

static inline __attribute__((unused)) void lf_set_up_clock(void)
{
    lf_stop_watchdogs_of_boot();
    lf_write(SYSTEM_CLOCK, (lf_read(SYSTEM_CLOCK) & ~CLOCK_BITS) | (LF_CRYSTAL_HZ / LF_CLOCK_HZ - 1));
    lf_set_bits(CLOCKS_OF_DEVICES, UART_SYSTIMER_AND_MEMORY);
    lf_write(RESETS_OF_DEVICES, lf_read(RESETS_OF_DEVICES) & ~UART_SYSTIMER_AND_MEMORY);
}

#define UART_CLOCK (LF_UART_AT + 0x78u)
#define CRYSTAL_FOR_BOTH_WAYS 0x03700000u
#define UART_ID (LF_UART_AT + 0x80u)
#define TO_TAKE_OVER (1u << 31)

static inline __attribute__((unused)) void lf_select_uart_clock(uint32_t division)
{
    lf_write(UART_CLOCK, CRYSTAL_FOR_BOTH_WAYS | division);
}

static inline __attribute__((unused)) void lf_take_over_uart(void) { lf_set_bits(UART_ID, TO_TAKE_OVER); }

#define LF_EIGHT_BITS_ONE_STOP 0x1000001Cu /* with the clock of the FIFOs' memory */
#define LF_FORGET_RECEIVED (1u << 17)
#define UART_LIMITS (LF_UART_AT + 0x24u)
#define ALSO_AFTER_A_WHILE (1u << 21) /* ten bits, as after a reset */

static inline __attribute__((unused)) void lf_set_uart_limits(uint32_t received)
{
    lf_write(UART_LIMITS, ALSO_AFTER_A_WHILE | received);
}

#define RTC_OPTIONS 0x60008000

static inline __attribute__((unused)) void lf_reset_chip(void) { lf_set_bits(RTC_OPTIONS, 1u << 31); }

#endif
