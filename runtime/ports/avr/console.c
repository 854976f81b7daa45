/* The console on USART 0: written by polling, received by interrupt into a bounded buffer. 8 bits, no parity. */

#include "../../port.h"
#include "chip.h"

#define BAUD_DIVISOR ((LF_CLOCK_HZ + 4UL * LF_CONSOLE_BAUD) / (8UL * LF_CONSOLE_BAUD) - 1UL)
#define BAUD_REACHED (LF_CLOCK_HZ / (8UL * (BAUD_DIVISOR + 1UL)))

_Static_assert(BAUD_DIVISOR <= 4095, "the console's baud rate is too low for this clock");
_Static_assert(BAUD_REACHED * 100UL >= LF_CONSOLE_BAUD * 97UL && BAUD_REACHED * 100UL <= LF_CONSOLE_BAUD * 103UL,
               "the console's baud rate cannot be reached with this clock");
_Static_assert((LF_CONSOLE_BUFFER & (LF_CONSOLE_BUFFER - 1)) == 0 && LF_CONSOLE_BUFFER <= 128,
               "the size of the receive buffer must be a power of two");

#define DOUBLE_SPEED 0x02u     /* in UCSR0A */
#define TRANSMITTER_READY 0x20u
#define FRAME_LOST 0x08u       /* data overrun in the USART itself */
#define ENABLE 0x98u           /* in UCSR0B: receiver, transmitter, interrupt of the receiver */
#define EIGHT_BITS 0x06u       /* in UCSR0C */

/* Only the interrupt routine moves `received`, only the reader moves `taken`; both count modulo 256. So no access needs
   interrupts off, and the buffer is empty when they are equal. */
static volatile uint8_t buffer[LF_CONSOLE_BUFFER];
static volatile uint8_t received;
static volatile uint8_t taken;
static volatile bool lost;

void lf_port_console_start(void);

void lf_port_console_start(void)
{
    *lf_register(LF_UBRR0H) = (uint8_t)(BAUD_DIVISOR >> 8);
    *lf_register(LF_UBRR0L) = (uint8_t)BAUD_DIVISOR;
    *lf_register(LF_UCSR0A) = DOUBLE_SPEED;
    *lf_register(LF_UCSR0C) = EIGHT_BITS;
    *lf_register(LF_UCSR0B) = ENABLE;
}

LF_INTERRUPT(LF_VECTOR_USART0_RX)
{
    if (*lf_register(LF_UCSR0A) & FRAME_LOST)
        lost = true;
    uint8_t byte = *lf_register(LF_UDR0);
    uint8_t at = received;
    if ((uint8_t)(at - taken) == LF_CONSOLE_BUFFER) {
        lost = true;
    } else {
        buffer[at & (LF_CONSOLE_BUFFER - 1)] = byte;
        received = (uint8_t)(at + 1);
    }
    lf_port_woken = 1;
}

void lf_port_console_write(uint8_t byte)
{
    while (!(*lf_register(LF_UCSR0A) & TRANSMITTER_READY)) {
    }
    *lf_register(LF_UDR0) = byte;
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
