/* Unsigned division, for processors that have no instruction for it: r0 by r1; quotient in r0, remainder in r1. Nobody
   divides by zero, but it ends: quotient 0. */

.syntax unified
.section .text.__aeabi_uidivmod, "ax", %progbits
.globl __aeabi_uidivmod, __aeabi_uidiv
.type __aeabi_uidivmod, %function
.type __aeabi_uidiv, %function
.thumb_func
__aeabi_uidivmod:
.thumb_func
__aeabi_uidiv:
    movs r2, #0                 /* the quotient */
    movs r3, #1                 /* the bit of it that is sought */
    cmp r1, #0
    beq 4f
    bmi 2f
1:  cmp r1, r0                  /* shift the divisor up to the dividend */
    bhs 2f
    lsls r3, r3, #1
    lsls r1, r1, #1
    bpl 1b
2:  cmp r0, r1
    blo 3f
    subs r0, r1
    orrs r2, r3
3:  lsrs r1, r1, #1
    lsrs r3, r3, #1
    bne 2b
4:  movs r1, r0
    movs r0, r2
    bx lr
.size __aeabi_uidivmod, . - __aeabi_uidivmod
