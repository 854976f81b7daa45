; Signed product of 32 bits that tells whether it overflows. In: r25..r22, r21..r18, r17:r16 the address of a 16-bit
; flag. Out: r25..r22 the product modulo 2^32; the flag is 1 or 0.

#include "../chip.h"

.section .text.__mulosi4, "ax", @progbits
.globl __mulosi4
.type __mulosi4, @function
__mulosi4:
    push r14
    push r15
    clr r14                     ; zero
    clr r15                     ; not zero: the product of the magnitudes needs more than 32 bits
    mov r0, r25
    eor r0, r21
    bst r0, 7                   ; T: sign of the product
    sbrs r25, 7
    rjmp 1f
    com r25
    com r24
    com r23
    neg r22
    sbci r23, 0xFF
    sbci r24, 0xFF
    sbci r25, 0xFF
1:  sbrs r21, 7
    rjmp 2f
    com r21
    com r20
    com r19
    neg r18
    sbci r19, 0xFF
    sbci r20, 0xFF
    sbci r21, 0xFF
2:
#ifdef LF_SMALL                 /* no MUL: from the highest bit of the second magnitude on */
    ldi r26, 32
    mov r0, r26
    clr r26                     ; the result in r31:r30:r27:r26
    clr r27
    movw r30, r26
7:  lsl r26
    rol r27
    rol r30
    rol r31
    brcc 8f
    inc r15                     ; at most 64 times
8:  lsl r18
    rol r19
    rol r20
    rol r21
    brcc 9f
    add r26, r22
    adc r27, r23
    adc r30, r24
    adc r31, r25
    brcc 9f
    inc r15
9:  dec r0
    brne 7b
#else
.macro note_carry
    sbc r0, r0
    or r15, r0
.endm
.macro add_at_byte_1 a, b
    mul \a, \b
    add r27, r0
    adc r30, r1
    adc r31, r14
    note_carry
.endm
.macro add_at_byte_2 a, b
    mul \a, \b
    add r30, r0
    adc r31, r1
    note_carry
.endm
.macro add_at_byte_3 a, b
    mul \a, \b
    or r15, r1
    add r31, r0
    note_carry
.endm
.macro note_beyond a, b
    mul \a, \b
    or r15, r0
    or r15, r1
.endm
    mul r22, r18
    movw r26, r0
    mul r23, r19
    movw r30, r0
    add_at_byte_1 r23, r18
    add_at_byte_1 r22, r19
    add_at_byte_2 r24, r18
    add_at_byte_2 r22, r20
    add_at_byte_3 r25, r18
    add_at_byte_3 r24, r19
    add_at_byte_3 r23, r20
    add_at_byte_3 r22, r21
    note_beyond r25, r19
    note_beyond r24, r20
    note_beyond r23, r21
    note_beyond r25, r20
    note_beyond r24, r21
    note_beyond r25, r21
    clr r1
#endif
    movw r22, r26
    movw r24, r30
    brts 3f
    sbrc r25, 7                 ; a positive product must leave the sign's bit free
    inc r14
    rjmp 5f
3:  com r25
    com r24
    com r23
    neg r22
    sbci r23, 0xFF
    sbci r24, 0xFF
    sbci r25, 0xFF
    sbrc r25, 7                 ; a negative one must set it, unless it is zero
    rjmp 5f
    mov r0, r22
    or r0, r23
    or r0, r24
    or r0, r25
    breq 5f
    inc r14
5:  or r14, r15
    ldi r26, 1
    cpse r14, r1
    rjmp 6f
    ldi r26, 0
6:  movw r30, r16
    st Z, r26
    std Z+1, r1
    pop r15
    pop r14
    ret
.size __mulosi4, . - __mulosi4
