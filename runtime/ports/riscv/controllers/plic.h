/* The platform-level interrupt controller. Every line that is used has priority 1.

   Who claims an interrupt closes its gateway, until it is completed: that is the mask of an interrupt that the program
   names. (To disable the line instead would leave it closed for ever, since the completion of a line that is disabled is
   ignored.) So the trap's entry completes what it claimed, unless a routine has put 0 into `lf_port_claimed`. */

#define LF_PLIC_ENABLE (LF_PLIC_AT + 0x2000) /* 32 lines in each word */
#define LF_PLIC_THRESHOLD (LF_PLIC_AT + 0x200000)
#define LF_PLIC_CLAIM (LF_PLIC_AT + 0x200004)

#ifndef __ASSEMBLER__

extern volatile uint32_t lf_port_claimed;

static inline __attribute__((unused)) bool lf_is_enabled(uint32_t line)
{
    return lf_read(LF_PLIC_ENABLE + line / 32 * 4) >> line % 32 & 1;
}

static inline __attribute__((unused)) void lf_enable_line(uint32_t line)
{
    lf_write(LF_PLIC_AT + 4 * line, 1);
    lf_set_bits(LF_PLIC_ENABLE + line / 32 * 4, 1u << line % 32);
    lf_enable_interrupts(1u << LF_MACHINE_EXTERNAL);
}

/* Of the line whose routine runs. */
static inline __attribute__((unused)) void lf_mask_line(uint32_t line)
{
    (void)line;
    lf_port_claimed = 0;
}

/* A cause that is still there is noticed again. */
static inline __attribute__((unused)) void lf_open_line(uint32_t line)
{
    if (lf_is_enabled(line))
        lf_write(LF_PLIC_CLAIM, line);
    else
        lf_enable_line(line);
}

#endif
