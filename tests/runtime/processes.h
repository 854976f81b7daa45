/* Hand-written processes that can do everything that waits: what a compiler makes of
 *
 *     port!data(v)    port?data(x) & x >= least    SELECT of two receives    SELECT of two sends with guards
 *     Clock.Sleep(t)    SELECT of a receive and Clock.After(t)    SYSTEM.READ(x)    interrupts
 *
 * Every slot can do all of it. The slots lie in two runs of records, as if they were of two processes. MOVING: the
 * frame that waits is found through a field of so many bytes of the record, else it lies at a fixed place. */
#ifndef PROCESSES_H
#define PROCESSES_H

#ifndef SLOTS
#define SLOTS 8
#endif
#ifndef MOVING
#define MOVING 0
#endif
#define STRIDE (MOVING == 2 ? 600 : MOVING == 1 ? 250 : 16)
#define SPLIT (SLOTS / 2)
#define BLOCK_SIZE (2 + SLOTS * (1 + WIDE) + 8 + SLOTS * STRIDE)
#ifndef WIDE
#define WIDE 0
#endif

#include "hosted.h"

enum { GLOBAL_PORT = 0 /* in the block */, CONSTANT_CHANNEL = 200, DATA_7 = 7, LATE_CLAUSE = 9 };

/* A frame: what it waits with, and its variables. */
enum { CLOSED = 0, PORT = 2, VALUE = 4, OTHER_VALUE = 5, WAIT_SIZE = 6, X = 6, LEAST = 7, FRAME_SIZE = 8 };

/* Ready and waiting positions. */
enum { START = BASE, SENT, RECEIVED, CLAUSE0, CLAUSE1, CLAUSE2, OTHERWISE, WOKEN, READ, INTERRUPTED };
enum { AT_SEND = FIRST_WAITING, AT_RECEIVE, AT_SELECT_RECEIVE, AT_SELECT_SEND, AT_SLEEP, AT_SELECT_TIME, AT_READ,
       AT_INTERRUPT, AT_SELECT_INTERRUPT };

enum kind { SEND, RECEIVE, SELECT_RECEIVE_0, SELECT_RECEIVE_1, SELECT_SEND_0, SELECT_SEND_1, SLEEP, TIME_RECEIVE,
            TIME_AFTER, READER, INTERRUPT, SELECT_INTERRUPT_0, SELECT_INTERRUPT_1, SELECT_INTERRUPT_2, KINDS };

static struct lf_offer offers[KINDS][2];

/* What the next attempt does; a test fills it. */
static struct {
    uint8_t channel, value, other_value, least;
    bool closed, other_closed, poll;
    uint32_t milliseconds;
} request;

static inline uint16_t frame_distance(lf_slot slot)
{
    return (uint16_t)(MOVING ? STRIDE - 4 * (1 + slot % 3) - FRAME_SIZE : 4);
}

static inline lf_byte *record_of(lf_slot slot) { return block + RECORDS_AT + slot * STRIDE; }
static inline lf_byte *frame_of(lf_slot slot) { return record_of(slot) + frame_distance(slot); }
static inline lf_byte x_of(lf_slot slot) { return frame_of(slot)[X]; }

/* --- received values ------------------------------------------------------------------------------------------- */

static inline bool accept_from_least(lf_byte *b, lf_byte *frame, const lf_byte *values)
{
    (void)b;
    return values[0] >= frame[LEAST];
}

static inline bool accept_seven(lf_byte *b, lf_byte *frame, const lf_byte *values)
{
    (void)b, (void)frame;
    return values[0] == DATA_7;
}

static inline bool accept_without_least(lf_byte *b, lf_byte *frame, const lf_byte *values)
{
    (void)b, (void)values;
    return frame[LEAST] == 0;
}

static inline void store_x(lf_byte *b, lf_byte *frame, const lf_byte *values)
{
    (void)b;
    frame[X] = values[0];
}

/* --- offers ---------------------------------------------------------------------------------------------------- */

