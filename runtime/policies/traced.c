/* A board that tells a host what it does, or does what the host says: board.c, with what it asks and does told on the way.
 *
 * The loop and the decisions are board.c's own, which is included here with some of its names changed: so a traced image
 * decides as an untraced one. docs/reference/machine.md has the frames, docs/how-to/hardware-in-the-loop.md the way they are used.
 */
#include "board.h"

#include "../port.h"
#include "frames.h"

/* What board.c calls. */
static void lf_traced_run(lf_byte *b, lf_slot slot);
static void lf_traced_wake(lf_byte *b, lf_slot slot, uint8_t clause);
static void lf_traced_console(lf_byte *b, lf_slot slot, uint8_t c);
static lf_slot lf_traced_interrupt(lf_byte *b, uint8_t bit);
static void lf_traced_initialise(lf_byte *b);
static void lf_traced_idle(void);
static int16_t lf_traced_read(void);
static uint8_t lf_traced_overrun(void);

#define LF_RUNS_NEXT 0
#define lf_program_run lf_traced_run
#define lf_program_wake lf_traced_wake
#define lf_program_console lf_traced_console
#define lf_program_initialise lf_traced_initialise
#define lf_interrupt lf_traced_interrupt
#define lf_rests 0 /* the line to the host goes on */
#define lf_port_idle lf_traced_idle
#define lf_port_console_read lf_traced_read
#define lf_port_console_overrun lf_traced_overrun
/* What board.c has, and is done here around it. */
#define lf_step lf_traced_event
#define lf_fault lf_untraced_fault
#define lf_policy_alternative lf_untraced_alternative
#define lf_policy_choice lf_untraced_choice
#define lf_policy_meet lf_untraced_meet
#define lf_policy_in8 lf_untraced_in8
#define lf_policy_in16 lf_untraced_in16
#define lf_policy_in32 lf_untraced_in32
#define lf_policy_any8 lf_untraced_any8
#define lf_policy_any16 lf_untraced_any16
#define lf_policy_any32 lf_untraced_any32
#define lf_policy_out8 lf_untraced_out8
#define lf_policy_out16 lf_untraced_out16
#define lf_policy_out32 lf_untraced_out32
#define lf_policy_clock lf_untraced_clock
#define lf_policy_console_in lf_untraced_console_in
#define lf_policy_console_out lf_untraced_console_out
#include "board.c"
#undef lf_program_run
#undef lf_program_wake
#undef lf_program_console
#undef lf_program_initialise
#undef lf_interrupt
#undef lf_port_idle
#undef lf_port_console_read
#undef lf_port_console_overrun
#undef lf_step
#undef lf_fault
#undef lf_policy_alternative
#undef lf_policy_choice
#undef lf_policy_meet
#undef lf_policy_in8
#undef lf_policy_in16
#undef lf_policy_in32
#undef lf_policy_any8
#undef lf_policy_any16
#undef lf_policy_any32
#undef lf_policy_out8
#undef lf_policy_out16
#undef lf_policy_out32
#undef lf_policy_clock
#undef lf_policy_console_in
#undef lf_policy_console_out

/* Made with the image (lfc/link/tracing.py). */
extern const LF_IN_FLASH uint8_t lf_trace_program[16];
extern const uint8_t lf_trace_flags;

enum { FORMAT = 1 };
enum { HELLO = 0x01, ITEMS = 0x02, TEXT = 0x03, BYTES = 0x04, FAULT = 0x05, WANTS = 0x06, TROUBLE = 0x07,
       FOLLOW = 0x81, SEND = 0x82, INPUT = 0x83, MODE = 0x84, GO = 0x85 };
enum { CANNOT_FOLLOW = 1, FRAME_LOST = 2 };
enum { FREE = 0, FOLLOWS = 1, RESET = 2, PACED = 3, UNDECIDED = 4 };
enum { TAG_END = 0, TAG_RUN = 1, TAG_INTERRUPT = 2, TAG_WAKE = 3, TAG_CONSOLE = 4, TAG_MEET = 0x10, TAG_TAKE = 0x11,
       TAG_CHOICE = 0x12, TAG_IN8 = 0x20, TAG_IN16 = 0x21, TAG_IN32 = 0x22, TAG_CLOCK = 0x23, TAG_READ = 0x24,
       TAG_OUT = 0x30, TAG_DIGEST = 0x40, TAG_IDLE = 0x42 };

