/* Counts milliseconds, with the machine timer. Its rate need be no whole number of counts in a millisecond: what is left
   over of each is added up, so that a second is exact. */

#include "../../port.h"
#include "chip.h"

static volatile uint32_t milliseconds;
static uint32_t whole;         /* counts in a millisecond, */
static uint16_t rest, over;    /* and thousandths of one */

void lf_port_tick_start(void);
void __vector_systick(void);

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
    lf_enable_interrupts(1u << LF_MACHINE_TIMER);
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

uint32_t lf_port_milliseconds(void)
{
    return milliseconds; /* one access */
}
