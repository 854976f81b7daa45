/* Stops for ever. In assembler because the code generator in use takes no inline assembler. */

.section .text.lf_port_halt, "ax", %progbits
.globl lf_port_halt
.type lf_port_halt, %function
lf_port_halt:
    csrci mstatus, 8
    csrw mie, zero              /* one that is pending wakes the processor even now: none may. The UART sends its last byte */
1:  wfi
    j 1b
.size lf_port_halt, . - lf_port_halt
