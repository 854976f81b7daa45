/* What the console sends by interrupt, if the board has a buffer for it: a name for what transmit.S has, so that the part
   is linked in, with its routine, only if the program writes to the console. console.c is started with it. */

#include "../../port.h"
#include "chip.h"

#if LF_CONSOLE_TRANSMIT && !defined LF_CONSOLE_NONE

_Static_assert((LF_CONSOLE_TRANSMIT & (LF_CONSOLE_TRANSMIT - 1)) == 0 && LF_CONSOLE_TRANSMIT <= 128,
               "the size of the transmit buffer must be a power of two");

void lf_port_console_queue(uint8_t byte);

void lf_port_console_write(uint8_t byte)
{
    lf_port_console_queue(byte);
}

#endif
