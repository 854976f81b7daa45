/* Milliseconds, by timer 1 or 0, compare match A. The count and its routine are in tick.S. */

#include "../../port.h"
#include "chip.h"

#ifdef LF_TICK_TIMER0
#define MOST 256
#else
#define MOST 65536
#endif
#define PRESCALER 64UL
#define COUNTS (LF_CLOCK_HZ / PRESCALER / 1000UL)

_Static_assert(COUNTS * PRESCALER * 1000UL == LF_CLOCK_HZ, "a millisecond is no whole number of counts of the timer");
_Static_assert(COUNTS >= 1 && COUNTS <= MOST, "the timer cannot count to a millisecond");

#define CLEAR_ON_MATCH_BY_64 0x0Bu /* in TCCR1B */
#define MATCH_A 0x02u              /* in TIMSK1 */

#define CLEAR_ON_MATCH 0x02u /* in TCCR0A */
#define BY_64 0x03u          /* in TCCR0B */
#define MATCH_A_OF_0 0x10u   /* in TIMSK */

void lf_port_tick_start(void);

void lf_port_tick_start(void)
{
#ifdef LF_TICK_TIMER0
    *lf_register(LF_TCCR0A) = CLEAR_ON_MATCH;
    *lf_register(LF_OCR0A) = (uint8_t)(COUNTS - 1);
    *lf_register(LF_TIMSK) = MATCH_A_OF_0;
    *lf_register(LF_TCCR0B) = BY_64;
#else
    *lf_register(LF_TCCR1A) = 0;
    *lf_register(LF_OCR1AH) = (uint8_t)((COUNTS - 1) >> 8);
    *lf_register(LF_OCR1AL) = (uint8_t)(COUNTS - 1);
    *lf_register(LF_TIMSK1) = MATCH_A;
    *lf_register(LF_TCCR1B) = CLEAR_ON_MATCH_BY_64;
#endif
}