#define INPUT_ROOM 32u /* a power of two; the host sends no more than this before they are read */

static uint8_t mode = UNDECIDED;
static uint8_t may_go;   /* PACED: steps that the host has allowed */
static bool did_a_step;  /* since the last digest */
static bool idle_is_told;
static uint8_t from_host; /* the sequence of the next frame */

/* Console input that came, and was not read yet; both count modulo 256. */
static uint8_t input[INPUT_ROOM], input_came, input_taken;

/* FOLLOWS: what is left of the last frame, in `lf_in.bytes`; `over`: the step has no more items. */
static struct {
    uint8_t at, end;
    bool over;
} wanted;

/* While the kernel asks for who takes an interrupt: no action runs, and nothing is told as a meeting. */
static struct {
    bool asks;
    lf_slot wanted, taker;
} event;

static void put(uint32_t value, uint8_t bytes)
{
    for (; bytes; bytes--, value >>= 8) lf_frame_put(ITEMS, (uint8_t)value);
}

static LF_APART void put_item(uint8_t tag, uint32_t value, uint8_t bytes)
{
    lf_frame_put(ITEMS, tag);
    put(value, bytes);
}

/* --- what the host says -------------------------------------------------------------------------------------- */

static void trouble(uint8_t what, uint8_t first, uint8_t second)
{
    lf_frame_begin(TROUBLE);
    lf_frame_put(TROUBLE, what);
    lf_frame_put(TROUBLE, first);
    lf_frame_put(TROUBLE, second);
    lf_frame_end();
}

static LF_COLD void send_bytes(uint16_t offset, uint16_t length)
{
    while (length && offset < lf_block_size) {
        lf_frame_begin(BYTES);
        lf_frame_put(BYTES, (uint8_t)offset);
        lf_frame_put(BYTES, (uint8_t)(offset >> 8));
        while (length && offset < lf_block_size && lf_out.used < LF_OUT_ROOM - LF_FRAME_CRC) {
            lf_frame_put(BYTES, BLOCK[offset++]);
            length--;
        }
    }
    lf_frame_end();
}

static void obey(void)
{
    const lf_byte *payload = lf_in.bytes + LF_FRAME_HEAD;
    uint8_t size = (uint8_t)(lf_in.used - LF_FRAME_HEAD);
    if (lf_in.bytes[1] != from_host) trouble(FRAME_LOST, from_host, lf_in.bytes[1]);
    from_host = (uint8_t)(lf_in.bytes[1] + 1u);
    switch (lf_in.bytes[0]) {
    case FOLLOW:
        wanted.at = LF_FRAME_HEAD;
        wanted.end = lf_in.used;
        wanted.over = size == 0;
        break;
    case SEND:
        if (size == 4) send_bytes(lf_load16(payload), lf_load16(payload + 2));
        break;
    case INPUT:
        while (size-- && (uint8_t)(input_came - input_taken) < INPUT_ROOM) input[input_came++ % INPUT_ROOM] = *payload++;
        break;
    case MODE:
        if (size == 1 && payload[0] == RESET) lf_port_reset();
        if (size == 1) mode = payload[0];
        break;
    case GO:
        if (size == 1) may_go = (uint8_t)(may_go + payload[0]);
        break;
    }
}

static LF_APART void hear(void)
{
    enum lf_received what;
    while ((what = lf_frame_receive()) != LF_NOTHING) {
        if (what == LF_DAMAGED)
            trouble(FRAME_LOST, from_host, from_host);
        else
            obey();
    }
}

/* Only the host can go on. */
_Noreturn static void stand_still(void)
{
    for (;;) hear();
}

static int16_t lf_traced_read(void)
{
    if (input_came == input_taken) return -1;
    return input[input_taken++ % INPUT_ROOM];
}

/* What the line loses damages a frame, which is told when it is received. */
static uint8_t lf_traced_overrun(void) { return 0; }

/* --- following ----------------------------------------------------------------------------------------------- */

