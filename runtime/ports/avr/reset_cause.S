; Keeps the cause of the last reset, which start-up clears, in a register that nothing else uses. Linked in if the program
; asks for the cause.

#include "chip.h"

.section .init1, "ax", @progbits
.globl lf_port_reset_cause
lf_port_reset_cause:
    in r24, LF_MCUSR - 0x20
    out LF_GPIOR0 - 0x20, r24
