/* The console on USART 0: 8 bits, no parity. What is received is in receive.c; what is sent is in transmit.c, or polled
   here if the board has no buffer for it. */

#include "../../port.h"
#include "chip.h"

#ifndef LF_CONSOLE_NONE

#define BAUD_DIVISOR ((LF_CLOCK_HZ + 4UL * LF_CONSOLE_BAUD) / (8UL * LF_CONSOLE_BAUD) - 1UL)
#define BAUD_REACHED (LF_CLOCK_HZ / (8UL * (BAUD_DIVISOR + 1UL)))

_Static_assert(BAUD_DIVISOR <= 4095, "the console's baud rate is too low for this clock");
_Static_assert(BAUD_REACHED * 100UL >= LF_CONSOLE_BAUD * 97UL && BAUD_REACHED * 100UL <= LF_CONSOLE_BAUD * 103UL,
               "the console's baud rate cannot be reached with this clock");

#define DOUBLE_SPEED 0x02u       /* in UCSR0A */
#define TRANSMITTER_READY 0x20u
#define ENABLE_TRANSMITTER 0x08u /* in UCSR0B */
#define EIGHT_BITS 0x06u         /* in UCSR0C */

void lf_port_console_start(void);

void lf_port_console_start(void)
{
    *lf_register(LF_UBRR0H) = (uint8_t)(BAUD_DIVISOR >> 8);
    *lf_register(LF_UBRR0L) = (uint8_t)BAUD_DIVISOR;
    *lf_register(LF_UCSR0A) = DOUBLE_SPEED;
    *lf_register(LF_UCSR0C) = EIGHT_BITS;
    *lf_register(LF_UCSR0B) = ENABLE_TRANSMITTER;
}

void lf_port_console_put(uint8_t byte)
{
    while (!(*lf_register(LF_UCSR0A) & TRANSMITTER_READY)) {
    }
    *lf_register(LF_UDR0) = byte;
}

#if !LF_CONSOLE_TRANSMIT
void lf_port_console_write(uint8_t byte)
{
    lf_port_console_put(byte);
}
#endif

#endif
