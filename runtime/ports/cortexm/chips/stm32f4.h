/* STM32F405 and STM32F407 (to 168 MHz), STM32F411 (to 100), STM32F401 (to 84): from 50 MHz, of a crystal of whole megahertz. */

#if defined(LF_CHIP_stm32f401)
#define LF_NVIC_LINES 85
#define HIGHEST_HZ 84000000
#elif defined(LF_CHIP_stm32f411)
#define LF_NVIC_LINES 86
#define HIGHEST_HZ 100000000
#else
#define LF_NVIC_LINES 82
#define HIGHEST_HZ 168000000
#endif
#define LF_VTOR 1
#define LF_AFTER_ROM 1 /* its boot loader may have started the program */

#define LF_UART "../stm32_usart.h"
#if defined(LF_CONSOLE_USART1)
#define LF_UART_AT 0x40011000
#define LF_UART_LINE 37
#define LF_UART_HZ APB2_HZ
#define LF_UART_BIT 4
#define LF_UART_PORT 0     /* A: PA9 sends, PA10 receives */
#define LF_UART_PIN 9
#define LF_UART_FUNCTION 7
#elif defined(LF_CONSOLE_USART2)
#define LF_UART_AT 0x40004400
#define LF_UART_LINE 38
#define LF_UART_HZ APB1_HZ
#define LF_UART_BIT 17
#define LF_UART_PORT 0     /* A: PA2, PA3 */
#define LF_UART_PIN 2
#define LF_UART_FUNCTION 7
#elif defined(LF_CONSOLE_USART3)
#define LF_UART_AT 0x40004800
#define LF_UART_LINE 39
#define LF_UART_HZ APB1_HZ
#define LF_UART_BIT 18
#define LF_UART_PORT 1     /* B: PB10, PB11 */
#define LF_UART_PIN 10
#define LF_UART_FUNCTION 7
#else
#define LF_UART_AT 0x40011400 /* USART6 */
#define LF_UART_LINE 71
#define LF_UART_HZ APB2_HZ
#define LF_UART_BIT 5
#define LF_UART_PORT 2     /* C: PC6, PC7 */
#define LF_UART_PIN 6
#define LF_UART_FUNCTION 8
#endif

#ifndef __ASSEMBLER__

#define RCC_CONTROL 0x40023800
#define RCC_PLL 0x40023804
#define RCC_CONFIGURATION 0x40023808
#define RCC_AHB1_ENABLE 0x40023830
#define RCC_APB1_ENABLE 0x40023840
#define RCC_APB2_ENABLE 0x40023844
#define FLASH_ACCESS 0x40023C00
#define POWER_CONTROL 0x40007000

#define CRYSTAL_ON (1u << 16)
#define CRYSTAL_READY (1u << 17)
#define PLL_ON (1u << 24)
#define PLL_READY (1u << 25)
#define PLL_FROM_CRYSTAL (1u << 22)
#define SYSTEM_FROM_PLL 2u
#define SYSTEM_IS_PLL 8u
#define SYSTEM_IS 12u
#define CACHES_AND_PREFETCH 0x700u

/* The oscillator of the PLL: crystal to 1 MHz, times N, at least 192 MHz; half or a quarter of that is the clock. The USB
   clock stays below 48 MHz. */
#define PLL_P (HIGHEST_HZ <= 100000000 ? 4u : 2u)
#define MEGAHERTZ 1000000u
#define PLL_M (LF_CRYSTAL_HZ / MEGAHERTZ)
#define PLL_N (PLL_P * LF_CLOCK_HZ / MEGAHERTZ)
#define PLL_Q ((PLL_N + 47u) / 48u)
#define WAIT_STATES ((LF_CLOCK_HZ - 1) / 30000000u)
#define APB1_DIVISOR (LF_CLOCK_HZ > 84000000 ? 4u : 2u) /* to at most 42 MHz */
#define APB2_DIVISOR (LF_CLOCK_HZ > 84000000 ? 2u : 1u) /* to at most 84 MHz */
#define APB1_HZ (LF_CLOCK_HZ / APB1_DIVISOR)
#define APB2_HZ (LF_CLOCK_HZ / APB2_DIVISOR)
#define APB1_CODE (APB1_DIVISOR == 4 ? 5u << 10 : 4u << 10)
#define APB2_CODE (APB2_DIVISOR == 2 ? 4u << 13 : 0u)

