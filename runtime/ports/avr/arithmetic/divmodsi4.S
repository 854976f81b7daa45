; Signed division of 32 bits, towards zero; the remainder has the dividend's sign. Registers as of __udivmodsi4.

#include "../chip.h"

.section .text.__divmodsi4, "ax", @progbits
.globl __divmodsi4
.type __divmodsi4, @function
__divmodsi4:
    bst r25, 7                  ; T: sign of the dividend
    mov r0, r25
    eor r0, r21                 ; bit 7: sign of the quotient
    brtc 1f
    rcall negate_22
1:  sbrc r21, 7
    rcall negate_18
    FAR_CALL __udivmodsi4           ; leaves r0 and T alone
    sbrc r0, 7
    rcall negate_18
    brtc 2f
    rjmp negate_22
2:  ret

negate_18:
    com r21
    com r20
    com r19
    neg r18
    sbci r19, 0xFF
    sbci r20, 0xFF
    sbci r21, 0xFF
    ret
negate_22:
    com r25
    com r24
    com r23
    neg r22
    sbci r23, 0xFF
    sbci r24, 0xFF
    sbci r25, 0xFF
    ret
.size __divmodsi4, . - __divmodsi4
