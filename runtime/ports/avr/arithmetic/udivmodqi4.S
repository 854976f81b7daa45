; Unsigned division of bytes. In: r24 dividend, r22 divisor. Out: r24 quotient, r25 remainder.

.section .text.__udivmodqi4, "ax", @progbits
.globl __udivmodqi4
.type __udivmodqi4, @function
__udivmodqi4:
    clr r25
    ldi r23, 8
1:  lsl r24                     ; the quotient moves in from below as the dividend moves out
    rol r25
    cp r25, r22
    brlo 2f
    sub r25, r22
    inc r24
2:  dec r23
    brne 1b
    ret
.size __udivmodqi4, . - __udivmodqi4
