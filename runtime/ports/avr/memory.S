; The functions on bytes of memory that the code generator may call.

#include "chip.h"

; r25:r24 to, r23:r22 from, r21:r20 length; returns `to`
.section .text.memcpy, "ax", @progbits
.globl memcpy
.type memcpy, @function
memcpy:
    movw r26, r24
    movw r30, r22
    rjmp 2f
1:  ld r0, Z+
    st X+, r0
2:  subi r20, 1
    sbci r21, 0
    brcc 1b
    ret
.size memcpy, . - memcpy

; as memcpy, but the two may overlap
.section .text.memmove, "ax", @progbits
.globl memmove
.type memmove, @function
memmove:
    cp r22, r24
    cpc r23, r25
    brlo 1f
    FAR_JUMP memcpy                  ; `from` lies above: forward is right
1:  movw r26, r24
    movw r30, r22
    add r26, r20
    adc r27, r21
    add r30, r20
    adc r31, r21
    rjmp 3f
2:  ld r0, -Z
    st -X, r0
3:  subi r20, 1
    sbci r21, 0
    brcc 2b
    ret
.size memmove, . - memmove

; r25:r24 to, r22 the byte, r21:r20 length; returns `to`
.section .text.memset, "ax", @progbits
.globl memset
.type memset, @function
memset:
    movw r26, r24
    rjmp 2f
1:  st X+, r22
2:  subi r20, 1
    sbci r21, 0
    brcc 1b
    ret
.size memset, . - memset

; r25:r24 and r23:r22 what to compare, r21:r20 length; returns less than, equal to or greater than zero
.section .text.memcmp, "ax", @progbits
.globl memcmp
.type memcmp, @function
memcmp:
    movw r26, r24
    movw r30, r22
    rjmp 2f
1:  ld r24, X+
    ld r0, Z+
    sub r24, r0
    brne 3f
2:  subi r20, 1
    sbci r21, 0
    brcc 1b
    clr r24
    clr r25
    ret
3:  sbc r25, r25
    ret
.size memcmp, . - memcmp