/* The tag of the next item of the step; asks the host for it. TAG_END: there is no more. */
static LF_APART uint8_t next_tag(void)
{
    if (wanted.at == wanted.end && !wanted.over) {
        lf_frame_begin(WANTS);
        lf_frame_end();
        while (wanted.at == wanted.end && !wanted.over && mode == FOLLOWS) hear();
    }
    return wanted.at == wanted.end ? (uint8_t)TAG_END : lf_in.bytes[wanted.at];
}

/* It needs an item `tag` where `found` comes; equal ones: it comes, and cannot be done. */
_Noreturn static LF_COLD void cannot_follow(uint8_t tag, uint8_t found)
{
    trouble(CANNOT_FOLLOW, tag, found);
    stand_still();
}

/* The operands of the next item, which must be this one; at most 4 bytes. */
static LF_APART uint32_t take_item(uint8_t tag, uint8_t bytes)
{
    uint8_t found = next_tag();
    if (found != tag || (uint8_t)(wanted.end - wanted.at) <= bytes) cannot_follow(tag, found);
    wanted.at++;
    uint32_t value = 0;
    for (uint8_t shift = 0; bytes; bytes--, shift = (uint8_t)(shift + 8u))
        value |= (uint32_t)lf_in.bytes[wanted.at++] << shift;
    return value;
}

static lf_slot expect(lf_byte *b, lf_slot slot, bool ready, uint8_t tag)
{
    if (slot >= lf_slots || lf_is_ready(b, slot) != ready) cannot_follow(tag, tag);
    return slot;
}

static void lf_traced_follow(lf_byte *b)
{
    uint16_t v;
    lf_slot slot;
    uint8_t tag;
    wanted.at = wanted.end = 0;
    wanted.over = false;
    switch (tag = next_tag()) {
    case TAG_END: return;
    case TAG_RUN: lf_traced_run(b, expect(b, (lf_slot)take_item(TAG_RUN, 1), true, TAG_RUN)); break;
    case TAG_WAKE:
    case TAG_CONSOLE:
        v = (uint16_t)take_item(tag, 2);
        slot = expect(b, (lf_slot)v, false, tag);
        if (tag == TAG_WAKE)
            lf_traced_wake(b, slot, (uint8_t)(v >> 8));
        else
            lf_traced_console(b, slot, (uint8_t)(v >> 8));
        expect(b, slot, true, tag);
        break;
    case TAG_INTERRUPT: {
        v = (uint16_t)take_item(TAG_INTERRUPT, 2);
        uint16_t bit = 0;
        while (bit < lf_interrupts && lf_interrupt_numbers[bit] != (uint8_t)v) bit++;
        if (bit == lf_interrupts) cannot_follow(TAG_INTERRUPT, TAG_INTERRUPT);
        event.wanted = (lf_slot)(v >> 8);
        lf_traced_interrupt(b, (uint8_t)bit);
        if (event.taker != event.wanted) cannot_follow(TAG_INTERRUPT, TAG_INTERRUPT);
        break;
    }
    default: cannot_follow(TAG_RUN, tag);
    }
}

/* --- the policies -------------------------------------------------------------------------------------------- */

/* FOLLOWS: is this what the host wants? */
static bool is_wanted(uint8_t own, lf_slot partner, uint8_t theirs)
{
    if (event.asks) return partner == event.wanted;
    uint8_t tag = next_tag();
    const lf_byte *at = lf_in.bytes + wanted.at;
    uint8_t left = (uint8_t)(wanted.end - wanted.at);
    if (partner == LF_NOBODY) return tag == TAG_TAKE && left > 1 && at[1] == own;
    return tag == TAG_MEET && left > 3 && at[1] == own && at[2] == partner && at[3] == theirs;
}

void lf_policy_alternative(lf_byte *b, struct lf_meeting *m, uint8_t own, lf_slot partner, uint8_t theirs, uint8_t shares)
{
    if (mode != FOLLOWS) {
        lf_untraced_alternative(b, m, own, partner, theirs, shares);
        return;
    }
    m->extra = 1; /* there is one */
    if (m->found || !is_wanted(own, partner, theirs)) return;
    m->found = 1;
    m->own = own;
    m->partner = partner;
    m->theirs = theirs;
}

