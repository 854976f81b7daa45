/* What a board decides and remembers: order of arrival, time, the schedulers. With 255 slots, all lists can be full. */
#define SLOTS 255
#define BLOCK_SIZE 1024
#include "hosted.h"

/* --- order of arrival ------------------------------------------------------------------------------------------ */

static void arrivals_keep_their_order(void)
{
    zero_memory();
    lf_arrivals_add(block, 7);
    lf_arrivals_add(block, 2);
    lf_arrivals_add(block, 9);
    lf_arrivals_add(block, 0);
    CHECK(lf_arrived_before(block, 7, 0));
    CHECK(lf_arrived_before(block, 2, 9));
    CHECK(!lf_arrived_before(block, 0, 7));
    CHECK(!lf_arrived_before(block, 9, 2));
    CHECK(!lf_arrived_before(block, 100, 101));
    lf_arrivals_remove(block, 2);
    lf_arrivals_remove(block, 55);
    CHECK_EQUAL(arrivals()[0], 3);
    CHECK(memcmp(arrivals() + 1, "\x07\x09\x00\x00\x00", 5) == 0);
    lf_arrivals_remove(block, 0);
    lf_arrivals_remove(block, 7);
    lf_arrivals_add(block, 2);
    CHECK(lf_arrived_before(block, 9, 2));
    lf_arrivals_remove(block, 9);
    lf_arrivals_remove(block, 2);
    for (int i = 0; i <= SLOTS; i++) CHECK_EQUAL(arrivals()[i], 0);
}

static void every_slot_can_arrive(void)
{
    zero_memory();
    for (int i = 0; i < SLOTS; i++) lf_board_waits(block, (lf_slot)(SLOTS - 1 - i), 1);
    CHECK_EQUAL(arrivals()[0], 255);
    CHECK_EQUAL(arrivals()[1], 254);
    CHECK_EQUAL(arrivals()[255], 0);
    CHECK(lf_arrived_before(block, 1, 0));
    CHECK(!lf_arrived_before(block, 0, 254));
    for (int i = 0; i < SLOTS; i++) lf_board_leaves(block, (lf_slot)i, 1, 0);
    for (int i = 0; i <= SLOTS; i++) CHECK_EQUAL(arrivals()[i], 0);
}

static void who_shares_no_queue_does_not_arrive(void)
{
    zero_memory();
    lf_board_waits(block, 3, 0);
    CHECK_EQUAL(arrivals()[0], 0);
    lf_board_waits(block, 3, 1);
    lf_board_leaves(block, 3, 0, 0);
    CHECK_EQUAL(arrivals()[0], 1);
}

/* --- which alternative ----------------------------------------------------------------------------------------- */

static struct lf_meeting meeting;

static void offer_alternative(uint8_t own, lf_slot partner, uint8_t theirs, uint8_t shares)
{
    lf_board_alternative(block, &meeting, own, partner, theirs, shares);
}

static int chosen(uint8_t own, lf_slot partner, uint8_t theirs)
{
    int is = meeting.found == 1 && meeting.own == own && meeting.partner == partner && meeting.theirs == theirs;
    lf_meeting_begin(&meeting);
    return is;
}

static void the_first_clause_then_the_longest_waiting_then_its_first_clause(void)
{
    zero_memory();
    lf_meeting_begin(&meeting);
    CHECK(meeting.found == 0 && meeting.own == LF_NONE && meeting.partner == LF_NONE && meeting.theirs == LF_NONE);
    lf_arrivals_add(block, 5);
    lf_arrivals_add(block, 3);
    lf_arrivals_add(block, 4);
    offer_alternative(0, 4, LF_NONE, 1);
    offer_alternative(1, 5, LF_NONE, 1);
    CHECK(chosen(0, 4, LF_NONE));
    offer_alternative(LF_NONE, 3, 2, 1);
    offer_alternative(LF_NONE, 5, 7, 1);
    offer_alternative(LF_NONE, 4, 0, 1);
    CHECK(chosen(LF_NONE, 5, 7));
    offer_alternative(LF_NONE, 3, 6, 1);
    offer_alternative(LF_NONE, 3, 2, 1);
    offer_alternative(LF_NONE, 3, 4, 1);
    CHECK(chosen(LF_NONE, 3, 2));
    offer_alternative(1, LF_NONE, LF_NONE, 0);
    offer_alternative(2, 5, 0, 1);
    CHECK(chosen(1, LF_NONE, LF_NONE));
    offer_alternative(LF_NONE, 8, 0, 0);
    offer_alternative(LF_NONE, 9, 0, 0);
    CHECK(chosen(LF_NONE, 8, 0));
}

