; Copies initial values and constants from flash to RAM. Linked in when an object has data: the back end refers to
; `__do_copy_data` then.

#include "chip.h"

.section .init4.copy_data, "ax", @progbits
.globl __do_copy_data
.type __do_copy_data, @function
__do_copy_data:
    ldi r26, lo8(lf_data_start)
    ldi r27, hi8(lf_data_start)
    ldi r30, lo8(lf_data_load)
    ldi r31, hi8(lf_data_load)
#ifdef LF_RAMPZ
    ldi r24, hh8(lf_data_load)  ; they may lie above 64 KB
    out LF_RAMPZ - 0x20, r24
#endif
    ldi r25, hi8(lf_data_end)
    rjmp 2f
#ifdef LF_RAMPZ
1:  elpm r24, Z+                ; counts in RAMPZ as well
#else
1:  lpm r24, Z+
#endif
    st X+, r24
2:  cpi r26, lo8(lf_data_end)
    cpc r27, r25
    brne 1b
