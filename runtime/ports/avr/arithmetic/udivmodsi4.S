; Unsigned division of 32 bits. In: r25..r22 dividend, r21..r18 divisor. Out: r21..r18 quotient, r25..r22 remainder.

.section .text.__udivmodsi4, "ax", @progbits
.globl __udivmodsi4
.type __udivmodsi4, @function
__udivmodsi4:
    ldi r26, 32
    mov r1, r26                 ; counts the bits; the last round leaves it zero again, as compiled code wants it
    clr r26
    clr r27
    movw r30, r26
1:  lsl r22
    rol r23
    rol r24
    rol r25
    rol r26
    rol r27
    rol r30
    rol r31
    cp r26, r18
    cpc r27, r19
    cpc r30, r20
    cpc r31, r21
    brlo 2f
    sub r26, r18
    sbc r27, r19
    sbc r30, r20
    sbc r31, r21
    inc r22
2:  dec r1
    brne 1b
    movw r18, r22
    movw r20, r24
    movw r22, r26
    movw r24, r30
    ret
.size __udivmodsi4, . - __udivmodsi4
