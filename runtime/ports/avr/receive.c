/* What the console receives on USART 0: by interrupt into a bounded buffer. console.c, which is started before, has set
   the USART up. */

#include "../received.h"
#include "chip.h"

#define FRAME_LOST 0x08u      /* in UCSR0A: data overrun in the USART itself */
#define ENABLE_RECEIVER 0x90u /* in UCSR0B: and its interrupt */

void lf_port_receive_start(void);

void lf_port_receive_start(void)
{
    *lf_register(LF_UCSR0B) |= ENABLE_RECEIVER;
}

LF_INTERRUPT(LF_VECTOR_USART0_RX)
{
    if (*lf_register(LF_UCSR0A) & FRAME_LOST)
        count_lost();
    keep_received(*lf_register(LF_UDR0));
    lf_port_woken = 1;
}
