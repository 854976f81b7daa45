/* Creation, end, channels, counted calls, strings: what needs no partner. Compiled for narrow and wide positions. */
#define SLOTS 255
#define CHANNELS 255
#define BLOCK_SIZE 4096
#include "hosted.h"

enum { COUNT = SLOTS - 1, STRIDE = 12, SITE = 4711 };

static lf_byte *record_of(uint8_t index) { return block + RECORDS_AT + index * STRIDE; }

/* --- creation and end: one process with 254 instances, in the slots from 1 ------------------------------------- */

static uint8_t created;

static void create(lf_byte *b, lf_slot slot)
{
    (void)slot;
    created = lf_free_slot(b, POSITIONS_AT + WIDTH, COUNT, WIDE, SITE);
    lf_set_position(b, POSITIONS_AT + WIDTH, created, WIDE, BASE + 1);
    lf_policy_created(b, (lf_slot)(1 + created), 100);
}

static void end_itself(lf_byte *b, lf_slot slot)
{
    uint8_t index = (uint8_t)(slot - 1);
    lf_end(b, POSITIONS_AT + WIDTH, index, WIDE, slot, record_of(index), STRIDE);
}

static void creation_takes_the_lowest_free_slot(void)
{
    start(LF_HOST_ROUND_ROBIN);
    for (int i = 0; i < 5; i++) {
        CHECK_EQUAL(act(0, create), LF_HOST_RAN);
        CHECK_EQUAL(created, i);
    }
    CHECK_EQUAL(act(2, end_itself), LF_HOST_RAN);
    CHECK_EQUAL(act(4, end_itself), LF_HOST_RAN);
    CHECK_EQUAL(act(0, create), LF_HOST_RAN);
    CHECK_EQUAL(created, 1);
    CHECK_EQUAL(act(0, create), LF_HOST_RAN);
    CHECK_EQUAL(created, 3);
    CHECK_EQUAL(act(0, create), LF_HOST_RAN);
    CHECK_EQUAL(created, 5);
    CHECK_EQUAL(position_of(6), BASE + 1);
    CHECK_EQUAL(position_of(7), 0);
}

static void creation_at_the_bound_is_a_fault(void)
{
    start(LF_HOST_ROUND_ROBIN);
    for (int i = 0; i < COUNT; i++) CHECK_EQUAL(act(0, create), LF_HOST_RAN);
    CHECK_EQUAL(created, COUNT - 1);
    CHECK_EQUAL(position_of(SLOTS - 1), BASE + 1);
    uint32_t status = act(0, create);
    CHECK_FAULT(status, LF_FAULT_PROCESSES, SITE, COUNT);
    CHECK_EQUAL(act(200, end_itself), LF_HOST_RAN);
    CHECK_EQUAL(act(0, create), LF_HOST_RAN);
    CHECK_EQUAL(created, 199);
}

static void the_end_leaves_nothing(void)
{
    start(LF_HOST_ROUND_ROBIN);
    for (int i = 0; i < 3; i++) act(0, create);
    memset(record_of(0), 0x11, 3 * STRIDE);
    lf_host.now = 5;
    CHECK_EQUAL(lf_load32(memory + DEADLINES_AT + 4 * 2), 100);
    CHECK_EQUAL(act(2, end_itself), LF_HOST_RAN);
    CHECK_EQUAL(position_of(2), 0);
    CHECK_EQUAL(lf_load32(memory + DEADLINES_AT + 4 * 2), LF_NO_DEADLINE);
    CHECK_EQUAL(lf_load32(memory + DEADLINES_AT + 4 * 1), 100);
    for (int i = 0; i < STRIDE; i++) {
        CHECK_EQUAL(record_of(0)[i], 0x11);
        CHECK_EQUAL(record_of(1)[i], 0);
        CHECK_EQUAL(record_of(2)[i], 0x11);
    }
}

static void initialise(lf_byte *b) { lf_set_position(b, POSITIONS_AT, 0, WIDE, BASE); }

static void the_first_block_is_zero_but_for_the_initialisation(void)
{
    program.initialise = initialise;
    start(LF_HOST_ROUND_ROBIN);
    program.initialise = NULL;
    CHECK_EQUAL(position_of(0), BASE);
    put_at(0, 0);
    for (int i = 0; i < BLOCK_SIZE; i++) CHECK_EQUAL(block[i], 0);
    for (int i = 0; i < SLOTS; i++) CHECK_EQUAL(lf_load32(memory + DEADLINES_AT + 4 * i), LF_NO_DEADLINE);
}

