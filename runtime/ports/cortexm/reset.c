/* Resets the chip. */

#include "../../port.h"
#include "chip.h"

#define LF_RESET_CONTROL 0xE000ED0C
#define LF_RESET_REQUEST 0x05FA0004

/* Some milliseconds, in which the last bytes are sent. */
#define LF_ROUNDS_TO_SEND (LF_CLOCK_HZ / 1000u)

#ifdef LF_CONSOLE_USB
void lf_port_console_flush(void);
#endif

_Noreturn void lf_port_reset(void)
{
#ifdef LF_CONSOLE_USB
    lf_port_console_flush();
#endif
    for (volatile uint32_t i = LF_ROUNDS_TO_SEND; i; i--) {
    }
    lf_write(LF_RESET_CONTROL, LF_RESET_REQUEST);
    for (;;) {
    }
}
