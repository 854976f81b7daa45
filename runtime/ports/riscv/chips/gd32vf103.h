/* GD32VF103: the crystal times a whole number; USART 0 on PA9 (sends) and PA10. The core is Nuclei's Bumblebee: interrupts come
   by their numbers, without `mie`; number 7 is the machine timer. Its devices are like those of an STM32F1. */

#define LF_LINES 87
#define LF_NUMBERED 1
#define LF_ECLIC 1 /* in `mcause` only the lower ten bits are the number */
#define LF_SYSTICK_NUMBER 7
#define LF_FIRST_NUMBER 19 /* of the devices */
#define LF_CONTROLLER "controllers/eclic.h"
#define LF_STARTS_AT_ALIAS 1 /* of the flash, at 0 */

#define LF_MTIME_AT 0xD1000000
#define LF_MTIMECMP_AT 0xD1000008

#define LF_UART "../stm32_usart.h"
#define LF_UART_AT 0x40013800
#define LF_UART_LINE 56
#define LF_UART_HZ LF_CLOCK_HZ

#ifndef __ASSEMBLER__

#define RCC_CONTROL 0x40021000
#define RCC_CONFIGURATION 0x40021004
#define RCC_APB2_ENABLE 0x40021018
#define RCC_MORE 0x4002102C
#define PORT_A_UPPER_PINS 0x40010804
#define PORT_A_SET 0x40010810

#define CRYSTAL_ON (1u << 16)
#define CRYSTAL_READY (1u << 17)
#define PLL_ON (1u << 24)
#define PLL_READY (1u << 25)
#define PLL_FROM_CRYSTAL (1u << 16)
#define PLL_TIMES(n) (((n) - 2u) << 18)
#define APB1_HALVED (4u << 8)
#define SYSTEM_FROM_PLL 2u
#define SYSTEM_IS_PLL 8u
#define SYSTEM_IS 12u

#define MULTIPLIER (LF_CLOCK_HZ / LF_CRYSTAL_HZ)

_Static_assert(MULTIPLIER * LF_CRYSTAL_HZ == LF_CLOCK_HZ && MULTIPLIER >= 2 && MULTIPLIER <= 14,
               "the clock must be 2 to 14 times the crystal's");
_Static_assert(LF_CLOCK_HZ <= 108000000, "the chip cannot run that fast");

#include "../../stm32_clock.h"

static inline __attribute__((unused)) void lf_set_up_clock(void)
{
    if (!leave_pll())
        return;
    start_crystal();
    if (!lf_wait_for(RCC_CONTROL, CRYSTAL_READY, CRYSTAL_READY))
        return;
    lf_write(RCC_MORE, 0); /* the crystal is not divided before the PLL */
    lf_write(RCC_CONFIGURATION, PLL_FROM_CRYSTAL | PLL_TIMES(MULTIPLIER) | (LF_CLOCK_HZ > 54000000 ? APB1_HALVED : 0));
    lf_set_bits(RCC_CONTROL, PLL_ON);
    if (!lf_wait_for(RCC_CONTROL, PLL_READY, PLL_READY))
        return;
    lf_set_bits(RCC_CONFIGURATION, SYSTEM_FROM_PLL);
    lf_wait_for(RCC_CONFIGURATION, SYSTEM_IS, SYSTEM_IS_PLL);
}

/* The clocks of port A and of the USART; PA9 is its output, PA10 an input that is pulled up. */
static inline __attribute__((unused)) void lf_connect_uart(void)
{
    lf_set_bits(RCC_APB2_ENABLE, 1u << 2 | 1u << 14);
    lf_write(PORT_A_SET, 1u << 10);
    lf_write(PORT_A_UPPER_PINS, (lf_read(PORT_A_UPPER_PINS) & ~0xFF0u) | 0x8B0u);
}

static inline __attribute__((unused)) uint32_t lf_mtime_hz(void) { return LF_CLOCK_HZ / 4; }

#define LF_WATCHDOG_KHZ 40u
#include "../../stm32_watchdog.h"

/* It cannot be turned off again: it is fed for ever. */
static inline __attribute__((unused)) void lf_stop_watchdog(void)
{
    for (;;)
        lf_feed_watchdog();
}

/* By the watchdog, at its first count. */
static inline __attribute__((unused)) void lf_reset_chip(void)
{
    lf_write(WATCHDOG_KEY, 0x5555);
    lf_write(WATCHDOG_RELOAD, 0);
    lf_write(WATCHDOG_KEY, 0xCCCC);
}

#endif
