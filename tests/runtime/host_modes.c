/* The host's policies: how each mode decides, what is recorded, and how following a record can diverge. */
#include "processes.h"

static uint8_t schedule[64];

static void set_schedule(const uint8_t *wanted, uint32_t size)
{
    memcpy(schedule, wanted, size);
    lf_host.mode = LF_HOST_FOLLOW;
    lf_host.schedule = schedule;
    lf_host.schedule_size = size;
    lf_host.schedule_at = 0;
}

#define SCHEDULE(...) set_schedule((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* One step along these items, in which the running slot does `action`. */
#define FOLLOW(action, ...) (SCHEDULE(__VA_ARGS__), program.run = (action), lf_host_step(block))

/* --- actions that ask ------------------------------------------------------------------------------------------ */

static uint32_t answers[4];

static void ask_ports(lf_byte *b, lf_slot slot)
{
    (void)slot;
    answers[0] = lf_policy_in8(b, 0x25);
    answers[1] = lf_policy_in16(b, 0x26);
    answers[2] = lf_policy_in32(b, 0x12345678);
}

static void write_ports(lf_byte *b, lf_slot slot)
{
    (void)slot;
    lf_policy_out8(b, 0x25, 0xFE);
    lf_policy_out16(b, 0x26, 0xFEDC);
    lf_policy_out32(b, 0x12345678, 0xFEDCBA98u);
}

static void ask_clock(lf_byte *b, lf_slot slot)
{
    (void)slot;
    answers[0] = lf_policy_clock(b);
}

static void choose(lf_byte *b, lf_slot slot)
{
    (void)slot;
    answers[0] = lf_policy_choice(b, 3);
}

static void choose_twice(lf_byte *b, lf_slot slot)
{
    choose(b, slot);
    answers[1] = lf_policy_choice(b, 2);
}

static void choose_of_one(lf_byte *b, lf_slot slot)
{
    (void)slot;
    answers[0] = lf_policy_choice(b, 1);
}

static void write_console(lf_byte *b, lf_slot slot)
{
    (void)slot;
    lf_policy_console_out(b, 'o');
    lf_policy_console_out(b, 'k');
}

static void do_nothing(lf_byte *b, lf_slot slot) { (void)b, (void)slot; }

static void vanish(lf_byte *b, lf_slot slot)
{
    (void)b;
    put_at(slot, 0);
}

/* --- recording ------------------------------------------------------------------------------------------------- */

/* Of each port read of the last step, as far as there is room; a reading of the clock is none. */
static void addresses_of_reads_are_told(void)
{
    uint32_t addresses[2] = {0, 0};
    start_processes(LF_HOST_ROUND_ROBIN);
    lf_host.addresses = addresses;
    lf_host.addresses_room = 2;
    CHECK_EQUAL(act(1, ask_ports), LF_HOST_RAN);
    CHECK_EQUAL(lf_host.addresses_used, 2);
    CHECK(addresses[0] == 0x25 && addresses[1] == 0x26);
    CHECK_EQUAL(act(1, ask_clock), LF_HOST_RAN);
    CHECK_EQUAL(lf_host.addresses_used, 0);
}

static void outputs_are_recorded(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    CHECK_EQUAL(act(1, write_ports), LF_HOST_RAN);
    CHECK(ITEMS(0x01, 1, 0x30, 8, 0x25, 0, 0, 0, 0xFE, 0, 0, 0, 0x30, 16, 0x26, 0, 0, 0, 0xDC, 0xFE, 0, 0, //
                0x30, 32, 0x78, 0x56, 0x34, 0x12, 0x98, 0xBA, 0xDC, 0xFE));
    CHECK_EQUAL(act(1, write_console), LF_HOST_RAN);
    CHECK(ITEMS(0x01, 1, 0x31, 'o', 0x31, 'k'));
    CHECK(lf_host.out_used == 2 && output[0] == 'o' && output[1] == 'k');
    CHECK_EQUAL(lf_host.steps, 2);
}

