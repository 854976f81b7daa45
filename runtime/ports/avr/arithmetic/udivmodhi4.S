; Unsigned division of 16 bits. In: r25:r24 dividend, r23:r22 divisor. Out: r23:r22 quotient, r25:r24 remainder.

.section .text.__udivmodhi4, "ax", @progbits
.globl __udivmodhi4
.type __udivmodhi4, @function
__udivmodhi4:
    clr r26
    clr r27
    ldi r21, 16
1:  lsl r24
    rol r25
    rol r26
    rol r27
    cp r26, r22
    cpc r27, r23
    brlo 2f
    sub r26, r22
    sbc r27, r23
    inc r24
2:  dec r21
    brne 1b
    movw r22, r24
    movw r24, r26
    ret
.size __udivmodhi4, . - __udivmodhi4
