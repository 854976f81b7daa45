; Signed division of 16 bits, towards zero; the remainder has the dividend's sign. Registers as of __udivmodhi4.

#include "../chip.h"

.section .text.__divmodhi4, "ax", @progbits
.globl __divmodhi4
.type __divmodhi4, @function
__divmodhi4:
    bst r25, 7                  ; T: sign of the dividend
    mov r0, r25
    eor r0, r23                 ; bit 7: sign of the quotient
    brtc 1f
    com r25
    neg r24
    sbci r25, 0xFF
1:  sbrs r23, 7
    rjmp 2f
    com r23
    neg r22
    sbci r23, 0xFF
2:  FAR_CALL __udivmodhi4           ; leaves r0 and T alone
    sbrs r0, 7
    rjmp 3f
    com r23
    neg r22
    sbci r23, 0xFF
3:  brtc 4f
    com r25
    neg r24
    sbci r25, 0xFF
4:  ret
.size __divmodhi4, . - __divmodhi4
