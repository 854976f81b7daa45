/* Milliseconds, by timer 1, compare match A. The count and its routine are in tick.S. */

#include "../../port.h"
#include "chip.h"

#define PRESCALER 64UL
#define COUNTS (LF_CLOCK_HZ / PRESCALER / 1000UL)

_Static_assert(COUNTS * PRESCALER * 1000UL == LF_CLOCK_HZ, "a millisecond is no whole number of counts of timer 1");
_Static_assert(COUNTS >= 1 && COUNTS <= 65536, "timer 1 cannot count to a millisecond");

#define CLEAR_ON_MATCH_BY_64 0x0Bu /* in TCCR1B */
#define MATCH_A 0x02u              /* in TIMSK1 */

void lf_port_tick_start(void);

void lf_port_tick_start(void)
{
    *lf_register(LF_TCCR1A) = 0;
    *lf_register(LF_OCR1AH) = (uint8_t)((COUNTS - 1) >> 8);
    *lf_register(LF_OCR1AL) = (uint8_t)(COUNTS - 1);
    *lf_register(LF_TIMSK1) = MATCH_A;
    *lf_register(LF_TCCR1B) = CLEAR_ON_MATCH_BY_64;
}
