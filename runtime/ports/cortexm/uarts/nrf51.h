/* The UART of the nRF51: 8 bits, no parity. Its receiver holds six bytes. */

#define START_RECEIVING (LF_UART_AT + 0x000u)
#define START_SENDING (LF_UART_AT + 0x008u)
#define RECEIVED (LF_UART_AT + 0x108u)  /* events: 1 until 0 is written */
#define SENT (LF_UART_AT + 0x11Cu)
#define WENT_WRONG (LF_UART_AT + 0x124u)
#define ENABLE_INTERRUPTS (LF_UART_AT + 0x304u)
#define WHAT_WENT_WRONG (LF_UART_AT + 0x480u)
#define ENABLE (LF_UART_AT + 0x500u)
#define SENDING_PIN (LF_UART_AT + 0x50Cu)
#define RECEIVING_PIN (LF_UART_AT + 0x514u)
#define RECEIVED_DATA (LF_UART_AT + 0x518u)
#define SENT_DATA (LF_UART_AT + 0x51Cu)
#define BAUD_RATE (LF_UART_AT + 0x524u)

#define ENABLED 4u
#define OF_RECEIVED_AND_WRONG (1u << 2 | 1u << 9)
#define LOST_OR_DAMAGED 13u /* overrun, no stop bit, a break; which byte is damaged is not told */

/* Baud by 16 MHz in 32 bits, of which the upper 20 count: the values of the reference manual's table. */
#define BAUD_SETTING ((uint32_t)((((uint64_t)LF_CONSOLE_BAUD << 32) / 16000000u + 0x800u) & 0xFFFFF000u))

_Static_assert(LF_CONSOLE_BAUD >= 1200 && LF_CONSOLE_BAUD <= 1000000, "the console's baud rate cannot be reached");

static inline void lf_uart_start(void)
{
    lf_write(SENDING_PIN, LF_CONSOLE_TX);
    lf_write(RECEIVING_PIN, LF_CONSOLE_RX);
    lf_write(BAUD_RATE, BAUD_SETTING);
    lf_write(ENABLE, ENABLED);
    lf_write(ENABLE_INTERRUPTS, OF_RECEIVED_AND_WRONG);
    lf_write(START_SENDING, 1);
    lf_write(START_RECEIVING, 1);
}

static inline void lf_uart_send(uint8_t byte)
{
    static bool sending; /* the chip tells only when a byte has gone, not that there is none */
    while (sending && !lf_read(SENT)) {
    }
    lf_write(SENT, 0);
    lf_write(SENT_DATA, byte);
    sending = true;
}

/* The next byte that came; -1 if there is none. Sets `*lost` if one was lost, or is damaged. */
static inline int16_t lf_uart_receive(bool *lost)
{
    if (lf_read(WENT_WRONG)) {
        lf_write(WENT_WRONG, 0);
        uint32_t what = lf_read(WHAT_WENT_WRONG);
        lf_write(WHAT_WENT_WRONG, what);
        if (what & LOST_OR_DAMAGED)
            *lost = true;
    }
    if (!lf_read(RECEIVED))
        return -1;
    lf_write(RECEIVED, 0); /* before the read: this sets it again if another byte waits */
    return (uint8_t)lf_read(RECEIVED_DATA);
}
