/* Counts milliseconds, with the machine timer, with the SysTick of WCH's cores, or with Espressif's system timer. */

#include "../../port.h"
#include "chip.h"

static volatile uint32_t milliseconds;

void lf_port_tick_start(void);
void __vector_systick(void);

#ifdef LF_TICK_SYSTICK

#define CONTROL 0xE000F000
#define STATUS 0xE000F004
#define COUNT 0xE000F008
#define COMPARE 0xE000F010
#define COUNTS (LF_CLOCK_HZ / 1000)
#define RUNS_BY_CLOCK_FROM_ZERO_WITH_INTERRUPT 15u

_Static_assert(COUNTS * 1000 == LF_CLOCK_HZ, "a millisecond is no whole number of counts of SysTick");

void lf_port_tick_start(void)
{
    lf_write(COMPARE, COUNTS - 1);
    lf_write(COUNT, 0);
    lf_write(STATUS, 0);
    lf_write(CONTROL, RUNS_BY_CLOCK_FROM_ZERO_WITH_INTERRUPT);
    lf_enable_line(LF_SYSTICK_NUMBER);
}

void __vector_systick(void)
{
    lf_write(STATUS, 0);
    milliseconds = milliseconds + 1;
    lf_port_woken = 1;
}

#elif defined(LF_TICK_SYSTIMER)

#define CONFIGURATION LF_SYSTIMER_AT
#define TARGET_0 (LF_SYSTIMER_AT + 0x34)
#define LOAD_TARGET_0 (LF_SYSTIMER_AT + 0x50)
#define INTERRUPTS (LF_SYSTIMER_AT + 0x64)
#define FORGET (LF_SYSTIMER_AT + 0x6C)
#define COUNTS (LF_SYSTIMER_HZ / 1000)
#define TARGET_0_WORKS (1u << 24)
#define UNIT_0_WORKS (1u << 30)
#define AGAIN_AND_AGAIN (1u << 30)

void lf_port_tick_start(void)
{
    lf_write(CONFIGURATION, lf_read(CONFIGURATION) & ~TARGET_0_WORKS);
    lf_write(TARGET_0, COUNTS);
    lf_write(LOAD_TARGET_0, 1);
    lf_write(TARGET_0, AGAIN_AND_AGAIN | COUNTS); /* it begins when the bit rises */
    lf_write(FORGET, 1);
    lf_write(INTERRUPTS, 1);
    lf_set_bits(CONFIGURATION, UNIT_0_WORKS | TARGET_0_WORKS);
    lf_lead(LF_TICK_SOURCE, LF_OF_TICK);
}

void __vector_systick(void)
{
    lf_write(FORGET, 1);
    milliseconds = milliseconds + 1;
    lf_port_woken = 1;
}

#else

/* The timer's rate need be no whole number of counts in a millisecond: what is left over of each is added up, so that a
   second is exact. */
static uint32_t whole;         /* counts in a millisecond, */
static uint16_t rest, over;    /* and thousandths of one */

/* The next millisecond ends at so many counts. Between the three writes it never seems to have come. */
static void set_next(uint32_t low, uint32_t high)
{
    lf_write(LF_MTIMECMP_AT, 0xFFFFFFFF);
    lf_write(LF_MTIMECMP_AT + 4, high);
    lf_write(LF_MTIMECMP_AT, low);
}

void lf_port_tick_start(void)
{
    uint32_t rate = lf_mtime_hz(), high, low;
    whole = rate / 1000;
    rest = (uint16_t)(rate % 1000);
    do {
        high = lf_read(LF_MTIME_AT + 4);
        low = lf_read(LF_MTIME_AT);
    } while (high != lf_read(LF_MTIME_AT + 4));
    set_next(low + whole, high + (low + whole < low));
#ifdef LF_NUMBERED
    lf_enable_line(LF_SYSTICK_NUMBER);
#else
    lf_enable_interrupts(1u << LF_MACHINE_TIMER);
#endif
}

void __vector_systick(void)
{
    uint32_t low = lf_read(LF_MTIMECMP_AT), high = lf_read(LF_MTIMECMP_AT + 4);
    uint32_t next = low + whole;
    over = (uint16_t)(over + rest);
    if (over >= 1000) {
        over = (uint16_t)(over - 1000);
        next++;
    }
    set_next(next, high + (next < low));
    milliseconds = milliseconds + 1;
    lf_port_woken = 1;
}

#endif

uint32_t lf_port_milliseconds(void)
{
    return milliseconds; /* one access */
}
