; Product of 16 bits, modulo 65536, where the chip has no MUL. In: r25:r24 and r23:r22. Out: r25:r24.

.section .text.__mulhi3, "ax", @progbits
.globl __mulhi3
.type __mulhi3, @function
__mulhi3:
    clr r20
    clr r21
    ldi r18, 16
1:  lsr r23
    ror r22
    brcc 2f
    add r20, r24
    adc r21, r25
2:  lsl r24
    rol r25
    dec r18
    brne 1b
    movw r24, r20
    ret
.size __mulhi3, . - __mulhi3
