/* Signed division, towards zero: r0 by r1; quotient in r0, remainder, with the sign of the dividend, in r1. */

.syntax unified
.section .text.__aeabi_idivmod, "ax", %progbits
.globl __aeabi_idivmod, __aeabi_idiv
.type __aeabi_idivmod, %function
.type __aeabi_idiv, %function
.thumb_func
__aeabi_idivmod:
.thumb_func
__aeabi_idiv:
    push {r3, r4, r5, lr}
    asrs r4, r0, #31            /* -1 if it is negative: EOR and SUB with it negate */
    asrs r5, r1, #31
    eors r0, r4
    subs r0, r4
    eors r1, r5
    subs r1, r5
    eors r5, r4                 /* of the quotient */
    bl __aeabi_uidivmod
    eors r0, r5
    subs r0, r5
    eors r1, r4
    subs r1, r4
    pop {r3, r4, r5, pc}
.size __aeabi_idivmod, . - __aeabi_idivmod
