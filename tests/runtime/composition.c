/* A program that is composed with an environment: who is ready, and which channels a NEW takes. */
#define SLOTS 5
#define PROGRAM_SLOTS 2
#include "hosted.h"

static void put_in_environment(uint8_t index, uint16_t position)
{
    lf_set_position(block, ENVIRONMENT_POSITIONS_AT, index, 1, position);
}

static void positions_of_both_lie_apart(void)
{
    zero_memory();
    put_at(1, FIRST_WAITING - 1);
    put_in_environment(0, 3);
    put_in_environment(1, 4);
    put_in_environment(2, 0x101);
    CHECK_EQUAL(lf_position_of(block, 0), 0);
    CHECK_EQUAL(lf_position_of(block, 1), FIRST_WAITING - 1);
    CHECK_EQUAL(lf_position_of(block, 2), 3);
    CHECK_EQUAL(lf_position_of(block, 4), 0x101);
    CHECK(!lf_is_ready(block, 0) && lf_is_ready(block, 1) && lf_is_ready(block, 2));
    CHECK(!lf_is_ready(block, 3) && !lf_is_ready(block, 4));
    put_in_environment(0, 0);
    put_at(1, FIRST_WAITING);
    CHECK(!lf_is_ready(block, 1) && !lf_is_ready(block, 2));
}

static void use_some(lf_byte *b, lf_byte *used)
{
    (void)b;
    lf_mark(used, 1);
    lf_mark(used, 4);
}

static void each_has_channels_of_its_own(void)
{
    zero_memory();
    program.mark_ports = use_some;
    CHECK_EQUAL(lf_new_channel(block, NULL, 0), 2);
    CHECK_EQUAL(lf_new_channel_among(block, NULL, 0, 4, 6), 5);
}

static void the_host_runs_the_environment_too(void)
{
    lf_policy_access(block, 1); /* the host decides within accesses as it does elsewhere */
    lf_policy_access(block, 0);
    zero_memory();
    lf_start_cursor(block);
    put_in_environment(2, 1);
    CHECK_EQUAL(lf_pick_round_robin(block), 4);
}

static const struct test tests[] = {
    TEST(positions_of_both_lie_apart),
    TEST(each_has_channels_of_its_own),
    TEST(the_host_runs_the_environment_too),
};

MAIN(tests)
