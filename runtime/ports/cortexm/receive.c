/* What the console receives, by interrupt into a bounded buffer; only if the program reads it. */

#include "../received.h"
#include "chip.h"
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
