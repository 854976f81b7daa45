/* CH32V003: its own oscillator of 24 MHz, or the PLL of twice that. USART 1 on PD5 (sends) and PD6. The core is WCH's QingKe
   V2A: interrupts come by their numbers, without `mie`; number 12 is the core's SysTick. */

#define LF_LINES 39
#define LF_NUMBERED 1 /* `mcause` says which one it is */
#define LF_SYSTICK_NUMBER 12
#define LF_FIRST_NUMBER 16 /* of the devices */
#define LF_CONTROLLER "controllers/pfic.h"

#define LF_UART "../stm32_usart.h"
#define LF_UART_AT 0x40013800
#define LF_UART_LINE 32
#define LF_UART_HZ LF_CLOCK_HZ

#ifndef __ASSEMBLER__

#define RCC_CONTROL 0x40021000
#define RCC_CONFIGURATION 0x40021004
#define RCC_APB2_ENABLE 0x40021018
#define FLASH_ACCESS 0x40022000
#define PORT_D_PINS 0x40011400
#define PORT_D_SET 0x40011410

#define OSCILLATOR_HZ 24000000
#define PLL_ON (1u << 24)
#define PLL_READY (1u << 25)
#define SYSTEM_FROM_PLL 2u
#define SYSTEM_IS_PLL 8u
#define SYSTEM_IS 12u

_Static_assert(LF_CLOCK_HZ == OSCILLATOR_HZ || LF_CLOCK_HZ == 2 * OSCILLATOR_HZ, "the clock must be 24 or 48 MHz");

/* After reset the clock is a third of the oscillator's. */
static inline __attribute__((unused)) void lf_set_up_clock(void)
{
    if (LF_CLOCK_HZ == OSCILLATOR_HZ) {
        lf_write(RCC_CONFIGURATION, 0);
        return;
    }
    lf_write(FLASH_ACCESS, 1); /* a wait state */
    lf_write(RCC_CONFIGURATION, 0);
    lf_set_bits(RCC_CONTROL, PLL_ON);
    if (!lf_wait_for(RCC_CONTROL, PLL_READY, PLL_READY))
        return;
    lf_write(RCC_CONFIGURATION, SYSTEM_FROM_PLL);
    lf_wait_for(RCC_CONFIGURATION, SYSTEM_IS, SYSTEM_IS_PLL);
}

/* The clocks of port D and of the USART; PD5 is its output, to 10 MHz, PD6 an input that is pulled up. */
static inline __attribute__((unused)) void lf_connect_uart(void)
{
    lf_set_bits(RCC_APB2_ENABLE, 1u << 5 | 1u << 14);
    lf_write(PORT_D_SET, 1u << 6);
    lf_write(PORT_D_PINS, (lf_read(PORT_D_PINS) & ~(0xFFu << 20)) | 0x89u << 20);
}

#define LF_WATCHDOG_KHZ 128u
#include "../../stm32_watchdog.h"

/* It cannot be turned off again: it is fed for ever. */
static inline __attribute__((unused)) void lf_stop_watchdog(void)
{
    for (;;)
        lf_feed_watchdog();
}

#define PFIC_CONFIGURATION 0xE000E048
#define RESET_REQUEST 0xBEEF0080

static inline __attribute__((unused)) void lf_reset_chip(void) { lf_write(PFIC_CONFIGURATION, RESET_REQUEST); }

#endif
