/* An STM32F1 as it is after a reset: 8 MHz, the flash by its controller, USART1 on PA9 and PA10. */

#define UP_REGISTER(at) (*(volatile uint32_t *)(at))
#define FLASH_UNLOCK UP_REGISTER(0x40022004)
#define FLASH_STATUS UP_REGISTER(0x4002200C)
#define FLASH_CONTROL UP_REGISTER(0x40022010)
#define FLASH_ADDRESS UP_REGISTER(0x40022014)
#define CLOCKS UP_REGISTER(0x40021018)
#define PORT_A_HIGH UP_REGISTER(0x40010804)
#define UART_STATUS UP_REGISTER(0x40013800)
#define UART_DATA UP_REGISTER(0x40013804)
#define UART_RATE UP_REGISTER(0x40013808)
#define UART_CONTROL UP_REGISTER(0x4001380C)

enum {
    HERTZ = 8000000,
    BUSY = 1,
    PROGRAM = 1,
    ERASE_PAGE = 2,
    BEGIN = 0x40,
    LOCK = 0x80,
    RECEIVED = 0x20,
    FREE = 0x80,
    SENT = 0x40,
    ON = 0x200C, /* the USART, both ways */
    CYCLES_OF_A_LOOK = 12, /* measured, in the loop of up_hear */
};

static uint8_t up_byte(up_place at)
{
    return *(const volatile uint8_t *)at;
}

static void unlock(void)
{
    if (FLASH_CONTROL & LOCK) {
        FLASH_UNLOCK = 0x45670123;
        FLASH_UNLOCK = 0xCDEF89AB;
    }
}

static void up_erase(up_place page)
{
    unlock();
    FLASH_CONTROL = ERASE_PAGE;
    FLASH_ADDRESS = page;
    FLASH_CONTROL = ERASE_PAGE | BEGIN;
    while (FLASH_STATUS & BUSY) {}
    FLASH_CONTROL = LOCK;
}

static void up_mark(up_place at, uint16_t value)
{
    unlock();
    FLASH_CONTROL = PROGRAM;
    *(volatile uint16_t *)at = value;
    while (FLASH_STATUS & BUSY) {}
    FLASH_CONTROL = LOCK;
}

static void up_write(up_place at, const uint8_t *chunk)
{
    for (uint8_t i = 0; i < UP_CHUNK; i += 2) {
        uint16_t value = (uint16_t)(chunk[i] | chunk[i + 1] << 8);
        if (up_half(at + i) != value) up_mark(at + i, value);
    }
}

static int16_t up_hear(uint16_t milliseconds)
{
    for (uint32_t looks = (uint32_t)milliseconds * (HERTZ / 1000 / CYCLES_OF_A_LOOK); looks; looks--)
        if (UART_STATUS & RECEIVED) return (int16_t)(UART_DATA & 0xFF);
    return -1;
}

static void up_say(uint8_t byte)
{
    while (!(UART_STATUS & FREE)) {}
    UART_DATA = byte;
}

extern _Noreturn void up_enter(uint32_t stack, uint32_t entry); /* in start_cortexm.S */

static _Noreturn void up_run(void)
{
    while (!(UART_STATUS & SENT)) {}
    UART_CONTROL = 0;
    const volatile uint32_t *vectors = (const volatile uint32_t *)UP_RUN;
    up_enter(vectors[0], vectors[1]);
}

extern _Noreturn void up_main(void);

_Noreturn void up_start(void)
{
    CLOCKS |= 1u << 14 | 1u << 2 | 1u;
    PORT_A_HIGH = (PORT_A_HIGH & ~0xFF0u) | 0x4B0u; /* PA9 sends, PA10 listens */
    UART_RATE = (HERTZ + UP_BAUD / 2) / UP_BAUD;
    UART_CONTROL = ON;
    up_main();
}