static void positions_lie_side_by_side(void)
{
    zero_memory();
    for (int i = 0; i < SLOTS; i++) lf_set_position(block, POSITIONS_AT, (uint8_t)i, WIDE, (uint16_t)(BASE + i % 90));
    for (int i = 0; i < SLOTS; i++) {
        CHECK_EQUAL(position_of((lf_slot)i), BASE + i % 90);
        CHECK_EQUAL(lf_is_ready(block, (lf_slot)i), i % 90 < 50);
    }
    CHECK_EQUAL(block[POSITIONS_AT - 1], 0);
    CHECK_EQUAL(block[PENDING_AT], 0);
    put_at(0, 0);
    CHECK(!lf_is_ready(block, 0));
}

/* --- channels ------------------------------------------------------------------------------------------------- */

enum { PORTS = 300 }; /* module variables, here at the end of the block */

static lf_byte *ports(void) { return block + BLOCK_SIZE - PORTS; }

static void mark_ports(lf_byte *b, lf_byte *used)
{
    for (int i = 0; i < PORTS; i++) lf_mark(used, b[BLOCK_SIZE - PORTS + i]);
}

static const struct lf_live_ports *live;
static uint8_t made;

static void make_channel(lf_byte *b, lf_slot slot)
{
    (void)slot;
    made = lf_new_channel(b, live, SITE + 1);
}

static void a_channel_is_the_lowest_number_that_nobody_holds(void)
{
    program.mark_ports = mark_ports;
    start(LF_HOST_ROUND_ROBIN);
    live = NULL;
    CHECK_EQUAL(act(0, make_channel), LF_HOST_RAN);
    CHECK_EQUAL(made, 1);
    const lf_byte held[] = {1, 2, 3, 5, 8, 9};
    memcpy(ports(), held, sizeof held);
    CHECK_EQUAL(act(0, make_channel), LF_HOST_RAN);
    CHECK_EQUAL(made, 4);
    const lf_byte outer_ports[] = {4, 0}, inner_ports[] = {6, 7, 10};
    const struct lf_live_ports outer = {NULL, outer_ports, 2}, middle = {&outer, NULL, 0};
    const struct lf_live_ports inner = {&middle, inner_ports, 3};
    live = &inner;
    CHECK_EQUAL(act(0, make_channel), LF_HOST_RAN);
    CHECK_EQUAL(made, 11);
    live = &outer;
    CHECK_EQUAL(act(0, make_channel), LF_HOST_RAN);
    CHECK_EQUAL(made, 6);
}

static void no_channel_left_is_a_fault(void)
{
    program.mark_ports = mark_ports;
    start(LF_HOST_ROUND_ROBIN);
    live = NULL;
    for (int i = 0; i < 254; i++) ports()[i] = (lf_byte)(254 - i);
    CHECK_EQUAL(act(0, make_channel), LF_HOST_RAN);
    CHECK_EQUAL(made, 255);
    ports()[254] = 255;
    uint32_t status = act(0, make_channel);
    CHECK_FAULT(status, LF_FAULT_CHANNELS, SITE + 1, 255);
    ports()[54] = 0;
    CHECK_EQUAL(act(0, make_channel), LF_HOST_RAN);
    CHECK_EQUAL(made, 200);
}

/* --- calls ---------------------------------------------------------------------------------------------------- */

static uint8_t counter_width;
static uint16_t call_bound;

static void call(lf_byte *b, lf_slot slot)
{
    (void)slot;
    lf_count_call(b, b + RECORDS_AT, counter_width, call_bound, SITE + 2);
}

static void calls_are_counted_up_to_their_bound(void)
{
    const struct { uint8_t width; uint16_t bound; } cases[] = {{1, 1}, {1, 255}, {2, 256}, {2, 1000}};
    for (int k = 0; k < 4; k++) {
        start(LF_HOST_ROUND_ROBIN);
        counter_width = cases[k].width;
        call_bound = cases[k].bound;
        block[RECORDS_AT + counter_width] = 0x77;
        for (int i = 0; i < call_bound; i++) CHECK_EQUAL(act(0, call), LF_HOST_RAN);
        CHECK_EQUAL(lf_load_width(block + RECORDS_AT, counter_width), call_bound);
        uint32_t status = act(0, call);
        CHECK_FAULT(status, LF_FAULT_CALLS, SITE + 2, call_bound);
        lf_uncount_call(block + RECORDS_AT, counter_width);
        CHECK_EQUAL(act(0, call), LF_HOST_RAN);
        for (int i = 0; i < call_bound; i++) lf_uncount_call(block + RECORDS_AT, counter_width);
        CHECK_EQUAL(lf_load_width(block + RECORDS_AT, counter_width), 0);
        CHECK_EQUAL(block[RECORDS_AT + counter_width], 0x77);
    }
}