bool lf_policy_meet(lf_byte *b, struct lf_meeting *m)
{
    if (mode == FOLLOWS && m->extra && !m->found) cannot_follow(TAG_MEET, event.asks ? TAG_INTERRUPT : next_tag());
    if (!lf_untraced_meet(b, m)) return false;
    uint8_t tag = m->partner == LF_NOBODY ? TAG_TAKE : TAG_MEET;
    if (event.asks) {
        event.taker = m->partner;
        return true;
    }
    if (mode == FOLLOWS) take_item(tag, tag == TAG_TAKE ? 1 : 3);
    put_item(tag, m->own, 1);
    if (tag == TAG_MEET) put(m->partner | (uint32_t)m->theirs << 8, 2);
    return true;
}

uint8_t lf_policy_choice(lf_byte *b, uint8_t branches)
{
    uint8_t i = mode == FOLLOWS ? (uint8_t)take_item(TAG_CHOICE, 1) : lf_untraced_choice(b, branches);
    if (i >= branches) cannot_follow(TAG_CHOICE, TAG_CHOICE);
    put_item(TAG_CHOICE, i, 1);
    return i;
}

uint8_t lf_policy_in8(lf_byte *b, uint32_t address)
{
    uint8_t v = mode == FOLLOWS ? (uint8_t)take_item(TAG_IN8, 1) : lf_untraced_in8(b, address);
    put_item(TAG_IN8, v, 1);
    return v;
}

uint16_t lf_policy_in16(lf_byte *b, uint32_t address)
{
    uint16_t v = mode == FOLLOWS ? (uint16_t)take_item(TAG_IN16, 2) : lf_untraced_in16(b, address);
    put_item(TAG_IN16, v, 2);
    return v;
}

uint32_t lf_policy_in32(lf_byte *b, uint32_t address)
{
    uint32_t v = mode == FOLLOWS ? take_item(TAG_IN32, 4) : lf_untraced_in32(b, address);
    put_item(TAG_IN32, v, 4);
    return v;
}

/* What C wrote, as inputs; a board tries no other values. */
uint8_t lf_policy_any8(lf_byte *b, uint8_t found, uint8_t low, uint8_t high, uint8_t all_tried)
{
    uint8_t v = mode == FOLLOWS ? (uint8_t)take_item(TAG_IN8, 1) : lf_untraced_any8(b, found, low, high, all_tried);
    put_item(TAG_IN8, v, 1);
    return v;
}

uint16_t lf_policy_any16(lf_byte *b, uint16_t found, uint16_t low, uint16_t high, uint8_t all_tried)
{
    uint16_t v = mode == FOLLOWS ? (uint16_t)take_item(TAG_IN16, 2) : lf_untraced_any16(b, found, low, high, all_tried);
    put_item(TAG_IN16, v, 2);
    return v;
}

uint32_t lf_policy_any32(lf_byte *b, uint32_t found, uint32_t low, uint32_t high, uint8_t all_tried)
{
    uint32_t v = mode == FOLLOWS ? take_item(TAG_IN32, 4) : lf_untraced_any32(b, found, low, high, all_tried);
    put_item(TAG_IN32, v, 4);
    return v;
}

static void tell_out(uint8_t width, uint32_t address, uint32_t value)
{
    put_item(TAG_OUT, width, 1);
    put(address, 4);
    put(value, 4);
}

void lf_policy_out8(lf_byte *b, uint32_t address, uint8_t value)
{
    lf_untraced_out8(b, address, value);
    tell_out(8, address, value);
}

void lf_policy_out16(lf_byte *b, uint32_t address, uint16_t value)
{
    lf_untraced_out16(b, address, value);
    tell_out(16, address, value);
}

void lf_policy_out32(lf_byte *b, uint32_t address, uint32_t value)
{
    lf_untraced_out32(b, address, value);
    tell_out(32, address, value);
}

uint32_t lf_policy_clock(lf_byte *b)
{
    uint32_t now;
    if (mode == FOLLOWS) {
        now = take_item(TAG_CLOCK, 4);
        lf_store32(lf_policy_block(b) + lf_policy_clock_at, now);
    } else {
        now = lf_untraced_clock(b);
    }
    put_item(TAG_CLOCK, now, 4);
    return now;
}

int16_t lf_policy_console_in(lf_byte *b)
{
    int16_t c;
    if (mode == FOLLOWS)
        c = next_tag() == TAG_READ ? (int16_t)take_item(TAG_READ, 1) : -1;
    else
        c = lf_untraced_console_in(b);
    if (c >= 0) put_item(TAG_READ, (uint8_t)c, 1);
    return c;
}

