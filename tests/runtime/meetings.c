/* Processes meet: send, receive, SELECT, guards, order of arrival, full queues. */
#include "processes.h"

/* --- two processes ----------------------------------------------------------------------------------------------- */

static void a_send_meets_a_waiting_receive(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    CHECK_EQUAL(receives(1, 1, 0), LF_HOST_RAN);
    CHECK(ITEMS(0x01, 1));
    CHECK_EQUAL(position_of(1), AT_RECEIVE);
    CHECK_EQUAL(frame_of(1)[PORT], 1);
    CHECK(!lf_is_ready(block, 1));
    CHECK_EQUAL(sends(SLOTS - 1, 1, 42), LF_HOST_RAN);
    CHECK(ITEMS(0x01, SLOTS - 1, 0x10, LF_NONE, 1, LF_NONE));
    CHECK_EQUAL(position_of(1), RECEIVED);
    CHECK_EQUAL(position_of(SLOTS - 1), SENT);
    CHECK_EQUAL(x_of(1), 42);
    CHECK(waits_with_nothing(1) && waits_with_nothing(SLOTS - 1));
    CHECK_EQUAL(arrivals()[0], 0);
}

static void a_receive_meets_a_waiting_send(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    sends(SLOTS - 1, 1, 42);
    CHECK_EQUAL(position_of(SLOTS - 1), AT_SEND);
    CHECK_EQUAL(frame_of(SLOTS - 1)[VALUE], 42);
    CHECK_EQUAL(receives(0, 1, 0), LF_HOST_RAN);
    CHECK(ITEMS(0x01, 0, 0x10, LF_NONE, SLOTS - 1, LF_NONE));
    CHECK_EQUAL(position_of(SLOTS - 1), SENT);
    CHECK_EQUAL(position_of(0), RECEIVED);
    CHECK_EQUAL(x_of(0), 42);
    CHECK(waits_with_nothing(0) && waits_with_nothing(SLOTS - 1));
    CHECK_EQUAL(arrivals()[0], 0);
}

static void nothing_else_changes(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    static lf_byte before[BLOCK_SIZE];
    sends(2, 1, 42);
    memcpy(before, block, BLOCK_SIZE);
    receives(5, 1, 0);
    for (int i = 0; i < BLOCK_SIZE; i++) {
        int own = block + i >= record_of(2) && block + i < record_of(3);
        int other = block + i >= record_of(5) && block + i < record_of(6);
        int position = i >= POSITIONS_AT && i < PENDING_AT;
        if (!own && !other && !position) CHECK_EQUAL(block[i], before[i]);
    }
    for (int slot = 0; slot < SLOTS; slot++)
        if (slot != 2 && slot != 5) CHECK_EQUAL(position_of((lf_slot)slot), START);
}

/* A message without values: nothing to complete. */
static void a_message_may_be_empty(void)
{
    start_processes(LF_HOST_EARLIEST);
    for (int i = 0; i < SLOTS; i++) put_at((lf_slot)i, 0);
    sends(2, 1, 42);
    for (int i = 0; i < 3; i++) {
        struct lf_meeting m;
        lf_meeting_begin(&m);
        seek_senders(&m, LF_NONE, 1, 0, NULL, SEND);
        CHECK(lf_policy_meet(block, &m) && m.found == 1 && m.partner == 2);
        if (i == 2) CHECK(fetch_with(&m, 0, SEND, NULL));
    }
    CHECK_EQUAL(position_of(2), SENT);
    CHECK_EQUAL(x_of(0), 0);
    CHECK(waits_with_nothing(2));
}

static void what_comes_need_not_be_kept(void)
{
    start_processes(LF_HOST_EARLIEST);
    for (int i = 0; i < SLOTS; i++) put_at((lf_slot)i, 0);
    receives(3, 1, 0);
    set_functions(RECEIVE, NULL, NULL);
    struct lf_meeting m;
    lf_meeting_begin(&m);
    seek_receivers(&m, LF_NONE, 1, NULL, RECEIVE);
    CHECK(lf_policy_meet(block, &m) && m.found == 1 && m.partner == 3);
    CHECK(deliver(&m, NULL, RECEIVE));
    CHECK_EQUAL(position_of(3), RECEIVED);
    CHECK_EQUAL(x_of(3), 0);
    CHECK(waits_with_nothing(3));
}

