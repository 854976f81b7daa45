; Sleeps until an interrupt. In assembler because the code generator in use takes no inline assembler for AVR.

#include "chip.h"

.section .text.lf_port_idle, "ax", @progbits
.globl lf_port_idle
.type lf_port_idle, @function
lf_port_idle:
    cli
    lds r24, lf_port_woken
    tst r24
    brne 1f
#ifdef LF_SMCR
    ldi r24, 1                  ; idle mode: timers and USART go on
    out LF_SMCR - 0x20, r24
    in r25, LF_SMCR - 0x20
    sbrs r25, 0                 ; QEMU's chips have no sleep control, and never come back from SLEEP: poll there
    rjmp 1f
#endif
    sei                         ; takes effect after the next instruction: no interrupt slips in before the sleep
    sleep
#ifdef LF_SMCR
    out LF_SMCR - 0x20, r1
#endif
1:  sts lf_port_woken, r1
    reti                        ; as SEI and RET; QEMU sees an interrupt that waits at a RETI, at a SEI often not
.size lf_port_idle, . - lf_port_idle

.globl __do_clear_bss           ; this variable is one to be cleared
.section .bss.lf_port_woken, "aw", @nobits
.globl lf_port_woken
.type lf_port_woken, @object
lf_port_woken:
    .zero 1
.size lf_port_woken, 1
