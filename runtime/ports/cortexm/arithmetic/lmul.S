/* The product of 64 bits, for processors that multiply to 32: r1:r0 times r3:r2 in r1:r0. */

.syntax unified
.section .text.__aeabi_lmul, "ax", %progbits
.globl __aeabi_lmul
.type __aeabi_lmul, %function
.thumb_func
__aeabi_lmul:
    push {r4, r5, r6, lr}
    muls r1, r2, r1             /* the upper words count modulo 2^32 */
    muls r3, r0, r3
    adds r1, r3
    uxth r3, r0                 /* the lower words by their halves */
    lsrs r4, r0, #16
    uxth r5, r2
    lsrs r6, r2, #16
    movs r0, r3
    muls r0, r5, r0             /* low by low */
    muls r3, r6, r3             /* low by high */
    muls r5, r4, r5             /* high by low */
    muls r6, r4, r6             /* high by high */
    adds r1, r6
    lsrs r4, r3, #16
    adds r1, r4
    lsrs r4, r5, #16
    adds r1, r4
    movs r4, #0
    lsls r3, r3, #16
    adds r0, r3
    adcs r1, r4
    lsls r5, r5, #16
    adds r0, r5
    adcs r1, r4
    pop {r4, r5, r6, pc}
.size __aeabi_lmul, . - __aeabi_lmul
