/* Unsigned division, for cores without the extension M: a0 by a1. The quotient comes in a0, the remainder in a1, t0 stays:
   the signed ones call it so. Nobody divides by zero, but it ends. */

.section .text.__udivsi3, "ax", %progbits
.globl __udivsi3
.type __udivsi3, %function
.globl __udivmod
__udivsi3:
__udivmod:
    mv a2, a1                   /* the divisor */
    mv a1, a0                   /* what is left */
    li a0, 0                    /* the quotient */
    beqz a2, 4f
    li a3, 1                    /* the bit of it that is sought */
1:  bgeu a2, a1, 2f             /* shift the divisor up to the dividend */
    bltz a2, 2f
    slli a2, a2, 1
    slli a3, a3, 1
    j 1b
2:  bltu a1, a2, 3f
    sub a1, a1, a2
    or a0, a0, a3
3:  srli a3, a3, 1
    srli a2, a2, 1
    bnez a3, 2b
4:  ret
.size __udivsi3, . - __udivsi3

.section .text.__umodsi3, "ax", %progbits
.globl __umodsi3
.type __umodsi3, %function
__umodsi3:
    mv t0, ra
    call __udivmod
    mv a0, a1
    jr t0
.size __umodsi3, . - __umodsi3

.section .text.__divsi3, "ax", %progbits
.globl __divsi3
.type __divsi3, %function
__divsi3:
    mv t0, ra
    xor t1, a0, a1              /* its sign is the quotient's */
    bgez a0, 1f
    neg a0, a0
1:  bgez a1, 2f
    neg a1, a1
2:  call __udivmod
    bgez t1, 3f
    neg a0, a0
3:  jr t0
.size __divsi3, . - __divsi3

.section .text.__modsi3, "ax", %progbits
.globl __modsi3
.type __modsi3, %function
__modsi3:
    mv t0, ra
    mv t1, a0                   /* its sign is the remainder's */
    bgez a0, 1f
    neg a0, a0
1:  bgez a1, 2f
    neg a1, a1
2:  call __udivmod
    mv a0, a1
    bgez t1, 3f
    neg a0, a0
3:  jr t0
.size __modsi3, . - __modsi3
