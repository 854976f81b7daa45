; Product of 32 bits, modulo 2^32. In: r25..r22 and r21..r18. Out: r25..r22.

#include "../chip.h"

.section .text.__mulsi3, "ax", @progbits
.globl __mulsi3
.type __mulsi3, @function
__mulsi3:
#ifdef LF_SMALL                 /* no MUL */
    ldi r26, 32
    mov r0, r26
    clr r26                     ; the result in r31:r30:r27:r26
    clr r27
    movw r30, r26
1:  lsr r21
    ror r20
    ror r19
    ror r18
    brcc 2f
    add r26, r22
    adc r27, r23
    adc r30, r24
    adc r31, r25
2:  lsl r22
    rol r23
    rol r24
    rol r25
    dec r0
    brne 1b
#else
    mul r22, r18                ; bytes 0 and 1 of the result in r27:r26, 2 and 3 in r31:r30
    movw r26, r0
    mul r23, r19
    movw r30, r0
    mul r24, r18
    add r30, r0
    adc r31, r1
    mul r22, r20
    add r30, r0
    adc r31, r1
    mul r25, r18
    add r31, r0
    mul r24, r19
    add r31, r0
    mul r23, r20
    add r31, r0
    mul r22, r21
    add r31, r0
    clr r25                     ; no more needed: a zero for the carry
    mul r23, r18
    add r27, r0
    adc r30, r1
    adc r31, r25
    mul r22, r19
    add r27, r0
    adc r30, r1
    adc r31, r25
    clr r1
#endif
    movw r22, r26
    movw r24, r30
    ret
.size __mulsi3, . - __mulsi3