static inline void offer(enum kind kind, uint16_t waiting, uint16_t resume, uint8_t clause, uint8_t port_kind,
                         uint16_t port)
{
    for (int group = 0; group < 2; group++) {
        uint8_t first = group ? SPLIT : 0;
        offers[kind][group] = (struct lf_offer){
            .positions = (uint16_t)(POSITIONS_AT + first * WIDTH), .record = (uint16_t)(RECORDS_AT + first * STRIDE),
            .stride = STRIDE, .frame = MOVING ? 0 : 4, .frame_at = MOVING ? 2 : 0, .frame_width = MOVING,
            .waiting = waiting, .resume = resume, .port = port, .closed = CLOSED,
            .values = kind == SELECT_SEND_1 ? OTHER_VALUE : VALUE, .wait = 0, .wait_size = WAIT_SIZE, .first = first,
            .count = group ? SLOTS - SPLIT : SPLIT, .wide = WIDE, .clause = clause, .port_kind = port_kind,
            .shares = 1};
    }
}

static inline void set_functions(enum kind kind, bool (*accept)(lf_byte *, lf_byte *, const lf_byte *),
                                 void (*complete)(lf_byte *, lf_byte *, const lf_byte *))
{
    for (int group = 0; group < 2; group++) {
        offers[kind][group].accept = accept;
        offers[kind][group].tests = accept != NULL;
        offers[kind][group].moves = complete != NULL;
        offers[kind][group].complete = complete;
    }
}

static inline void make_offers(void)
{
    offer(SEND, AT_SEND, SENT, LF_NONE, LF_PORT_FRAME, PORT);
    offer(RECEIVE, AT_RECEIVE, RECEIVED, LF_NONE, LF_PORT_FRAME, PORT);
    offer(SELECT_RECEIVE_0, AT_SELECT_RECEIVE, CLAUSE0, 0, LF_PORT_FRAME, PORT);
    offer(SELECT_RECEIVE_1, AT_SELECT_RECEIVE, CLAUSE1, 1, LF_PORT_BLOCK, GLOBAL_PORT);
    offer(SELECT_SEND_0, AT_SELECT_SEND, CLAUSE0, 0, LF_PORT_FRAME, PORT);
    offer(SELECT_SEND_1, AT_SELECT_SEND, CLAUSE1, LATE_CLAUSE, LF_PORT_CONSTANT, CONSTANT_CHANNEL);
    offer(SLEEP, AT_SLEEP, WOKEN, LF_NONE, LF_PORT_NONE, 0);
    offer(TIME_RECEIVE, AT_SELECT_TIME, CLAUSE0, 0, LF_PORT_FRAME, PORT);
    offer(TIME_AFTER, AT_SELECT_TIME, CLAUSE1, 1, LF_PORT_NONE, 0);
    offer(READER, AT_READ, READ, LF_NONE, LF_PORT_NONE, 0);
    offer(INTERRUPT, AT_INTERRUPT, INTERRUPTED, LF_NONE, LF_PORT_NONE, 0);
    offer(SELECT_INTERRUPT_0, AT_SELECT_INTERRUPT, CLAUSE0, 0, LF_PORT_NONE, 0);
    offer(SELECT_INTERRUPT_1, AT_SELECT_INTERRUPT, CLAUSE1, 1, LF_PORT_NONE, 0);
    offer(SELECT_INTERRUPT_2, AT_SELECT_INTERRUPT, CLAUSE2, 2, LF_PORT_NONE, 0);
    for (int group = 0; group < 2; group++)
        offers[SELECT_SEND_0][group].closable = offers[SELECT_SEND_1][group].closable = 1;
    set_functions(RECEIVE, accept_from_least, store_x);
    set_functions(SELECT_RECEIVE_0, accept_from_least, store_x);
    set_functions(SELECT_RECEIVE_1, accept_seven, store_x);
    set_functions(TIME_RECEIVE, NULL, store_x);
    set_functions(READER, NULL, store_x);
    set_functions(SELECT_INTERRUPT_0, accept_without_least, NULL);
}

/* --- attempts -------------------------------------------------------------------------------------------------- */

typedef bool (*accepts)(lf_byte *, lf_byte *, const lf_byte *);

/* How partners are looked for, and found again: among all slots of an offer, by their place among them, or where they lie. */
enum form { AMONG_ALL, BY_INDEX, BY_PLACE };
static enum form form;

static inline lf_byte *position_in(const struct lf_offer *o, lf_slot index)
{
    return lf_position_of_slot(block, o->positions, index, o->wide);
}

