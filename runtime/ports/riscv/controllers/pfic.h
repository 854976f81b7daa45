/* WCH's interrupt controller, for up to 64 interrupts. The enabled bit is the mask of an interrupt that the program names. */

#define LF_PFIC_ENABLE 0xE000E100 /* 32 in each word */
#define LF_PFIC_DISABLE 0xE000E180
#define LF_PFIC_FORGET 0xE000E280 /* that one is pending */

#ifndef __ASSEMBLER__

static inline __attribute__((unused)) bool lf_is_enabled(uint32_t line)
{
    return lf_read(LF_PFIC_ENABLE + line / 32 * 4) >> line % 32 & 1;
}

static inline __attribute__((unused)) void lf_enable_line(uint32_t line)
{
    lf_write(LF_PFIC_ENABLE + line / 32 * 4, 1u << line % 32);
}

static inline __attribute__((unused)) void lf_mask_line(uint32_t line)
{
    lf_write(LF_PFIC_DISABLE + line / 32 * 4, 1u << line % 32);
}

/* The controller remembers also a cause that was seen to meanwhile; one that is still there it notices again. */
static inline __attribute__((unused)) void lf_open_line(uint32_t line)
{
    lf_write(LF_PFIC_FORGET + line / 32 * 4, 1u << line % 32);
    lf_enable_line(line);
}

#endif
