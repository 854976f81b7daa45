; The list of processes that wait for time: lf_sleepers_add and lf_sleepers_remove of policies/board.h, for programs in
; which a process waits for one time at once. In assembler because the code generator in use has no good way to compare
; times. `lf_sleepers` and `lf_sleepers_end` are the program's.

#include "chip.h"

#define ENTRY 6                 /* slot, clause, when (4 bytes) */

; r25 to r22 milliseconds, r20 slot, r18 clause
.section .text.lf_port_sleepers_add, "ax", @progbits
.globl lf_port_sleepers_add
.type lf_port_sleepers_add, @function
lf_port_sleepers_add:
    push r20
    push r18
    tst r25
    brpl 1f
    ldi r22, 0xFF               ; no more than 2^31 - 1
    mov r23, r22
    mov r24, r22
    ldi r25, 0x7F
1:  ldi r30, lo8(lf_port_count)
    ldi r31, hi8(lf_port_count)
    in r0, LF_SREG - 0x20       ; four bytes: the routine must not come between them
    cli
    ld r19, Z                   ; now: r27, r26, r21, r19
    ldd r21, Z+1
    ldd r26, Z+2
    ldd r27, Z+3
    out LF_SREG - 0x20, r0
    add r22, r19                ; when: r25 to r22
    adc r23, r21
    adc r24, r26
    adc r25, r27
    ldi r30, lo8(lf_sleepers + 1)
    ldi r31, hi8(lf_sleepers + 1)
    lds r18, lf_sleepers
2:  subi r18, 1                 ; past those that are due before this one, or when it is: behind all,
    brcs 4f
    ldd r0, Z+2
    cp r0, r19
    ldd r0, Z+3
    cpc r0, r21
    ldd r0, Z+4
    cpc r0, r26
    ldd r0, Z+5
    cpc r0, r27
    brmi 3f                     ; or due by now,
    ldd r0, Z+2
    cp r22, r0
    ldd r0, Z+3
    cpc r23, r0
    ldd r0, Z+4
    cpc r24, r0
    ldd r0, Z+5
    cpc r25, r0
    brmi 4f                     ; or not before this one: both are within 2^31 - 1 from now
3:  adiw r30, ENTRY
    rjmp 2b
4:  movw r26, r30               ; the others move up, from the last on
    ldi r30, lo8(lf_sleepers_end - ENTRY)
    ldi r31, hi8(lf_sleepers_end - ENTRY)
5:  cp r30, r26
    cpc r31, r27
    breq 6f
    ld r0, -Z
    std Z+ENTRY, r0
    rjmp 5b
6:  pop r18
    pop r20
    st Z, r20
    std Z+1, r18
    std Z+2, r22
    std Z+3, r23
    std Z+4, r24
    std Z+5, r25
    lds r18, lf_sleepers
    inc r18
    sts lf_sleepers, r18
    ret
.size lf_port_sleepers_add, . - lf_port_sleepers_add

; r24 slot
.section .text.lf_port_sleepers_remove, "ax", @progbits
.globl lf_port_sleepers_remove
.type lf_port_sleepers_remove, @function
lf_port_sleepers_remove:
    ldi r30, lo8(lf_sleepers + 1)
    ldi r31, hi8(lf_sleepers + 1)
    lds r18, lf_sleepers
1:  subi r18, 1
    brcs 4f                     ; it is not there
    ld r0, Z
    cp r0, r24
    breq 2f
    adiw r30, ENTRY
    rjmp 1b
2:  lds r18, lf_sleepers
    dec r18
    sts lf_sleepers, r18
    ldi r25, hi8(lf_sleepers_end - ENTRY)
    ldi r18, ENTRY
3:  cpi r30, lo8(lf_sleepers_end - ENTRY)
    cpc r31, r25
    breq 5f
    ldd r0, Z+ENTRY             ; the others move down
    st Z+, r0
    rjmp 3b
5:  st Z+, r1                   ; behind them it is zero
    dec r18
    brne 5b
4:  ret
.size lf_port_sleepers_remove, . - lf_port_sleepers_remove
