/* What the ROM of an RP2350 looks for in the first 4 KB of the flash: a loop of one block that says for whom the image is.
   Where there is no more, a Cortex-M starts with the vector table that the flash begins with, a RISC-V at its first byte. */
.section .image_definition, "a", %progbits
.balign 4
.globl lf_image_definition
lf_image_definition:
    .word 0xFFFFDED3
    .byte 0x42, 1               /* its type, in one word */
    .2byte LF_IMAGE_IS
    .byte 0xFF                  /* the last: items of one word in all */
    .2byte 1
    .byte 0
    .word 0                     /* how far the next block is: it is this one */
    .word 0xAB123579
