/* SiFive's UART: 8 bits, no parity, FIFOs of eight bytes. It tells nothing of what it lost, nor of what came damaged. */

#define SEND (LF_UART_AT + 0x00u)
#define RECEIVE (LF_UART_AT + 0x04u)
#define SEND_CONTROL (LF_UART_AT + 0x08u)
#define RECEIVE_CONTROL (LF_UART_AT + 0x0Cu)
#define INTERRUPTS (LF_UART_AT + 0x10u)
#define DIVISOR (LF_UART_AT + 0x18u)

#define FULL_OR_EMPTY (1u << 31) /* of SEND and of RECEIVE */
#define ENABLE 1u
#define RECEIVED 2u /* more than none */

#define BAUD_DIVISOR ((LF_UART_HZ + LF_CONSOLE_BAUD / 2) / LF_CONSOLE_BAUD - 1)

_Static_assert(BAUD_DIVISOR >= 15 && BAUD_DIVISOR < 65536, "the console's baud rate cannot be reached");

static inline __attribute__((unused)) void lf_uart_start(void)
{
    lf_write(DIVISOR, BAUD_DIVISOR);
    lf_write(SEND_CONTROL, ENABLE);
    lf_write(RECEIVE_CONTROL, ENABLE);
    lf_write(INTERRUPTS, RECEIVED);
}

static inline __attribute__((unused)) void lf_uart_send(uint8_t byte)
{
    while (lf_read(SEND) & FULL_OR_EMPTY) {
    }
    lf_write(SEND, byte);
}

/* The next byte that came; -1 if there is none. */
static inline __attribute__((unused)) int16_t lf_uart_receive(bool *lost)
{
    (void)lost;
    uint32_t data = lf_read(RECEIVE);
    return data & FULL_OR_EMPTY ? -1 : (uint8_t)data;
}
