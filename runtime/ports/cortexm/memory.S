/* The functions on bytes of memory that the code generator may call, under C's names and under those of the ABI. */

.syntax unified

.macro function names:vararg
    .irp name, \names
    .globl \name
    .type \name, %function
    .thumb_func
\name:
    .endr
.endm

/* r0 to, r1 from, r2 length; returns `to` */
.section .text.memcpy, "ax", %progbits
function memcpy, __aeabi_memcpy, __aeabi_memcpy4, __aeabi_memcpy8
forwards:
    mov r12, r0
    movs r3, r0
    orrs r3, r1
    lsls r3, r3, #30
    bne 3f
1:  subs r2, #4                 /* both are aligned: words */
    blo 2f
    ldmia r1!, {r3}
    stmia r0!, {r3}
    b 1b
2:  adds r2, #4
3:  subs r2, #1
    blo 4f
    ldrb r3, [r1]
    strb r3, [r0]
    adds r1, #1
    adds r0, #1
    b 3b
4:  mov r0, r12
    bx lr
.size memcpy, . - memcpy

/* as memcpy, but the two may overlap */
function memmove, __aeabi_memmove, __aeabi_memmove4, __aeabi_memmove8
    subs r3, r0, r1
    cmp r3, r2
    bhs forwards                /* `to` lies below `from`, or behind its end */
1:  subs r2, #1
    blo 2f
    ldrb r3, [r1, r2]
    strb r3, [r0, r2]
    b 1b
2:  bx lr
.size memmove, . - memmove

.section .text.memset, "ax", %progbits
/* r0 to, r1 length */
function __aeabi_memclr, __aeabi_memclr4, __aeabi_memclr8
    movs r2, #0
/* r0 to, r1 length, r2 the byte */
function __aeabi_memset, __aeabi_memset4, __aeabi_memset8
    movs r3, r1
    movs r1, r2
    movs r2, r3
/* r0 to, r1 the byte, r2 length; returns `to` */
function memset
    mov r12, r0
    uxtb r1, r1
    lsls r3, r1, #8
    orrs r1, r3
    lsls r3, r1, #16
    orrs r1, r3
    lsls r3, r0, #30
    bne 3f
1:  subs r2, #4
    blo 2f
    stmia r0!, {r1}
    b 1b
2:  adds r2, #4
3:  subs r2, #1
    blo 4f
    strb r1, [r0]
    adds r0, #1
    b 3b
4:  mov r0, r12
    bx lr
.size memset, . - memset

/* r0 and r1 what to compare, r2 length; returns less than, equal to or greater than zero */
.section .text.memcmp, "ax", %progbits
function memcmp
    push {r4, lr}
1:  subs r2, #1
    blo 2f
    ldrb r3, [r0]
    ldrb r4, [r1]
    adds r0, #1
    adds r1, #1
    subs r3, r4
    beq 1b
    movs r0, r3
    pop {r4, pc}
2:  movs r0, #0
    pop {r4, pc}
.size memcmp, . - memcmp
