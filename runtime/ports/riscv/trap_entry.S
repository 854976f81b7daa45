/* The entry of traps, and the table of interrupt routines; only in images that have any. */

#include "chip.h"

.altmacro
.option relax

.section .text.lf_take_traps, "ax", %progbits
.globl lf_take_traps
.type lf_take_traps, %function
lf_take_traps:
#ifdef LF_MATRIX_AT
    la a0, lf_trap_table
    ori a0, a0, 1
#else
    la a0, lf_trap
#endif
#ifdef LF_ECLIC
    ori a0, a0, 3               /* its own mode, in which all that is not vectored comes to the one entry */
#endif
    csrw mtvec, a0
    ret
.size lf_take_traps, . - lf_take_traps

#ifdef LF_MATRIX_AT
/* The core goes to the entry of its interrupt's number; a fault goes to the first. */
.section .text.lf_trap_table, "ax", %progbits
.option push
.option norvc
.option norelax
.balign 256
lf_trap_table:
    .rept 32
    j lf_trap
    .endr
.option pop
#endif

/* Saves what a C function may change, calls the routine of what came, and completes it. A routine does not interrupt
   another one. A fault of the processor, or a line without a routine, stops the program, since nobody can say what it
   means. */
.section .text.lf_trap, "ax", %progbits
.globl lf_trap
.type lf_trap, %function
#ifdef LF_ECLIC
.balign 64
#else
.balign 4
#endif
lf_trap:
#ifdef __riscv_32e
    .set saved, 40
#else
    .set saved, 64
#endif
    addi sp, sp, -saved
    sw ra, 0(sp)
    sw t0, 4(sp)
    sw t1, 8(sp)
    sw t2, 12(sp)
    sw a0, 16(sp)
    sw a1, 20(sp)
    sw a2, 24(sp)
    sw a3, 28(sp)
    sw a4, 32(sp)
    sw a5, 36(sp)
#ifndef __riscv_32e
    sw a6, 40(sp)
    sw a7, 44(sp)
    sw t3, 48(sp)
    sw t4, 52(sp)
    sw t5, 56(sp)
    sw t6, 60(sp)
#endif
    csrr a0, mcause
    bgez a0, 3f                 /* a fault of the processor */
#ifdef LF_MATRIX_AT
    slli a0, a0, 1              /* without the bit that says that it is an interrupt */
    li a1, 2 * LF_OF_SOURCES
    beq a0, a1, 1f
    li a1, 2 * LF_OF_TICK
    bne a0, a1, 3f
    call __vector_systick
    j 2f
1:  li a0, 0                    /* which source is there, and led here? */
    li a1, LF_MATRIX_STATUS
    li a2, LF_MATRIX_AT
    li a4, LF_OF_SOURCES
4:  lw a3, 0(a1)
5:  andi a5, a3, 1
    beqz a5, 6f
    lw a5, 0(a2)
    beq a5, a4, 7f
6:  addi a0, a0, 1
    addi a2, a2, 4
    srli a3, a3, 1
    andi a5, a0, 31
    bnez a5, 5b
    addi a1, a1, 4
    li a5, LF_LINES
    bltu a0, a5, 4b
    j 2f                        /* it went away meanwhile */
7:  slli a0, a0, 2
    la a1, lf_vectors
    add a0, a0, a1
    lw a0, 0(a0)
    jalr a0
#elif defined(LF_NUMBERED)
#ifdef LF_ECLIC
    slli a0, a0, 22             /* only the lower ten bits */
    srli a0, a0, 21
#else
    slli a0, a0, 1              /* without the bit that says that it is an interrupt */
#endif
    li a1, 2 * LF_SYSTICK_NUMBER
    beq a0, a1, 1f
    addi a0, a0, -2 * LF_FIRST_NUMBER
    bltz a0, 3f
    slli a0, a0, 1
    la a1, lf_vectors
    add a0, a0, a1
    lw a0, 0(a0)
    jalr a0
    j 2f
1:  call __vector_systick
#else
    slli a0, a0, 1              /* without the bit that says that it is an interrupt */
    li a1, 2 * LF_MACHINE_EXTERNAL
    beq a0, a1, 1f
    li a1, 2 * LF_MACHINE_TIMER
    bne a0, a1, 3f
    call __vector_systick
    j 2f
1:  li a1, LF_PLIC_CLAIM
    lw a0, 0(a1)
    beqz a0, 2f                 /* it went away meanwhile */
    la a1, lf_port_claimed
    sw a0, 0(a1)
    slli a0, a0, 2
    la a1, lf_vectors
    add a0, a0, a1
    lw a0, 0(a0)
    jalr a0
    la a1, lf_port_claimed
    lw a0, 0(a1)
    li a1, LF_PLIC_CLAIM
    sw a0, 0(a1)                /* the completion; 0 is nobody's */
#endif
2:  lw ra, 0(sp)
    lw t0, 4(sp)
    lw t1, 8(sp)
    lw t2, 12(sp)
    lw a0, 16(sp)
    lw a1, 20(sp)
    lw a2, 24(sp)
    lw a3, 28(sp)
    lw a4, 32(sp)
    lw a5, 36(sp)
#ifndef __riscv_32e
    lw a6, 40(sp)
    lw a7, 44(sp)
    lw t3, 48(sp)
    lw t4, 52(sp)
    lw t5, 56(sp)
    lw t6, 60(sp)
#endif
    addi sp, sp, saved
    mret
3:
no_routine:
    j unexpected_interrupt
.size lf_trap, . - lf_trap

/* A routine is found by its name: those of the chip have the numbers of their lines. */
.macro vector name
    .weak __vector_\name
    .set __vector_\name, no_routine
    .word __vector_\name
.endm

.weak __vector_systick
.set __vector_systick, no_routine

.section .rodata.lf_vectors, "a", %progbits
.balign 4
.globl lf_vectors
.type lf_vectors, %object
lf_vectors:
#ifdef LF_NUMBERED
    .set line, LF_FIRST_NUMBER
    .rept LF_LINES - LF_FIRST_NUMBER
#else
    .word unexpected_interrupt  /* there is no line 0 */
    .set line, 1
    .rept LF_LINES - 1
#endif
    vector %line
    .set line, line + 1
    .endr
.size lf_vectors, . - lf_vectors

#if !defined(LF_NUMBERED) && !defined(LF_MATRIX_AT)
.section .bss.lf_port_claimed, "aw", %nobits
.balign 4
.globl lf_port_claimed
.type lf_port_claimed, %object
lf_port_claimed:
    .zero 4                     /* the line whose routine runs */
.size lf_port_claimed, 4
#endif
