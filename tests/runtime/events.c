/* Interrupts, time and the console reach processes that wait. */
#include "processes.h"

static uint8_t schedule[64];

/* The host follows exactly these items. */
static uint32_t follow_items(const uint8_t *wanted, uint32_t size)
{
    memcpy(schedule, wanted, size);
    lf_host.mode = LF_HOST_FOLLOW;
    lf_host.schedule = schedule;
    lf_host.schedule_size = size;
    lf_host.schedule_at = 0;
    return lf_host_step(block);
}

#define FOLLOW(...) follow_items((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* The numbers of BIT and LATE_BIT. */
enum { NUMBER = 3, LATE_NUMBER = 255 };

/* --- interrupts ------------------------------------------------------------------------------------------------ */

static void an_interrupt_that_nobody_awaits_is_pending(void)
{
    start_processes(LF_HOST_FOLLOW);
    CHECK_EQUAL(FOLLOW(0x02, NUMBER, LF_NONE), LF_HOST_RAN);
    CHECK(ITEMS(0x02, NUMBER, LF_NONE));
    CHECK(block[PENDING_AT] == 1 && block[PENDING_AT + 1] == 0);
    CHECK_EQUAL(FOLLOW(0x02, LATE_NUMBER, LF_NONE), LF_HOST_RAN);
    CHECK(block[PENDING_AT] == 1 && block[PENDING_AT + 1] == 2);
    CHECK_EQUAL(FOLLOW(0x02, LATE_NUMBER, LF_NONE), LF_HOST_RAN); /* once more changes nothing */
    CHECK_EQUAL(block[PENDING_AT + 1], 2);
    CHECK(lf_is_pending(block, BIT) && lf_is_pending(block, LATE_BIT) && !lf_is_pending(block, 1));
    lf_host.mode = LF_HOST_ROUND_ROBIN;
    CHECK_EQUAL(act(1, await_interrupt), LF_HOST_RAN);
    CHECK(ITEMS(0x01, 1, 0x11, LF_NONE));
    CHECK_EQUAL(position_of(1), INTERRUPTED);
    CHECK(block[PENDING_AT] == 0 && block[PENDING_AT + 1] == 2);
    act(1, await_interrupt);
    CHECK_EQUAL(position_of(1), AT_INTERRUPT);
    act(2, select_interrupt);
    CHECK(ITEMS(0x01, 2, 0x11, 1));
    CHECK_EQUAL(position_of(2), CLAUSE1);
    CHECK_EQUAL(block[PENDING_AT + 1], 0);
}

static void the_chosen_waiter_takes_the_interrupt(void)
{
    for (lf_slot chosen = 0; chosen < 4; chosen++) {
        start_processes(LF_HOST_ROUND_ROBIN);
        for (lf_slot s = 0; s < 4; s++) act(s, await_interrupt);
        CHECK_EQUAL(FOLLOW(0x02, NUMBER, chosen), LF_HOST_RAN);
        CHECK(ITEMS(0x02, NUMBER, chosen));
        for (lf_slot s = 0; s < 4; s++) CHECK_EQUAL(position_of(s), s == chosen ? INTERRUPTED : AT_INTERRUPT);
        CHECK_EQUAL(block[PENDING_AT], 0);
        CHECK_EQUAL(arrivals()[0], 3);
    }
}

static void the_longest_waiting_takes_an_interrupt(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    const lf_slot order[] = {6, 1, 5};
    for (int i = 0; i < 3; i++) act(order[i], i == 1 ? select_interrupt : await_interrupt);
    for (int i = 0; i < 3; i++) {
        lf_interrupt(block, BIT);
        CHECK_EQUAL(position_of(order[i]), i == 1 ? CLAUSE0 : INTERRUPTED);
        CHECK_EQUAL(arrivals()[0], 2 - i);
    }
    lf_interrupt(block, BIT);
    CHECK_EQUAL(block[PENDING_AT], 1);
}