static inline void seek_receivers(struct lf_meeting *m, uint8_t own, uint8_t channel, const lf_byte *values,
                                  enum kind kind)
{
    for (int group = 0; group < 2; group++) {
        const struct lf_offer *o = &offers[kind][group];
        if (form == AMONG_ALL) lf_seek_receivers(block, m, own, channel, values, o);
        for (lf_slot i = 0; i < o->count && form == BY_INDEX; i++) lf_seek_receiver(block, m, own, channel, values, o, i);
        for (lf_slot i = 0; i < o->count && form == BY_PLACE; i++)
            lf_seek_receiver_at(block, m, own, channel, values, o, (lf_slot)(o->first + i), position_in(o, i),
                                lf_frame_of(block, o, i));
    }
}

static inline void seek_senders(struct lf_meeting *m, uint8_t own, uint8_t channel, lf_slot slot, accepts accept,
                                enum kind kind)
{
    lf_byte *own_frame = frame_of(slot);
    for (int group = 0; group < 2; group++) {
        const struct lf_offer *o = &offers[kind][group];
        if (form == AMONG_ALL) lf_seek_senders(block, m, own, channel, own_frame, accept != NULL, accept, o);
        for (lf_slot i = 0; i < o->count && form == BY_INDEX; i++)
            lf_seek_sender(block, m, own, channel, own_frame, accept != NULL, accept, o, i);
        for (lf_slot i = 0; i < o->count && form == BY_PLACE; i++)
            lf_seek_sender_at(block, m, own, channel, own_frame, accept != NULL, accept, o, (lf_slot)(o->first + i),
                              position_in(o, i), lf_frame_of(block, o, i));
    }
}

static inline bool deliver(const struct lf_meeting *m, const lf_byte *values, enum kind kind)
{
    for (int group = 0; group < 2; group++) {
        const struct lf_offer *o = &offers[kind][group];
        if (form == AMONG_ALL && lf_deliver(block, m, values, o)) return true;
        for (lf_slot i = 0; i <= o->count && form == BY_INDEX; i++) /* the last is none of its slots */
            if (lf_deliver_to(block, m, values, o, i)) return true;
        for (lf_slot i = 0; i < o->count && form == BY_PLACE; i++)
            if (lf_deliver_at(block, m, values, o, (lf_slot)(o->first + i), position_in(o, i), lf_frame_of(block, o, i)))
                return true;
    }
    return false;
}

typedef void (*completes)(lf_byte *, lf_byte *, const lf_byte *);

static inline bool fetch_with(const struct lf_meeting *m, lf_slot slot, enum kind kind, completes complete)
{
    lf_byte *own = frame_of(slot);
    uint8_t moves = complete != NULL;
    for (int group = 0; group < 2; group++) {
        const struct lf_offer *o = &offers[kind][group];
        if (form == AMONG_ALL && lf_fetch(block, m, own, moves, complete, o)) return true;
        for (lf_slot i = 0; i <= o->count && form == BY_INDEX; i++)
            if (lf_fetch_from(block, m, own, moves, complete, o, i)) return true;
        for (lf_slot i = 0; i < o->count && form == BY_PLACE; i++)
            if (lf_fetch_at(block, m, own, moves, complete, o, (lf_slot)(o->first + i), position_in(o, i),
                            lf_frame_of(block, o, i)))
                return true;
    }
    return false;
}

static inline bool fetch(const struct lf_meeting *m, lf_slot slot, enum kind kind)
{
    return fetch_with(m, slot, kind, store_x);
}

/* Ready at `position`, with nothing to wait with. */
static inline void go_on(lf_slot slot, uint16_t position)
{
    lf_clear(frame_of(slot), WAIT_SIZE);
    put_at(slot, position);
}

static inline void wait_at(lf_slot slot, uint16_t position)
{
    lf_policy_waits(block, slot, 1);
    put_at(slot, position);
}

static inline void send(lf_byte *b, lf_slot slot)
{
    static const enum kind receivers[] = {RECEIVE, SELECT_RECEIVE_0, SELECT_RECEIVE_1, TIME_RECEIVE};
    lf_byte *f = frame_of(slot);
    f[PORT] = request.channel;
    f[VALUE] = request.value;
    struct lf_meeting m;
    lf_meeting_begin(&m);
    for (int i = 0; i < 4; i++) seek_receivers(&m, LF_NONE, request.channel, f + VALUE, receivers[i]);
    if (!lf_policy_meet(b, &m)) {
        wait_at(slot, AT_SEND);
        return;
    }
    bool moved = false;
    for (int i = 0; i < 4; i++) moved = deliver(&m, f + VALUE, receivers[i]) || moved;
    CHECK(moved);
    go_on(slot, SENT);
}

