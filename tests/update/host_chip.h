/* The chip of a test: a flash in memory whose power is lost at one write, a line that gives what was written down. */

#include <setjmp.h>
#include <string.h>

enum { FLASH_SIZE = 4096, RUNS = 1, POWER_LOST, NOTHING_RUNS };

static uint8_t flash[FLASH_SIZE], line[8192], said[8192];
static uint32_t line_size, line_at, said_size, writes, cut_at;
static int torn;
static jmp_buf over;

static uint8_t up_byte(up_place at)
{
    return flash[at];
}

/* A write that is torn has done its first eighth, and of the rest some bits. */
static void change(up_place at, const uint8_t *new, uint32_t size)
{
    bool is_cut = writes++ == cut_at;
    for (uint32_t i = 0; i < size; i++) {
        uint8_t mask = is_cut && torn && i >= size / 8 ? 0x5A : 0xFF;
        flash[at + i] = (uint8_t)(flash[at + i] ^ ((flash[at + i] ^ new[i]) & mask));
    }
    if (is_cut) longjmp(over, POWER_LOST);
}

static void up_erase(up_place page)
{
    uint8_t erased[UP_PAGE];
    memset(erased, 0xFF, UP_PAGE);
    change(page, erased, UP_PAGE);
}

static void up_write(up_place at, const uint8_t *chunk)
{
    uint8_t new[UP_CHUNK];
    for (uint32_t i = 0; i < UP_CHUNK; i++) new[i] = chunk[i] & flash[at + i];
    change(at, new, UP_CHUNK);
}

static void up_mark(up_place at, uint16_t value)
{
    uint8_t new[2] = {(uint8_t)value & flash[at], (uint8_t)(value >> 8) & flash[at + 1]};
    change(at, new, 2);
}

static int16_t up_hear(uint16_t milliseconds)
{
    if (line_at < line_size) return line[line_at++];
    if (milliseconds == 0xFFFF) longjmp(over, NOTHING_RUNS);
    return -1;
}

static void up_say(uint8_t byte)
{
    said[said_size++ % sizeof said] = byte;
}

static _Noreturn void up_run(void)
{
    longjmp(over, RUNS);
}

_Noreturn void up_main(void);
void up_report(void);

/* Power comes, and the line says that. How it ended; `count` and `flash` are changed. */
int test_boot(uint8_t *content, const uint8_t *text, uint32_t size, uint32_t cut, int is_torn, int reports, uint32_t *count)
{
    memcpy(flash, content, FLASH_SIZE);
    memcpy(line, text, size);
    line_size = size, line_at = said_size = writes = 0, cut_at = cut, torn = is_torn;
    volatile int ran = 0;
    int how = setjmp(over);
    if (how == 0) up_main();
    if (how == RUNS && !ran) {
        ran = 1;
        if (reports) up_report();
    }
    memcpy(content, flash, FLASH_SIZE);
    *count = writes;
    return how == POWER_LOST && ran ? RUNS : how;
}

int test_signed(uint8_t *content, const uint8_t *head, uint32_t body, uint32_t length)
{
    memcpy(flash, content, FLASH_SIZE);
    return up_is_signed(head, body, length);
}

uint32_t test_said(uint8_t *to)
{
    memcpy(to, said, said_size);
    return said_size;
}
