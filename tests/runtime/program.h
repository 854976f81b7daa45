/* What every hand-written program of these tests provides to the kernel: its constants, its memory, and a table of
 * functions that a test fills. A test defines what differs from the defaults before it includes this. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdlib.h>

#include "checks.h"
#include "kernel/lf.h"
#include "policies/board.h"

#ifndef SLOTS
#define SLOTS 4
#endif
#ifndef WIDE
#define WIDE 0
#endif
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 256
#endif
#ifndef CHANNELS
#define CHANNELS 3
#endif
#ifndef DEADLINES
#define DEADLINES 1
#endif
#ifndef SLEEPERS
#define SLEEPERS SLOTS
#endif
#ifndef TIMED_SELECTS
#define TIMED_SELECTS 1
#endif
#ifndef READERS
#define READERS 1
#endif
#ifndef RUNS_NEXT
#define RUNS_NEXT 0
#endif
#ifndef TAKERS_FIRST
#define TAKERS_FIRST 0
#endif
#ifndef WRAP_TO
#define WRAP_TO 0
#endif
#ifndef INTERRUPTS
#define INTERRUPTS 10
#endif
#ifndef PROGRAM_SLOTS
#define PROGRAM_SLOTS SLOTS
#endif

/* Position numbers: with two bytes, such that both matter. */
enum {
    BASE = WIDE ? 0x0201 : 1,
    FIRST_WAITING = BASE + 50,
    WIDTH = 1 + WIDE,
    POSITIONS_AT = 2,
    PENDING_AT = POSITIONS_AT + SLOTS * WIDTH,
    RECORDS_AT = (PENDING_AT + 2 + 3) / 4 * 4,
    ENVIRONMENT_POSITIONS_AT = RECORDS_AT + 64
};

enum {
    CLOCK_AT = 0,
    DEADLINES_AT = 4,
    SLEEPERS_AT = DEADLINES_AT + (DEADLINES ? 8 * SLOTS : 0),
    CURSOR_AT = SLEEPERS_AT + (SLEEPERS ? 1 + 6 * SLEEPERS : 0),
    ARRIVALS_AT = CURSOR_AT + 1,
    TAKER_AT = ARRIVALS_AT + 1 + SLOTS,
    POLICY_SIZE = (TAKER_AT + 2 + 3) / 4 * 4 + 4 /* the budget of the running action */
};

#ifndef RESTS
#define RESTS 0
#endif
const uint32_t lf_block_size = BLOCK_SIZE;
const uint8_t lf_slots = SLOTS;
const uint8_t lf_wrap_to = WRAP_TO;
const uint8_t lf_wide_positions = WIDE;
const uint16_t lf_first_waiting = FIRST_WAITING;
const uint16_t lf_positions_at = POSITIONS_AT;
const uint16_t lf_pending_at = PENDING_AT;
const uint8_t lf_has_readers = READERS;
const uint8_t lf_channels = CHANNELS;
const uint16_t lf_interrupts = INTERRUPTS;
const uint16_t lf_interrupts_from_outside = INTERRUPTS;
const uint8_t lf_program_slots = PROGRAM_SLOTS;
const uint8_t lf_environment_wide_positions = 1;
const uint16_t lf_environment_first_waiting = 4;
const uint16_t lf_environment_positions_at = ENVIRONMENT_POSITIONS_AT;
const uint8_t lf_interrupt_numbers[] = {3, 1, 4, 15, 9, 2, 6, 5, 35, 255};
const uint16_t lf_policy_size = POLICY_SIZE;
const uint16_t lf_policy_clock_at = CLOCK_AT;
const uint16_t lf_policy_deadlines_at = DEADLINES_AT;
const uint16_t lf_policy_sleepers_at = SLEEPERS_AT;
const uint16_t lf_policy_cursor_at = CURSOR_AT;
const uint16_t lf_policy_arrivals_at = ARRIVALS_AT;
const uint16_t lf_policy_taker_at = TAKER_AT;
const uint8_t lf_takers_first = TAKERS_FIRST;
const uint8_t lf_has_deadlines = DEADLINES;
const uint8_t lf_sleepers_room = SLEEPERS;
const uint8_t lf_runs_next = RUNS_NEXT;
const uint8_t lf_timed_selects = TIMED_SELECTS;
const uint8_t lf_rests = RESTS;
const uint16_t lf_deep_at = BLOCK_SIZE - 1;

static struct {
    void (*initialise)(lf_byte *b);
    void (*run)(lf_byte *b, lf_slot slot);
    void (*mark_ports)(lf_byte *b, lf_byte *used);
    void (*interrupt)(lf_byte *b, uint8_t bit, struct lf_meeting *m);
    void (*take)(lf_byte *b, uint8_t bit, struct lf_meeting *m);
    void (*wake)(lf_byte *b, lf_slot slot, uint8_t clause);
    lf_slot (*reader)(lf_byte *b);
    void (*console)(lf_byte *b, lf_slot slot, uint8_t c);
} program;

void lf_program_initialise(lf_byte *b) { if (program.initialise) program.initialise(b); }
void lf_program_run(lf_byte *b, lf_slot slot) { program.run(b, slot); }
void lf_program_mark_ports(lf_byte *b, lf_byte *used) { if (program.mark_ports) program.mark_ports(b, used); }
void lf_program_interrupt(lf_byte *b, uint8_t bit, struct lf_meeting *m) { program.interrupt(b, bit, m); }
void lf_program_take(lf_byte *b, uint8_t bit, struct lf_meeting *m) { program.take(b, bit, m); }
void lf_program_wake(lf_byte *b, lf_slot slot, uint8_t clause) { program.wake(b, slot, clause); }
lf_slot lf_program_reader(lf_byte *b) { return program.reader ? program.reader(b) : (lf_slot)LF_NONE; }
void lf_program_console(lf_byte *b, lf_slot slot, uint8_t c) { program.console(b, slot, c); }

/* --- memory -------------------------------------------------------------------------------------------------- */

/* Exactly as long as the two blocks, so that the sanitizer sees who leaves them. */
static lf_byte *memory, *block;

static inline void make_memory(void)
{
    free(memory);
    memory = malloc(POLICY_SIZE + BLOCK_SIZE);
    if (!memory) abort();
    memset(memory, 0xA5, POLICY_SIZE + BLOCK_SIZE);
    block = memory + POLICY_SIZE;
}

static inline void zero_memory(void)
{
    make_memory();
    memset(memory, 0, POLICY_SIZE + BLOCK_SIZE);
}

static inline uint16_t position_of(lf_slot slot) { return lf_position(block, POSITIONS_AT, slot, WIDE); }

static inline void put_at(lf_slot slot, uint16_t position)
{
    lf_set_position(block, POSITIONS_AT, slot, WIDE, position);
}

static inline lf_byte *arrivals(void) { return memory + ARRIVALS_AT; }
static inline lf_byte *sleepers(void) { return memory + SLEEPERS_AT; }

#endif
