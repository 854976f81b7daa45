/* Stops for ever. In assembler because the code generator in use takes no inline assembler. */

#include "chip.h"

.syntax unified
.section .text.lf_port_halt, "ax", %progbits
.globl lf_port_halt
.type lf_port_halt, %function
.thumb_func
lf_port_halt:
    cpsid i
    /* An interrupt that is pending wakes the processor even now: none may become so. The UART sends its last byte. */
    ldr r0, =LF_SYSTICK_CONTROL
    movs r1, #0
    str r1, [r0]
    ldr r0, =LF_NVIC_DISABLE
    mvns r1, r1
    movs r2, #(LF_NVIC_LINES + 31) / 32
1:  stmia r0!, {r1}
    subs r2, #1
    bne 1b
2:  wfi
    b 2b
    .ltorg
.size lf_port_halt, . - lf_port_halt
