; Clears the variables without an initial value. Linked in when an object has some: the back end refers to
; `__do_clear_bss` then.

.section .init4.clear_bss, "ax", @progbits
.globl __do_clear_bss
.type __do_clear_bss, @function
__do_clear_bss:
    ldi r26, lo8(lf_bss_start)
    ldi r27, hi8(lf_bss_start)
    ldi r25, hi8(lf_bss_end)
    rjmp 2f
1:  st X+, r1
2:  cpi r26, lo8(lf_bss_end)
    cpc r27, r25
    brne 1b
