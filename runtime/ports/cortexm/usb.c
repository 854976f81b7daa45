/* The console over USB, where the board's description has it there. */

#include "../../port.h"
#include "chip.h"

#ifdef LF_CONSOLE_USB
#include "../usb/console.h"

LF_INTERRUPT(LF_USB_LINE)
{
    usb_serve();
    lf_port_woken = 1;
}

#endif
