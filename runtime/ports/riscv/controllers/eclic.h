/* Nuclei's ECLIC: one word for each interrupt, in which a byte says that it is pending, one that it is enabled, one how it is
   taken (0: by its level, at the common entry), one its level. The enabled bit is the mask of an interrupt that the program
   names. */

#define LF_ECLIC_AT 0xD2000000
#define LF_ECLIC_THRESHOLD 0xD200000B /* a byte */
#define LF_ECLIC_LINES 0xD2001000
#define LF_ECLIC_ENABLED 0x100

#ifndef __ASSEMBLER__

static inline __attribute__((unused)) bool lf_is_enabled(uint32_t line)
{
    return lf_read(LF_ECLIC_LINES + 4 * line) & LF_ECLIC_ENABLED;
}

static inline __attribute__((unused)) void lf_enable_line(uint32_t line)
{
    lf_write(LF_ECLIC_LINES + 4 * line, LF_ECLIC_ENABLED);
}

static inline __attribute__((unused)) void lf_mask_line(uint32_t line) { lf_write(LF_ECLIC_LINES + 4 * line, 0); }

/* What is there is seen by its level: a cause that is still there comes again, one that was seen to does not. */
static inline __attribute__((unused)) void lf_open_line(uint32_t line) { lf_enable_line(line); }

#endif
