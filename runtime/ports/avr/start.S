; Vector table and start-up: stack, watchdog off, memory, the parts of the port, then the program.

#include "chip.h"

.altmacro

.section .vectors, "ax", @progbits
.globl __vectors
.type __vectors, @function
__vectors:
    FAR_JUMP lf_start
; A routine is found by its name; an interrupt without one stops the program, since nobody can say what it means.
.macro vector number
    .weak __vector_\number
    .set __vector_\number, unexpected_interrupt
    FAR_JUMP __vector_\number
.endm
.set count, 1
.rept LF_VECTORS - 1
    vector %count
    .set count, count + 1
.endr
.size __vectors, . - __vectors

.section .init0, "ax", @progbits
.globl lf_start
.type lf_start, @function
lf_start:
    clr r1                      ; compiled code relies on it
    out LF_SREG - 0x20, r1      ; after a jump from a boot loader interrupts may be on
    ldi r28, lo8(lf_stack_top)
    ldi r29, hi8(lf_stack_top)
    out LF_SPH - 0x20, r29
    out LF_SPL - 0x20, r28
#ifdef LF_EIND
    out LF_EIND - 0x20, r1      ; a boot loader at the end of the flash has it at 1
#endif

; .init1: reset_cause.S, if the program asks what the reset was caused by

.section .init2, "ax", @progbits
    ; After a reset by the watchdog it is still on, with the shortest time, until the cause of reset is cleared.
    out LF_MCUSR - 0x20, r1
    ldi r24, 0x18               ; change enable, for the next four cycles
    sts LF_WDTCSR, r24
    sts LF_WDTCSR, r1
#ifdef LF_SMALL
    ldi r24, 0x80               ; change enable, for the next four cycles: the chip comes with its oscillator divided by 8
    out LF_CLKPR - 0x20, r24
    out LF_CLKPR - 0x20, r1
    ldi r24, 0x20               ; sleep enable, which stays: a program that writes the register itself may turn it off
    out LF_MCUCR - 0x20, r24
#endif

; .init4: copy_data.S and clear_bss.S, when something has to be initialised

.section .init9, "ax", @progbits
    FAR_CALL lf_port_start          ; made by the linking stage: starts the parts that are used
    sei
    FAR_JUMP lf_main

.section .text.unexpected_interrupt, "ax", @progbits
.type unexpected_interrupt, @function
unexpected_interrupt:
    FAR_JUMP lf_port_halt
.size unexpected_interrupt, . - unexpected_interrupt
