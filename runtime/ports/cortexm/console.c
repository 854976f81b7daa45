/* The console: sent by polling, received by interrupt into a bounded buffer. The UART's driver lies in uarts/. */

#include "../received.h"
#include "chip.h"
#include LF_UART

void lf_port_console_start(void);

void lf_port_console_start(void)
{
    lf_connect_uart();
    lf_uart_start();
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

void lf_port_console_write(uint8_t byte)
{
    lf_uart_send(byte);
}

void lf_port_console_put(uint8_t byte)
{
    lf_uart_send(byte);
}
