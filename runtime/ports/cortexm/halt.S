/* Stops for ever. In assembler because the code generator in use takes no inline assembler. With a console over USB the
   routine of the chip's USB goes on: the host must be answered, and may read what was said last when it is there. */

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
#ifdef LF_USB_LINE
    movs r3, #LF_USB_LINE
    movs r2, #1
    lsls r2, r3
    ldr r3, [r0]
    ands r3, r2                 /* is it on? */
    eors r1, r3
    str r1, [r0]
    cpsie i
#else
    movs r2, #(LF_NVIC_LINES + 31) / 32
1:  stmia r0!, {r1}
    subs r2, #1
    bne 1b
#endif
2:  wfi
    b 2b
    .ltorg
.size lf_port_halt, . - lf_port_halt