static void other_channels_do_not_meet(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    sends(1, 1, 42);
    receives(2, 2, 0);
    CHECK(position_of(1) == AT_SEND && position_of(2) == AT_RECEIVE);
    receives(3, 3, 0);
    sends(4, 4, 1);
    CHECK(position_of(3) == AT_RECEIVE && position_of(4) == AT_SEND);
    CHECK_EQUAL(arrivals()[0], 4);
    sends(5, 3, 9);
    CHECK(position_of(3) == RECEIVED && position_of(2) == AT_RECEIVE);
    CHECK_EQUAL(x_of(3), 9);
}

/* --- guards, constants ----------------------------------------------------------------------------------------- */

static void a_guard_chooses_among_waiting_senders(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    sends(1, 1, 3);
    sends(2, 1, 8);
    sends(6, 1, 9);
    receives(3, 1, 8);
    CHECK_EQUAL(x_of(3), 8);
    CHECK(position_of(1) == AT_SEND && position_of(2) == SENT && position_of(6) == AT_SEND);
    receives(4, 1, 10);
    CHECK_EQUAL(position_of(4), AT_RECEIVE);
    receives(5, 1, 0);
    CHECK_EQUAL(x_of(5), 3);
}

static void a_guard_of_a_waiting_receiver_holds_or_not(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    receives(1, 1, 50);
    receives(6, 1, 20);
    sends(2, 1, 10);
    CHECK(position_of(2) == AT_SEND && position_of(1) == AT_RECEIVE && position_of(6) == AT_RECEIVE);
    CHECK_EQUAL(x_of(1), 0);
    sends(3, 1, 30);
    CHECK(position_of(3) == SENT && position_of(1) == AT_RECEIVE && position_of(6) == RECEIVED);
    CHECK_EQUAL(x_of(6), 30);
    sends(4, 1, 50);
    CHECK_EQUAL(x_of(1), 50);
}

static void a_constant_must_match(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    selects(1, 1, 0);
    CHECK_EQUAL(position_of(1), AT_SELECT_RECEIVE);
    sends(2, 2, 6); /* on the module's port, where clause 1 wants 7 */
    CHECK_EQUAL(position_of(2), AT_SEND);
    sends(3, 2, DATA_7);
    CHECK(position_of(3) == SENT && position_of(1) == CLAUSE1);
    CHECK(ITEMS(0x01, 3, 0x10, LF_NONE, 1, 1));
    block[GLOBAL_PORT] = 3;
    selects(1, 1, 0);
    CHECK_EQUAL(position_of(1), AT_SELECT_RECEIVE);
    sends(4, 2, DATA_7);
    CHECK_EQUAL(position_of(4), AT_SEND);
}

/* --- SELECT ---------------------------------------------------------------------------------------------------- */

static void select_takes_its_first_clause_that_can_go(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    sends(1, 2, DATA_7);
    sends(2, 1, 5);
    selects(3, 1, 0);
    CHECK_EQUAL(position_of(3), CLAUSE0);
    CHECK(ITEMS(0x01, 3, 0x10, 0, 2, LF_NONE));
    CHECK_EQUAL(x_of(3), 5);
    sends(4, 1, 5);
    selects(5, 1, 6);
    CHECK_EQUAL(position_of(5), CLAUSE1);
    CHECK_EQUAL(x_of(5), DATA_7);
    CHECK_EQUAL(position_of(4), AT_SEND);
}

static void select_with_else_polls(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    request.poll = true;
    selects(3, 1, 0);
    CHECK_EQUAL(position_of(3), OTHERWISE);
    CHECK(waits_with_nothing(3));
    CHECK_EQUAL(arrivals()[0], 0);
    sends(1, 1, 5);
    selects(3, 1, 0);
    CHECK_EQUAL(position_of(3), CLAUSE0);
    CHECK_EQUAL(x_of(3), 5);
}

static void selects_never_meet(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    selects(1, 1, 0);
    request.value = 4;
    act(2, select_send);
    CHECK(position_of(1) == AT_SELECT_RECEIVE && position_of(2) == AT_SELECT_SEND);
    receives(3, 1, 0);
    CHECK(position_of(3) == RECEIVED && position_of(2) == CLAUSE0);
    CHECK_EQUAL(x_of(3), 4);
    sends(4, 1, 6);
    CHECK(position_of(4) == SENT && position_of(1) == CLAUSE0);
}

