/* Sleeps until an interrupt. In assembler because the code generator in use takes no inline assembler. */

.syntax unified
.section .text.lf_port_idle, "ax", %progbits
.globl lf_port_idle
.type lf_port_idle, %function
.thumb_func
lf_port_idle:
    ldr r0, =lf_port_woken
    movs r2, #0
    cpsid i
    ldrb r1, [r0]
    cmp r1, #0
    bne 1f
    dsb                         /* what was written to devices has arrived */
    wfi                         /* an interrupt wakes it also while they are off, and waits: no wake-up is lost */
1:  cpsie i
    isb                         /* a routine that waited runs here */
    strb r2, [r0]               /* one that comes before this is seen by the caller, who looks for work after it */
    bx lr
    .ltorg
.size lf_port_idle, . - lf_port_idle

.section .bss.lf_port_woken, "aw", %nobits
.globl lf_port_woken
.type lf_port_woken, %object
lf_port_woken:
    .zero 1
.size lf_port_woken, 1
