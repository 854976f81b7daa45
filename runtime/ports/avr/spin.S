; Waits for microseconds, to the cycle: called by CALL with a constant. RCALL, of a program of at most 4 KB, takes one less.

#include "chip.h"

#if LF_CLOCK_MHZ >= 6

#define EACH LF_CLOCK_MHZ                  /* cycles of a microsecond */
#ifdef LF_EIND
#define AROUND 20                          /* what this takes without the loop: an argument in four registers, CALL, RET */
#else
#define AROUND 18
#endif
#define FIRST ((AROUND + EACH - 1) / EACH) /* microseconds that go by with that */

; r25 to r22: how many. For fewer than FIRST it is FIRST.
.section .text.lf_port_spin, "ax", @progbits
.globl lf_port_spin
.type lf_port_spin, @function
lf_port_spin:
    subi r22, FIRST + 1
    sbci r23, 0
    sbci r24, 0
    sbci r25, 0
    brcs 2f
    rjmp 1f
1:
.rept EACH - 6
    nop
.endr
    subi r22, 1
    sbci r23, 0
    sbci r24, 0
    sbci r25, 0
    brcc 1b
2:
.rept FIRST * EACH - AROUND
    nop
.endr
    ret
.size lf_port_spin, . - lf_port_spin

#endif
