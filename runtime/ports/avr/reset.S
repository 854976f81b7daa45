; Resets the chip by its watchdog. In assembler because the two writes must follow each other within four cycles.

#include "chip.h"

.section .text.lf_port_reset, "ax", @progbits
.weak lf_port_reset              ; transmit.S has one that first sends what is in the buffer
.globl lf_port_reset_at_once
.type lf_port_reset, @function
lf_port_reset:
lf_port_reset_at_once:
    cli
    wdr
    ldi r24, 0x18               ; change enable, and reset enable
    ldi r25, 0x08               ; reset after 16 ms, in which the last byte is sent
    sts LF_WDTCSR, r24
    sts LF_WDTCSR, r25
1:  rjmp 1b
.size lf_port_reset, . - lf_port_reset