/* --- time ------------------------------------------------------------------------------------------------------ */

/* The entry is slot, clause and time. */
static bool entry_is(uint8_t index, lf_slot slot, uint8_t clause, uint32_t when)
{
    const lf_byte *e = lf_sleeper(block, index);
    return e[0] == slot && e[1] == clause && lf_load32(e + 2) == when;
}

static void sleepers_stand_in_the_order_in_which_they_are_due(void)
{
    zero_memory();
    CHECK_EQUAL(lf_sleepers(block), 0);
    lf_sleepers_add(block, 1, LF_NONE, 0, 300);
    lf_sleepers_add(block, 2, 4, 50, 150);
    lf_sleepers_add(block, 3, LF_NONE, 60, 140); /* at the same time, but it began later */
    lf_sleepers_add(block, 0, LF_NONE, 60, 140);
    CHECK_EQUAL(lf_sleepers(block), 4);
    CHECK(entry_is(0, 2, 4, 200) && entry_is(1, 3, LF_NONE, 200) && entry_is(2, 0, LF_NONE, 200));
    CHECK(entry_is(3, 1, LF_NONE, 300));
    CHECK(!lf_sleeper_due(block, 199) && lf_sleeper_due(block, 200) && lf_sleeper_due(block, 900));
    lf_sleepers_remove(block, 3);
    CHECK(entry_is(0, 2, 4, 200) && entry_is(1, 0, LF_NONE, 200) && entry_is(2, 1, LF_NONE, 300));
    lf_sleepers_remove(block, 2);
    lf_sleepers_remove(block, 77);
    lf_board_leaves(block, 0, 0, 0);
    CHECK_EQUAL(lf_sleepers(block), 1);
    CHECK(!lf_sleeper_due(block, 299) && lf_sleeper_due(block, 300));
    lf_sleepers_remove(block, 1);
    for (int i = 0; i < 1 + 6 * SLOTS; i++) CHECK_EQUAL(sleepers()[i], 0);
}

static void of_several_clauses_the_first_that_is_due_counts(void)
{
    if (!TIMED_SELECTS) return;
    zero_memory();
    lf_sleepers_add(block, 5, LF_NONE, 0, 30);
    lf_sleepers_add(block, 6, 0, 0, 50);
    lf_sleepers_add(block, 6, 1, 0, 20);
    lf_sleepers_add(block, 6, 2, 0, 20);
    lf_sleepers_add(block, 6, 3, 0, 70);
    CHECK_EQUAL(lf_sleepers(block), 2);
    CHECK(entry_is(0, 6, 1, 20) && entry_is(1, 5, LF_NONE, 30));
}

static void every_slot_can_sleep(void)
{
    zero_memory();
    for (int i = 0; i < SLOTS; i++) lf_sleepers_add(block, (lf_slot)i, LF_NONE, 0, (uint32_t)(1000 - i));
    CHECK_EQUAL(lf_sleepers(block), 255);
    for (int i = 0; i < SLOTS; i++) CHECK(entry_is((uint8_t)i, (lf_slot)(254 - i), LF_NONE, 746u + (uint32_t)i));
    CHECK_EQUAL(memory[CURSOR_AT], 0);
    for (int i = 0; i < SLOTS; i++) lf_sleepers_remove(block, (lf_slot)i);
    for (int i = 0; i < 1 + 6 * SLOTS; i++) CHECK_EQUAL(sleepers()[i], 0);
}

