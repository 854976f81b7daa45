/* The host's policies: those of a board, or random ones, or recorded ones, or numbered ones. See host.h. */
#include "before_block.h"
#include "host.h"

#include <setjmp.h>

#include "../../policies/board.h"

struct lf_host lf_host = {.size = sizeof(struct lf_host), .rounds = 1000000};

static jmp_buf out_of_action;
static uint32_t reason; /* for leaving the action: the status of the step */

_Noreturn static void leave_action(uint32_t status)
{
    reason = status;
    longjmp(out_of_action, 1);
}

_Noreturn static void diverge(void) { leave_action(LF_HOST_DIVERGED); }

enum { TAG_END = 0, TAG_RUN = 1, TAG_INTERRUPT = 2, TAG_WAKE = 3, TAG_CONSOLE = 4, TAG_MEET = 0x10, TAG_TAKE = 0x11,
       TAG_CHOICE = 0x12, TAG_IN8 = 0x20, TAG_IN16 = 0x21, TAG_IN32 = 0x22, TAG_CLOCK = 0x23, TAG_READ = 0x24,
       TAG_OUT = 0x30, TAG_WRITE = 0x31 };

/* --- items --------------------------------------------------------------------------------------------------- */

enum { SLOT_BYTES = sizeof(lf_slot), SLOT_BITS = 8 * SLOT_BYTES, SLOT_MASK = (1 << SLOT_BITS) - 1 };

static void put(uint32_t value, uint8_t bytes)
{
    if (lf_host.items_room && lf_host.items_used + bytes > lf_host.items_room && lf_host.overflow) lf_host.overflow();
    for (uint8_t i = 0; i < bytes; i++) {
        if (lf_host.items_used < lf_host.items_room) lf_host.items[lf_host.items_used] = (uint8_t)(value >> (8u * i));
        lf_host.items_used++;
    }
}

/* The operands of an item `meet`. */
static uint32_t meeting_of(uint8_t own, lf_slot partner, uint8_t theirs)
{
    return own | (uint32_t)partner << 8 | (uint32_t)theirs << (8 + SLOT_BITS);
}

static void put_item(uint8_t tag, uint32_t value, uint8_t bytes)
{
    if (lf_host.items_room == 0) return; /* nobody wants them */
    put(tag, 1);
    put(value, bytes);
}

static uint8_t item_length(uint8_t tag)
{
    switch (tag) {
    case TAG_RUN: return SLOT_BYTES;
    case TAG_TAKE: case TAG_CHOICE: case TAG_IN8: case TAG_READ: case TAG_WRITE: return 1;
    case TAG_INTERRUPT: case TAG_WAKE: case TAG_CONSOLE: return SLOT_BYTES + 1;
    case TAG_IN16: case 0x40: return 2;
    case TAG_MEET: return SLOT_BYTES + 2;
    case TAG_IN32: case TAG_CLOCK: return 4;
    case TAG_OUT: return 9;
    case 0x41: return 11;
    default: return 0;
    }
}

/* The tag of the next recorded decision or input; TAG_END at the end. Outputs and digests are passed over. */
static uint8_t next_tag(void)
{
    while (lf_host.schedule_at < lf_host.schedule_size) {
        uint8_t tag = lf_host.schedule[lf_host.schedule_at];
        if (tag == TAG_END) diverge();
        if (tag < TAG_OUT) return tag;
        lf_host.schedule_at += 1u + item_length(tag);
    }
    return TAG_END;
}

static uint32_t take_item(uint8_t tag)
{
    uint8_t length = item_length(tag);
    if (next_tag() != tag || lf_host.schedule_at + 1u + length > lf_host.schedule_size) diverge();
    uint32_t value = 0;
    for (uint8_t i = 0; i < length; i++)
        value |= (uint32_t)lf_host.schedule[lf_host.schedule_at + 1u + i] << (8u * i);
    lf_host.schedule_at += 1u + length;
    return value;
}

/* --- where decisions come from ------------------------------------------------------------------------------- */