static void a_guard_keeps_an_interrupt_from_a_clause(void)
{
    for (uint8_t least = 0; least < 2; least++) {
        start_processes(LF_HOST_ROUND_ROBIN);
        request.least = least;
        act(3, select_interrupt);
        CHECK_EQUAL(position_of(3), AT_SELECT_INTERRUPT);
        CHECK_EQUAL(FOLLOW(0x02, NUMBER, 3), LF_HOST_RAN);
        CHECK_EQUAL(position_of(3), least ? CLAUSE2 : CLAUSE0);
        lf_host.mode = LF_HOST_ROUND_ROBIN;
        lf_set_pending(block, BIT);
        act(3, select_interrupt);
        CHECK_EQUAL(position_of(3), least ? CLAUSE2 : CLAUSE0);
        act(3, select_interrupt);
        CHECK_EQUAL(FOLLOW(0x02, LATE_NUMBER, 3), LF_HOST_RAN);
        CHECK_EQUAL(position_of(3), CLAUSE1);
    }
}

/* A record names no clause: so a process that could take an interrupt at two takes it at the first, always. */
static void an_interrupt_goes_to_the_first_clause(void)
{
    for (int seed = 1; seed < 20; seed++) {
        start_processes(LF_HOST_RANDOM);
        for (int i = 0; i < SLOTS; i++) put_at((lf_slot)i, 0);
        act(2, select_interrupt);
        lf_host.random = 0x9E3779B97F4A7C15u * (unsigned)seed;
        lf_host.interrupts = 1;
        while (lf_host_step(block) == LF_HOST_WAITING || position_of(2) == AT_SELECT_INTERRUPT) {}
        CHECK(position_of(2) == CLAUSE0 || position_of(2) == CLAUSE1);
        CHECK(ITEMS(0x02, NUMBER, 2) || ITEMS(0x02, LATE_NUMBER, 2));
    }
}

static void following_an_interrupt_can_diverge(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    act(1, await_interrupt);
    CHECK_EQUAL(FOLLOW(0x02, 77, 1), LF_HOST_DIVERGED);         /* no such interrupt */
    CHECK_EQUAL(FOLLOW(0x02, NUMBER, 2), LF_HOST_DIVERGED);     /* another one waits */
    start_processes(LF_HOST_ROUND_ROBIN);
    act(1, await_interrupt);
    CHECK_EQUAL(FOLLOW(0x02, NUMBER, LF_NONE), LF_HOST_DIVERGED); /* somebody waits */
    start_processes(LF_HOST_ROUND_ROBIN);
    CHECK_EQUAL(FOLLOW(0x02, NUMBER, 1), LF_HOST_DIVERGED);     /* nobody waits */
    CHECK_EQUAL(FOLLOW(0x02, NUMBER), LF_HOST_DIVERGED);        /* cut off */
}

static void fault_of_environment(lf_byte *b, lf_byte *frame, const lf_byte *values)
{
    (void)frame, (void)values;
    lf_fault(b, LF_FAULT_ENVIRONMENT, 5, -1, 8);
}

static void a_fault_on_the_way_of_an_interrupt_is_recorded(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    set_functions(INTERRUPT, NULL, fault_of_environment);
    act(1, await_interrupt);
    uint32_t status = FOLLOW(0x02, NUMBER, 1);
    CHECK_FAULT(status, LF_FAULT_ENVIRONMENT, 5, -1);
    CHECK(ITEMS(0x02, NUMBER, 1));
    start_processes(LF_HOST_ROUND_ROBIN); /* and meetings are recorded as such again */
    sends(1, 1, 1);
    receives(2, 1, 0);
    CHECK(ITEMS(0x01, 2, 0x10, LF_NONE, 1, LF_NONE));
}

/* --- time ------------------------------------------------------------------------------------------------------ */

static void everybody_waits(void)
{
    for (int slot = 0; slot < SLOTS; slot++)
        if (lf_is_ready(block, (lf_slot)slot)) put_at((lf_slot)slot, 0);
}

