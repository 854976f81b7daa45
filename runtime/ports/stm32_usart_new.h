/* The USART of the newer STM32 families (G0, L4 and others), its FIFOs off: 8 bits, no parity. */

#define CONTROL (LF_UART_AT + 0x00u)
#define BAUD_RATE (LF_UART_AT + 0x0Cu)
#define STATUS (LF_UART_AT + 0x1Cu)
#define FORGET (LF_UART_AT + 0x20u) /* flags of STATUS */
#define RECEIVED (LF_UART_AT + 0x24u)
#define SENT (LF_UART_AT + 0x28u)

#define BYTE_LOST 0x08u     /* in STATUS */
#define BYTE_DAMAGED 0x02u  /* no stop bit, or a break */
#define BYTE_RECEIVED 0x20u
#define SENDER_READY 0x80u
#define ENABLE 0x2Du        /* in CONTROL: USART, receiver, sender, interrupt of the receiver */

#define BAUD_DIVISOR ((LF_UART_HZ + LF_CONSOLE_BAUD / 2) / LF_CONSOLE_BAUD) /* in 16ths: 16 samples of a bit */

_Static_assert(BAUD_DIVISOR >= 16 && BAUD_DIVISOR < 65536, "the console's baud rate cannot be reached");

static inline __attribute__((unused)) void lf_uart_start(void)
{
    lf_write(BAUD_RATE, BAUD_DIVISOR);
    lf_write(CONTROL, ENABLE);
}

static inline __attribute__((unused)) void lf_uart_send(uint8_t byte)
{
    while (!(lf_read(STATUS) & SENDER_READY)) {
    }
    lf_write(SENT, byte);
}

/* The next byte that came whole; -1 if there is none. Sets `*lost` if one after it was lost, or one came damaged. */
static inline __attribute__((unused)) int16_t lf_uart_receive(bool *lost)
{
    for (;;) {
        uint32_t status = lf_read(STATUS);
        if (status & (BYTE_LOST | BYTE_DAMAGED)) {
            *lost = true;
            lf_write(FORGET, status & (BYTE_LOST | BYTE_DAMAGED));
        }
        if (!(status & BYTE_RECEIVED))
            return -1;
        uint8_t byte = (uint8_t)lf_read(RECEIVED);
        if (!(status & BYTE_DAMAGED))
            return byte;
    }
}
