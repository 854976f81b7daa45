/* The lower 64 bits of a product of 64, for cores without the extension M: a1 and a0 by a3 and a2. An overflow is found by
   it. */

.section .text.__muldi3, "ax", %progbits
.globl __muldi3
.type __muldi3, %function
__muldi3:
    mv t0, a0
    mv t1, a1
    li a0, 0
    li a1, 0
1:  andi a4, a2, 1
    beqz a4, 2f
    add a0, a0, t0
    sltu a5, a0, t0
    add a1, a1, t1
    add a1, a1, a5
2:  slli t1, t1, 1
    srli a4, t0, 31
    or t1, t1, a4
    slli t0, t0, 1
    srli a2, a2, 1
    slli a4, a3, 31
    or a2, a2, a4
    srli a3, a3, 1
    or a4, a2, a3
    bnez a4, 1b
    ret
.size __muldi3, . - __muldi3
