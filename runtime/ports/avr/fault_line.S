; Writes the line `!fault kind site first second` of a fault. In assembler because it is in every image, and the code
; generator in use makes twice as much of it.

#include "chip.h"

#ifndef LF_CONSOLE_NONE
.section .progmem.fault_line, "a", @progbits
begins:
    .asciz "\n!fault"
#endif

; r24 kind, r23:r22 site, r21 to r18 first, r17 to r14 second. The registers are memory from address 0 on: so these are
; eleven bytes, which are written from the highest, at r24, down to r14. What is written to the console is in r25.
.section .text.lf_port_fault_line, "ax", @progbits
.weak lf_port_fault_line              ; transmit.S has one that first sends what is in the buffer
.globl lf_port_fault_line_at_once
.type lf_port_fault_line, @function
lf_port_fault_line:
lf_port_fault_line_at_once:
#ifdef LF_CONSOLE_NONE
    ret                         ; there is nothing to write it to
#else
    ldi r30, lo8(begins)
    ldi r31, hi8(begins)
1:  lpm r25, Z+
    tst r25
    breq 2f
    rcall write
    rjmp 1b
2:  ldi r30, 25                 ; behind the kind
    clr r31
    ldi r26, 3
    rcall write_zeros
    rcall write_byte
    ldi r26, 2
    rcall write_zeros
    rcall write_two
    rcall write_four
    rcall write_four
    ldi r25, '\n'
    rjmp write
write_zeros:                    ; a space, and the first r26 bytes of a number, which are zero
    rcall write_space
3:  clr r25
    rcall write_digits
    dec r26
    brne 3b
    ret
write_four:
    rcall write_space
    rcall write_two
write_two:
    rcall write_byte
write_byte:                     ; the one below Z
    ld r25, -Z
write_digits:
    push r25
    swap r25
    rcall write_digit
    pop r25
write_digit:
    andi r25, 15
    subi r25, -'0'
    cpi r25, '9' + 1
    brlo write
    subi r25, '9' + 1 - 'A'
    rjmp write
write_space:
    ldi r25, ' '
write:
    lds r0, LF_UCSR0A
    sbrs r0, 5                  ; until the transmitter is ready
    rjmp write
    sts LF_UDR0, r25
    ret
#endif
.size lf_port_fault_line, . - lf_port_fault_line