static void sleepers_wake_when_they_are_due(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    lf_host.now = 1000;
    request.milliseconds = 30;
    act(1, sleep_a_while);
    request.milliseconds = 20;
    act(2, sleep_a_while);
    request.milliseconds = 20;
    act(0, select_time);
    everybody_waits();
    uint32_t when = 0;
    CHECK_EQUAL(lf_host_next_wake(block, &when), 3);
    CHECK_EQUAL(when, 1020);
    lf_host.now = 1019;
    CHECK_EQUAL(lf_host_step(block), LF_HOST_WAITING);
    lf_host.now = 1020;
    CHECK_EQUAL(lf_host_step(block), LF_HOST_RAN);
    CHECK(ITEMS(0x03, 2, LF_NONE));
    CHECK_EQUAL(position_of(2), WOKEN);
    everybody_waits();
    CHECK_EQUAL(lf_host_step(block), LF_HOST_RAN);
    CHECK(ITEMS(0x03, 0, 1));
    CHECK_EQUAL(position_of(0), CLAUSE1);
    CHECK(waits_with_nothing(0));
    everybody_waits();
    CHECK_EQUAL(lf_host_step(block), LF_HOST_WAITING);
    lf_host.now = 1030;
    CHECK_EQUAL(lf_host_step(block), LF_HOST_RAN);
    CHECK_EQUAL(position_of(1), WOKEN);
    CHECK_EQUAL(lf_host_next_wake(block, &when), 0);
    CHECK_EQUAL(sleepers()[0], 0);
}

static void who_meets_does_not_wake(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    request.milliseconds = 20;
    act(3, select_time);
    CHECK_EQUAL(sleepers()[0], 1);
    CHECK_EQUAL(arrivals()[0], 1);
    sends(1, 1, 9);
    CHECK(position_of(1) == SENT && position_of(3) == CLAUSE0);
    CHECK_EQUAL(x_of(3), 9);
    CHECK_EQUAL(sleepers()[0], 0);
    CHECK_EQUAL(arrivals()[0], 0);
    sends(1, 1, 8);
    act(3, select_time);
    CHECK_EQUAL(position_of(3), CLAUSE0);
    CHECK_EQUAL(sleepers()[0], 0);
}

static void the_next_to_wake_is_found_when_the_clock_wraps(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    lf_host.now = 0xFFFFFFF0u;
    request.milliseconds = 0x20;
    act(1, sleep_a_while);
    request.milliseconds = 0x8;
    act(2, sleep_a_while);
    request.milliseconds = 0x30;
    act(3, sleep_a_while);
    uint32_t when = 0;
    CHECK_EQUAL(lf_host_next_wake(block, &when), 3);
    CHECK_EQUAL(when, 0xFFFFFFF8u);
}

static void following_a_wake_needs_no_clock(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    request.milliseconds = 1000000;
    act(1, sleep_a_while);
    act(2, select_time);
    CHECK_EQUAL(FOLLOW(0x03, 2, 1), LF_HOST_RAN);
    CHECK_EQUAL(position_of(2), CLAUSE1);
    CHECK_EQUAL(FOLLOW(0x03, 1, LF_NONE), LF_HOST_RAN);
    CHECK_EQUAL(position_of(1), WOKEN);
    CHECK_EQUAL(FOLLOW(0x03, 1, LF_NONE), LF_HOST_DIVERGED); /* it is awake */
    lf_host.mode = LF_HOST_ROUND_ROBIN;
    act(2, select_time);
    sends(4, 2, 1);
    CHECK_EQUAL(FOLLOW(0x03, 2, 0), LF_HOST_DIVERGED);       /* that clause waits for a message */
    CHECK_EQUAL(FOLLOW(0x03, 4, LF_NONE), LF_HOST_DIVERGED); /* it waits for no time */
    CHECK_EQUAL(FOLLOW(0x03, SLOTS, 0), LF_HOST_DIVERGED);   /* there is no such slot */
    put_at(5, 0);
    CHECK_EQUAL(FOLLOW(0x03, 5, LF_NONE), LF_HOST_DIVERGED); /* nobody is there */
    CHECK_EQUAL(FOLLOW(0x03, 2), LF_HOST_DIVERGED);          /* cut off */
    CHECK_EQUAL(position_of(2), AT_SELECT_TIME);
}

