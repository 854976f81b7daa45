/* The chips that the port knows, and how registers are reached. For C and for the assembler. `LF_CHIP_<name>` comes from
   the board's description; what is the chip's own lies in chips/, one file for each family:

   LF_NVIC_LINES       how many interrupt lines the chip has
   LF_VTOR             1: the processor has a register that says where the vector table lies
   LF_IMAGE_IS         what the ROM has to find in the image, so that it starts it: its type
   LF_AFTER_ROM        1: what starts the program may have left interrupt lines enabled, or the tick on
   LF_UART             the driver of the console's UART, in uarts/
   LF_UART_AT          its registers; LF_UART_LINE: its interrupt line; LF_UART_HZ: its clock
   lf_set_up_clock()   brings the processor to LF_CLOCK_HZ
   lf_connect_uart()   gives the UART its clock and its pins */

#ifndef LF_CORTEXM_CHIP_H
#define LF_CORTEXM_CHIP_H

/* Registers that every Cortex-M has at the same place. */
#define LF_SYSTICK_CONTROL 0xE000E010
#define LF_SYSTICK_RELOAD 0xE000E014
#define LF_SYSTICK_CURRENT 0xE000E018
#define LF_NVIC_ENABLE 0xE000E100  /* 32 lines in each word */
#define LF_NVIC_DISABLE 0xE000E180
#define LF_NVIC_FORGET 0xE000E280  /* that an interrupt is pending */
#define LF_PENDING 0xE000ED04
#define LF_VECTOR_TABLE 0xE000ED08

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#ifdef LF_REGISTERS_ARE_LOGGED
/* A test compiles the port for its own machine, and answers. */
uint32_t lf_read(uint32_t address);
void lf_write(uint32_t address, uint32_t value);
#else
static inline uint32_t lf_read(uint32_t address) { return *(volatile uint32_t *)address; }
static inline void lf_write(uint32_t address, uint32_t value) { *(volatile uint32_t *)address = value; }
#endif

static inline void lf_set_bits(uint32_t address, uint32_t bits) { lf_write(address, lf_read(address) | bits); }

/* What starts in time on a chip that is whole does so within some milliseconds. A wait is longer, but it ends: with a
   dead crystal, and in an emulator whose clock control answers nothing, the program still runs. */
#define LF_WAIT_ROUNDS 50000u

static inline __attribute__((unused)) bool lf_wait_for(uint32_t address, uint32_t mask, uint32_t value)
{
    for (uint32_t i = 0; i < LF_WAIT_ROUNDS; i++)
        if ((lf_read(address) & mask) == value)
            return true;
    return false;
}

static inline void lf_enable_line(uint32_t line) { lf_write(LF_NVIC_ENABLE + line / 32 * 4, 1u << line % 32); }

/* The name of an interrupt routine is how the vector table finds it. The processor itself saves what a C function may
   change. */
#define LF_ROUTINE_NAME(line) __vector_##line
#define LF_ROUTINE_OF(line) LF_ROUTINE_NAME(line)
#define LF_INTERRUPT(line)                  \
    void LF_ROUTINE_OF(line)(void);         \
    void LF_ROUTINE_OF(line)(void)

#endif

#if defined(LF_CHIP_nrf51822) || defined(LF_CHIP_nrf52833) || defined(LF_CHIP_nrf52840)
#include "chips/nrf5.h"
#elif defined(LF_CHIP_stm32f100) || defined(LF_CHIP_stm32f103)
#include "chips/stm32f1.h"
#elif defined(LF_CHIP_stm32f401) || defined(LF_CHIP_stm32f405) || defined(LF_CHIP_stm32f407) || defined(LF_CHIP_stm32f411)
#include "chips/stm32f4.h"
#elif defined(LF_CHIP_stm32g071) || defined(LF_CHIP_stm32l476)
#include "chips/stm32g0_l4.h"
#elif defined(LF_CHIP_lm3s6965)
#include "chips/lm3s.h"
#elif defined(LF_CHIP_samd21g18)
#include "chips/samd21.h"
#elif defined(LF_CHIP_rp2040)
#include "chips/rp2040.h"
#elif defined(LF_CHIP_rp2350)
#include "chips/rp2350.h"
#else
#error "the port does not know this chip"
#endif

#endif
