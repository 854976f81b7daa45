/* What all STM32 have alike in their clock control. To be included behind the addresses of its registers. */
#ifndef LF_STM32_CLOCK_H
#define LF_STM32_CLOCK_H

#ifndef INTERNAL_ON
#define INTERNAL_ON 1u
#define INTERNAL_READY 2u
#define SYSTEM_FROM 3u
#endif
#define CRYSTAL_BYPASSED (1u << 18)

/* The ROM's boot loader starts a program with the processor on the PLL, at a clock of its own. What the PLL makes can only
   be set while it is off, and it cannot be turned off under the processor: so back to the internal oscillator, as after a
   reset. False: that does not start. */
static inline __attribute__((unused)) bool leave_pll(void)
{
    if (!(lf_read(RCC_CONFIGURATION) & SYSTEM_IS) && !(lf_read(RCC_CONTROL) & PLL_ON))
        return true;
    lf_set_bits(RCC_CONTROL, INTERNAL_ON);
    if (!lf_wait_for(RCC_CONTROL, INTERNAL_READY, INTERNAL_READY))
        return false;
    lf_write(RCC_CONFIGURATION, lf_read(RCC_CONFIGURATION) & ~SYSTEM_FROM);
    if (!lf_wait_for(RCC_CONFIGURATION, SYSTEM_IS, 0))
        return false;
    lf_write(RCC_CONTROL, lf_read(RCC_CONTROL) & ~PLL_ON);
    return lf_wait_for(RCC_CONTROL, PLL_READY, 0);
}

#ifdef CRYSTAL_ON
/* Or what stands in its place: a clock that comes in. */
static inline __attribute__((unused)) void start_crystal(void)
{
    if (LF_CLOCK_COMES_IN)
        lf_set_bits(RCC_CONTROL, CRYSTAL_BYPASSED); /* as long as it is off */
    lf_set_bits(RCC_CONTROL, CRYSTAL_ON);
}
#endif

#endif
