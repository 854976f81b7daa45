/* Vectors of the boot loader of a Cortex-M, and how a program is started. */

.syntax unified

.section .vectors, "a", %progbits
    .word up_stack_top
    .word up_start
    .word stop, stop
    .word 0, 0, 0
    .word up_report             /* nobody's in a Cortex-M: there the program finds whom to report to */

.section .text.stop, "ax", %progbits
.type stop, %function
.thumb_func
stop:
    b stop

.section .text.up_enter, "ax", %progbits
.globl up_enter
.type up_enter, %function
.thumb_func
up_enter:                       /* (stack, entry) */
    mov sp, r0
    bx r1