static void a_full_buffer_is_not_overrun(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    lf_host.items_room = 3;
    items[3] = 0x77;
    lf_host.out_room = 1;
    output[1] = 0x77;
    CHECK_EQUAL(act(1, write_console), LF_HOST_RAN);
    CHECK(lf_host.items_used == 6 && items[2] == 0x31 && items[3] == 0x77);
    CHECK(lf_host.out_used == 2 && output[1] == 0x77);
    lf_host.items_room = 0;
    CHECK_EQUAL(act(1, write_console), LF_HOST_RAN);
    CHECK_EQUAL(act(1, write_ports), LF_HOST_RAN);
    CHECK_EQUAL(items[2], 0x31);
    lf_host.mode = LF_HOST_SCRIPT;
    lf_host.alternatives_room = 1;
    alternatives[1] = 0x77;
    CHECK_EQUAL(act(1, choose_twice), LF_HOST_RAN);
    CHECK(lf_host.asked == 2 && alternatives[0] == 3 && alternatives[1] == 0x77);
}

static void many_steps_stop_before_the_output_overflows(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    program.run = write_console;
    uint32_t status = 99;
    CHECK_EQUAL(lf_host_run(block, 5, &status), 5);
    CHECK_EQUAL(status, LF_HOST_RAN);
    CHECK_EQUAL(lf_host_run(block, 1000, &status), 11); /* 2 bytes each, up to half of 64 */
    CHECK_EQUAL(lf_host.out_used, 32);
    lf_host.out_used = 0;
    program.run = vanish;
    CHECK_EQUAL(lf_host_run(block, 1000, &status), SLOTS + 1);
    CHECK_EQUAL(status, LF_HOST_ENDED);
}

/* --- status ---------------------------------------------------------------------------------------------------- */

static void a_run_ends_blocks_or_waits(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    for (int i = 0; i < SLOTS; i++) CHECK_EQUAL(act((lf_slot)i, vanish), LF_HOST_RAN);
    CHECK_EQUAL(lf_host_step(block), LF_HOST_ENDED);
    receives(1, 1, 0);
    put_at(0, 0);
    CHECK_EQUAL(lf_host_step(block), INTERRUPTS ? LF_HOST_WAITING : LF_HOST_BLOCKED);
    act(2, read_console);
    CHECK_EQUAL(lf_host_step(block), LF_HOST_WAITING);
    put_at(2, 0);
    request.milliseconds = 5;
    if (SLEEPERS) {
        act(2, sleep_a_while);
        CHECK_EQUAL(lf_host_step(block), LF_HOST_WAITING);
    }
}

/* --- deciding -------------------------------------------------------------------------------------------------- */

static void the_earliest_deadline_runs(void)
{
    start_processes(LF_HOST_EARLIEST);
    program.run = do_nothing;
    CHECK_EQUAL(lf_host_step(block), LF_HOST_RAN);
    CHECK(ITEMS(0x01, 0));
    lf_host.now = 100;
    lf_policy_created(block, 6, 50);
    lf_policy_created(block, 5, LF_NO_DEADLINE);
    CHECK_EQUAL(lf_host_step(block), LF_HOST_RAN);
    CHECK(DEADLINES ? ITEMS(0x01, 6) : 1);
    CHECK_EQUAL(lf_load32(memory + DEADLINES_AT + 4 * 6), 150);
    lf_policy_ended(block, 6);
    CHECK_EQUAL(lf_host_step(block), LF_HOST_RAN);
    CHECK(ITEMS(0x01, 0));
}

static void random_runs_everybody(void)
{
    int ran[SLOTS] = {0}, interrupted = 0;
    start_processes(LF_HOST_RANDOM);
    put_at(3, AT_RECEIVE);
    program.run = do_nothing;
    for (int i = 0; i < 400; i++) {
        CHECK_EQUAL(lf_host_step(block), LF_HOST_RAN);
        CHECK_EQUAL(items[0], 0x01);
        ran[items[1]]++;
    }
    for (int i = 0; i < SLOTS; i++) CHECK(i == 3 ? ran[i] == 0 : ran[i] > 10);
    lf_host.interrupts = 1;
    for (int i = 0; i < 400; i++) {
        CHECK_EQUAL(lf_host_step(block), LF_HOST_RAN);
        interrupted += items[0] == 0x02;
    }
    CHECK(INTERRUPTS ? interrupted > 20 && interrupted < 150 : interrupted == 0);
    for (int i = 0; i < SLOTS; i++) put_at((lf_slot)i, 0);
    lf_host.interrupts = 0;
    CHECK_EQUAL(lf_host_step(block), LF_HOST_ENDED);
}

