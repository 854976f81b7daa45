/* An ATmega328P at 16 MHz: the boot section, by SPM; USART0. */

#define UP_REGISTER(at) (*(volatile uint8_t *)(at))
#define UART_STATUS UP_REGISTER(0xC0)
#define UART_CONTROL_B UP_REGISTER(0xC1)
#define UART_RATE UP_REGISTER(0xC4)
#define UART_DATA UP_REGISTER(0xC6)

enum {
    HERTZ = 16000000,
    RECEIVED = 0x80,
    FREE = 0x20,
    DOUBLE_RATE = 2,
    BOTH_WAYS = 0x18,
    CYCLES_OF_A_LOOK = 16, /* measured, in the loop of up_hear */
};

/* In start_avr.S: without interrupts, and it waits until the flash can be read again. */
extern void up_flash_erase(uint16_t page);
extern void up_flash_fill(uint16_t at, uint16_t word);
extern void up_flash_write(uint16_t page);
extern _Noreturn void up_flash_run(void);

static uint8_t up_byte(up_place at)
{
    return *(const UP_FLASH uint8_t *)at;
}

static void up_erase(up_place page)
{
    up_flash_erase(page);
}

static void up_write(up_place at, const uint8_t *chunk)
{
    for (uint8_t i = 0; i < UP_CHUNK; i += 2) up_flash_fill(at + i, (uint16_t)(chunk[i] | chunk[i + 1] << 8));
    up_flash_write(at);
}

static void up_mark(up_place at, uint16_t value)
{
    up_place page = at & (up_place) ~(UP_CHUNK - 1);
    for (uint8_t i = 0; i < UP_CHUNK; i += 2) up_flash_fill(page + i, page + i == at ? value : up_half(page + i));
    up_flash_write(page);
}

static int16_t up_hear(uint16_t milliseconds)
{
    for (uint32_t looks = (uint32_t)milliseconds * (HERTZ / 1000 / CYCLES_OF_A_LOOK); looks; looks--)
        if (UART_STATUS & RECEIVED) return UART_DATA;
    return -1;
}

static void up_say(uint8_t byte)
{
    while (!(UART_STATUS & FREE)) {}
    UART_DATA = byte;
}

static _Noreturn void up_run(void)
{
    UART_CONTROL_B = 0;
    up_flash_run();
}

extern _Noreturn void up_main(void);

_Noreturn void up_start(void)
{
    UART_STATUS = DOUBLE_RATE;
    UART_RATE = (uint8_t)((HERTZ / 8 + UP_BAUD / 2) / UP_BAUD - 1);
    UART_CONTROL_B = BOTH_WAYS;
    up_main();
}