static void the_clock_may_wrap_while_somebody_sleeps(void)
{
    zero_memory();
    uint32_t now = 0xFFFFFF00u;
    lf_sleepers_add(block, 1, LF_NONE, now, 0x200);
    lf_sleepers_add(block, 2, LF_NONE, now, 0x80);
    CHECK(entry_is(0, 2, LF_NONE, 0xFFFFFF80u) && entry_is(1, 1, LF_NONE, 0x100));
    CHECK(!lf_sleeper_due(block, now) && lf_sleeper_due(block, 0xFFFFFF80u) && lf_sleeper_due(block, 0x50));
    lf_sleepers_remove(block, 2);
    CHECK(!lf_sleeper_due(block, 0xFF) && lf_sleeper_due(block, 0x100));
}

static void a_long_time_is_not_in_the_past(void)
{
    zero_memory();
    CHECK_EQUAL(lf_time_after(10, 0x7FFFFFFFu), 0x80000009u);
    CHECK_EQUAL(lf_time_after(10, 0x80000000u), 0x80000009u);
    CHECK_EQUAL(lf_time_after(10, 0xFFFFFFFFu), 0x80000009u);
    lf_sleepers_add(block, 1, LF_NONE, 10, 0xFFFFFFFFu);
    CHECK(!lf_sleeper_due(block, 10) && lf_sleeper_due(block, 0x80000009u));
    /* Who was due before now stays before who is as far away as can be: further apart than half of all times. */
    lf_sleepers_add(block, 2, LF_NONE, 10, 5);
    lf_sleepers_add(block, 3, LF_NONE, 20, 0x7FFFFFFFu);
    CHECK(entry_is(0, 2, LF_NONE, 15) && entry_is(1, 1, LF_NONE, 0x80000009u) && entry_is(2, 3, LF_NONE, 0x80000013u));
}

/* --- schedulers ------------------------------------------------------------------------------------------------ */

static void make_ready(const lf_slot *slots, int count)
{
    for (int i = 0; i < SLOTS; i++) put_at((lf_slot)i, i % 2 ? 0 : FIRST_WAITING);
    for (int i = 0; i < count; i++) put_at(slots[i], FIRST_WAITING - 1);
}

static void round_robin_goes_round(void)
{
    zero_memory();
    const lf_slot ready[] = {0, 3, 100, 254};
    make_ready(ready, 4);
    lf_start_cursor(block);
    const int order[] = {0, 3, 100, 254, 0, 3, 100, 254};
    const int once[] = {0, 3, 100, 254, 3, 100, 254, 3}; /* an initialisation of one action: it has ended */
    for (int i = 0; i < 8; i++) {
        CHECK_EQUAL(lf_pick_round_robin(block), (WRAP_TO ? once : order)[i]);
        if (WRAP_TO && i == 0) put_at(0, 0);
    }
    make_ready(ready + 1, 1);
    CHECK_EQUAL(lf_pick_round_robin(block), 3);
    CHECK_EQUAL(lf_pick_round_robin(block), 3);
    make_ready(ready, 0);
    CHECK_EQUAL(lf_pick_round_robin(block), LF_NONE);
    CHECK_EQUAL(memory[CURSOR_AT], 3);
}

/* The initialisation is over, and nothing that it created is ready, or it created nothing. */
static void nobody_is_ready_after_the_first_action(void)
{
    zero_memory();
    const lf_slot ready[] = {0};
    make_ready(ready, 1);
    lf_start_cursor(block);
    CHECK_EQUAL(lf_pick_round_robin(block), 0);
    make_ready(ready, 0);
    CHECK_EQUAL(lf_pick_round_robin(block), LF_NONE);
    put_at(1, FIRST_WAITING - 1);
    CHECK_EQUAL(lf_pick_round_robin(block), 1);
}

static void the_earliest_deadline_is_first(void)
{
    zero_memory();
    const lf_slot ready[] = {2, 5, 9, 254};
    make_ready(ready, 4);
    for (int i = 0; i < SLOTS; i++) lf_begin_deadline(block, (lf_slot)i, 0, LF_NO_DEADLINE);
    CHECK_EQUAL(lf_pick_earliest(block, 0), 2);
    lf_begin_deadline(block, 9, 0, 500);
    CHECK_EQUAL(lf_pick_earliest(block, 0), 9);
    lf_begin_deadline(block, 254, 0, 499);
    CHECK_EQUAL(lf_pick_earliest(block, 0), 254);
    lf_begin_deadline(block, 5, 0, 499);
    CHECK_EQUAL(lf_pick_earliest(block, 0), 5);
    lf_begin_deadline(block, 4, 0, 1);
    CHECK_EQUAL(lf_pick_earliest(block, 0), 5);
    CHECK_EQUAL(lf_pick_earliest(block, 10000), 5);
    make_ready(ready, 0);
    CHECK_EQUAL(lf_pick_earliest(block, 0), LF_NONE);
}