static uint32_t draw(uint32_t below)
{
    lf_host.random ^= lf_host.random << 13;
    lf_host.random ^= lf_host.random >> 7;
    lf_host.random ^= lf_host.random << 17;
    return (uint32_t)((lf_host.random >> 32) * below >> 32);
}

/* SCRIPT: the alternative to take of `count`; of one it is no decision, as for the checker. */
static uint32_t scripted(uint32_t count)
{
    if (count == 1) return 0;
    uint32_t at = lf_host.asked++;
    if (at < lf_host.alternatives_room) lf_host.alternatives[at] = count;
    return at < lf_host.script_size ? lf_host.script[at] : 0;
}

static uint32_t input(uint8_t tag, uint8_t bytes, uint32_t found, uint32_t address)
{
    uint32_t value = lf_host.mode == LF_HOST_FOLLOW ? take_item(tag) : found;
    if (tag != TAG_CLOCK && lf_host.addresses_used < lf_host.addresses_room)
        lf_host.addresses[lf_host.addresses_used++] = address;
    put_item(tag, value, bytes);
    return value;
}

/* The next of the inputs that are given. */
static uint32_t next_given(void)
{
    return lf_host.given_at < lf_host.given_size ? lf_host.given[lf_host.given_at++] : 0;
}

/* Of the given inputs those of ports, and where they were read: when all are used, a port gives what it gave last. */
enum { GIVEN_ROOM = 128 };
static struct { uint32_t address, value; uint8_t bytes; } was_given[GIVEN_ROOM];

static uint32_t given_of_port(uint8_t bytes, uint32_t address)
{
    uint32_t at = lf_host.given_at;
    if (at < lf_host.given_size) {
        uint32_t value = next_given();
        if (at < GIVEN_ROOM) {
            was_given[at].address = address;
            was_given[at].value = value;
            was_given[at].bytes = bytes;
        }
        return value;
    }
    for (uint32_t i = at < GIVEN_ROOM ? at : GIVEN_ROOM; i-- > 0;)
        if (was_given[i].bytes == bytes && was_given[i].address == address) return was_given[i].value;
    return 0;
}

static uint32_t port_value(uint8_t bytes, uint32_t address)
{
    if (lf_host.mode == LF_HOST_SCRIPT && lf_host.given) return given_of_port(bytes, address);
    if (lf_host.mode == LF_HOST_SCRIPT) {
        lf_host.one_value += bytes == 4;
        return scripted(bytes == 1 ? 256u : bytes == 2 ? 65536u : 0);
    }
    if (lf_host.inputs_are_zero || lf_host.mode == LF_HOST_FOLLOW) return 0;
    uint32_t high = bytes == 4 ? draw(65536) << 16 : 0;
    return high | draw(bytes == 1 ? 256 : 65536);
}

/* --- the policy interface ------------------------------------------------------------------------------------ */

/* RANDOM, FOLLOW and SCRIPT must know all alternatives before one is taken. There are fewer than these: at most 255
 * clauses of one side meet at most as many plain communications as there are other slots. */
static struct { uint8_t own; lf_slot partner; uint8_t theirs; } all[256 * LF_CHANNELS_ROOM];

/* While the kernel asks for who takes an interrupt: no action runs, and nothing is recorded as a meeting. */
static struct { bool asks; uint8_t number; lf_slot wanted, taker; } event;

/* The place among the alternatives of a slot; their number if it has none. */
static lf_count place_of(const struct lf_meeting *m, lf_slot slot)
{
    lf_count i = 0;
    while (i < m->found && all[i].partner != slot) i++;
    return i;
}

void lf_policy_alternative(lf_byte *b, struct lf_meeting *m, uint8_t own, lf_slot partner, uint8_t theirs, uint8_t shares)
{
    if (lf_host.mode == LF_HOST_ROUND_ROBIN || lf_host.mode == LF_HOST_EARLIEST) {
        lf_board_alternative(b, m, own, partner, theirs, shares);
        return;
    }
    /* An interrupt goes to a process, at the first of its clauses that can go: so its record need not name the clause. */
    if (event.asks && place_of(m, partner) < m->found) return;
    all[m->found].own = own;
    all[m->found].partner = partner;
    all[m->found].theirs = theirs;
    m->found++;
}

