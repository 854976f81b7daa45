/* What the console receives, by interrupt into a bounded buffer; only if the program reads it. */

#include "chip.h"

#ifdef LF_UART
#include "../received.h"
#include LF_UART

void lf_port_receive_start(void);

/* Behind the start of the console, which is before it in the alphabet. */
void lf_port_receive_start(void)
{
    lf_enable_line(LF_UART_LINE);
}

LF_INTERRUPT(LF_UART_LINE)
{
    bool one_was_lost = false;
    for (int16_t byte; (byte = lf_uart_receive(&one_was_lost)) >= 0;)
        keep_received((uint8_t)byte);
    if (one_was_lost)
        count_lost(); /* the UART tells that there were some, not how many */
    lf_port_woken = 1;
}

#elif defined(LF_CONSOLE_USB) /* usb.c has all of it, and learns here that the program reads */
#include "../../port.h"

extern bool lf_usb_is_read;
int16_t lf_usb_read(void);
void lf_port_receive_start(void);

void lf_port_receive_start(void)
{
    lf_usb_is_read = true;
}

int16_t lf_port_console_read(void)
{
    return lf_usb_read();
}

#endif
