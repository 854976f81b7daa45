/* Shifts of 64 bits, by 0 to 63 places in r2: r1:r0 to the left; to the right, filled with zero or with the sign. */

.syntax unified

.macro function name
    .section .text.\name, "ax", %progbits
    .globl \name
    .type \name, %function
    .thumb_func
\name:
.endm

function __aeabi_llsl
    movs r3, #32
    subs r3, r2
    bls 1f
    lsls r1, r2
    mov r12, r0
    lsrs r0, r3                 /* by 32 places nothing is left */
    orrs r1, r0
    mov r0, r12
    lsls r0, r2
    bx lr
1:  subs r2, #32
    movs r1, r0
    lsls r1, r2
    movs r0, #0
    bx lr
.size __aeabi_llsl, . - __aeabi_llsl

function __aeabi_llsr
    movs r3, #32
    subs r3, r2
    bls 1f
    lsrs r0, r2
    mov r12, r1
    lsls r1, r3
    orrs r0, r1
    mov r1, r12
    lsrs r1, r2
    bx lr
1:  subs r2, #32
    movs r0, r1
    lsrs r0, r2
    movs r1, #0
    bx lr
.size __aeabi_llsr, . - __aeabi_llsr

function __aeabi_lasr
    movs r3, #32
    subs r3, r2
    bls 1f
    lsrs r0, r2
    mov r12, r1
    lsls r1, r3
    orrs r0, r1
    mov r1, r12
    asrs r1, r2
    bx lr
1:  subs r2, #32
    movs r0, r1
    asrs r0, r2
    asrs r1, r1, #31
    bx lr
.size __aeabi_lasr, . - __aeabi_lasr