static void closed_clauses_take_no_part(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    request.value = 4;
    request.other_value = 5;
    request.closed = request.other_closed = true;
    act(1, select_send);
    CHECK_EQUAL(frame_of(1)[CLOSED], 1);
    CHECK_EQUAL(frame_of(1)[CLOSED + 1], 2);
    receives(2, 1, 0);
    receives(3, CONSTANT_CHANNEL, 0);
    CHECK(position_of(2) == AT_RECEIVE && position_of(3) == AT_RECEIVE && position_of(1) == AT_SELECT_SEND);

    start_processes(LF_HOST_ROUND_ROBIN);
    request.value = 4;
    request.other_value = 5;
    request.closed = true;
    act(1, select_send);
    receives(2, 1, 0);
    CHECK(position_of(2) == AT_RECEIVE && position_of(1) == AT_SELECT_SEND);
    receives(3, CONSTANT_CHANNEL, 0);
    CHECK(position_of(3) == RECEIVED && position_of(1) == CLAUSE1);
    CHECK(ITEMS(0x01, 3, 0x10, LF_NONE, 1, LATE_CLAUSE));
    CHECK_EQUAL(x_of(3), 5);
    CHECK(waits_with_nothing(1));

    start_processes(LF_HOST_ROUND_ROBIN);
    request.value = 4;
    request.other_closed = true;
    act(1, select_send);
    receives(3, CONSTANT_CHANNEL, 0);
    CHECK_EQUAL(position_of(3), AT_RECEIVE);
    receives(2, 1, 0);
    CHECK(position_of(2) == RECEIVED && position_of(1) == CLAUSE0);
    CHECK_EQUAL(x_of(2), 4);
}

static void select_sends_to_who_waits(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    receives(1, CONSTANT_CHANNEL, 0);
    request.channel = 1;
    request.value = 4;
    request.other_value = 5;
    act(2, select_send);
    CHECK(position_of(2) == CLAUSE1 && position_of(1) == RECEIVED);
    CHECK(ITEMS(0x01, 2, 0x10, LATE_CLAUSE, 1, LF_NONE));
    CHECK_EQUAL(x_of(1), 5);
}

/* --- many ------------------------------------------------------------------------------------------------------ */

static void the_longest_waiting_is_first(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    const lf_slot order[] = {6, 2, 7, 1};
    for (uint8_t i = 0; i < 4; i++) sends(order[i], 1, (uint8_t)(10 + i));
    for (uint8_t i = 0; i < 4; i++) {
        receives(3, 1, 0);
        CHECK_EQUAL(position_of(3), RECEIVED);
        CHECK_EQUAL(x_of(3), 10 + i);
        CHECK_EQUAL(position_of(order[i]), SENT);
    }
    receives(7, 1, 0);
    receives(1, 1, 0);
    selects(2, 1, 0);
    sends(3, 1, 1);
    sends(4, 1, 2);
    sends(5, 1, 3);
    CHECK(x_of(7) == 1 && x_of(1) == 2 && x_of(2) == 3);
}

/* All but one wait in one queue, and are taken in the order in which they came, which is that of no slots. */
static void a_queue_holds_everybody(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    for (int i = 1; i < SLOTS; i++) sends((lf_slot)(i % 2 ? SLOTS - (i + 1) / 2 : i / 2), 1, (uint8_t)i);
    CHECK_EQUAL(arrivals()[0], SLOTS - 1);
    for (int i = 1; i < SLOTS; i++) {
        receives(0, 1, 0);
        CHECK_EQUAL(position_of(0), RECEIVED);
        CHECK_EQUAL(x_of(0), i);
    }
    for (int slot = 1; slot < SLOTS; slot++) CHECK_EQUAL(position_of((lf_slot)slot), SENT);
    CHECK_EQUAL(arrivals()[0], 0);
    receives(0, 1, 0);
    CHECK_EQUAL(position_of(0), AT_RECEIVE);
}

static void everybody_waits_to_receive(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    for (int i = 0; i < SLOTS - 1; i++) receives((lf_slot)i, 1, (uint8_t)(SLOTS - 1 - i));
    for (int i = 0; i < SLOTS - 1; i++) {
        sends(SLOTS - 1, 1, (uint8_t)(1 + i)); /* only the last one takes the smallest */
        CHECK_EQUAL(position_of((lf_slot)(SLOTS - 2 - i)), RECEIVED);
        CHECK_EQUAL(x_of((lf_slot)(SLOTS - 2 - i)), 1 + i);
        CHECK_EQUAL(position_of(SLOTS - 1), SENT);
    }
    CHECK_EQUAL(arrivals()[0], 0);
}