/* --- the console ----------------------------------------------------------------------------------------------- */

static void the_lowest_reader_gets_a_byte(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    act(SLOTS - 1, read_console);
    act(2, read_console);
    everybody_waits();
    CHECK_EQUAL(lf_program_reader(block), 2);
    CHECK_EQUAL(lf_host_step(block), LF_HOST_WAITING);
    lf_host.in = (const uint8_t *)"ab";
    lf_host.in_size = 2;
    CHECK_EQUAL(lf_host_step(block), LF_HOST_RAN);
    CHECK(ITEMS(0x04, 2, 'a'));
    CHECK_EQUAL(position_of(2), READ);
    CHECK_EQUAL(x_of(2), 'a');
    CHECK_EQUAL(lf_program_reader(block), SLOTS - 1);
    CHECK_EQUAL(lf_host_step(block), LF_HOST_RAN);
    CHECK_EQUAL(x_of(SLOTS - 1), 'b');
    CHECK_EQUAL(lf_program_reader(block), LF_NONE);
}

static void a_byte_that_is_there_is_read_at_once(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    lf_host.in = (const uint8_t *)"\xFF";
    lf_host.in_size = 1;
    CHECK_EQUAL(act(2, read_console), LF_HOST_RAN);
    CHECK(ITEMS(0x01, 2, 0x24, 0xFF));
    CHECK_EQUAL(x_of(2), 0xFF);
    CHECK_EQUAL(act(2, read_console), LF_HOST_RAN);
    CHECK_EQUAL(position_of(2), AT_READ);
}

static void following_console_input(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    act(2, read_console);
    CHECK_EQUAL(FOLLOW(0x04, 3, 'x'), LF_HOST_DIVERGED);     /* it does not read */
    CHECK_EQUAL(FOLLOW(0x04, SLOTS, 'x'), LF_HOST_DIVERGED); /* there is no such slot */
    sends(4, 2, 1);
    CHECK_EQUAL(FOLLOW(0x04, 4, 'x'), LF_HOST_DIVERGED);     /* it waits for something else */
    CHECK_EQUAL(FOLLOW(0x04, 2), LF_HOST_DIVERGED);          /* cut off */
    CHECK_EQUAL(FOLLOW(0x04, 2, 'x'), LF_HOST_RAN);
    CHECK_EQUAL(x_of(2), 'x');
    program.run = read_console;
    CHECK_EQUAL(FOLLOW(0x01, 3, 0x24, 'y'), LF_HOST_RAN);
    CHECK_EQUAL(x_of(3), 'y');
    CHECK_EQUAL(FOLLOW(0x01, 3), LF_HOST_RAN); /* nothing was there */
    CHECK_EQUAL(position_of(3), AT_READ);
    start_processes(LF_HOST_SCRIPT);
    script[0] = 'z';
    lf_host.script_size = 1;
    act(3, read_console);
    CHECK_EQUAL(x_of(3), 'z');
    CHECK_EQUAL(alternatives[0], 256);
}

static const struct test tests[] = {
    TEST(an_interrupt_that_nobody_awaits_is_pending),
    TEST(the_chosen_waiter_takes_the_interrupt),
    TEST(the_longest_waiting_takes_an_interrupt),
    TEST(a_guard_keeps_an_interrupt_from_a_clause),
    TEST(an_interrupt_goes_to_the_first_clause),
    TEST(following_an_interrupt_can_diverge),
    TEST(a_fault_on_the_way_of_an_interrupt_is_recorded),
    TEST(sleepers_wake_when_they_are_due),
    TEST(who_meets_does_not_wake),
    TEST(the_next_to_wake_is_found_when_the_clock_wraps),
    TEST(following_a_wake_needs_no_clock),
    TEST(the_lowest_reader_gets_a_byte),
    TEST(a_byte_that_is_there_is_read_at_once),
    TEST(following_console_input),
};

MAIN(tests)
