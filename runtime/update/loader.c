/* The boot loader: makes the running area a copy of the image that is to run, and takes updates over the serial line. */

#include "update.h"

#include "decide.h"

#include UP_SIGNATURES
#include UP_CHIP

static const UP_FLASH uint8_t up_who[] = {UP_MAGIC, UP_BOARD, UP_SCHEME, UP_CAPACITY_BYTES};

static up_place length_of(const uint8_t *head)
{
    return (up_place)up_word(head + 12);
}

static bool is_head(const uint8_t *head)
{
    for (uint8_t i = 0; i < 8; i++)
        if (head[i] != up_who[i]) return false;
    return up_word(head + 12) - 1 < UP_CAPACITY;
}

static void read_chunk(up_place at, uint8_t *chunk)
{
    for (uint8_t i = 0; i < UP_CHUNK; i++) chunk[i] = up_byte(at + i);
}

/* How many marks there are, of all or of those that say this. */
static uint8_t marks(up_place at, bool any, uint16_t value)
{
    uint8_t count = 0;
    for (uint8_t k = 0; k < 2 * UP_TRIES; k += 2) {
        uint16_t mark = up_half(at + k);
        count += any ? mark != UP_ERASED : mark == value;
    }
    return count;
}

static bool has_reported(uint8_t i)
{
    return marks(UP_MARKS(i) + UP_REPORTED, false, UP_REPORT) != 0;
}

/* The chunk is then its head. */
static bool is_right(uint8_t i, uint8_t *chunk)
{
    read_chunk(UP_SLOT(i), chunk);
    return is_head(chunk) && up_is_signed(chunk, UP_BODY(i), length_of(chunk));
}

static void look(struct up_slot *s, uint8_t *chunk)
{
    for (uint8_t i = 0; i < 2; i++) {
        s[i].valid = is_right(i, chunk);
        s[i].version = up_word(chunk + 8);
        s[i].tries = marks(UP_MARKS(i) + UP_TRIED, true, 0);
        s[i].reported = has_reported(i);
    }
}

static bool are_same(up_place a, up_place b, up_place size)
{
    for (; size; size--)
        if (up_byte(a++) != up_byte(b++)) return false;
    return true;
}

static void copy_page(up_place from, up_place to, uint8_t *chunk)
{
    if (are_same(from, to, UP_PAGE)) return;
    up_erase(to);
    for (up_place end = from + UP_PAGE; from < end; from += UP_CHUNK, to += UP_CHUNK) {
        read_chunk(from, chunk);
        up_write(to, chunk);
    }
}

/* The running area becomes a copy of the slot. While it is none, its head is not there. */
static bool install(uint8_t i, uint8_t *chunk)
{
    up_place body = UP_BODY(i);
    for (uint8_t tries = 0; tries < 2; tries++) {
        if (are_same(UP_SLOT(i), UP_HEAD_COPY, UP_CHUNK) && are_same(body, UP_RUN, UP_CAPACITY)) return true;
        up_erase(UP_HEAD_COPY);
        for (up_place k = 0; k < UP_CAPACITY; k += UP_PAGE) copy_page(body + k, UP_RUN + k, chunk);
        copy_page(UP_SLOT(i), UP_HEAD_COPY, chunk);
    }
    return false;
}

/* The first that is free. */
static bool set_mark(up_place at, uint16_t value)
{
    for (uint8_t k = 0; k < 2 * UP_TRIES; k += 2, at += 2)
        if (up_half(at) == UP_ERASED) {
            up_mark(at, value);
            return up_half(at) == value;
        }
    return false;
}

/* Comes back if no image may run. */
static void start(void)
{
    uint8_t chunk[UP_CHUNK];
    struct up_slot s[2];
    look(s, chunk);
    for (uint8_t i; (i = up_newest(s, UP_TRIES)) != UP_NONE; s[i].valid = false)
        if (install(i, chunk) && (s[i].reported || set_mark(UP_MARKS(i) + UP_TRIED, 0))) up_run();
}

