/* The functions on bytes of memory that the code generator may call. With the registers that RV32E has. */

/* a0 to, a1 from, a2 length; returns `to` */
.section .text.memcpy, "ax", %progbits
.globl memcpy
.type memcpy, %function
memcpy:
forwards:
    mv a3, a0
    or a4, a0, a1
    andi a4, a4, 3
    bnez a4, 3f
    li a4, 4
1:  bltu a2, a4, 3f             /* both are aligned: words */
    lw a5, 0(a1)
    sw a5, 0(a3)
    addi a1, a1, 4
    addi a3, a3, 4
    addi a2, a2, -4
    j 1b
2:  lbu a5, 0(a1)
    sb a5, 0(a3)
    addi a1, a1, 1
    addi a3, a3, 1
    addi a2, a2, -1
3:  bnez a2, 2b
    ret
.size memcpy, . - memcpy

/* as memcpy, but the two may overlap */
.globl memmove
.type memmove, %function
memmove:
    sub a3, a0, a1
    bgeu a3, a2, forwards       /* `to` lies below `from`, or behind its end */
    add a1, a1, a2
    add a3, a0, a2
1:  beq a3, a0, 2f
    addi a1, a1, -1
    addi a3, a3, -1
    lbu a5, 0(a1)
    sb a5, 0(a3)
    j 1b
2:  ret
.size memmove, . - memmove

/* a0 to, a1 the byte, a2 length; returns `to` */
.section .text.memset, "ax", %progbits
.globl memset
.type memset, %function
memset:
    andi a1, a1, 255
    slli a3, a1, 8
    or a1, a1, a3
    slli a3, a1, 16
    or a1, a1, a3
    mv a3, a0
    andi a4, a0, 3
    bnez a4, 3f
    li a4, 4
1:  bltu a2, a4, 3f
    sw a1, 0(a3)
    addi a3, a3, 4
    addi a2, a2, -4
    j 1b
2:  sb a1, 0(a3)
    addi a3, a3, 1
    addi a2, a2, -1
3:  bnez a2, 2b
    ret
.size memset, . - memset

/* a0 and a1 what to compare, a2 length; returns less than, equal to or greater than zero */
.section .text.memcmp, "ax", %progbits
.globl memcmp
.type memcmp, %function
memcmp:
1:  beqz a2, 2f
    lbu a3, 0(a0)
    lbu a4, 0(a1)
    addi a0, a0, 1
    addi a1, a1, 1
    addi a2, a2, -1
    beq a3, a4, 1b
    sub a0, a3, a4
    ret
2:  li a0, 0
    ret
.size memcmp, . - memcmp