/* Every alternative, numbered: partners of one clause in the order of slots, clause by clause. */
static void all_alternatives_can_be_taken(void)
{
    for (uint32_t which = 0; which < 6; which++) {
        start_processes(LF_HOST_SCRIPT);
        sends(1, 1, 11);
        sends(6, 1, 16);
        sends(3, 2, DATA_7);
        sends(7, 2, 8); /* no alternative: it is not 7 */
        sends(2, 1, 2); /* nor this: the guard */
        sends(5, 1, 15);
        script[0] = which;
        lf_host.script_size = 1;
        uint32_t status = selects(4, 1, 10);
        CHECK_EQUAL(lf_host.asked, 1);
        CHECK_EQUAL(alternatives[0], 4);
        const lf_slot partner[] = {1, 5, 6, 3};
        if (which >= 4) {
            CHECK_EQUAL(status, LF_HOST_DIVERGED);
            continue;
        }
        CHECK_EQUAL(status, LF_HOST_RAN);
        CHECK_EQUAL(position_of(partner[which]), SENT);
        CHECK_EQUAL(position_of(4), which == 3 ? CLAUSE1 : CLAUSE0);
        CHECK_EQUAL(x_of(4), which == 3 ? DATA_7 : 10 + partner[which]);
        CHECK_EQUAL(arrivals()[0], 0); /* this mode remembers nothing */
    }
}

static void random_decisions_reach_every_alternative(void)
{
    int taken[SLOTS] = {0};
    start_processes(LF_HOST_RANDOM);
    for (int i = 0; i < SLOTS; i++) put_at((lf_slot)i, 0);
    for (int round = 0; round < 60; round++) {
        for (lf_slot s = 1; s < 4; s++) {
            sends(s, 1, s);
            CHECK_EQUAL(position_of(s), AT_SEND);
        }
        for (int i = 0; i < 3; i++) {
            receives(0, 1, 0);
            CHECK_EQUAL(position_of(0), RECEIVED);
            if (i == 0) taken[x_of(0)]++;
            for (lf_slot s = 0; s < 4; s++)
                if (lf_is_ready(block, s)) put_at(s, 0);
        }
    }
    CHECK(taken[1] > 5 && taken[2] > 5 && taken[3] > 5);
}

static void fault_in_guard(lf_byte *b, lf_byte *frame, const lf_byte *values)
{
    (void)frame;
    lf_fault(b, LF_FAULT_INDEX, 99, values[0], 4);
}

/* Accepting says that the meeting is possible, and that it is a fault is found when it happens. */
static void a_meeting_may_fault(void)
{
    start_processes(LF_HOST_ROUND_ROBIN);
    set_functions(RECEIVE, NULL, fault_in_guard);
    receives(1, 1, 0);
    uint32_t status = sends(2, 1, 77);
    CHECK_FAULT(status, LF_FAULT_INDEX, 99, 77);
    CHECK_EQUAL(lf_host.fault_second, 4);
    CHECK(ITEMS(0x01, 2, 0x10, LF_NONE, 1, LF_NONE));
}

static const struct test tests[] = {
    TEST(a_send_meets_a_waiting_receive),
    TEST(a_receive_meets_a_waiting_send),
    TEST(nothing_else_changes),
    TEST(a_message_may_be_empty),
    TEST(what_comes_need_not_be_kept),
    TEST(other_channels_do_not_meet),
    TEST(a_guard_chooses_among_waiting_senders),
    TEST(a_guard_of_a_waiting_receiver_holds_or_not),
    TEST(a_constant_must_match),
    TEST(select_takes_its_first_clause_that_can_go),
    TEST(select_with_else_polls),
    TEST(selects_never_meet),
    TEST(closed_clauses_take_no_part),
    TEST(select_sends_to_who_waits),
    TEST(the_longest_waiting_is_first),
    TEST(a_queue_holds_everybody),
    TEST(everybody_waits_to_receive),
    TEST(all_alternatives_can_be_taken),
    TEST(random_decisions_reach_every_alternative),
    TEST(a_meeting_may_fault),
};

/* In each form, since images look for partners in all of them. */
int main(int argc, char **argv)
{
    int failed = 0;
    for (form = AMONG_ALL; form <= BY_PLACE; form++)
        failed |= run_tests(tests, (int)(sizeof(tests) / sizeof(tests)[0]), argc, argv);
    return failed;
}
