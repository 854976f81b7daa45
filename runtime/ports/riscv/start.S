/* Start-up: stack, memory, the parts of the port, then the program. */

#include "chip.h"

.option relax                   /* the linker makes near calls of far ones */

/* The processor starts at the first byte of the flash. */
.section .start, "ax", %progbits
.globl lf_start
.type lf_start, %function
lf_start:
#ifdef LF_STARTS_AT_ALIAS
    lui a0, %hi(1f)             /* all else is where it was linked to */
    addi a0, a0, %lo(1f)
    jr a0
1:
#endif
    csrci mstatus, 8            /* a boot loader may have jumped here */
#if !defined(LF_NUMBERED) && !defined(LF_MATRIX_AT)
    csrw mie, zero
#endif
    la sp, lf_stack_top
    la a0, unexpected_interrupt /* for as long as no part has routines: traps.c */
    csrw mtvec, a0
#ifdef LF_MATRIX_AT
    li a1, LF_CORE_ENABLE       /* an interrupt of a boot loader has no routine here */
    sw zero, 0(a1)
#ifdef LF_CORE_HAS_MIE
    li a0, -1
    csrw mie, a0
#endif
    li a1, LF_MATRIX_AT
    .rept LF_LINES
    sw zero, 0(a1)
    addi a1, a1, 4
    .endr
#elif defined(LF_ECLIC)
    li a1, LF_ECLIC_THRESHOLD   /* an interrupt of a boot loader has no routine here */
    sb zero, 0(a1)
    li a1, LF_ECLIC_AT
    sb zero, 0(a1)              /* no bits of a level: all have the highest */
    li a1, LF_ECLIC_LINES
    li a0, LF_ECLIC_LINES + 4 * LF_LINES
5:  sw zero, 0(a1)
    addi a1, a1, 4
    bltu a1, a0, 5b
#elif defined(LF_NUMBERED)
    li a1, LF_PFIC_DISABLE      /* an interrupt of a boot loader has no routine here */
    li a0, -1
    .rept (LF_LINES + 31) / 32
    sw a0, 0(a1)
    addi a1, a1, 4
    .endr
#else
    li a1, LF_PLIC_ENABLE       /* an interrupt of a boot loader has no routine here */
    .rept (LF_LINES + 31) / 32
    sw zero, 0(a1)
    addi a1, a1, 4
    .endr
    li a1, LF_PLIC_THRESHOLD
    sw zero, 0(a1)
#endif
    la a0, lf_data_start
    la a1, lf_data_load
    la a2, lf_data_end
    j 2f
1:  lw a3, 0(a1)
    sw a3, 0(a0)
    addi a1, a1, 4
    addi a0, a0, 4
2:  bltu a0, a2, 1b
    la a0, lf_bss_start
    la a2, lf_bss_end
    j 4f
3:  sw zero, 0(a0)
    addi a0, a0, 4
4:  bltu a0, a2, 3b
    call lf_port_start          /* made by the linking stage: starts the parts that are used */
    csrsi mstatus, 8
    call lf_main
    j unexpected_interrupt
.size lf_start, . - lf_start

.section .text.unexpected_interrupt, "ax", %progbits
.globl unexpected_interrupt
.type unexpected_interrupt, %function
#ifdef LF_MATRIX_AT
.balign 256                     /* the core knows no other way than a table: this is its first entry, that of faults */
#elif defined(LF_ECLIC)
.balign 64
#else
.balign 4
#endif
unexpected_interrupt:
    j lf_port_halt
.size unexpected_interrupt, . - unexpected_interrupt
