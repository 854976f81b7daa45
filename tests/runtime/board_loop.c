/* A board's main loop over a port made of variables: what a pass takes first, idling, a fault's line. */
#include <setjmp.h>

#include "port.h"
#include "program.h"

#ifndef FAULT_TEXTS
#define FAULT_TEXTS 0
#endif
#ifndef FAULT_RESETS
#define FAULT_RESETS 0
#endif

lf_byte lf_memory[POLICY_SIZE + BLOCK_SIZE];
void lf_step(void);

/* --- the port -------------------------------------------------------------------------------------------------- */

static uint32_t milliseconds;
static int16_t received = -1;
static char written[64];
static unsigned written_size, idled;
static jmp_buf stopped;
static uint32_t accessed, access_value;
static uint8_t lost;
static unsigned fed, stopped_watchdog;
static bool may_rest;
static unsigned rested;

void lf_port_console_write(uint8_t c)
{
    if (written_size < sizeof written - 1) written[written_size++] = (char)c;
}
void lf_port_console_put(uint8_t c) { lf_port_console_write(c); }

int16_t lf_port_console_read(void)
{
    int16_t c = received;
    received = -1;
    return c;
}

uint8_t lf_port_console_overrun(void)
{
    uint8_t count = lost;
    lost = 0;
    return count;
}

void lf_port_watchdog_feed(void) { fed++; }
void lf_port_watchdog_stop(void) { stopped_watchdog++; }

uint32_t lf_port_milliseconds(void) { return milliseconds; }
void lf_port_spin(uint32_t microseconds) { (void)microseconds; }

/* `lf_main` never returns: a test leaves it when there is nothing to do for the third time. */
void lf_port_idle(void)
{
    if (++idled == 3) longjmp(stopped, 1);
}

bool lf_port_may_rest(void) { return may_rest; }
void lf_port_rest(void) { rested++; }

void lf_port_halt(void) { longjmp(stopped, 2); }
void lf_port_reset(void) { longjmp(stopped, 3); }

volatile uint8_t lf_port_came[INTERRUPTS + 1];

/* What an image does at a fault. */
extern const uint8_t lf_has_fault_texts, lf_fault_resets, lf_fault_texts[];
const uint8_t lf_has_fault_texts = FAULT_TEXTS;
const uint8_t lf_fault_resets = FAULT_RESETS;
const uint8_t lf_fault_texts[] = "first\0\0third";
void lf_fault_make_safe(void);
void lf_fault_make_safe(void) { access_value = written_size == 0 ? 0x5AFE : 0; }

uint8_t lf_port_in8(uint32_t address) { accessed = address; return 0xAB; }
uint16_t lf_port_in16(uint32_t address) { accessed = address; return 0xABCD; }
uint32_t lf_port_in32(uint32_t address) { accessed = address; return 0xABCDEF01u; }
void lf_port_out8(uint32_t address, uint8_t value) { accessed = address; access_value = value; }
void lf_port_out16(uint32_t address, uint16_t value) { accessed = address; access_value = value; }
void lf_port_out32(uint32_t address, uint32_t value) { accessed = address; access_value = value; }

/* --- a program that notes what the loop called ------------------------------------------------------------------- */

static int ran, woken, woken_clause, given, byte_given, interrupted, taken;
static lf_slot reading = LF_NONE;

void lf_program_run_next(lf_byte *b)
{
    lf_slot slot = lf_pick_round_robin(b);
    if (slot == LF_NOBODY) lf_port_idle();
    else lf_program_run(b, slot);
}

static void run(lf_byte *b, lf_slot slot) { (void)b; ran = slot; }
static void wake(lf_byte *b, lf_slot slot, uint8_t clause)
{
    woken = slot;
    woken_clause = clause;
    lf_policy_leaves(b, slot, 0);
}
/* Slot 2 waits for the interrupts with even bits. */
static void interrupt(lf_byte *b, uint8_t bit, struct lf_meeting *m)
{
    interrupted = bit;
    if (bit % 2 == 0) lf_policy_alternative(b, m, LF_NONE, 2, LF_NONE, 0);
}
static void take(lf_byte *b, uint8_t bit, struct lf_meeting *m) { (void)b; taken = bit * 10 + m->partner; }
static lf_slot reader(lf_byte *b) { (void)b; return reading; }
static void console(lf_byte *b, lf_slot slot, uint8_t c) { (void)b; given = slot; byte_given = c; }

