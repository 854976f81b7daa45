/* Resets the chip. */

#include "../../port.h"
#include "chip.h"

/* Some milliseconds, in which the last bytes are sent. */
#define LF_ROUNDS_TO_SEND (LF_CLOCK_HZ / 1000u)

_Noreturn void lf_port_reset(void)
{
    for (volatile uint32_t i = LF_ROUNDS_TO_SEND; i; i--) {
    }
    lf_reset_chip();
    for (;;) {
    }
}
