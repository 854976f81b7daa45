/* Espressif's interrupt matrix: each of the devices' sources is led to one of the core's 31 interrupts. The core says the
   number of its interrupt in `mcause`, and has neither `mie` nor claims. The tick has an interrupt of its own; all other
   sources share one, and the entry of traps looks which of them there is. A source that is led to interrupt 0, which is
   none, is closed: that is the mask of an interrupt that the program names. All are levels, so none is remembered.

   LF_MATRIX_AT       where the source of each device is led to, one word each
   LF_MATRIX_STATUS   which sources there are, 32 in each word
   LF_CORE_*          the core's interrupts: which are enabled, their priorities, the threshold */

#define LF_OF_SOURCES 1
#define LF_OF_TICK 2

#ifndef __ASSEMBLER__

static inline __attribute__((unused)) void lf_lead(uint32_t line, uint32_t interrupt)
{
    lf_write(LF_CORE_PRIORITY + 4 * interrupt, 1);
    lf_write(LF_CORE_THRESHOLD, 1);
    lf_write(LF_MATRIX_AT + 4 * line, interrupt);
    lf_set_bits(LF_CORE_ENABLE, 1u << interrupt);
}

static inline __attribute__((unused)) bool lf_is_enabled(uint32_t line)
{
    return lf_read(LF_MATRIX_AT + 4 * line) == LF_OF_SOURCES;
}

static inline __attribute__((unused)) void lf_enable_line(uint32_t line) { lf_lead(line, LF_OF_SOURCES); }
static inline __attribute__((unused)) void lf_mask_line(uint32_t line) { lf_write(LF_MATRIX_AT + 4 * line, 0); }
static inline __attribute__((unused)) void lf_open_line(uint32_t line) { lf_enable_line(line); }

#endif
