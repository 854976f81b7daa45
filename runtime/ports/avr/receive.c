/* What the console receives on USART 0: by interrupt into a bounded buffer. console.c, which is started before, has set
   the USART up. */

#include "../received.h"
#include "chip.h"

#ifndef LF_CONSOLE_NONE

#define FRAME_LOST 0x08u      /* in UCSR0A: data overrun in the USART itself */
#define FRAME_DAMAGED 0x10u   /* no stop bit: another rate, noise, a break, a cable that is pulled */
#define ENABLE_RECEIVER 0x90u /* in UCSR0B: and its interrupt */

void lf_port_receive_start(void);

void lf_port_receive_start(void)
{
    *lf_register(LF_UCSR0B) |= ENABLE_RECEIVER;
}

LF_INTERRUPT(LF_VECTOR_USART0_RX)
{
    uint8_t status = *lf_register(LF_UCSR0A); /* before the byte, with which it changes */
    uint8_t byte = *lf_register(LF_UDR0);
    if (status & FRAME_LOST)
        count_lost();
    if (status & FRAME_DAMAGED)
        count_lost();
    else
        keep_received(byte);
    lf_port_woken = 1;
}

#endif
