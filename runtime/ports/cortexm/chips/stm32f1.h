/* STM32F100 (to 24 MHz) and STM32F103 (to 72 MHz): crystal times a whole number; USART pins as after reset. */

#define LF_NVIC_LINES 61
#define LF_VTOR 1
#define LF_AFTER_ROM 1 /* its boot loader may have started the program */

#define LF_UART "../stm32_usart.h"
#if defined(LF_CONSOLE_USART1)
#define LF_UART_AT 0x40013800
#define LF_UART_LINE 37
#define LF_UART_HZ APB2_HZ
#define LF_UART_PORT_AT 0x40010800 /* A: PA9 sends, PA10 receives */
#define LF_UART_PORT_BIT 2
#define LF_UART_PIN 9
#elif defined(LF_CONSOLE_USART2)
#define LF_UART_AT 0x40004400
#define LF_UART_LINE 38
#define LF_UART_HZ APB1_HZ
#define LF_UART_PORT_AT 0x40010800 /* A: PA2, PA3 */
#define LF_UART_PORT_BIT 2
#define LF_UART_PIN 2
#else
#define LF_UART_AT 0x40004800      /* USART3 */
#define LF_UART_LINE 39
#define LF_UART_HZ APB1_HZ
#define LF_UART_PORT_AT 0x40010C00 /* B: PB10, PB11 */
#define LF_UART_PORT_BIT 3
#define LF_UART_PIN 10
#endif

#ifndef __ASSEMBLER__

#define RCC_CONTROL 0x40021000
#define RCC_CONFIGURATION 0x40021004
#define RCC_APB2_ENABLE 0x40021018
#define RCC_APB1_ENABLE 0x4002101C
#define FLASH_ACCESS 0x40022000

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
#define APB1_IS_HALVED (LF_CLOCK_HZ > 36000000)
#define APB1_HZ (APB1_IS_HALVED ? LF_CLOCK_HZ / 2 : LF_CLOCK_HZ)
#define APB2_HZ LF_CLOCK_HZ
#define WAIT_STATES ((LF_CLOCK_HZ - 1) / 24000000)
#define PREFETCH 0x10u

#ifdef LF_CHIP_stm32f100
#define HIGHEST_HZ 24000000
#else
#define HIGHEST_HZ 72000000
#endif

_Static_assert(MULTIPLIER * LF_CRYSTAL_HZ == LF_CLOCK_HZ && MULTIPLIER >= 2 && MULTIPLIER <= 16,
               "the clock must be 2 to 16 times the crystal's");
_Static_assert(LF_CLOCK_HZ <= HIGHEST_HZ, "the chip cannot run that fast");

#include "../../stm32_clock.h"

static inline __attribute__((unused)) void lf_set_up_clock(void)
{
    if (!leave_pll())
        return;
    start_crystal();
    if (!lf_wait_for(RCC_CONTROL, CRYSTAL_READY, CRYSTAL_READY))
        return;
#ifndef LF_CHIP_stm32f100 /* whose flash keeps up with it */
    lf_write(FLASH_ACCESS, PREFETCH | WAIT_STATES);
#endif
    lf_write(RCC_CONFIGURATION, PLL_FROM_CRYSTAL | PLL_TIMES(MULTIPLIER) | (APB1_IS_HALVED ? APB1_HALVED : 0));
    lf_set_bits(RCC_CONTROL, PLL_ON);
    if (!lf_wait_for(RCC_CONTROL, PLL_READY, PLL_READY))
        return;
    lf_set_bits(RCC_CONFIGURATION, SYSTEM_FROM_PLL);
    lf_wait_for(RCC_CONFIGURATION, SYSTEM_IS, SYSTEM_IS_PLL);
}

/* Of each pin, four bits say what it is. */
#define PIN_PLACE(pin) (((pin) % 8u) * 4u)
#define SENDING 0xBu   /* alternate function, push-pull */
#define PULLED_INPUT 0x8u

static inline __attribute__((unused)) void lf_connect_uart(void)
{
    uint32_t configuration = LF_UART_PORT_AT + (LF_UART_PIN >= 8 ? 4 : 0);
#ifdef LF_CONSOLE_USART1
    lf_set_bits(RCC_APB2_ENABLE, 1u << LF_UART_PORT_BIT | 1u << 14);
#else
    lf_set_bits(RCC_APB2_ENABLE, 1u << LF_UART_PORT_BIT);
    lf_set_bits(RCC_APB1_ENABLE, 1u << (LF_UART_LINE - 38 + 17));
#endif
    lf_write(LF_UART_PORT_AT + 0x10, 1u << (LF_UART_PIN + 1)); /* the input is pulled up: a line that nobody drives is quiet */
    lf_write(configuration, (lf_read(configuration) & ~(0xFFu << PIN_PLACE(LF_UART_PIN)))
                                | SENDING << PIN_PLACE(LF_UART_PIN) | PULLED_INPUT << PIN_PLACE(LF_UART_PIN + 1));
}

#define LF_WATCHDOG_KHZ 40u
#include "../../stm32_watchdog.h"

#endif
