; Signed division of bytes, towards zero; the remainder has the dividend's sign. Registers as of __udivmodqi4.

#include "../chip.h"

.section .text.__divmodqi4, "ax", @progbits
.globl __divmodqi4
.type __divmodqi4, @function
__divmodqi4:
    bst r24, 7                  ; T: sign of the dividend
    mov r0, r24
    eor r0, r22                 ; bit 7: sign of the quotient
    sbrc r24, 7
    neg r24
    sbrc r22, 7
    neg r22
    FAR_CALL __udivmodqi4           ; leaves r0 and T alone
    sbrc r0, 7
    neg r24
    brtc 1f
    neg r25
1:  ret
.size __divmodqi4, . - __divmodqi4
