/* Sleeps until an interrupt. In assembler because the code generator in use takes no inline assembler. */

.section .text.lf_port_idle, "ax", %progbits
.globl lf_port_idle
.type lf_port_idle, %function
lf_port_idle:
    la a0, lf_port_woken
    csrci mstatus, 8
    lbu a1, 0(a0)
    bnez a1, 1f
    fence                       /* what was written to devices has arrived */
    wfi                         /* an interrupt wakes it also while they are off, and waits: no wake-up is lost */
1:  csrsi mstatus, 8            /* a routine that waited runs here */
    sb zero, 0(a0)              /* one that comes before this is seen by the caller, who looks for work after it */
    ret
.size lf_port_idle, . - lf_port_idle

.section .bss.lf_port_woken, "aw", %nobits
.globl lf_port_woken
.type lf_port_woken, %object
lf_port_woken:
    .zero 1
.size lf_port_woken, 1
