/* The chips that the port knows, and how registers are reached. For C and for the assembler. `LF_CHIP_<name>` comes from
   the board's description; what is the chip's own lies in chips/, one file for each family:

   LF_NUMBERED         1: `mcause` says the number of the interrupt; else the controller has to be asked
   LF_MATRIX_AT        a matrix leads the devices' interrupts to few of the core (controllers/matrix.h)
   LF_LINES            how many interrupt lines the chip has, with line 0, which is none
   LF_CONTROLLER       its interrupt controller, in controllers/: lf_enable_line(), lf_mask_line(), lf_listen_line()
   LF_UART             the driver of the console's UART, in uarts/
   LF_UART_AT          its registers; LF_UART_LINE: its interrupt line; LF_UART_HZ: its clock
   LF_MTIME_AT, LF_MTIMECMP_AT   the machine timer of the privileged architecture
   lf_mtime_hz()       what it counts in a second
   lf_set_up_clock()   brings the processor to LF_CLOCK_HZ
   lf_connect_uart()   gives the UART its clock and its pins */

#ifndef LF_RISCV_CHIP_H
#define LF_RISCV_CHIP_H

/* Bits of `mie` and numbers of `mcause`. */
#define LF_MACHINE_TIMER 7
#define LF_MACHINE_EXTERNAL 11

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

static inline __attribute__((unused)) void lf_set_bits(uint32_t address, uint32_t bits)
{
    lf_write(address, lf_read(address) | bits);
}

/* What starts in time on a chip that is whole does so within some milliseconds. A wait is longer, but it ends: with a
   dead crystal the program still runs. */
#define LF_WAIT_ROUNDS 50000u

static inline __attribute__((unused)) bool lf_wait_for(uint32_t address, uint32_t mask, uint32_t value)
{
    for (uint32_t i = 0; i < LF_WAIT_ROUNDS; i++)
        if ((lf_read(address) & mask) == value)
            return true;
    return false;
}

/* Control and status registers, which only assembler reaches: csr.S. */
void lf_enable_interrupts(uint32_t bits); /* of `mie` */
uint32_t lf_architecture(void);           /* `marchid` */

/* The name of an interrupt routine is how the table of them finds it. The trap's entry saves what a C function may
   change. */
#define LF_ROUTINE_NAME(line) __vector_##line
#define LF_ROUTINE_OF(line) LF_ROUTINE_NAME(line)
#define LF_INTERRUPT(line)                  \
    void LF_ROUTINE_OF(line)(void);         \
    void LF_ROUTINE_OF(line)(void)

#endif

#if defined(LF_CHIP_fe310)
#include "chips/fe310.h"
#elif defined(LF_CHIP_ch32v003)
#include "chips/ch32v003.h"
#elif defined(LF_CHIP_esp32c3)
#include "chips/esp32c3.h"
#elif defined(LF_CHIP_esp32c6)
#include "chips/esp32c6.h"
#elif defined(LF_CHIP_gd32vf103)
#include "chips/gd32vf103.h"
#else
#error "the port does not know this chip"
#endif

#include LF_CONTROLLER

#endif
