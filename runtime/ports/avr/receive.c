/* What the console receives on USART 0: by interrupt into a bounded buffer. console.c, which is started before, has set
   the USART up. */

#include "../../port.h"
#include "chip.h"

_Static_assert((LF_CONSOLE_BUFFER & (LF_CONSOLE_BUFFER - 1)) == 0 && LF_CONSOLE_BUFFER <= 128,
               "the size of the receive buffer must be a power of two");

#define FRAME_LOST 0x08u      /* in UCSR0A: data overrun in the USART itself */
#define ENABLE_RECEIVER 0x90u /* in UCSR0B: and its interrupt */

/* Only the interrupt routine moves `received`, only the reader moves `taken`; both count modulo 256. So no access needs
   interrupts off, and the buffer is empty when they are equal. */
static volatile uint8_t buffer[LF_CONSOLE_BUFFER];
static volatile uint8_t received;
static volatile uint8_t taken;
/* Counts modulo 256 too, as `told` does, which only the reader moves; it stays 255 ahead at most. */
static volatile uint8_t lost;
static volatile uint8_t told;

void lf_port_receive_start(void);

void lf_port_receive_start(void)
{
    *lf_register(LF_UCSR0B) |= ENABLE_RECEIVER;
}

static inline void count_lost(void)
{
    uint8_t now = lost;
    if ((uint8_t)(now - told) != 255u)
        lost = (uint8_t)(now + 1);
}

LF_INTERRUPT(LF_VECTOR_USART0_RX)
{
    if (*lf_register(LF_UCSR0A) & FRAME_LOST)
        count_lost();
    uint8_t byte = *lf_register(LF_UDR0);
    uint8_t at = received;
    if ((uint8_t)(at - taken) == LF_CONSOLE_BUFFER) {
        count_lost();
    } else {
        buffer[at & (LF_CONSOLE_BUFFER - 1)] = byte;
        received = (uint8_t)(at + 1);
    }
    lf_port_woken = 1;
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

uint8_t lf_port_console_overrun(void)
{
    uint8_t more = (uint8_t)(lost - told);
    told = (uint8_t)(told + more);
    return more;
}
