/* Vector table and start-up: stack, memory, the parts of the port, then the program. */

#include "chip.h"

.syntax unified
.altmacro

.section .vectors, "a", %progbits
.globl lf_vectors
.type lf_vectors, %object
lf_vectors:
    .word lf_stack_top
    .word lf_start
/* A routine is found by its name; an interrupt or a fault without one stops the program, since nobody can say what it
   means. Those of the chip have the numbers of their lines. */
.macro vector name
    .weak __vector_\name
    .thumb_set __vector_\name, unexpected_interrupt
    .word __vector_\name
.endm
    vector nmi
    vector hard_fault
    .rept 7                     /* the finer faults of Cortex-M3 and M4 are not enabled: all are hard faults */
    .word 0
    .endr
    vector svcall
    .word 0
    .word 0
    vector pendsv
    vector systick
    .set line, 0
    .rept LF_NVIC_LINES
    vector %line
    .set line, line + 1
    .endr
.size lf_vectors, . - lf_vectors

.section .text.lf_start, "ax", %progbits
.globl lf_start
.type lf_start, %function
.thumb_func
lf_start:
    cpsid i
    ldr r0, =lf_stack_top       /* a boot loader may have jumped here */
    mov sp, r0
#if LF_VTOR
    ldr r0, =LF_VECTOR_TABLE
    ldr r1, =lf_vectors
    str r1, [r0]
#endif
#ifdef LF_AFTER_ROM             /* an interrupt of a boot loader has no routine here */
    ldr r0, =LF_SYSTICK_CONTROL
    movs r1, #0
    str r1, [r0]
    ldr r0, =LF_PENDING
    ldr r1, =1 << 25 | 1 << 27  /* no SysTick, no PendSV */
    str r1, [r0]
    ldr r0, =LF_NVIC_DISABLE
    ldr r3, =LF_NVIC_FORGET
    ldr r1, =0xFFFFFFFF
    movs r2, #(LF_NVIC_LINES + 31) / 32 * 4
5:  subs r2, #4
    str r1, [r0, r2]
    str r1, [r3, r2]
    bne 5b
#endif
    ldr r0, =lf_data_start
    ldr r1, =lf_data_load
    ldr r2, =lf_data_end
    b 2f
1:  ldmia r1!, {r3}
    stmia r0!, {r3}
2:  cmp r0, r2
    blo 1b
    ldr r0, =lf_bss_start
    ldr r2, =lf_bss_end
    movs r3, #0
    b 4f
3:  stmia r0!, {r3}
4:  cmp r0, r2
    blo 3b
    bl lf_port_start            /* made by the linking stage: starts the parts that are used */
    cpsie i
    bl lf_main
    .ltorg
.size lf_start, . - lf_start

.section .text.unexpected_interrupt, "ax", %progbits
.type unexpected_interrupt, %function
.thumb_func
unexpected_interrupt:
    bl lf_port_halt
.size unexpected_interrupt, . - unexpected_interrupt

#ifdef LF_BOOT_BLOCK
/* The second stage of the start of an RP2040. The ROM copies these 256 bytes into RAM and runs them there, wherever that
   is, if the last four are the checksum of the others; the linking stage writes it. They set the flash up so that it can
   be read and executed in place, by the command that every serial flash has. */
#define SSI 0x18000000
#define SSI_CONTROL_0 0x00      /* frames of 32 bits (31 in bits 16 to 20); send a command, then receive (3 in 8 and 9) */
#define SSI_CONTROL_1 0x04      /* one frame for each read */
#define SSI_ENABLE 0x08
#define SSI_DIVISOR 0x14        /* of the system's clock */
#define SSI_COMMAND 0xF4        /* read, 03H, in bits 24 to 31; it has 8 bits (2 in 8 and 9), its address 24 (6 in 2 to 5) */

.section .boot_block, "ax", %progbits
.globl lf_boot_block
.type lf_boot_block, %function
.thumb_func
lf_boot_block:
    ldr r0, ssi
    adr r1, lf_boot_settings
    movs r4, #6                 /* settings */
1:  ldmia r1!, {r2, r3}
    str r3, [r0, r2]
    subs r4, #1
    bne 1b
    ldr r0, program
    ldr r1, vector_table
    str r0, [r1]
    ldmia r0!, {r2, r3}
    msr msp, r2
    bx r3
    .balign 4
ssi:
    .word SSI
program:
    .word lf_vectors
vector_table:
    .word LF_VECTOR_TABLE
.globl lf_boot_settings
lf_boot_settings:               /* the offset of a register, its value */
    .word SSI_ENABLE, 0
    .word SSI_DIVISOR, 4
    .word SSI_CONTROL_0, 31 << 16 | 3 << 8
    .word SSI_CONTROL_1, 0
    .word SSI_COMMAND, 0x03 << 24 | 2 << 8 | 6 << 2
    .word SSI_ENABLE, 1
    .org 252, 0
    .word 0                     /* the checksum */
.size lf_boot_block, . - lf_boot_block
#endif

#ifdef LF_IMAGE_IS
#include "../rp_image.S"
#endif
