/* What the RP2040 and the RP2350 have alike: registers that are written bit by bit, resets, the crystal, the system's PLL, pins.
   To be included behind the addresses of the chip's blocks:

   RP_RESETS, RP_CLOCKS, RP_CRYSTAL, RP_PLL, RP_PINS, RP_PADS
   RP_RESET_PLL, RP_RESET_PINS, LF_UART_RESET   bits of RP_RESETS
   RP_FIRST, RP_SECOND                          what the PLL's oscillator is divided by
   RP_PADS_ARE_ISOLATED                         from the pins, until they are told */
#ifndef LF_RP_CLOCK_H
#define LF_RP_CLOCK_H

#define SET 0x2000u   /* the same registers once more: what is written there is set, or cleared, bit by bit */
#define CLEAR 0x3000u

#define RESETS RP_RESETS
#define RESETS_DONE (RP_RESETS + 0x08u)

#define CRYSTAL RP_CRYSTAL
#define CRYSTAL_STATUS (RP_CRYSTAL + 0x04u)
#define CRYSTAL_STARTUP (RP_CRYSTAL + 0x0Cu)
#define CRYSTAL_1_TO_15_MHZ 0xAA0u
#define CRYSTAL_ENABLE (0xFABu << 12)
#define CRYSTAL_STABLE (1u << 31)
#define A_MILLISECOND ((LF_CRYSTAL_HZ / 1000u + 128u) / 256u)

#define REFERENCE_CLOCK (RP_CLOCKS + 0x30u)
#define REFERENCE_SELECTED (RP_CLOCKS + 0x38u)
#define SYSTEM_CLOCK (RP_CLOCKS + 0x3Cu)
#define SYSTEM_SELECTED (RP_CLOCKS + 0x44u)
#define PERIPHERAL_CLOCK (RP_CLOCKS + 0x48u)
#define REFERENCE_FROM_CRYSTAL 2u
#define SYSTEM_FROM_REFERENCE 0u
#define SYSTEM_FROM_PLL 1u
#define PERIPHERALS_FROM_SYSTEM (1u << 11)

#define PLL_CONTROL RP_PLL
#define PLL_POWER (RP_PLL + 0x04u)
#define PLL_FEEDBACK (RP_PLL + 0x08u)
#define PLL_DIVISORS (RP_PLL + 0x0Cu)
#define PLL_LOCKED (1u << 31)
#define PLL_OSCILLATOR 0x21u /* its power-down bits */
#define PLL_DIVIDER 8u
/* The oscillator of the PLL, 750 to 1600 MHz: the crystal times FEEDBACK. */
#define RP_TIMES (RP_FIRST * RP_SECOND)
#define FEEDBACK ((uint32_t)((uint64_t)LF_CLOCK_HZ * RP_TIMES / LF_CRYSTAL_HZ))

#define PIN_FUNCTION(pin) (RP_PINS + 0x04u + 8u * (pin))
#define PIN_PAD(pin) (RP_PADS + 0x04u + 4u * (pin))
#define FUNCTION_UART 2u
#define PULLED_INPUT 0x5Au /* input enabled, pull-up, Schmitt trigger */
#define PLAIN 0x52u        /* the same without the pull-up */

_Static_assert((uint64_t)FEEDBACK * LF_CRYSTAL_HZ == (uint64_t)LF_CLOCK_HZ * RP_TIMES,
               "so many times the clock as the PLL divides must be a multiple of the crystal's");

static inline __attribute__((unused)) void take_out_of_reset(uint32_t bits)
{
    lf_write(RESETS + CLEAR, bits);
    lf_wait_for(RESETS_DONE, bits, bits);
}

static inline __attribute__((unused)) void lf_set_up_clock(void)
{
    lf_write(PERIPHERAL_CLOCK, PERIPHERALS_FROM_SYSTEM);
    lf_write(CRYSTAL, CRYSTAL_1_TO_15_MHZ);
    lf_write(CRYSTAL_STARTUP, A_MILLISECOND);
    lf_write(CRYSTAL + SET, CRYSTAL_ENABLE);
    if (!lf_wait_for(CRYSTAL_STATUS, CRYSTAL_STABLE, CRYSTAL_STABLE))
        return;
    /* A boot loader may have left the processor on the PLL, which must not be stopped under it. */
    lf_write(SYSTEM_CLOCK + CLEAR, SYSTEM_FROM_PLL);
    if (!lf_wait_for(SYSTEM_SELECTED, 15, 1u << SYSTEM_FROM_REFERENCE))
        return;
    lf_write(REFERENCE_CLOCK, REFERENCE_FROM_CRYSTAL);
    if (!lf_wait_for(REFERENCE_SELECTED, 15, 1u << REFERENCE_FROM_CRYSTAL))
        return;
    lf_write(RESETS + SET, RP_RESET_PLL);
    take_out_of_reset(RP_RESET_PLL);
    lf_write(PLL_CONTROL, 1); /* the crystal undivided */
    lf_write(PLL_FEEDBACK, FEEDBACK);
    lf_write(PLL_POWER + CLEAR, PLL_OSCILLATOR);
    if (!lf_wait_for(PLL_CONTROL, PLL_LOCKED, PLL_LOCKED))
        return;
    lf_write(PLL_DIVISORS, RP_FIRST << 16 | RP_SECOND << 12);
    lf_write(PLL_POWER + CLEAR, PLL_DIVIDER);
    lf_write(SYSTEM_CLOCK, SYSTEM_FROM_REFERENCE); /* the other source: the PLL */
    lf_write(SYSTEM_CLOCK + SET, SYSTEM_FROM_PLL);
    lf_wait_for(SYSTEM_SELECTED, 15, 1u << SYSTEM_FROM_PLL);
}

#ifdef LF_UART
static inline __attribute__((unused)) void lf_connect_uart(void)
{
    take_out_of_reset(RP_RESET_PINS | LF_UART_RESET);
    lf_write(PIN_PAD(LF_CONSOLE_RX), PULLED_INPUT); /* a line that nobody drives is quiet */
    lf_write(PIN_FUNCTION(LF_CONSOLE_TX), FUNCTION_UART);
    lf_write(PIN_FUNCTION(LF_CONSOLE_RX), FUNCTION_UART);
#ifdef RP_PADS_ARE_ISOLATED
    lf_write(PIN_PAD(LF_CONSOLE_TX), PLAIN); /* by now it rests high */
#endif
}

#endif

#endif