static void start(void)
{
    memory = lf_memory;
    block = lf_memory + POLICY_SIZE;
    memset(lf_memory, 0, sizeof lf_memory);
    memset(written, 0, sizeof written);
    written_size = idled = 0;
    memory[TAKER_AT] = LF_NOBODY;
    milliseconds = 0;
    received = -1;
    reading = LF_NONE;
    for (unsigned i = 0; i <= INTERRUPTS; i++) lf_port_came[i] = 0;
    ran = woken = woken_clause = given = byte_given = interrupted = taken = -1;
    program.run = run;
    program.wake = wake;
    program.reader = reader;
    program.console = console;
    program.interrupt = interrupt;
    program.take = take;
    program.initialise = NULL;
}

static void pass(void)
{
    ran = woken = given = interrupted = taken = -1;
    lf_step();
}

/* --- tests ----------------------------------------------------------------------------------------------------- */

static void lost_bytes_are_told_before_the_next_one(void)
{
    start();
    lost = 0x2A;
    received = 'z';
    CHECK(lf_policy_console_in(block) == 'z' && strcmp(written, "\n!lost 2A\n") == 0);
    CHECK(lf_policy_console_in(block) == -1 && strcmp(written, "\n!lost 2A\n") == 0);
}

static void the_watchdog_is_fed_at_each_pass_and_stopped_at_a_fault(void)
{
    start();
    fed = stopped_watchdog = 0;
    pass();
    pass();
    CHECK(fed == 2 && stopped_watchdog == 0);
    if (setjmp(stopped) == 0) lf_fault(block, 1, 2, 3, 4);
    CHECK(stopped_watchdog == !FAULT_RESETS);
}

static void a_pass_wakes_then_reads_then_runs(void)
{
    start();
    put_at(0, BASE);
    milliseconds = 10;
    if (SLEEPERS) {
        lf_policy_sleeps(block, 2, 5, 10);
        lf_policy_sleeps(block, 3, LF_NONE, 0xFFFFFFFFu);
    }
    reading = 1;
    pass();
    CHECK(ran == 0 && woken == -1 && given == -1);
    received = 'x';
    milliseconds = 20;
    if (SLEEPERS) {
        pass();
        CHECK(woken == 2 && woken_clause == 5 && ran == -1 && given == -1);
    }
    if (READERS) {
        pass();
        CHECK(given == 1 && byte_given == 'x' && ran == -1 && woken == -1);
    }
    pass();
    CHECK(ran == 0 && woken == -1 && given == -1);
    reading = LF_NONE;
    received = 'y';
    pass();
    CHECK(ran == 0 && received == 'y'); /* nobody reads: the byte stays */
    put_at(0, 0);
    pass();
    CHECK(ran == -1 && idled == 1);
}

static void an_interrupt_comes_first_and_once(void)
{
    start();
    put_at(0, BASE);
    if (INTERRUPTS == 0) {
        pass();
        CHECK(ran == 0 && interrupted == -1);
        return;
    }
    if (INTERRUPTS == 1) return; /* the next test has it */
    lf_port_came[3] = LF_CAME;
    lf_port_came[8] = LF_CAME | LF_MASKED;
    pass();
    CHECK(interrupted == 3 && taken == -1 && ran == -1); /* nobody waits for it */
    CHECK(lf_is_pending(block, 3) && lf_port_came[3] == 0);
    pass();
    CHECK(interrupted == 8 && taken == 82 && ran == -1);
    CHECK(!lf_is_pending(block, 8) && lf_port_came[8] == LF_MASKED); /* until somebody listens */
    pass();
    CHECK(interrupted == -1 && ran == (TAKERS_FIRST ? 2 : 0));
}

/* It rests 32 ms after somebody ran or the port last saw a device at work, if the program asks for it and nobody sleeps. */
static void a_calm_board_rests(void)
{
    if (!RESTS) return;
    start();
    lf_byte *deep = block + lf_deep_at;
    rested = 0;
    may_rest = true;
    put_at(0, BASE);
    milliseconds = 1000;
    pass();
    CHECK(ran == 0);
    put_at(0, 0);
    milliseconds = 1500;
    pass();
    CHECK(idled == 1 && rested == 0);
    *deep = 1;
    may_rest = false;
    pass();
    CHECK(idled == 2 && rested == 0);
    may_rest = true;
    idled = 0;
    milliseconds = 1531;
    pass();
    CHECK(idled == 1 && rested == 0);
    milliseconds = 1532;
    pass();
    CHECK(idled == 1 && rested == 1);
    if (SLEEPERS) {
        lf_policy_sleeps(block, 2, LF_NONE, 5000);
        pass();
        CHECK(idled == 2 && rested == 1);
    }
}