/* FOLLOW: the place of the recorded alternative; diverges if it is none. */
static lf_count recorded(const struct lf_meeting *m)
{
    if (event.asks) return place_of(m, event.wanted);
    uint32_t v = next_tag() == TAG_TAKE ? meeting_of((uint8_t)take_item(TAG_TAKE), LF_NOBODY, LF_NONE) : take_item(TAG_MEET);
    for (lf_count i = 0; i < m->found; i++)
        if (meeting_of(all[i].own, all[i].partner, all[i].theirs) == v) return i;
    diverge();
}

bool lf_policy_meet(lf_byte *b, struct lf_meeting *m)
{
    (void)b;
    if (m->found == 0) return false;
    if (lf_host.mode == LF_HOST_FOLLOW || lf_host.mode == LF_HOST_RANDOM || lf_host.mode == LF_HOST_SCRIPT) {
        uint32_t i;
        if (lf_host.mode == LF_HOST_FOLLOW)
            i = recorded(m);
        else
            i = lf_host.mode == LF_HOST_RANDOM ? draw(m->found) : scripted(m->found);
        if (i >= m->found) diverge();
        m->own = all[i].own;
        m->partner = all[i].partner;
        m->theirs = all[i].theirs;
    }
    if (event.asks) {
        event.taker = m->partner;
        put_item(TAG_INTERRUPT, event.number | (uint32_t)m->partner << 8, SLOT_BYTES + 1);
    } else if (m->partner == LF_NOBODY) {
        put_item(TAG_TAKE, m->own, 1);
    } else {
        put_item(TAG_MEET, meeting_of(m->own, m->partner, m->theirs), SLOT_BYTES + 2);
    }
    return true;
}

uint8_t lf_policy_choice(lf_byte *b, uint8_t branches)
{
    (void)b;
    uint32_t i = 0;
    if (lf_host.mode == LF_HOST_RANDOM) i = draw(branches);
    if (lf_host.mode == LF_HOST_SCRIPT) i = scripted(branches);
    if (lf_host.mode == LF_HOST_FOLLOW) i = take_item(TAG_CHOICE);
    if (i >= branches) diverge();
    put_item(TAG_CHOICE, i, 1);
    return (uint8_t)i;
}

uint8_t lf_policy_in8(lf_byte *b, uint32_t address)
{
    (void)b;
    return (uint8_t)input(TAG_IN8, 1, port_value(1, address), address);
}

uint16_t lf_policy_in16(lf_byte *b, uint32_t address)
{
    (void)b;
    return (uint16_t)input(TAG_IN16, 2, port_value(2, address), address);
}

uint32_t lf_policy_in32(lf_byte *b, uint32_t address)
{
    (void)b;
    return input(TAG_IN32, 4, port_value(4, address), address);
}

/* What C has written is an input like a port's. SCRIPT: any value of the range; a range of one is no decision. */
static uint32_t any(uint8_t tag, uint8_t bytes, uint32_t found, uint32_t low, uint32_t count, uint8_t all_tried)
{
    if (lf_host.mode == LF_HOST_SCRIPT && lf_host.given) {
        if (lf_host.given_at < GIVEN_ROOM) was_given[lf_host.given_at].bytes = 0;
        found = next_given();
    } else if (lf_host.mode == LF_HOST_SCRIPT) {
        if (all_tried)
            found = low + (count > 1 ? scripted(count) : 0);
        else
            lf_host.one_value += count != 1;
    }
    return input(tag, bytes, found, LF_HOST_NO_PORT);
}

uint8_t lf_policy_any8(lf_byte *b, uint8_t found, uint8_t low, uint8_t high, uint8_t all_tried)
{
    (void)b;
    return (uint8_t)any(TAG_IN8, 1, found, low, (uint8_t)(high - low) + 1u, all_tried);
}

uint16_t lf_policy_any16(lf_byte *b, uint16_t found, uint16_t low, uint16_t high, uint8_t all_tried)
{
    (void)b;
    return (uint16_t)any(TAG_IN16, 2, found, low, (uint16_t)(high - low) + 1u, all_tried);
}

