/* The UART PL011: 8 bits, no parity, its FIFOs on. */

#define DATA (LF_UART_AT + 0x00u)
#define FLAGS (LF_UART_AT + 0x18u)
#define WHOLE_DIVISOR (LF_UART_AT + 0x24u)
#define DIVISOR_64THS (LF_UART_AT + 0x28u)
#define LINE (LF_UART_AT + 0x2Cu)
#define CONTROL (LF_UART_AT + 0x30u)
#define FIFO_LEVELS (LF_UART_AT + 0x34u)
#define INTERRUPTS (LF_UART_AT + 0x38u)

#define BYTE_LOST 0x800u        /* in DATA */
#define BYTE_DAMAGED 0x500u     /* no stop bit, or a break */
#define RECEIVED_NOTHING 0x10u  /* in FLAGS */
#define SENDING_IS_FULL 0x20u
#define EIGHT_BITS_FIFO 0x70u   /* in LINE */
#define ENABLE 0x301u           /* in CONTROL: UART, sending, receiving */
#define WHEN_AN_EIGHTH_IS_FULL 0u
#define RECEIVED_OR_QUIET 0x50u /* in INTERRUPTS: enough bytes, or some and then a pause */

/* In 64ths of a sixteenth of a bit. */
#define BAUD_DIVISOR ((uint32_t)((8ULL * LF_UART_HZ / LF_CONSOLE_BAUD + 1ULL) / 2ULL))

_Static_assert(BAUD_DIVISOR >= 64 && BAUD_DIVISOR < 65536 * 64, "the console's baud rate cannot be reached");

static inline __attribute__((unused)) void lf_uart_start(void)
{
    lf_write(CONTROL, 0);
    lf_write(WHOLE_DIVISOR, BAUD_DIVISOR / 64);
    lf_write(DIVISOR_64THS, BAUD_DIVISOR % 64);
    lf_write(LINE, EIGHT_BITS_FIFO); /* takes the divisor over as well */
    lf_write(FIFO_LEVELS, WHEN_AN_EIGHTH_IS_FULL);
    lf_write(INTERRUPTS, RECEIVED_OR_QUIET);
    lf_write(CONTROL, ENABLE);
}

static inline __attribute__((unused)) void lf_uart_send(uint8_t byte)
{
    while (lf_read(FLAGS) & SENDING_IS_FULL) {
    }
    lf_write(DATA, byte);
}

/* The next byte that came whole; -1 if there is none. Sets `*lost` if the one before it was lost, or one came damaged. */
static inline __attribute__((unused)) int16_t lf_uart_receive(bool *lost)
{
    while (!(lf_read(FLAGS) & RECEIVED_NOTHING)) {
        uint32_t data = lf_read(DATA);
        if (data & (BYTE_LOST | BYTE_DAMAGED))
            *lost = true;
        if (!(data & BYTE_DAMAGED))
            return (uint8_t)data;
    }
    return -1; /* that all was read has taken both interrupts back */
}