_Static_assert(LF_CRYSTAL_HZ % MEGAHERTZ == 0 && LF_CLOCK_HZ % MEGAHERTZ == 0, "clocks must be whole megahertz");
_Static_assert(PLL_M >= 2 && PLL_M <= 63, "the crystal must have 2 to 63 MHz");
_Static_assert(LF_CLOCK_HZ >= 50000000, "the clock must be at least 50 MHz");
_Static_assert(LF_CLOCK_HZ <= HIGHEST_HZ, "the chip cannot run that fast");

#include "../../stm32_clock.h"

static inline __attribute__((unused)) void lf_set_up_clock(void)
{
    if (!leave_pll())
        return;
    start_crystal();
    if (!lf_wait_for(RCC_CONTROL, CRYSTAL_READY, CRYSTAL_READY))
        return;
#ifdef LF_CHIP_stm32f411 /* the highest voltage, which is not that after a reset */
    lf_set_bits(RCC_APB1_ENABLE, 1u << 28);
    lf_set_bits(POWER_CONTROL, 3u << 14);
#endif
    lf_write(RCC_PLL, PLL_Q << 24 | PLL_FROM_CRYSTAL | (PLL_P / 2u - 1u) << 16 | PLL_N << 6 | PLL_M);
    lf_write(RCC_CONFIGURATION, APB1_CODE | APB2_CODE);
    lf_write(FLASH_ACCESS, CACHES_AND_PREFETCH | WAIT_STATES);
    lf_set_bits(RCC_CONTROL, PLL_ON);
    if (!lf_wait_for(RCC_CONTROL, PLL_READY, PLL_READY))
        return;
    lf_set_bits(RCC_CONFIGURATION, SYSTEM_FROM_PLL);
    lf_wait_for(RCC_CONFIGURATION, SYSTEM_IS, SYSTEM_IS_PLL);
}

#define PORT_AT (0x40020000u + 0x400u * LF_UART_PORT)
#define PORT_MODE (PORT_AT + 0x00u)
#define PORT_PULL (PORT_AT + 0x0Cu)
#define PORT_FUNCTION(pin) (PORT_AT + 0x20u + (pin) / 8u * 4u)

/* Writes a field of a register. */
static inline __attribute__((unused)) void set_field(uint32_t address, uint32_t place, uint32_t mask, uint32_t value)
{
    lf_write(address, (lf_read(address) & ~(mask << place)) | value << place);
}

static inline __attribute__((unused)) void lf_connect_uart(void)
{
    lf_set_bits(RCC_AHB1_ENABLE, 1u << LF_UART_PORT);
    lf_set_bits(LF_UART_AT >= 0x40010000 ? RCC_APB2_ENABLE : RCC_APB1_ENABLE, 1u << LF_UART_BIT);
    for (uint32_t pin = LF_UART_PIN; pin <= LF_UART_PIN + 1; pin++)
        set_field(PORT_FUNCTION(pin), pin % 8 * 4, 15, LF_UART_FUNCTION);
    set_field(PORT_PULL, (LF_UART_PIN + 1) * 2, 3, 1); /* up: a line that nobody drives is quiet */
    set_field(PORT_MODE, LF_UART_PIN * 2, 15, 10);     /* both are of the alternate function */
}

#define LF_WATCHDOG_KHZ 32u
#include "../../stm32_watchdog.h"

#endif
