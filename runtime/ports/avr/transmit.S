; What the console sends by interrupt, from a bounded buffer; and the ways out of a program, before which all of it is sent.
; In assembler because the routine interrupts actions, and writing a byte is part of them. Linked in only if the program
; writes to the console. `lf_console_queued` is where the next byte goes, and only lf_port_console_queue moves it;
; `lf_console_sent` is the next byte to be sent, and only `send` moves it. When they are equal the buffer is empty: so one
; place of it stays free. While there is something to send, the transmitter's interrupt is on.

#include "chip.h"

#if LF_CONSOLE_TRANSMIT && !defined LF_CONSOLE_NONE

#define JOINED(name, number) name##number
#define OF_NUMBER(name, number) JOINED(name, number)
#define ROUTINE OF_NUMBER(__vector_, LF_VECTOR_USART0_UDRE)
; The bit that says in UCSR0A that the transmitter is ready, and in UCSR0B that it interrupts then.
#define READY 5

; r24: the byte. Interrupts are on.
.section .text.lf_port_console_queue, "ax", @progbits
.globl lf_port_console_queue
.type lf_port_console_queue, @function
lf_port_console_queue:
    lds r30, lf_console_queued
    mov r25, r30
    inc r25
    andi r25, LF_CONSOLE_TRANSMIT - 1
1:  lds r31, lf_console_sent
    cp r31, r25
    breq 1b                     ; it is full
    clr r31
    subi r30, lo8(-(lf_console_out))
    sbci r31, hi8(-(lf_console_out))
    st Z, r24
    sts lf_console_queued, r25
    cli                         ; other routines change the same register
    lds r24, LF_UCSR0B
    ori r24, 1 << READY
    sts LF_UCSR0B, r24
    reti                        ; as SEI and RET; QEMU sees an interrupt that waits at a RETI, at a SEI often not
.size lf_port_console_queue, . - lf_port_console_queue

.section .text.transmit, "ax", @progbits
.globl ROUTINE
.type ROUTINE, @function
ROUTINE:
    push r25
    in r25, LF_SREG - 0x20
    push r25
    push r30
    push r31
    rcall send
    pop r31
    pop r30
    pop r25
    out LF_SREG - 0x20, r25
    pop r25
    reti
.size ROUTINE, . - ROUTINE

.type send, @function
send:                           ; one byte; the transmitter is ready. If there is none, its interrupt goes off
    lds r25, lf_console_sent
    lds r30, lf_console_queued
    cp r30, r25
    breq 1f
    mov r30, r25
    clr r31
    subi r30, lo8(-(lf_console_out))
    sbci r31, hi8(-(lf_console_out))
    ld r30, Z
    sts LF_UDR0, r30
    inc r25
    andi r25, LF_CONSOLE_TRANSMIT - 1
    sts lf_console_sent, r25
    ret
1:  lds r30, LF_UCSR0B
    andi r30, 0xFF - (1 << READY)
    sts LF_UCSR0B, r30
    ret
.size send, . - send

; Sends all that is in the buffer, with interrupts off. Changes r25, r30, r31.
.type flush, @function
flush:
    cli
1:  wdr
    lds r25, LF_UCSR0B
    sbrs r25, READY
    ret
    lds r25, LF_UCSR0A
    sbrc r25, READY
    rcall send
    rjmp 1b
.size flush, . - flush

; In front of those that reset.S and fault_line.S have.
.macro after_flush name
.section .text.\name\()_after_flush, "ax", @progbits
.globl \name
.type \name, @function
\name:
    FAR_CALL flush
    FAR_JUMP \name\()_at_once
.size \name, . - \name
.endm
    after_flush lf_port_reset
    after_flush lf_port_fault_line

; Instead of the one of halt.S. Simulators stop at lf_port_halted.
.section .text.lf_port_halt_after_flush, "ax", @progbits
.globl lf_port_halt
.type lf_port_halt, @function
lf_port_halt:
    FAR_CALL flush
.globl lf_port_halted
lf_port_halted:
    ldi r24, 1                  ; idle mode: the USART goes on and sends its last byte
    out LF_SMCR - 0x20, r24
1:  sleep
    rjmp 1b
.size lf_port_halt, . - lf_port_halt

.globl __do_clear_bss           ; these variables are to be cleared
.macro variable name, size
.section .bss.\name, "aw", @nobits
.globl \name
.type \name, @object
\name:
    .zero \size
.size \name, \size
.endm
    variable lf_console_queued, 1
    variable lf_console_sent, 1
    variable lf_console_out, LF_CONSOLE_TRANSMIT

#endif
