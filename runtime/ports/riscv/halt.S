/* Stops for ever. In assembler because the code generator in use takes no inline assembler. */

#include "chip.h"

.section .text.lf_port_halt, "ax", %progbits
.globl lf_port_halt
.type lf_port_halt, %function
lf_port_halt:
    csrci mstatus, 8
#if defined(LF_ECLIC)
    li a0, LF_ECLIC_LINES
    li a1, LF_ECLIC_LINES + 4 * LF_LINES
2:  sw zero, 0(a0)
    addi a0, a0, 4
    bltu a0, a1, 2b
#elif defined(LF_NUMBERED)
    li a0, LF_PFIC_DISABLE
    li a1, -1
    .rept (LF_LINES + 31) / 32
    sw a1, 0(a0)
    addi a0, a0, 4
    .endr
#elif defined(LF_MATRIX_AT)
    li a0, LF_CORE_ENABLE
    sw zero, 0(a0)
#else
    csrw mie, zero
#endif
    /* one that is pending wakes the processor even now: none may. The UART sends its last byte. */
1:  wfi
    j 1b
.size lf_port_halt, . - lf_port_halt