uint32_t lf_policy_any32(lf_byte *b, uint32_t found, uint32_t low, uint32_t high, uint8_t all_tried)
{
    (void)b;
    return any(TAG_IN32, 4, found, low, high - low + 1u, all_tried);
}

/* --- C that is linked in --------------------------------------------------------------------------------------- */

static lf_byte as_it_was[65536];

/* Whether C is called at all: its results are there when a record is followed, and any are tried in SCRIPT. */
bool lf_external_before(lf_byte *b)
{
    if (lf_host.mode == LF_HOST_FOLLOW || lf_host.mode == LF_HOST_SCRIPT) return false;
    for (uint32_t i = 0; i < lf_block_size; i++) as_it_was[i] = b[i];
    return true;
}

/* These bytes were C's to write; nothing if they do not lie in the block. */
void lf_external_wrote(lf_byte *b, const lf_byte *at, uint32_t size)
{
    if (at < b || at >= b + lf_block_size) return;
    for (uint32_t i = 0; i < size; i++) as_it_was[at - b + i] = at[i];
}

/* The offset of the first other byte that has changed; -1: none. */
int32_t lf_external_after(const lf_byte *b)
{
    for (uint32_t i = 0; i < lf_block_size; i++)
        if (as_it_was[i] != b[i]) return (int32_t)i;
    return -1;
}

static void out(uint8_t width, uint32_t address, uint32_t value)
{
    put_item(TAG_OUT, width, 1);
    put(address, 4);
    put(value, 4);
}

void lf_policy_out8(lf_byte *b, uint32_t address, uint8_t value) { (void)b, out(8, address, value); }
void lf_policy_out16(lf_byte *b, uint32_t address, uint16_t value) { (void)b, out(16, address, value); }
void lf_policy_out32(lf_byte *b, uint32_t address, uint32_t value) { (void)b, out(32, address, value); }

uint32_t lf_policy_clock(lf_byte *b)
{
    lf_host.one_value += lf_host.mode == LF_HOST_SCRIPT;
    uint32_t now = input(TAG_CLOCK, 4, lf_host.now, LF_HOST_NO_PORT);
    lf_store32(lf_policy_block(b) + lf_policy_clock_at, now);
    return now;
}

int16_t lf_policy_console_in(lf_byte *b)
{
    (void)b;
    int16_t c = -1;
    if (lf_host.mode == LF_HOST_FOLLOW) {
        if (next_tag() == TAG_READ) c = (int16_t)take_item(TAG_READ);
    } else if (lf_host.mode == LF_HOST_SCRIPT) {
        c = (int16_t)scripted(256);
    } else if (lf_host.in_at < lf_host.in_size) {
        c = lf_host.in[lf_host.in_at++];
    }
    if (c >= 0) put_item(TAG_READ, (uint32_t)c, 1);
    return c;
}

void lf_policy_console_out(lf_byte *b, uint8_t c)
{
    (void)b;
    if (lf_host.out_used == lf_host.out_room && lf_host.overflow) lf_host.overflow();
    if (lf_host.out_used < lf_host.out_room) lf_host.out[lf_host.out_used] = c;
    lf_host.out_used++;
    put_item(TAG_WRITE, c, 1);
}

/* What a board waits for takes no time here. */
void lf_policy_spin(lf_byte *b, uint32_t microseconds) { (void)b, (void)microseconds; }

/* SCRIPT: the caller puts any block here, in any order; the policy block would not fit it. */
static bool remembers(void) { return lf_host.mode != LF_HOST_SCRIPT; }

void lf_policy_waits(lf_byte *b, lf_slot slot, uint8_t shares)
{
    if (remembers()) lf_board_waits(b, slot, shares);
}

void lf_policy_leaves(lf_byte *b, lf_slot slot, uint8_t shares)
{
    if (remembers()) lf_board_leaves(b, slot, shares, lf_host.now);
}