static void inputs_are_random_or_zero(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    uint32_t all_of[3] = {0};
    for (int i = 0; i < 100; i++) {
        act(1, ask_ports);
        for (int k = 0; k < 3; k++) all_of[k] |= answers[k];
        CHECK(lf_host.items_used == 12 && items[2] == 0x20 && items[4] == 0x21 && items[7] == 0x22);
        CHECK(items[3] == answers[0] && lf_load16(items + 5) == answers[1] && lf_load32(items + 8) == answers[2]);
    }
    CHECK(all_of[0] == 0xFF && all_of[1] == 0xFFFF && all_of[2] == 0xFFFFFFFFu);
    lf_host.inputs_are_zero = 1;
    act(1, ask_ports);
    CHECK(answers[0] == 0 && answers[1] == 0 && answers[2] == 0);
    lf_host.now = 0xFEDCBA98u;
    act(1, ask_clock);
    CHECK_EQUAL(answers[0], 0xFEDCBA98u);
    CHECK(ITEMS(0x01, 1, 0x23, 0x98, 0xBA, 0xDC, 0xFE));
    CHECK_EQUAL(lf_load32(memory + CLOCK_AT), 0xFEDCBA98u);
}

static void a_choice_is_the_first_or_any(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    act(1, choose);
    CHECK_EQUAL(answers[0], 0);
    CHECK(ITEMS(0x01, 1, 0x12, 0));
    int chosen[3] = {0};
    start_processes(LF_HOST_RANDOM);
    program.run = choose;
    for (int i = 0; i < 100; i++) {
        lf_host_step(block);
        chosen[answers[0]]++;
    }
    CHECK(chosen[0] > 10 && chosen[1] > 10 && chosen[2] > 10);
}

static void a_script_names_every_decision(void)
{
    start_processes(LF_HOST_SCRIPT);
    const uint32_t wanted[] = {2, 1};
    memcpy(script, wanted, sizeof wanted);
    lf_host.script_size = 2;
    CHECK_EQUAL(act(1, choose_twice), LF_HOST_RAN);
    CHECK(answers[0] == 2 && answers[1] == 1);
    CHECK(lf_host.asked == 2 && alternatives[0] == 3 && alternatives[1] == 2);
    lf_host.script_size = 1;
    CHECK_EQUAL(act(1, choose_twice), LF_HOST_RAN);
    CHECK(answers[0] == 2 && answers[1] == 0); /* past its end: the first */
    script[0] = 3;
    CHECK_EQUAL(act(1, choose_of_one), LF_HOST_RAN);
    CHECK(answers[0] == 0 && lf_host.asked == 0); /* of one it is no decision */
    CHECK_EQUAL(act(1, choose_twice), LF_HOST_DIVERGED);
    const uint32_t values[] = {0xAB, 0xFEDC, 0xFEDCBA98u};
    memcpy(script, values, sizeof values);
    lf_host.script_size = 3;
    CHECK_EQUAL(act(1, ask_ports), LF_HOST_RAN);
    CHECK(answers[0] == 0xAB && answers[1] == 0xFEDC && answers[2] == 0xFEDCBA98u);
    CHECK(alternatives[0] == 256 && alternatives[1] == 65536 && alternatives[2] == 0);
    request.milliseconds = 5;
    if (SLEEPERS) act(2, sleep_a_while);
    CHECK(arrivals()[0] == 0 && (!SLEEPERS || sleepers()[0] == 0)); /* nothing is remembered */
}

/* --- following ------------------------------------------------------------------------------------------------- */

static void following_does_what_was_recorded(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    CHECK_EQUAL(FOLLOW(ask_ports, 0x01, 3, 0x20, 0xAB, 0x21, 0xDC, 0xFE, 0x22, 1, 2, 3, 0x84), LF_HOST_RAN);
    CHECK(ITEMS(0x01, 3, 0x20, 0xAB, 0x21, 0xDC, 0xFE, 0x22, 1, 2, 3, 0x84));
    CHECK(answers[0] == 0xAB && answers[1] == 0xFEDC && answers[2] == 0x84030201u);
    CHECK_EQUAL(FOLLOW(ask_clock, 0x01, 3, 0x23, 1, 2, 3, 4), LF_HOST_RAN);
    CHECK_EQUAL(answers[0], 0x04030201);
    CHECK_EQUAL(FOLLOW(choose_twice, 0x01, 3, 0x12, 2, 0x12, 1), LF_HOST_RAN);
    CHECK(answers[0] == 2 && answers[1] == 1);
    CHECK_EQUAL(lf_host_step(block), LF_HOST_FINISHED);
    CHECK_EQUAL(lf_host.items_used, 0);
}