/* The program calls this: it has come so far that it may stay. Only the stack is used. */
void up_report(void)
{
    for (uint8_t i = 0; i < 2; i++)
        if (are_same(UP_SLOT(i), UP_HEAD_COPY, UP_CHUNK) && !has_reported(i)) set_mark(UP_MARKS(i) + UP_REPORTED, UP_REPORT);
}

/* --- the serial line: docs/reference/updates.md --- */

enum { PATIENCE = 2000, FIRST_PATIENCE = 300, NOISE = 8 }; /* milliseconds; bytes of something else */

/* A chunk with its number, and their checksum behind them, which makes the sum 0: CRC-16 (polynomial 1021, begun with FFFF).
   False: it is wrong, or nothing comes any more. */
static bool hear_chunk(uint8_t *to)
{
    uint16_t crc = 0xFFFF;
    for (uint8_t i = 0; i < UP_CHUNK + 4; i++) {
        int16_t byte = up_hear(PATIENCE);
        if (byte < 0) return false;
        to[i] = (uint8_t)byte;
        crc ^= (uint16_t)(to[i] << 8);
        for (uint8_t bit = 0; bit < 8; bit++) crc = crc & 0x8000u ? (uint16_t)(crc << 1 ^ 0x1021) : (uint16_t)(crc << 1);
    }
    return crc == 0;
}

static void say_who(uint32_t kept)
{
    up_say(0xA7);
    for (uint8_t i = 0; i < sizeof up_who; i++) up_say(up_who[i]);
    for (uint8_t i = 0; i < 4; i++, kept >>= 8) up_say((uint8_t)kept);
}

/* 'K': the slot has an image. */
static uint8_t take_head(uint8_t i, uint8_t *chunk, uint32_t kept)
{
    if (!is_head(chunk)) return 'B';
    if (up_word(chunk + 8) <= kept) return 'V';
    if (!up_is_signed(chunk, UP_BODY(i), length_of(chunk))) return 'S';
    up_write(UP_SLOT(i), chunk);
    return is_right(i, chunk) ? 'K' : 'W';
}

/* Until nothing comes any more. */
static void serve(void)
{
    uint8_t chunk[UP_CHUNK + 4];
    struct up_slot s[2];
    look(s, chunk);
    uint8_t keeper = up_newest(s, 0), i = keeper == 0;
    uint32_t kept = keeper == UP_NONE ? 0 : s[keeper].version;
    bool is_clear = false;
    for (int16_t command = 'U'; command >= 0; command = up_hear(PATIENCE)) {
        if (command == 'U') {
            say_who(kept);
            continue;
        }
        uint8_t answer = 'C';
        if (hear_chunk(chunk)) {
            uint16_t number = (uint16_t)(chunk[UP_CHUNK] | chunk[UP_CHUNK + 1] << 8);
            answer = '?';
            if (command == 'E') {
                for (up_place k = 0; k < UP_CAPACITY + 2 * UP_PAGE; k += UP_PAGE) up_erase(UP_SLOT(i) + k);
                is_clear = true;
                answer = 'K';
            } else if (command == 'D' && is_clear && number < UP_CAPACITY / UP_CHUNK) {
                up_write(UP_BODY(i) + (up_place)number * UP_CHUNK, chunk);
                answer = 'K';
            } else if (command == 'H' && is_clear) {
                answer = take_head(i, chunk, kept);
                is_clear = false;
            }
        }
        up_say(answer);
    }
}

_Noreturn void up_main(void)
{
    for (uint16_t patience = FIRST_PATIENCE;; patience = 0xFFFF) {
        int16_t byte = -1;
        for (uint8_t noise = 0; noise < NOISE && (byte = up_hear(patience)) >= 0 && byte != 'U'; noise++) {}
        if (byte == 'U') serve();
        start();
    }
}

#ifdef __AVR__
#pragma clang attribute pop
#endif