static void deadlines_may_wrap(void)
{
    zero_memory();
    const lf_slot ready[] = {1, 2, 3};
    make_ready(ready, 3);
    lf_begin_deadline(block, 1, 0xFFFFFFF0u, 0x20);
    lf_begin_deadline(block, 2, 0xFFFFFFF0u, 0x08);
    lf_begin_deadline(block, 3, 0xFFFFFFF0u, LF_NO_DEADLINE);
    CHECK_EQUAL(lf_pick_earliest(block, 0xFFFFFFF4u), 2);
    CHECK_EQUAL(lf_pick_earliest(block, 0x30), 2);
    put_at(2, 0);
    CHECK_EQUAL(lf_pick_earliest(block, 0xFFFFFFF4u), 1);
    put_at(1, 0);
    CHECK_EQUAL(lf_pick_earliest(block, 0xFFFFFFF4u), 3);
}

static void a_deadline_is_never_mistaken_for_none(void)
{
    zero_memory();
    const lf_slot ready[] = {1, 2};
    make_ready(ready, 2);
    lf_begin_deadline(block, 1, 0, LF_NO_DEADLINE);
    lf_begin_deadline(block, 2, 0xFFFFFFF0u, 0x0F);
    CHECK_EQUAL(lf_pick_earliest(block, 0xFFFFFFF0u), 2);
    lf_begin_deadline(block, 2, 0x10, 0xFFFFFFFEu); /* far away, but a deadline */
    CHECK_EQUAL(lf_pick_earliest(block, 0x11), 2);
}

static void a_deadline_begins_again_with_each_release(void)
{
    if (!DEADLINES) return;
    zero_memory();
    lf_begin_deadline(block, 1, 0, 50);
    lf_begin_deadline(block, 2, 0, LF_NO_DEADLINE);
    lf_board_leaves(block, 1, 0, 100); /* a partner came */
    lf_board_leaves(block, 2, 0, 100);
    CHECK_EQUAL(lf_load32(lf_deadline_of(block, 1)), 150);
    CHECK_EQUAL(lf_load32(lf_deadline_of(block, 2)), LF_NO_DEADLINE);
    lf_sleepers_add(block, 1, 0, 100, 20);
    lf_board_leaves(block, 1, 0, 127); /* its time was over 7 milliseconds ago: since then it has been released */
    CHECK_EQUAL(lf_load32(lf_deadline_of(block, 1)), 170);
    lf_sleepers_add(block, 1, 0, 130, 20);
    lf_board_leaves(block, 1, 0, 140); /* a partner came before that */
    CHECK_EQUAL(lf_load32(lf_deadline_of(block, 1)), 190);
    lf_begin_deadline(block, 1, 0, LF_NO_DEADLINE);
    lf_board_leaves(block, 1, 0, 200);
    CHECK_EQUAL(lf_load32(lf_deadline_of(block, 1)), LF_NO_DEADLINE);
}

static const struct test tests[] = {
    TEST(arrivals_keep_their_order),
    TEST(every_slot_can_arrive),
    TEST(who_shares_no_queue_does_not_arrive),
    TEST(the_first_clause_then_the_longest_waiting_then_its_first_clause),
    TEST(sleepers_stand_in_the_order_in_which_they_are_due),
    TEST(of_several_clauses_the_first_that_is_due_counts),
    TEST(every_slot_can_sleep),
    TEST(the_clock_may_wrap_while_somebody_sleeps),
    TEST(a_long_time_is_not_in_the_past),
    TEST(round_robin_goes_round),
    TEST(nobody_is_ready_after_the_first_action),
    TEST(the_earliest_deadline_is_first),
    TEST(a_deadline_begins_again_with_each_release),
    TEST(deadlines_may_wrap),
    TEST(a_deadline_is_never_mistaken_for_none),
};

MAIN(tests)