/* --- numbers, strings ----------------------------------------------------------------------------------------- */

static void numbers_are_little_endian(void)
{
    lf_byte at[6] = {0, 0, 0, 0, 0, 0x55};
    lf_store16(at, 0xFEDC);
    CHECK(at[0] == 0xDC && at[1] == 0xFE && at[2] == 0);
    CHECK_EQUAL(lf_load16(at), 0xFEDC);
    lf_store_width(at, 1, 0x12);
    CHECK(at[0] == 0x12 && at[1] == 0xFE);
    lf_store_width(at, 2, 0x8001);
    CHECK_EQUAL(lf_load_width(at, 1), 1);
    CHECK_EQUAL(lf_load_width(at, 2), 0x8001);
    lf_store32(at, 0xFEDCBA98u);
    CHECK(at[0] == 0x98 && at[3] == 0xFE && at[4] == 0);
    CHECK_EQUAL(lf_load32(at), 0xFEDCBA98u);
    lf_clear(at + 1, 3);
    CHECK(at[0] == 0x98 && at[1] == 0 && at[3] == 0 && at[5] == 0x55);
    lf_clear(at, 0);
    CHECK_EQUAL(at[0], 0x98);
}

static int compare(const char *x, uint16_t x_length, const char *y, uint16_t y_length)
{
    int forward = lf_compare_strings((const lf_byte *)x, x_length, (const lf_byte *)y, y_length);
    int backward = lf_compare_strings((const lf_byte *)y, y_length, (const lf_byte *)x, x_length);
    CHECK_EQUAL(forward, -backward);
    return forward;
}

static void strings_are_compared_up_to_their_end(void)
{
    CHECK_EQUAL(compare("abc", 3, "abc", 3), 0);
    CHECK_EQUAL(compare("abc", 4, "abc\0zzz", 7), 0);
    CHECK_EQUAL(compare("abc\0zz", 6, "abc\0aa", 6), 0);
    CHECK_EQUAL(compare("abc", 3, "abcd", 4), -1);
    CHECK_EQUAL(compare("abc", 3, "abd", 3), -1);
    CHECK_EQUAL(compare("\xC4", 1, "z", 1), 1);
    CHECK_EQUAL(compare("", 0, "", 1), 0);
    CHECK_EQUAL(compare("", 0, "a", 1), -1);
    CHECK_EQUAL(compare("abc", 3 | LF_IN_POOL, "abc", 3), 0);
    static char longest[0x7FFF], other[0x7FFF];
    memset(longest, 'x', sizeof longest);
    memset(other, 'x', sizeof other);
    CHECK_EQUAL(compare(longest, 0x7FFF, other, 0x7FFF | LF_IN_POOL), 0);
    other[0x7FFE] = 'y';
    CHECK_EQUAL(compare(longest, 0x7FFF, other, 0x7FFF), -1);
}

static void a_string_is_assigned_whole(void)
{
    lf_byte to[8];
    memset(to, 0xAA, sizeof to);
    lf_assign_string(to, 6, (const lf_byte *)"abc\0\0", 6);
    CHECK(memcmp(to, "abc\0\0\0\xAA\xAA", 8) == 0);
    lf_assign_string(to, 2, (const lf_byte *)"xy", 2 | LF_IN_POOL);
    CHECK(memcmp(to, "xyc\0\0\0\xAA\xAA", 8) == 0);
    lf_assign_string(to, 0, (const lf_byte *)"q", 1);
    CHECK_EQUAL(to[0], 'x');
}

static const struct test tests[] = {
    TEST(creation_takes_the_lowest_free_slot),
    TEST(creation_at_the_bound_is_a_fault),
    TEST(the_end_leaves_nothing),
    TEST(the_first_block_is_zero_but_for_the_initialisation),
    TEST(positions_lie_side_by_side),
    TEST(a_channel_is_the_lowest_number_that_nobody_holds),
    TEST(no_channel_left_is_a_fault),
    TEST(calls_are_counted_up_to_their_bound),
    TEST(numbers_are_little_endian),
    TEST(strings_are_compared_up_to_their_end),
    TEST(a_string_is_assigned_whole),
};

MAIN(tests)
