/* Control and status registers. In assembler because the code generator in use takes no inline assembler. */

.section .text.lf_enable_interrupts, "ax", %progbits
.globl lf_enable_interrupts
.type lf_enable_interrupts, %function
lf_enable_interrupts:
    csrs mie, a0
    ret
.size lf_enable_interrupts, . - lf_enable_interrupts

.section .text.lf_architecture, "ax", %progbits
.globl lf_architecture
.type lf_architecture, %function
lf_architecture:
    csrr a0, marchid
    ret
.size lf_architecture, . - lf_architecture
