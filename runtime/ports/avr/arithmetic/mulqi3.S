; Product of bytes, modulo 256, where the chip has no MUL. In: r24 and r22. Out: r24.

.section .text.__mulqi3, "ax", @progbits
.globl __mulqi3
.type __mulqi3, @function
__mulqi3:
    clr r25
    ldi r23, 8
1:  lsr r22
    brcc 2f
    add r25, r24
2:  lsl r24
    dec r23
    brne 1b
    mov r24, r25
    ret
.size __mulqi3, . - __mulqi3
