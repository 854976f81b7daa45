/* STM32G071 (to 64 MHz) and STM32L476 (to 80 MHz): the internal oscillator of 16 MHz by the PLL, so that no board needs a crystal. */

#if defined(LF_CHIP_stm32g071)
#define LF_NVIC_LINES 31
#define HIGHEST_HZ 64000000
#define A_WAIT_STATE_HZ 24000000
#define PORTS_AT 0x50000000
#define UART_FUNCTION 1u
#define LINE_OF_USART1 27
#define LINE_OF_USART2 28
#else
#define LF_NVIC_LINES 82
#define HIGHEST_HZ 80000000
#define A_WAIT_STATE_HZ 16000000
#define PORTS_AT 0x48000000
#define UART_FUNCTION 7u
#define LINE_OF_USART1 37
#define LINE_OF_USART2 38
#endif
#define LF_VTOR 1
#define LF_AFTER_ROM 1 /* its boot loader may have started the program */

#define LF_UART "../stm32_usart_new.h"
#define LF_UART_HZ LF_CLOCK_HZ
#if defined(LF_CONSOLE_USART1)
#define LF_UART_AT 0x40013800
#define LF_UART_LINE LINE_OF_USART1
#define UART_PIN 9u /* PA9 sends, PA10 receives */
#else
#define LF_UART_AT 0x40004400
#define LF_UART_LINE LINE_OF_USART2
#define UART_PIN 2u /* PA2, PA3 */
#endif

#ifndef __ASSEMBLER__

#define RCC_CONTROL 0x40021000
#define RCC_CONFIGURATION 0x40021008
#define RCC_PLL 0x4002100C
#if defined(LF_CHIP_stm32g071)
#define RCC_PORTS_ENABLE 0x40021034
#define RCC_APB1_ENABLE 0x4002103C
#define RCC_APB2_ENABLE 0x40021040
#define SYSTEM_FROM 7u
#define SYSTEM_FROM_PLL 2u
#define SYSTEM_IS 0x38u
#define SYSTEM_IS_PLL 0x10u
#define PLL_HALVED (1u << 29 | 1u << 28) /* its output R, on */
#define INTERNAL_ON (1u << 8)
#define INTERNAL_READY (1u << 10)
#else
#define RCC_PORTS_ENABLE 0x4002104C
#define RCC_APB1_ENABLE 0x40021058
#define RCC_APB2_ENABLE 0x40021060
#define SYSTEM_FROM 3u
#define SYSTEM_FROM_PLL 3u
#define SYSTEM_IS 0xCu
#define SYSTEM_IS_PLL 0xCu
#define PLL_HALVED (1u << 24)
#define INTERNAL_ON 1u /* the oscillator that it starts with, not that of 16 MHz */
#define INTERNAL_READY 2u
#endif
#define FLASH_ACCESS 0x40022000

#define SIXTEEN_ON (1u << 8)
#define SIXTEEN_READY (1u << 10)
#define PLL_ON (1u << 24)
#define PLL_READY (1u << 25)
#define PLL_FROM_SIXTEEN 2u
#define PREFETCH (1u << 8)

/* The PLL's oscillator: 16 MHz times N, of which half is the clock; 64 to 344 MHz. */
#define PLL_N (LF_CLOCK_HZ / 8000000u)
#define WAIT_STATES ((LF_CLOCK_HZ - 1u) / A_WAIT_STATE_HZ)

_Static_assert(PLL_N * 8000000u == LF_CLOCK_HZ && PLL_N >= 8, "the clock must be a multiple of 8 MHz, from 64 MHz on");
_Static_assert(LF_CLOCK_HZ <= HIGHEST_HZ, "the chip cannot run that fast");

#include "../../stm32_clock.h"

/* Writes a field of a register. */
static inline __attribute__((unused)) void set_field(uint32_t address, uint32_t place, uint32_t mask, uint32_t value)
{
    lf_write(address, (lf_read(address) & ~(mask << place)) | value << place);
}

static inline __attribute__((unused)) void lf_set_up_clock(void)
{
    if (!leave_pll())
        return;
    lf_set_bits(RCC_CONTROL, SIXTEEN_ON);
    if (!lf_wait_for(RCC_CONTROL, SIXTEEN_READY, SIXTEEN_READY))
        return;
    lf_write(RCC_PLL, PLL_HALVED | PLL_N << 8 | PLL_FROM_SIXTEEN);
    lf_set_bits(FLASH_ACCESS, PREFETCH);
    set_field(FLASH_ACCESS, 0, 7, WAIT_STATES);
    lf_set_bits(RCC_CONTROL, PLL_ON);
    if (!lf_wait_for(RCC_CONTROL, PLL_READY, PLL_READY))
        return;
    set_field(RCC_CONFIGURATION, 0, SYSTEM_FROM, SYSTEM_FROM_PLL);
    lf_wait_for(RCC_CONFIGURATION, SYSTEM_IS, SYSTEM_IS_PLL);
}

#define PORT_A_MODE (PORTS_AT + 0x00u)
#define PORT_A_PULL (PORTS_AT + 0x0Cu)
#define PORT_A_FUNCTION(pin) (PORTS_AT + 0x20u + (pin) / 8u * 4u)

static inline __attribute__((unused)) void lf_connect_uart(void)
{
    lf_set_bits(RCC_PORTS_ENABLE, 1);
    if (LF_UART_AT >= 0x40010000)
        lf_set_bits(RCC_APB2_ENABLE, 1u << 14);
    else
        lf_set_bits(RCC_APB1_ENABLE, 1u << 17);
    for (uint32_t pin = UART_PIN; pin <= UART_PIN + 1; pin++)
        set_field(PORT_A_FUNCTION(pin), pin % 8 * 4, 15, UART_FUNCTION);
    set_field(PORT_A_PULL, (UART_PIN + 1) * 2, 3, 1); /* up: a line that nobody drives is quiet */
    set_field(PORT_A_MODE, UART_PIN * 2, 15, 10);     /* both are of the alternate function */
}

#define LF_WATCHDOG_KHZ 32u
#include "../../stm32_watchdog.h"

#endif
