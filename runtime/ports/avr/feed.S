; The watchdog's instruction, and its timed sequence. In assembler because the code generator in use takes no inline
; assembler for AVR.

#include "chip.h"

.section .text.lf_watchdog_reset, "ax", @progbits
.globl lf_watchdog_reset
.type lf_watchdog_reset, @function
lf_watchdog_reset:
    wdr
    ret
.size lf_watchdog_reset, . - lf_watchdog_reset

.section .text.lf_watchdog_set, "ax", @progbits
.globl lf_watchdog_set
.type lf_watchdog_set, @function
lf_watchdog_set:                ; r24: the value of WDTCSR
    in r25, LF_SREG - 0x20
    cli
    wdr
    ldi r18, 0x18               ; change enable, for the next four cycles
    sts LF_WDTCSR, r18
    sts LF_WDTCSR, r24
    out LF_SREG - 0x20, r25
    ret
.size lf_watchdog_set, . - lf_watchdog_set
