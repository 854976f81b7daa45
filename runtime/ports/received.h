/* The bounded buffer between the routine of the console's receiver and its reader. The one file of a port that has the
   routine includes it, and calls `keep_received` for each byte. */
#ifndef LF_RECEIVED_H
#define LF_RECEIVED_H

#include "../port.h"

_Static_assert((LF_CONSOLE_BUFFER & (LF_CONSOLE_BUFFER - 1)) == 0 && LF_CONSOLE_BUFFER <= 128,
               "the size of the receive buffer must be a power of two");

/* Only the interrupt routine moves `received`, only the reader moves `taken`; both count modulo 256. So no access needs
   interrupts off, and the buffer is empty when they are equal. */
static volatile uint8_t buffer[LF_CONSOLE_BUFFER];
static volatile uint8_t received;
static volatile uint8_t taken;
/* Counts modulo 256 too, as `told` does, which only the reader moves; it stays 255 ahead at most. */
static volatile uint8_t lost;
static volatile uint8_t told;

static inline void count_lost(void)
{
    uint8_t now = lost;
    if ((uint8_t)(now - told) != 255u)
        lost = (uint8_t)(now + 1);
}

static inline void keep_received(uint8_t byte)
{
    uint8_t at = received;
    if ((uint8_t)(at - taken) == LF_CONSOLE_BUFFER) {
        count_lost();
    } else {
        buffer[at & (LF_CONSOLE_BUFFER - 1)] = byte;
        received = (uint8_t)(at + 1);
    }
}

static inline int16_t take_received(void)
{
    uint8_t at = taken;
    if (at == received)
        return -1;
    uint8_t byte = buffer[at & (LF_CONSOLE_BUFFER - 1)];
    taken = (uint8_t)(at + 1);
    return byte;
}

#ifndef LF_RECEIVES_PACKETS /* then whoever sends them may have waited for the room */
int16_t lf_port_console_read(void)
{
    return take_received();
}
#endif

uint8_t lf_port_console_overrun(void)
{
    uint8_t more = (uint8_t)(lost - told);
    told = (uint8_t)(told + more);
    return more;
}

#endif