void lf_policy_sleeps(lf_byte *b, lf_slot slot, uint8_t clause, uint32_t milliseconds)
{
    if (remembers()) lf_sleepers_add(b, slot, clause, lf_host.now, milliseconds);
}

void lf_policy_created(lf_byte *b, lf_slot slot, uint32_t deadline)
{
    lf_begin_deadline(b, slot, lf_host.now, deadline);
}

void lf_policy_ended(lf_byte *b, lf_slot slot) { lf_begin_deadline(b, slot, 0, LF_NO_DEADLINE); }
void lf_policy_access(lf_byte *b, uint8_t begins) { (void)b, (void)begins; }

_Noreturn void lf_fault(lf_byte *b, uint8_t kind, uint16_t site, int32_t first, int32_t second)
{
    (void)b;
    lf_host.fault_kind = kind;
    lf_host.fault_site = site;
    lf_host.fault_first = kind == LF_FAULT_ENDLESS ? (int32_t)lf_host.rounds : first; /* compiled code has only what is left */
    lf_host.fault_second = second;
    leave_action(LF_HOST_FAULT);
}

/* --- steps --------------------------------------------------------------------------------------------------- */

static void run(lf_byte *b, lf_slot slot)
{
    put_item(TAG_RUN, slot, SLOT_BYTES);
    *lf_rounds_before(b) = lf_host.rounds; /* the budget that compiled loops and calls spend */
    lf_program_run(b, slot);
}

static void wake(lf_byte *b, lf_slot slot, uint8_t clause)
{
    put_item(TAG_WAKE, slot | (uint32_t)clause << SLOT_BITS, SLOT_BYTES + 1);
    lf_program_wake(b, slot, clause);
}

static void console(lf_byte *b, lf_slot slot, uint8_t c)
{
    put_item(TAG_CONSOLE, slot | (uint32_t)c << SLOT_BITS, SLOT_BYTES + 1);
    lf_program_console(b, slot, c);
}

/* `wanted` takes it, when following; a slot that cannot, or LF_NOBODY though somebody can, diverges. */
static void interrupt(lf_byte *b, uint8_t number, lf_slot wanted)
{
    uint16_t bit = 0;
    while (bit < lf_interrupts && lf_interrupt_numbers[bit] != number) bit++;
    if (bit == lf_interrupts) diverge();
    event.number = number;
    event.wanted = wanted;
    event.taker = LF_NOBODY;
    event.asks = true;
    lf_interrupt(b, (uint8_t)bit);
    event.asks = false;
    if (lf_host.mode == LF_HOST_FOLLOW && event.taker != wanted) diverge();
    if (event.taker == LF_NOBODY) put_item(TAG_INTERRUPT, number | (uint32_t)LF_NOBODY << 8, SLOT_BYTES + 1);
}

/* FOLLOW: an item names a slot of which this must be true. */
static lf_slot expect(lf_byte *b, uint32_t slot, bool ready)
{
    if (slot >= lf_slots || lf_is_ready(b, (lf_slot)slot) != ready) diverge();
    return (lf_slot)slot;
}

static uint32_t follow(lf_byte *b)
{
    uint32_t v;
    switch (next_tag()) {
    case TAG_END: return LF_HOST_FINISHED;
    case TAG_RUN:
        v = take_item(TAG_RUN);
        run(b, expect(b, v, true));
        break;
    case TAG_WAKE:
        v = take_item(TAG_WAKE);
        wake(b, expect(b, v & SLOT_MASK, false), (uint8_t)(v >> SLOT_BITS));
        expect(b, v & SLOT_MASK, true);
        break;
    case TAG_CONSOLE:
        v = take_item(TAG_CONSOLE);
        console(b, expect(b, v & SLOT_MASK, false), (uint8_t)(v >> SLOT_BITS));
        expect(b, v & SLOT_MASK, true);
        break;
    case TAG_INTERRUPT:
        v = take_item(TAG_INTERRUPT);
        interrupt(b, (uint8_t)v, (lf_slot)(v >> 8));
        break;
    default: diverge();
    }
    if (next_tag() >= TAG_MEET) diverge(); /* decisions that nobody asked for */
    return LF_HOST_RAN;
}

