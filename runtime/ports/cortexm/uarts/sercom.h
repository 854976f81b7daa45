/* A SERCOM of the SAM D21 as a UART: 8 bits, no parity. Its registers of 8 and 16 bits are reached by the words that they lie in. */

#define CONTROL_A (LF_UART_AT + 0x00u)
#define CONTROL_B (LF_UART_AT + 0x04u)
#define BAUD_RATE (LF_UART_AT + 0x0Cu)
#define INTERRUPTS (LF_UART_AT + 0x14u) /* the lower half disables, the upper half enables */
#define STATUS (LF_UART_AT + 0x18u)     /* flags of interrupts; in the upper half errors, taken back by ones */
#define WAITS_FOR_CLOCK (LF_UART_AT + 0x1Cu)
#define DATA (LF_UART_AT + 0x28u)

#define RESET 1u
#define LOWEST_BIT_FIRST_PADS_2_AND_3 0x40310004u /* in CONTROL_A: clocked from inside */
#define ENABLED 2u
#define SENDER_AND_RECEIVER 0x30000u /* in CONTROL_B */
#define WHEN_RECEIVED (4u << 16)     /* in INTERRUPTS */
#define SENDER_READY 1u              /* in STATUS */
#define BYTE_RECEIVED 4u
#define BYTE_DAMAGED (2u << 16) /* no stop bit, or a break */
#define BYTE_LOST (4u << 16)

/* 65536 less 65536 sixteenths of a bit's share of the clock. */
#define BAUD_DIVISOR ((uint32_t)(65536u - ((1048576ull * LF_CONSOLE_BAUD + LF_UART_HZ / 2) / LF_UART_HZ)))

_Static_assert(LF_CONSOLE_BAUD <= LF_UART_HZ / 16 && LF_CONSOLE_BAUD >= 300, "the console's baud rate cannot be reached");

static inline __attribute__((unused)) void lf_uart_start(void)
{
    lf_write(CONTROL_A, RESET); /* a boot loader may have used it */
    lf_wait_for(WAITS_FOR_CLOCK, ~0u, 0);
    lf_write(CONTROL_A, LOWEST_BIT_FIRST_PADS_2_AND_3);
    lf_write(CONTROL_B, SENDER_AND_RECEIVER);
    lf_wait_for(WAITS_FOR_CLOCK, ~0u, 0);
    lf_write(BAUD_RATE, BAUD_DIVISOR);
    lf_write(INTERRUPTS, WHEN_RECEIVED);
    lf_write(CONTROL_A, LOWEST_BIT_FIRST_PADS_2_AND_3 | ENABLED);
    lf_wait_for(WAITS_FOR_CLOCK, ~0u, 0);
}

static inline __attribute__((unused)) void lf_uart_send(uint8_t byte)
{
    while (!(lf_read(STATUS) & SENDER_READY)) {
    }
    lf_write(DATA, byte);
}

/* The next byte that came whole; -1 if there is none. Sets `*lost` if one before it was lost, or one came damaged. */
static inline __attribute__((unused)) int16_t lf_uart_receive(bool *lost)
{
    for (;;) {
        uint32_t status = lf_read(STATUS), wrong = status & (BYTE_LOST | BYTE_DAMAGED);
        if (wrong) {
            *lost = true;
            lf_write(STATUS, wrong);
        }
        if (!(status & BYTE_RECEIVED))
            return -1;
        uint8_t byte = (uint8_t)lf_read(DATA);
        if (!(status & BYTE_DAMAGED))
            return byte;
    }
}
