; Powers the chip down until an interrupt. The tick is off meanwhile, also where an emulator lets timers go on, and so is the
; converter, which would take more than all the rest.

#include "chip.h"

#ifdef LF_SMCR
#define POWER_DOWN 5            /* SM1, and the bit that enables */
#else
#define POWER_DOWN 4            /* SM1 */
#endif
#define CONVERTER_ON 7

.section .text.lf_port_rest, "ax", @progbits
.globl lf_port_rest
.type lf_port_rest, @function
lf_port_rest:
    cli
    lds r24, lf_port_woken
    tst r24
    brne 1f
    lds r18, LF_TICK_MASK
    sts LF_TICK_MASK, r1
    lds r19, LF_ADCSRA
    mov r24, r19
    andi r24, 0xFF - (1 << CONVERTER_ON)
    sts LF_ADCSRA, r24
#ifdef LF_SMCR
    ldi r24, POWER_DOWN
    out LF_SMCR - 0x20, r24
    in r25, LF_SMCR - 0x20
    sbrs r25, 0                 ; QEMU's chips have no sleep control, and never come back from SLEEP: poll there
    rjmp 2f
#else
    in r25, LF_MCUCR - 0x20
    mov r24, r25
    ori r24, 1 << POWER_DOWN
    out LF_MCUCR - 0x20, r24
#endif
    sei                         ; takes effect after the next instruction: no interrupt slips in before the sleep
    sleep
#ifdef LF_SMCR
    out LF_SMCR - 0x20, r1
#else
    out LF_MCUCR - 0x20, r25
#endif
2:  sts LF_ADCSRA, r19
    sts LF_TICK_MASK, r18
1:  sts lf_port_woken, r1
    reti                        ; as SEI and RET
.size lf_port_rest, . - lf_port_rest