static uint32_t nothing_ready(lf_byte *b)
{
    bool alive = false;
    for (uint16_t slot = 0; slot < lf_slots; slot++)
        if (lf_position_of(b, (lf_slot)slot) != 0) alive = true;
    if (!alive) return LF_HOST_ENDED;
    return lf_sleepers(b) || lf_program_reader(b) != LF_NOBODY || lf_interrupts_from_outside ? LF_HOST_WAITING : LF_HOST_BLOCKED;
}

static uint32_t decide(lf_byte *b)
{
    if (lf_host.mode == LF_HOST_FOLLOW) return follow(b);
    if (lf_host.mode == LF_HOST_SCRIPT) {
        run(b, (lf_slot)lf_host.event);
        return LF_HOST_RAN;
    }
    if (lf_sleepers(b) && lf_sleeper_due(b, lf_host.now)) {
        const lf_byte *first = lf_sleeper(b, 0);
        wake(b, lf_sleeper_slot(first), lf_sleeper_clause(first));
        return LF_HOST_RAN;
    }
    if (lf_host.in_at < lf_host.in_size) {
        lf_slot reader = lf_program_reader(b);
        if (reader != LF_NOBODY) {
            console(b, reader, lf_host.in[lf_host.in_at++]);
            return LF_HOST_RAN;
        }
    }
    lf_slot slot = LF_NOBODY;
    if (lf_host.mode == LF_HOST_RANDOM && lf_host.interrupts && lf_interrupts_from_outside && draw(8) == 0) {
        interrupt(b, lf_interrupt_numbers[draw(lf_interrupts)], LF_NOBODY);
        return LF_HOST_RAN;
    }
    if (lf_host.mode == LF_HOST_RANDOM) {
        uint32_t ready = 0;
        for (uint16_t s = 0; s < lf_slots; s++) ready += lf_is_ready(b, (lf_slot)s);
        if (ready) {
            uint32_t k = draw(ready);
            for (uint16_t s = 0; s < lf_slots; s++)
                if (lf_is_ready(b, (lf_slot)s) && k-- == 0) slot = (lf_slot)s;
        }
    } else if (lf_host.mode == LF_HOST_EARLIEST) {
        slot = lf_pick_earliest(b, lf_host.now);
    } else {
        slot = lf_pick_round_robin(b);
    }
    if (slot == LF_NOBODY) return nothing_ready(b);
    run(b, slot);
    return LF_HOST_RAN;
}

uint32_t lf_host_start(lf_byte *b)
{
    for (uint32_t i = 0; i < lf_policy_size; i++) lf_policy_block(b)[i] = 0;
    for (uint32_t i = 0; i < lf_block_size; i++) b[i] = 0;
    for (uint16_t s = 0; s < lf_slots; s++) lf_begin_deadline(b, (lf_slot)s, 0, LF_NO_DEADLINE);
    lf_start_cursor(b);
    lf_program_initialise(b);
    return lf_host.size;
}

uint32_t lf_host_step(lf_byte *b)
{
    lf_host.items_used = lf_host.addresses_used = 0;
    lf_host.asked = 0;
    event.asks = false;
    if (setjmp(out_of_action)) return reason;
    uint32_t status = decide(b);
    if (status == LF_HOST_RAN) lf_host.steps++;
    return status;
}

/* Many steps without leaving C, until the status is not RAN or the console's buffer could overflow. */
uint64_t lf_host_run(lf_byte *b, uint64_t steps, uint32_t *status)
{
    uint64_t done = 0;
    *status = LF_HOST_RAN;
    while (done < steps && *status == LF_HOST_RAN && lf_host.out_used < lf_host.out_room / 2) {
        *status = lf_host_step(b);
        done++;
    }
    return done;
}

/* The time at which the next sleeper wakes; 0 if there is none. */
uint32_t lf_host_next_wake(lf_byte *b, uint32_t *when)
{
    uint32_t n = lf_sleepers(b);
    if (n) *when = lf_sleeper_when(lf_sleeper(b, 0));
    return n;
}
