/* The console on a UART: sent by polling. What is received is in receive.c. The UART's driver lies in uarts/. */

#include "../../port.h"
#include "chip.h"

#ifdef LF_UART
#include LF_UART

void lf_port_console_start(void);

void lf_port_console_start(void)
{
    lf_connect_uart();
    lf_uart_start();
}

void lf_port_console_write(uint8_t byte)
{
    lf_uart_send(byte);
}

void lf_port_console_put(uint8_t byte)
{
    lf_uart_send(byte);
}

#endif
