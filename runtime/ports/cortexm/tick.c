/* Counts milliseconds, with the processor's SysTick or, on a chip that has none, with a timer. */

#include "../../port.h"
#include "chip.h"

static volatile uint32_t milliseconds;

void lf_port_tick_start(void);
void lf_stop_tick(void);
void lf_go_on_ticking(void);

#ifdef LF_TICK_SYSTICK

#define COUNTS (LF_CLOCK_HZ / 1000)
#define PROCESSOR_CLOCK_INTERRUPT_ON 7u
#define PROCESSOR_CLOCK 4u

_Static_assert(COUNTS * 1000 == LF_CLOCK_HZ, "a millisecond is no whole number of counts of SysTick");
_Static_assert(COUNTS >= 2 && COUNTS <= 0x1000000, "SysTick cannot count to a millisecond");

void __vector_systick(void);

void lf_port_tick_start(void)
{
    lf_write(LF_SYSTICK_RELOAD, COUNTS - 1);
    lf_write(LF_SYSTICK_CURRENT, 0);
    lf_write(LF_SYSTICK_CONTROL, PROCESSOR_CLOCK_INTERRUPT_ON);
}

void lf_stop_tick(void) { lf_write(LF_SYSTICK_CONTROL, PROCESSOR_CLOCK); }
void lf_go_on_ticking(void) { lf_write(LF_SYSTICK_CONTROL, PROCESSOR_CLOCK_INTERRUPT_ON); }

void __vector_systick(void)
{
    milliseconds = milliseconds + 1;
    lf_port_woken = 1;
}

#else /* a timer of the nRF51, whose clock is 16 MHz by a power of two */

#define START (LF_TICK_AT + 0x000u)
#define STOP (LF_TICK_AT + 0x004u)
#define CLEAR (LF_TICK_AT + 0x00Cu)
#define REACHED (LF_TICK_AT + 0x140u) /* an event: 1 until 0 is written */
#define SHORTCUTS (LF_TICK_AT + 0x200u)
#define ENABLE_INTERRUPTS (LF_TICK_AT + 0x304u)
#define MODE (LF_TICK_AT + 0x504u)
#define WIDTH (LF_TICK_AT + 0x508u)
#define PRESCALER (LF_TICK_AT + 0x510u)
#define COMPARE (LF_TICK_AT + 0x540u)

#define TIMER 0u
#define SIXTEEN_BITS 0u
#define TO_A_MEGAHERTZ 4u
#define CLEAR_WHEN_REACHED 1u
#define OF_REACHED (1u << 16)

void lf_port_tick_start(void)
{
    lf_write(STOP, 1); /* a boot loader may have used it */
    lf_write(MODE, TIMER);
    lf_write(WIDTH, SIXTEEN_BITS);
    lf_write(PRESCALER, TO_A_MEGAHERTZ);
    lf_write(COMPARE, 1000);
    lf_write(SHORTCUTS, CLEAR_WHEN_REACHED);
    lf_write(REACHED, 0);
    lf_write(ENABLE_INTERRUPTS, OF_REACHED);
    lf_write(CLEAR, 1);
    lf_enable_line(LF_TICK_LINE);
    lf_write(START, 1);
}

void lf_stop_tick(void) { lf_write(STOP, 1); }
void lf_go_on_ticking(void) { lf_write(START, 1); }

LF_INTERRUPT(LF_TICK_LINE)
{
    lf_write(REACHED, 0);
    milliseconds = milliseconds + 1;
    lf_port_woken = 1;
}

#endif

uint32_t lf_port_milliseconds(void)
{
    return milliseconds; /* one access */
}
