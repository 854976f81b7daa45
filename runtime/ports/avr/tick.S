; The count of milliseconds. In assembler because the routine interrupts actions: half the registers, half the time.
; tick.c starts the timer.

#include "chip.h"

#define JOINED(name, number) name##number
#define OF_NUMBER(name, number) JOINED(name, number)
#define ROUTINE OF_NUMBER(__vector_, LF_VECTOR_TICK)

.section .text.tick, "ax", @progbits
.globl ROUTINE
.type ROUTINE, @function
ROUTINE:
    push r24
    in r24, LF_SREG - 0x20
    push r24
    push r30
    push r31
    ldi r30, lo8(lf_port_count)
    ldi r31, hi8(lf_port_count)
1:  ld r24, Z
    inc r24
    st Z+, r24
    brne 2f                     ; no carry
    cpi r30, lo8(lf_port_count + 4)
    brne 1b
2:  sts lf_port_woken, r31      ; of an address in RAM: never 0
    pop r31
    pop r30
    pop r24
    out LF_SREG - 0x20, r24
    pop r24
    reti
.size ROUTINE, . - ROUTINE

; returns the count in r25 to r22
.section .text.lf_port_milliseconds, "ax", @progbits
.globl lf_port_milliseconds
.type lf_port_milliseconds, @function
lf_port_milliseconds:
    ldi r30, lo8(lf_port_count)
    ldi r31, hi8(lf_port_count)
    in r18, LF_SREG - 0x20      ; four bytes: the routine must not come between them
    cli
    ld r22, Z
    ldd r23, Z+1
    ldd r24, Z+2
    ldd r25, Z+3
    out LF_SREG - 0x20, r18
    ret
.size lf_port_milliseconds, . - lf_port_milliseconds

.globl __do_clear_bss           ; this variable is one to be cleared
.section .bss.lf_port_count, "aw", @nobits
.globl lf_port_count
.type lf_port_count, @object
lf_port_count:
    .zero 4
.size lf_port_count, 4