/* Who takes an interrupt runs next, then an ordinary turn comes, behind whoever had the last one, before any other interrupt
 * is looked at; of several, each has its turn. */
static void the_taker_runs_next_and_then_another(void)
{
    if (!TAKERS_FIRST) return;
    start();
    lf_start_cursor(block);
    put_at(0, BASE);
    put_at(1, BASE);
    put_at(2, BASE);
    put_at(3, BASE);
    pass();
    CHECK(ran == 0 && memory[TAKER_AT] == LF_NOBODY);
    for (int turn = 1; turn < 4; turn++) {
        lf_port_came[0] = LF_CAME;
        pass();
        CHECK(interrupted == 0 && ran == -1 && memory[TAKER_AT] == 2);
        lf_port_came[0] = LF_CAME;
        milliseconds = 7;
        if (SLEEPERS) lf_policy_sleeps(block, 3, LF_NONE, 0);
        pass();
        CHECK(interrupted == -1 && woken == -1 && ran == 2 && memory[TAKER_AT] == LF_TURN_OWED);
        if (SLEEPERS) {
            pass();
            CHECK(interrupted == -1 && woken == 3 && ran == -1 && memory[TAKER_AT] == LF_TURN_OWED);
        }
        pass();
        CHECK(interrupted == -1 && ran == turn && memory[TAKER_AT] == LF_NOBODY);
    }
    for (int s = 0; s < 4; s++) put_at((lf_slot)s, 0);
    lf_port_came[0] = 0;
    pass();
    CHECK(ran == -1 && memory[TAKER_AT] == LF_NOBODY);
    idled = 0;
    memory[TAKER_AT] = LF_TURN_OWED; /* nobody has it: the next pass looks at interrupts, and only then the board sleeps */
    pass();
    CHECK(ran == -1 && idled == 0 && memory[TAKER_AT] == LF_NOBODY);
    pass();
    CHECK(idled == 1);
    if (INTERRUPTS == 1) return;
    put_at(2, BASE);
    for (int i = 0; i < 4; i++) { /* the first, the last, the first, ... */
        lf_port_came[0] = lf_port_came[INTERRUPTS - 2] = LF_CAME;
        pass();
        CHECK_EQUAL(interrupted, i % 2 ? 0 : INTERRUPTS - 2);
        pass();
        CHECK(ran == 2);
        pass();
        CHECK(ran == 2 && memory[TAKER_AT + 1] == (i % 2 ? 0 : INTERRUPTS - 2) + 1);
    }
    lf_port_came[INTERRUPTS - 1] = LF_CAME; /* nobody takes it: it is pending, and the first is next */
    lf_port_came[0] = 0;
    lf_port_came[INTERRUPTS - 2] = 0;
    pass();
    CHECK(interrupted == INTERRUPTS - 1 && memory[TAKER_AT] == LF_NOBODY && memory[TAKER_AT + 1] == 0);
}

static void the_scheduler_is_that_of_the_program(void)
{
    start();
    put_at(1, BASE);
    put_at(3, BASE);
    milliseconds = 0xFFFFFFF0u;
    for (int i = 0; i < SLOTS; i++) lf_policy_ended(block, (lf_slot)i);
    lf_policy_created(block, 3, 0x0F);
    lf_policy_created(block, 1, LF_NO_DEADLINE);
    int order[4];
    for (int i = 0; i < 4; i++) {
        pass();
        order[i] = ran;
    }
    if (DEADLINES)
        CHECK(order[0] == 3 && order[1] == 3 && order[2] == 3);
    else
        CHECK(order[0] == 1 && order[1] == 3 && order[2] == 1 && order[3] == 3);
}

static void initialise(lf_byte *b) { lf_set_position(b, POSITIONS_AT, 0, WIDE, BASE); }

static int runs_left;

static void run_and_end(lf_byte *b, lf_slot slot)
{
    if (--runs_left == 0) lf_set_position(b, POSITIONS_AT, slot, WIDE, 0);
}

static void the_loop_initialises_and_never_returns(void)
{
    start();
    program.initialise = initialise;
    program.run = run_and_end;
    runs_left = 5;
    int how = setjmp(stopped);
    if (how == 0) lf_main();
    CHECK_EQUAL(how, 1);
    CHECK(runs_left == 0 && idled == 3);
    if (DEADLINES)
        for (int i = 0; i < SLOTS; i++) CHECK_EQUAL(lf_load32(memory + DEADLINES_AT + 4 * i), LF_NO_DEADLINE);
}