void lf_policy_console_out(lf_byte *b, uint8_t c)
{
    (void)b;
    lf_frame_put(TEXT, c);
}

_Noreturn LF_COLD void lf_fault(lf_byte *b, uint8_t kind, uint16_t site, int32_t first, int32_t second)
{
    (void)b;
    lf_fault_make_safe();
    lf_frame_begin(FAULT);
    lf_frame_put(FAULT, kind);
    lf_frame_put(FAULT, (uint8_t)site);
    lf_frame_put(FAULT, (uint8_t)(site >> 8));
    for (uint8_t i = 0; i < 8; i++) lf_frame_put(FAULT, (uint8_t)((uint32_t)(i < 4 ? first : second) >> 8u * (i % 4u)));
    lf_frame_end();
    if (lf_fault_resets) lf_port_reset();
    stand_still();
}

/* --- steps --------------------------------------------------------------------------------------------------- */

static void lf_traced_run(lf_byte *b, lf_slot slot)
{
    did_a_step = true;
    put_item(TAG_RUN, slot, 1);
    if (mode == FOLLOWS) *(lf_policy_block(b) + lf_policy_cursor_at) = slot < lf_wrap_to ? (lf_slot)(lf_slots - 1u) : slot;
    lf_program_run(b, slot);
}

static void lf_traced_wake(lf_byte *b, lf_slot slot, uint8_t clause)
{
    did_a_step = true;
    put_item(TAG_WAKE, slot | (uint32_t)clause << 8, 2);
    lf_program_wake(b, slot, clause);
}

static void lf_traced_console(lf_byte *b, lf_slot slot, uint8_t c)
{
    did_a_step = true;
    put_item(TAG_CONSOLE, slot | (uint32_t)c << 8, 2);
    lf_program_console(b, slot, c);
}

static lf_slot lf_traced_interrupt(lf_byte *b, uint8_t bit)
{
    did_a_step = true;
    event.taker = LF_NOBODY;
    event.asks = true;
    lf_interrupt(b, bit);
    event.asks = false;
    put_item(TAG_INTERRUPT, lf_interrupt_numbers[bit] | (uint32_t)event.taker << 8, 2);
    return event.taker;
}

static void lf_traced_idle(void)
{
    if (!idle_is_told) {
        put_item(TAG_IDLE, 0, 0);
        lf_frame_end();
        idle_is_told = true;
    }
    lf_port_idle();
}

/* One pass of the kernel's loop: one event, or idle, and what is told of it. */
__attribute__((noinline)) void lf_step(void)
{
    do hear();
    while (mode == PACED && may_go == 0);
    if (mode == FOLLOWS) {
        lf_set_taker(BLOCK, LF_NOBODY);
        lf_traced_follow(BLOCK);
    } else {
        lf_traced_event();
    }
    if (!did_a_step) return;
    if (mode == FOLLOWS && wanted.at != wanted.end) cannot_follow(TAG_END, lf_in.bytes[wanted.at]);
    put_item(TAG_DIGEST, lf_crc_of(BLOCK, (uint16_t)lf_block_size), 2);
    lf_frame_end();
    did_a_step = idle_is_told = false;
    if (may_go) may_go--;
}

static LF_COLD void say_hello(void)
{
    lf_frame_begin(HELLO);
    lf_frame_put(HELLO, FORMAT);
    for (uint8_t i = 0; i < sizeof lf_trace_program; i++) lf_frame_put(HELLO, lf_trace_program[i]);
    lf_frame_put(HELLO, (uint8_t)lf_block_size);
    lf_frame_put(HELLO, (uint8_t)(lf_block_size >> 8));
    lf_frame_put(HELLO, lf_trace_flags);
    lf_frame_end();
}

/* board.c's `lf_main` comes here when the policies are set up, and never gets back: its loop knows of no host. Nothing
 * runs before the host has said how. */
static void lf_traced_initialise(lf_byte *b)
{
    lf_program_initialise(b);
    for (uint16_t rounds = 0; mode == UNDECIDED; rounds++) {
        if (rounds == 0) say_hello();
        hear();
    }
    for (;;) lf_step();
}