static inline void receive(lf_byte *b, lf_slot slot)
{
    static const enum kind senders[] = {SEND, SELECT_SEND_0, SELECT_SEND_1};
    lf_byte *f = frame_of(slot);
    f[PORT] = request.channel;
    f[LEAST] = request.least;
    struct lf_meeting m;
    lf_meeting_begin(&m);
    for (int i = 0; i < 3; i++) seek_senders(&m, LF_NONE, request.channel, slot, accept_from_least, senders[i]);
    if (!lf_policy_meet(b, &m)) {
        wait_at(slot, AT_RECEIVE);
        return;
    }
    bool moved = false;
    for (int i = 0; i < 3; i++) moved = fetch(&m, slot, senders[i]) || moved;
    CHECK(moved);
    go_on(slot, RECEIVED);
}

static inline void select_receive(lf_byte *b, lf_slot slot)
{
    lf_byte *f = frame_of(slot);
    f[PORT] = request.channel;
    f[LEAST] = request.least;
    struct lf_meeting m;
    lf_meeting_begin(&m);
    seek_senders(&m, 0, request.channel, slot, accept_from_least, SEND);
    seek_senders(&m, 1, b[GLOBAL_PORT], slot, accept_seven, SEND);
    if (lf_policy_meet(b, &m)) {
        CHECK(fetch(&m, slot, SEND));
        go_on(slot, m.own ? CLAUSE1 : CLAUSE0);
    } else if (request.poll) {
        go_on(slot, OTHERWISE);
    } else {
        wait_at(slot, AT_SELECT_RECEIVE);
    }
}

static inline void select_send(lf_byte *b, lf_slot slot)
{
    lf_byte *f = frame_of(slot);
    f[CLOSED] = request.closed;
    f[CLOSED + LATE_CLAUSE / 8] = (lf_byte)(request.other_closed << LATE_CLAUSE % 8);
    f[PORT] = request.closed ? 0 : request.channel;
    f[VALUE] = request.closed ? 0 : request.value;
    f[OTHER_VALUE] = request.other_closed ? 0 : request.other_value;
    struct lf_meeting m;
    lf_meeting_begin(&m);
    if (!request.closed) seek_receivers(&m, 0, request.channel, f + VALUE, RECEIVE);
    if (!request.other_closed) seek_receivers(&m, LATE_CLAUSE, CONSTANT_CHANNEL, f + OTHER_VALUE, RECEIVE);
    if (lf_policy_meet(b, &m)) {
        CHECK(deliver(&m, f + (m.own ? OTHER_VALUE : VALUE), RECEIVE));
        go_on(slot, m.own ? CLAUSE1 : CLAUSE0);
    } else {
        wait_at(slot, AT_SELECT_SEND);
    }
}

static inline void sleep_a_while(lf_byte *b, lf_slot slot)
{
    lf_policy_sleeps(b, slot, LF_NONE, request.milliseconds);
    wait_at(slot, AT_SLEEP);
}

static inline void select_time(lf_byte *b, lf_slot slot)
{
    frame_of(slot)[PORT] = request.channel;
    struct lf_meeting m;
    lf_meeting_begin(&m);
    seek_senders(&m, 0, request.channel, slot, NULL, SEND);
    if (lf_policy_meet(b, &m)) {
        CHECK(fetch(&m, slot, SEND));
        go_on(slot, CLAUSE0);
    } else {
        lf_policy_sleeps(b, slot, 1, request.milliseconds);
        wait_at(slot, AT_SELECT_TIME);
    }
}

static inline void read_console(lf_byte *b, lf_slot slot)
{
    int16_t c = lf_policy_console_in(b);
    if (c < 0) {
        wait_at(slot, AT_READ);
        return;
    }
    frame_of(slot)[X] = (lf_byte)c;
    go_on(slot, READ);
}

/* Interrupts: the first two bits that the program names that differ in their byte. */
enum { BIT = 0, LATE_BIT = 9 };