static int how_a_fault_stops(uint8_t kind, uint16_t site, int32_t first, int32_t second)
{
    int how = setjmp(stopped);
    if (how == 0) lf_fault(block, kind, site, first, second);
    return how;
}

static void a_fault_says_its_line_and_stops(void)
{
    static const char *const texts[] = {"first\n", "\n", "third\n"};
    for (uint16_t site = 0; site < 3; site++) {
        start();
        access_value = 0;
        CHECK_EQUAL(how_a_fault_stops(LF_FAULT_OVERFLOW, site, INT32_MIN, -1), FAULT_RESETS ? 3 : 2);
        CHECK_EQUAL(access_value, 0x5AFE); /* before anything was written */
        char want[64];
        const char *text = FAULT_TEXTS ? texts[site] : "";
        snprintf(want, sizeof want, "\n!fault 00000003 0000000%d 80000000 FFFFFFFF\n%s", (int)site, text);
        CHECK(strcmp(written, want) == 0);
    }
    start();
    if (!FAULT_TEXTS) { /* a site has two bytes */
        how_a_fault_stops(LF_FAULT_CASE, 0x1234, 1, 2);
        CHECK(strcmp(written, "\n!fault 00000005 00001234 00000001 00000002\n") == 0);
    }
}

static void decisions_of_a_board(void)
{
    start();
    CHECK_EQUAL(lf_policy_choice(block, 7), 0);
    struct lf_meeting m;
    lf_meeting_begin(&m);
    CHECK(!lf_policy_meet(block, &m));
    lf_policy_waits(block, 2, 1);
    lf_policy_waits(block, 1, 1);
    lf_policy_alternative(block, &m, LF_NONE, 1, LF_NONE, 1);
    lf_policy_alternative(block, &m, LF_NONE, 2, LF_NONE, 1);
    CHECK(lf_policy_meet(block, &m) && m.partner == 2);
    lf_policy_leaves(block, 2, 1);
    CHECK(arrivals()[0] == 1 && arrivals()[1] == 1);
    lf_policy_waits(block, 2, 0); /* alone in its queue: its arrival is not kept */
    CHECK(arrivals()[0] == 1);
}

static void inputs_and_outputs_are_those_of_the_port(void)
{
    start();
    CHECK(lf_policy_in8(block, 5) == 0xAB && accessed == 5);
    CHECK(lf_policy_in16(block, 6) == 0xABCD && accessed == 6);
    CHECK(lf_policy_in32(block, 7) == 0xABCDEF01u && accessed == 7);
    lf_policy_out8(block, 8, 0xFE);
    CHECK(accessed == 8 && access_value == 0xFE);
    lf_policy_out16(block, 9, 0xFEDC);
    CHECK(accessed == 9 && access_value == 0xFEDC);
    lf_policy_out32(block, 0xFFFFFFFFu, 0xFEDCBA98u);
    CHECK(accessed == 0xFFFFFFFFu && access_value == 0xFEDCBA98u);
    milliseconds = 0xFFFFFFFEu;
    CHECK_EQUAL(lf_policy_clock(block), 0xFFFFFFFEu);
    CHECK_EQUAL(lf_load32(memory + CLOCK_AT), 0xFFFFFFFEu);
    CHECK_EQUAL(lf_policy_console_in(block), -1);
    received = 200;
    CHECK_EQUAL(lf_policy_console_in(block), 200);
    lf_policy_console_out(block, 'q');
    CHECK(written_size == 1 && written[0] == 'q');
}

static const struct test tests[] = {
    TEST(lost_bytes_are_told_before_the_next_one),
    TEST(the_watchdog_is_fed_at_each_pass_and_stopped_at_a_fault),
    TEST(a_pass_wakes_then_reads_then_runs),
    TEST(an_interrupt_comes_first_and_once),
    TEST(a_calm_board_rests),
    TEST(the_taker_runs_next_and_then_another),
    TEST(the_scheduler_is_that_of_the_program),
    TEST(the_loop_initialises_and_never_returns),
    TEST(a_fault_says_its_line_and_stops),
    TEST(decisions_of_a_board),
    TEST(inputs_and_outputs_are_those_of_the_port),
};

MAIN(tests)