static void following_passes_over_outputs_digests_and_idling(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    SCHEDULE(0x42, 0x01, 1, 0x31, 'o', 0x31, 'k', 0x40, 9, 9, 0x42, 0x01, 2, 0x30, 8, 1, 2, 3, 4, 5, 6, 7, 8,
             0x40, 9, 9, 0x41, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    program.run = write_console;
    CHECK_EQUAL(lf_host_step(block), LF_HOST_RAN);
    CHECK(ITEMS(0x01, 1, 0x31, 'o', 0x31, 'k'));
    CHECK_EQUAL(lf_host_step(block), LF_HOST_RAN);
    CHECK(ITEMS(0x01, 2, 0x31, 'o', 0x31, 'k'));
    CHECK_EQUAL(lf_host_step(block), LF_HOST_FINISHED);
}

static void following_chooses_the_recorded_partner(void)
{
    for (lf_slot partner = 1; partner < 4; partner++) {
        start_processes(LF_HOST_ROUND_ROBIN);
        for (lf_slot s = 1; s < 4; s++) sends(s, 1, s);
        CHECK_EQUAL(FOLLOW(receive, 0x01, 7, 0x10, LF_NONE, partner, LF_NONE), LF_HOST_RAN);
        CHECK_EQUAL(x_of(7), partner);
        CHECK_EQUAL(position_of(partner), SENT);
        CHECK_EQUAL(arrivals()[0], 2);
    }
    start_processes(LF_HOST_ROUND_ROBIN);
    CHECK_EQUAL(FOLLOW(receive, 0x01, 7), LF_HOST_RAN);
    CHECK_EQUAL(position_of(7), AT_RECEIVE);
}

static void following_takes_the_recorded_interrupt(void)
{
    if (!INTERRUPTS) return;
    start_processes(LF_HOST_ROUND_ROBIN);
    lf_set_pending(block, BIT);
    lf_set_pending(block, LATE_BIT);
    CHECK_EQUAL(FOLLOW(select_interrupt, 0x01, 4, 0x11, 1), LF_HOST_RAN);
    CHECK_EQUAL(position_of(4), CLAUSE1);
    CHECK(lf_is_pending(block, BIT) && !lf_is_pending(block, LATE_BIT));
    put_at(4, START);
    CHECK_EQUAL(FOLLOW(select_interrupt, 0x01, 4, 0x11, 1), LF_HOST_DIVERGED); /* not pending */
}

static void following_diverges(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    put_at(5, 0);
    put_at(6, AT_RECEIVE);
    CHECK_EQUAL(FOLLOW(do_nothing, 0x01, 5), LF_HOST_DIVERGED);                      /* nobody is there */
    CHECK_EQUAL(FOLLOW(do_nothing, 0x01, 6), LF_HOST_DIVERGED);                      /* it waits */
    CHECK_EQUAL(FOLLOW(do_nothing, 0x01, SLOTS), LF_HOST_DIVERGED);                  /* there is no such slot */
    CHECK_EQUAL(FOLLOW(do_nothing, 0x01, LF_NONE), LF_HOST_DIVERGED);
    CHECK_EQUAL(FOLLOW(do_nothing, 0x01), LF_HOST_DIVERGED);                         /* cut off */
    CHECK_EQUAL(FOLLOW(do_nothing, 0x00), LF_HOST_DIVERGED);                         /* no item */
    CHECK_EQUAL(FOLLOW(do_nothing, 0x07, 1), LF_HOST_DIVERGED);
    CHECK_EQUAL(FOLLOW(do_nothing, 0x12, 1), LF_HOST_DIVERGED);                      /* a decision, and no event */
    CHECK_EQUAL(FOLLOW(do_nothing, 0x01, 1, 0x12, 0), LF_HOST_DIVERGED);             /* nobody asked */
    CHECK_EQUAL(FOLLOW(choose, 0x01, 1), LF_HOST_DIVERGED);                          /* no answer */
    CHECK_EQUAL(FOLLOW(choose, 0x01, 1, 0x01, 1), LF_HOST_DIVERGED);                 /* another step's */
    CHECK_EQUAL(FOLLOW(choose, 0x01, 1, 0x12, 3), LF_HOST_DIVERGED);                 /* no such branch */
    CHECK_EQUAL(FOLLOW(choose, 0x01, 1, 0x20, 0), LF_HOST_DIVERGED);                 /* another answer */
    CHECK_EQUAL(FOLLOW(choose, 0x01, 1, 0x12), LF_HOST_DIVERGED);                    /* half an answer */
    CHECK_EQUAL(FOLLOW(ask_clock, 0x01, 1, 0x23, 1, 2, 3), LF_HOST_DIVERGED);
    CHECK_EQUAL(FOLLOW(ask_ports, 0x01, 1, 0x20, 1, 0x21, 1, 1), LF_HOST_DIVERGED);
    CHECK_EQUAL(FOLLOW(receive, 0x01, 1, 0x10, LF_NONE, 2, LF_NONE), LF_HOST_DIVERGED); /* no partner */
}

static void following_diverges_from_another_meeting(void)
{
    const uint8_t wrong[][3] = {{LF_NONE, 2, LF_NONE}, {0, 1, LF_NONE}, {LF_NONE, 1, 0}, {LF_NONE, LF_NONE, LF_NONE}};
    for (int i = 0; i < 4; i++) {
        start_processes(LF_HOST_ROUND_ROBIN);
        sends(1, 1, 1);
        CHECK_EQUAL(FOLLOW(receive, 0x01, 7, 0x10, wrong[i][0], wrong[i][1], wrong[i][2]), LF_HOST_DIVERGED);
    }
    start_processes(LF_HOST_ROUND_ROBIN);
    sends(1, 1, 1);
    CHECK_EQUAL(FOLLOW(receive, 0x01, 7, 0x11, LF_NONE), LF_HOST_DIVERGED); /* no interrupt */
    CHECK_EQUAL(FOLLOW(receive, 0x01, 7), LF_HOST_DIVERGED);                /* it would have blocked */
    CHECK_EQUAL(FOLLOW(receive, 0x01, 7, 0x10, LF_NONE, 1), LF_HOST_DIVERGED);
    CHECK_EQUAL(FOLLOW(receive, 0x01, 7, 0x10, LF_NONE, 1, LF_NONE), LF_HOST_RAN);
}

static uint8_t fault_kind;

static void run_into_fault(lf_byte *b, lf_slot slot)
{
    choose(b, slot);
    lf_fault(b, fault_kind, (uint16_t)(1000 + fault_kind), INT32_MIN, INT32_MAX);
}

static void every_fault_reaches_the_caller(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    for (fault_kind = LF_FAULT_INDEX; fault_kind <= LF_FAULT_ENVIRONMENT; fault_kind++) {
        uint32_t status = act(2, run_into_fault);
        /* compiled code has only what is left of the budget: the bound is put in here */
        int32_t first = fault_kind == LF_FAULT_ENDLESS ? (int32_t)lf_host.rounds : INT32_MIN;
        CHECK_FAULT(status, fault_kind, 1000 + fault_kind, first);
        CHECK_EQUAL(lf_host.fault_second, INT32_MAX);
        CHECK(ITEMS(0x01, 2, 0x12, 0));
    }
    CHECK_EQUAL(lf_host.steps, 0);
}

static uint8_t small_buffers[2][8];
static uint32_t taken;

static void take_all(void)
{
    for (uint32_t i = 0; i < lf_host.out_used; i++) CHECK_EQUAL(lf_host.out[i], 'a' + (taken + i) % 26);
    taken += lf_host.out_used;
    lf_host.out_used = lf_host.items_used = 0;
}

static void write_much(lf_byte *b, lf_slot slot)
{
    choose(b, slot);
    for (unsigned i = 0; i < 100; i++) lf_policy_console_out(b, (uint8_t)('a' + i % 26));
}

static void buffers_that_are_full_are_taken(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    uint8_t *items = lf_host.items, *out = lf_host.out;
    uint32_t items_room = lf_host.items_room, out_room = lf_host.out_room;
    lf_host.items = small_buffers[0];
    lf_host.out = small_buffers[1];
    lf_host.items_room = 7;
    lf_host.out_room = 8;
    lf_host.overflow = take_all;
    taken = 0;
    CHECK_EQUAL(act(2, write_much), LF_HOST_RAN);
    take_all();
    CHECK_EQUAL(taken, 100);
    lf_host.items_room = 0; /* now the output alone is full */
    taken = 0;
    CHECK_EQUAL(act(2, write_much), LF_HOST_RAN);
    take_all();
    CHECK_EQUAL(taken, 100);
    lf_host.overflow = 0;
    lf_host.items = items;
    lf_host.items_room = items_room;
    lf_host.out = out;
    lf_host.out_room = out_room;
}

static uint32_t budget;

static void read_budget(lf_byte *b, lf_slot slot)
{
    (void)slot;
    memcpy(&budget, b - 4, 4);
    memset(b - 4, 0, 4);
}

static void each_action_has_its_budget(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    for (int i = 0; i < 2; i++) {
        budget = 0;
        act(2, read_budget);
        CHECK_EQUAL(budget, 1000);
    }
}

/* --- C that is linked in ---------------------------------------------------------------------------------------- */

bool lf_external_before(lf_byte *b);
void lf_external_wrote(lf_byte *b, const lf_byte *at, uint32_t size);
int32_t lf_external_after(const lf_byte *b);

static void take_what_c_wrote(lf_byte *b, lf_slot slot)
{
    (void)slot;
    answers[0] = lf_policy_any8(b, 0x81, 0x80, 0x7F, 1);
    answers[1] = lf_policy_any16(b, 5, 5, 5, 1);
    answers[2] = lf_policy_any32(b, 70000, 0, 0xFFFFFFFFu, 0);
}

static void what_c_wrote_is_an_input(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    CHECK_EQUAL(act(1, take_what_c_wrote), LF_HOST_RAN);
    CHECK(ITEMS(0x01, 1, 0x20, 0x81, 0x21, 5, 0, 0x22, 0x70, 0x11, 0x01, 0));
    CHECK(answers[0] == 0x81 && answers[1] == 5 && answers[2] == 70000);
    CHECK_EQUAL(FOLLOW(take_what_c_wrote, 0x01, 1, 0x20, 0x7E, 0x21, 9, 1, 0x22, 1, 0, 0, 0), LF_HOST_RAN);
    CHECK(answers[0] == 0x7E && answers[1] == 0x109 && answers[2] == 1);
}

static void a_script_tries_every_value_of_a_range(void)
{
    start_processes(LF_HOST_SCRIPT);
    script[0] = 3; /* from -128 on */
    lf_host.script_size = 1;
    CHECK_EQUAL(act(1, take_what_c_wrote), LF_HOST_RAN);
    CHECK(lf_host.asked == 1 && alternatives[0] == 256); /* a range of one and one that is too large are no decisions */
    CHECK(answers[0] == 0x83 && answers[1] == 5 && answers[2] == 70000);
}

static void inputs_that_are_given_are_no_decisions(void)
{
    start_processes(LF_HOST_SCRIPT);
    uint32_t given[] = {0xAB, 0xFEDC, 0xFEDCBA98u};
    lf_host.given = given;
    lf_host.given_size = 3;
    lf_host.given_at = 0;
    CHECK_EQUAL(act(1, ask_ports), LF_HOST_RAN);
    CHECK(answers[0] == 0xAB && answers[1] == 0xFEDC && answers[2] == 0xFEDCBA98u && lf_host.asked == 0);
    lf_host.given_size = 4;
    given[0] = 0x85;
    lf_host.given_at = 0;
    CHECK_EQUAL(act(1, take_what_c_wrote), LF_HOST_RAN);
    CHECK(answers[0] == 0x85 && lf_host.asked == 0);
    lf_host.given_at = lf_host.given_size = 3;
    CHECK_EQUAL(act(1, ask_ports), LF_HOST_RAN);
    CHECK(answers[0] == 0); /* past the last one */
    lf_host.given = NULL;
    lf_host.given_size = lf_host.given_at = 0;
}

static void ask_one_port_twice(lf_byte *b, lf_slot slot)
{
    (void)slot;
    answers[0] = lf_policy_in8(b, 0x40);
    answers[1] = lf_policy_in8(b, 0x41);
    answers[2] = lf_policy_in8(b, 0x40);
    answers[3] = lf_policy_in16(b, 0x40);
}

static void a_port_repeats_what_it_gave_last(void)
{
    start_processes(LF_HOST_SCRIPT);
    uint32_t given[200] = {7, 9, 11};
    for (int i = 128; i < 200; i++) given[i] = 3;
    lf_host.given = given;
    lf_host.given_size = 2;
    lf_host.given_at = 0;
    CHECK_EQUAL(act(1, ask_one_port_twice), LF_HOST_RAN);
    CHECK(answers[0] == 7 && answers[1] == 9 && answers[2] == 7); /* the other one, and what is older */
    CHECK_EQUAL(answers[3], 0); /* of 16 bits nothing was given there */
    lf_host.given_size = 200; /* there is room for 128: what comes behind is given, and not remembered */
    lf_host.given_at = 128;
    CHECK_EQUAL(act(1, ask_one_port_twice), LF_HOST_RAN);
    CHECK(answers[0] == 3 && answers[1] == 3 && answers[2] == 3 && answers[3] == 3);
    CHECK_EQUAL(act(1, take_what_c_wrote), LF_HOST_RAN);
    lf_host.given_size = lf_host.given_at;
    CHECK_EQUAL(act(1, ask_one_port_twice), LF_HOST_RAN);
    CHECK(answers[0] == 7 && answers[1] == 9 && answers[2] == 7);
    CHECK_EQUAL(act(1, take_what_c_wrote), LF_HOST_RAN); /* nothing is left for C */
    lf_host.given = NULL;
    lf_host.given_size = lf_host.given_at = 0;
}

static void c_is_not_called_where_its_results_are_known(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    CHECK(lf_external_before(block));
    lf_host.mode = LF_HOST_SCRIPT;
    CHECK(!lf_external_before(block));
    lf_host.mode = LF_HOST_FOLLOW;
    CHECK(!lf_external_before(block));
}

static void c_changes_only_what_it_declares(void)
{
    lf_byte elsewhere = 0;
    start_processes(LF_HOST_ROUND_ROBIN);
    CHECK(lf_external_before(block));
    CHECK_EQUAL(lf_external_after(block), -1);
    block[1]++;
    block[2]++;
    CHECK_EQUAL(lf_external_after(block), 1);
    lf_external_wrote(block, block + 1, 1);
    CHECK_EQUAL(lf_external_after(block), 2);
    lf_external_wrote(block, &elsewhere, 1);
    lf_external_wrote(block, block - 1, 4);
    lf_external_wrote(block, block + lf_block_size, 1);
    CHECK_EQUAL(lf_external_after(block), 2);
    lf_external_wrote(block, block + 2, 1);
    CHECK_EQUAL(lf_external_after(block), -1);
    block[1]--;
    block[2]--;
}

static const struct test tests[] = {
    TEST(outputs_are_recorded),
    TEST(addresses_of_reads_are_told),
    TEST(a_full_buffer_is_not_overrun),
    TEST(many_steps_stop_before_the_output_overflows),
    TEST(a_run_ends_blocks_or_waits),
    TEST(the_earliest_deadline_runs),
    TEST(random_runs_everybody),
    TEST(inputs_are_random_or_zero),
    TEST(a_choice_is_the_first_or_any),
    TEST(a_script_names_every_decision),
    TEST(following_does_what_was_recorded),
    TEST(following_passes_over_outputs_digests_and_idling),
    TEST(following_chooses_the_recorded_partner),
    TEST(following_takes_the_recorded_interrupt),
    TEST(following_diverges),
    TEST(following_diverges_from_another_meeting),
    TEST(every_fault_reaches_the_caller),
    TEST(buffers_that_are_full_are_taken),
    TEST(each_action_has_its_budget),
    TEST(what_c_wrote_is_an_input),
    TEST(a_script_tries_every_value_of_a_range),
    TEST(inputs_that_are_given_are_no_decisions),
    TEST(a_port_repeats_what_it_gave_last),
    TEST(c_is_not_called_where_its_results_are_known),
    TEST(c_changes_only_what_it_declares),
};

MAIN(tests)
