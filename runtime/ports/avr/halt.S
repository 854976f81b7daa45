; Stops for ever. In assembler because the code generator in use takes no inline assembler for AVR.

#include "chip.h"

.section .text.lf_port_halt, "ax", @progbits
.weak lf_port_halt              ; transmit.S has one that first sends what is in the buffer
.type lf_port_halt, @function
lf_port_halt:
    cli
#ifdef LF_SMCR
    ldi r24, 1                  ; idle mode: the USART goes on and sends its last byte
    out LF_SMCR - 0x20, r24
#endif
1:  sleep
    rjmp 1b
.size lf_port_halt, . - lf_port_halt