static inline void await_interrupt(lf_byte *b, lf_slot slot)
{
    struct lf_meeting m;
    lf_meeting_begin(&m);
    lf_seek_pending(b, &m, LF_NONE, BIT);
    if (lf_policy_meet(b, &m)) {
        lf_clear_pending(b, BIT);
        go_on(slot, INTERRUPTED);
    } else {
        wait_at(slot, AT_INTERRUPT);
    }
}

/* Clauses: BIT, if least is 0; LATE_BIT; BIT again. */
static inline void select_interrupt(lf_byte *b, lf_slot slot)
{
    lf_byte *f = frame_of(slot);
    f[LEAST] = request.least;
    struct lf_meeting m;
    lf_meeting_begin(&m);
    if (accept_without_least(b, f, NULL)) lf_seek_pending(b, &m, 0, BIT);
    lf_seek_pending(b, &m, 1, LATE_BIT);
    lf_seek_pending(b, &m, 2, BIT);
    if (lf_policy_meet(b, &m)) {
        lf_clear_pending(b, m.own == 1 ? LATE_BIT : BIT);
        go_on(slot, (uint16_t)(CLAUSE0 + m.own));
    } else {
        wait_at(slot, AT_SELECT_INTERRUPT);
    }
}

/* --- what the kernel calls ------------------------------------------------------------------------------------- */

static inline void on_bit(uint8_t bit, struct lf_meeting *m, bool take)
{
    static const enum kind waiting[] = {INTERRUPT, SELECT_INTERRUPT_0, SELECT_INTERRUPT_1, SELECT_INTERRUPT_2};
    for (int i = 0; i < 4; i++) {
        if ((waiting[i] == SELECT_INTERRUPT_1 ? LATE_BIT : BIT) != bit) continue;
        if (take)
            deliver(m, NULL, waiting[i]);
        else
            seek_receivers(m, LF_NONE, 0, NULL, waiting[i]);
    }
}

static inline void find_waiting(lf_byte *b, uint8_t bit, struct lf_meeting *m) { (void)b; on_bit(bit, m, false); }
static inline void let_go(lf_byte *b, uint8_t bit, struct lf_meeting *m) { (void)b; on_bit(bit, m, true); }

static inline struct lf_meeting meeting_of(lf_slot slot, uint8_t clause)
{
    struct lf_meeting m;
    lf_meeting_begin(&m);
    m.partner = slot;
    m.theirs = clause;
    return m;
}

static inline void wake(lf_byte *b, lf_slot slot, uint8_t clause)
{
    (void)b;
    struct lf_meeting m = meeting_of(slot, clause);
    if (!deliver(&m, NULL, SLEEP)) deliver(&m, NULL, TIME_AFTER);
}

static inline void give_byte(lf_byte *b, lf_slot slot, uint8_t c)
{
    (void)b;
    struct lf_meeting m = meeting_of(slot, LF_NONE);
    deliver(&m, &c, READER);
}

static inline lf_slot reader(lf_byte *b)
{
    lf_slot first = lf_first_waiting_in(b, &offers[READER][0]), second = lf_first_waiting_in(b, &offers[READER][1]);
    return first < second ? first : second;
}

static inline void start_processes(uint32_t mode)
{
    start(mode);
    make_offers();
    program.interrupt = find_waiting;
    program.take = let_go;
    program.wake = wake;
    program.reader = reader;
    program.console = give_byte;
    memset(&request, 0, sizeof request);
    request.channel = 1;
    block[GLOBAL_PORT] = 2;
    for (int slot = 0; slot < SLOTS; slot++) {
        if (MOVING) lf_store_width(record_of((lf_slot)slot) + 2, MOVING, frame_distance((lf_slot)slot));
        put_at((lf_slot)slot, START);
    }
}

static inline bool waits_with_nothing(lf_slot slot)
{
    for (int i = 0; i < WAIT_SIZE; i++)
        if (frame_of(slot)[i]) return false;
    return true;
}

/* --- attempts with what they are about ------------------------------------------------------------------------- */

static inline uint32_t sends(lf_slot slot, uint8_t channel, uint8_t value)
{
    request.channel = channel;
    request.value = value;
    return act(slot, send);
}

static inline uint32_t receives(lf_slot slot, uint8_t channel, uint8_t least)
{
    request.channel = channel;
    request.least = least;
    return act(slot, receive);
}

static inline uint32_t selects(lf_slot slot, uint8_t channel, uint8_t least)
{
    request.channel = channel;
    request.least = least;
    return act(slot, select_receive);
}

#endif
