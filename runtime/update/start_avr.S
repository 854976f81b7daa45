; Start of the boot loader at its section's begin, and what only assembler can say: SPM within four cycles of SPMCSR.

.equ SPMCSR, 0x37
.equ SREG, 0x3F
.equ STACK_HIGH, 0x3E
.equ STACK_LOW, 0x3D
.equ MCUSR, 0x34
.equ WDTCSR, 0x60
.equ EECR, 0x1F

.section .vectors, "ax", @progbits
.globl up_reset
up_reset:
    jmp begin
    jmp up_report               ; four bytes behind the begin: there the program finds whom to report to

.section .text.begin, "ax", @progbits
begin:
    clr r1
    out SREG, r1
    ldi r28, lo8(up_stack_top)
    ldi r29, hi8(up_stack_top)
    out STACK_HIGH, r29
    out STACK_LOW, r28
    out MCUSR, r1               ; or a watchdog that has reset cannot be turned off
    ldi r24, 0x18
    sts WDTCSR, r24
    sts WDTCSR, r1
    jmp up_start

; In r24 what is to be done; the address is in Z.
.section .text.act, "ax", @progbits
act:
    in r18, SREG
    cli
1:  sbic EECR, 1                ; nothing is done while the EEPROM is written
    rjmp 1b
    out SPMCSR, r24
    spm
2:  in r25, SPMCSR
    sbrc r25, 0
    rjmp 2b
    ldi r24, 0x11               ; the other section can be read again
    out SPMCSR, r24
    spm
    out SREG, r18
    ret

.section .text.up_flash_erase, "ax", @progbits
.globl up_flash_erase
up_flash_erase:
    movw r30, r24
    ldi r24, 0x03
    rjmp act

.section .text.up_flash_write, "ax", @progbits
.globl up_flash_write
up_flash_write:
    movw r30, r24
    ldi r24, 0x05
    rjmp act

.section .text.up_flash_fill, "ax", @progbits
.globl up_flash_fill
up_flash_fill:
    movw r30, r24
    movw r0, r22
    ldi r24, 0x01
    in r18, SREG
    cli
    out SPMCSR, r24
    spm
    out SREG, r18
    clr r1
    ret

.section .text.up_flash_run, "ax", @progbits
.globl up_flash_run
up_flash_run:
    jmp 0
