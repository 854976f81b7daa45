/* The console: sent by polling, received by interrupt into a bounded buffer. The UART's driver lies in uarts/. */

#include "../../port.h"
#include "chip.h"
#include LF_UART

_Static_assert((LF_CONSOLE_BUFFER & (LF_CONSOLE_BUFFER - 1)) == 0 && LF_CONSOLE_BUFFER <= 128,
               "the size of the receive buffer must be a power of two");

/* Only the interrupt routine moves `received`, only the reader moves `taken`; both count modulo 256. So no access needs
   interrupts off, and the buffer is empty when they are equal. */
static volatile uint8_t buffer[LF_CONSOLE_BUFFER];
static volatile uint8_t received;
static volatile uint8_t taken;
static volatile bool lost;

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
    for (int16_t byte; (byte = lf_uart_receive(&one_was_lost)) >= 0;) {
        uint8_t at = received;
        if ((uint8_t)(at - taken) == LF_CONSOLE_BUFFER) {
            one_was_lost = true;
        } else {
            buffer[at & (LF_CONSOLE_BUFFER - 1)] = (uint8_t)byte;
            received = (uint8_t)(at + 1);
        }
    }
    if (one_was_lost)
        lost = true;
    lf_port_woken = 1;
}

void lf_port_console_write(uint8_t byte)
{
    lf_uart_send(byte);
}

int16_t lf_port_console_read(void)
{
    uint8_t at = taken;
    if (at == received)
        return -1;
    uint8_t byte = buffer[at & (LF_CONSOLE_BUFFER - 1)];
    taken = (uint8_t)(at + 1);
    return byte;
}

bool lf_port_console_overrun(void)
{
    bool was = lost;
    if (was)
        lost = false;
    return was;
}
