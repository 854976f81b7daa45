/* What the boot loader for updates is made of. Its theory: docs/theory/updates.md. All that it remembers lies in the flash.

   The program runs in one area; two slots keep images. Each slot has a page for its head, one for its marks, and its body. The
   running area ends with a copy of the head of what lies there. The build gives addresses and sizes as macros. */
#ifndef UPDATE_H
#define UPDATE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __AVR__ /* a boot section of 4 KB */
#pragma clang attribute push(__attribute__((minsize, noinline)), apply_to = function)
#define UP_FLASH __attribute__((address_space(1)))
typedef uint16_t up_place;
#else
#define UP_FLASH
typedef uint32_t up_place;
#endif

enum {
    UP_CHUNK = 128,      /* bytes that are sent, and written, at once */
    UP_HEAD = 16,        /* bytes of a head that are signed */
    UP_TRIES = 3,        /* starts of an image that has not reported */
    UP_TRIED = 0,        /* where in the marks the tries begin */
    UP_REPORTED = 16,    /* and the reports */
    UP_REPORT = 0x3C5A,  /* a mark that is anything else was torn */
    UP_ERASED = 0xFFFF,
};

#define UP_HEAD_COPY (UP_RUN + UP_CAPACITY)
#define UP_SLOT(i) ((up_place)((i) ? UP_SLOT_1 : UP_SLOT_0))
#define UP_MARKS(i) (UP_SLOT(i) + UP_PAGE)
#define UP_BODY(i) (UP_SLOT(i) + 2 * UP_PAGE)

/* --- of a chip --- */

static uint8_t up_byte(up_place at);
static void up_erase(up_place page);
static void up_write(up_place at, const uint8_t *chunk); /* where it is erased */
static void up_mark(up_place at, uint16_t value);        /* one half-word, where it is erased */
static int16_t up_hear(uint16_t milliseconds);           /* -1: nothing came */
static void up_say(uint8_t byte);
static _Noreturn void up_run(void);

/* --- of a scheme of signatures --- */

static bool up_is_signed(const uint8_t *head, up_place body, up_place length); /* the signature lies behind the head */

static inline uint16_t up_half(up_place at)
{
    return (uint16_t)(up_byte(at) | up_byte(at + 1) << 8);
}

static inline uint32_t up_word(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

#endif
