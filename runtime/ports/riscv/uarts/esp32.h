/* Espressif's UART: 8 bits, no parity, FIFOs of 128 bytes. A byte that came damaged is kept like a good one. */

#define FIFO (LF_UART_AT + 0x00u)
#define CAME (LF_UART_AT + 0x04u) /* INT_RAW */
#define INTERRUPTS (LF_UART_AT + 0x0Cu)
#define FORGET (LF_UART_AT + 0x10u)
#define DIVISOR (LF_UART_AT + 0x14u)
#define FILLED (LF_UART_AT + 0x1Cu) /* STATUS */
#define FRAME (LF_UART_AT + 0x20u)  /* CONF0 */

#define RECEIVED 1u       /* as many as the limit says, */
#define WAITED (1u << 8)  /* or fewer, and nothing came for a while */
#define DAMAGED (1u << 3) /* no stop bit */
#define OVERFLOWN (1u << 4)
#define TO_RECEIVE(filled) ((filled) & 0x3FFu)
#define TO_SEND(filled) ((filled) >> 16 & 0x3FFu)
#define ROOM 128u
#define FIRST_BYTE 1u

/* The divisor has 12 bits, and four of sixteenths. For a rate below some 10 thousand, the clock is divided before it. */
#define DIVISION (LF_UART_HZ / 4095u / LF_CONSOLE_BAUD + 1u)
#define SIXTEENTHS ((LF_UART_HZ * 16u / DIVISION + LF_CONSOLE_BAUD / 2) / LF_CONSOLE_BAUD)

_Static_assert(DIVISION <= 256 && SIXTEENTHS >= 3 * 16 && SIXTEENTHS < 4096 * 16, "the console's baud rate cannot be reached");

/* What a boot loader in the ROM still has to say goes out first, at its rate: no divisor changes below it. */
static inline __attribute__((unused)) void lf_uart_start(void)
{
    for (uint32_t i = 0; i < LF_WAIT_ROUNDS && TO_SEND(lf_read(FILLED)); i++) {
    }
    lf_select_uart_clock((DIVISION - 1u) << 12);
    lf_write(INTERRUPTS, 0);
    lf_write(DIVISOR, SIXTEENTHS >> 4 | (SIXTEENTHS & 15u) << 20);
    lf_write(FRAME, LF_EIGHT_BITS_ONE_STOP | LF_FORGET_RECEIVED);
    lf_write(FRAME, LF_EIGHT_BITS_ONE_STOP);
    lf_set_uart_limits(FIRST_BYTE);
    lf_take_over_uart();
    lf_write(FORGET, DAMAGED | OVERFLOWN);
    lf_write(INTERRUPTS, RECEIVED | WAITED);
}

static inline __attribute__((unused)) void lf_uart_send(uint8_t byte)
{
    while (TO_SEND(lf_read(FILLED)) >= ROOM - 1) {
    }
    lf_write(FIFO, byte);
}

/* The next byte that came; -1 if there is none. */
static inline __attribute__((unused)) int16_t lf_uart_receive(bool *lost)
{
    if (lf_read(CAME) & (DAMAGED | OVERFLOWN))
        *lost = true;
    lf_write(FORGET, RECEIVED | WAITED | DAMAGED | OVERFLOWN); /* before one looks: what comes behind it says so again */
    return TO_RECEIVE(lf_read(FILLED)) ? (uint8_t)lf_read(FIFO) : (int16_t)-1;
}
