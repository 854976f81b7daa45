/* What the kernel, the compiled program and the policies know of each other. docs/reference/machine.md defines the terms.
 *
 * `b` is always the state block; the policy block lies directly before it. No function here keeps state elsewhere.
 * Everything marked LF_INLINE is called by compiled code with constants, so that it shrinks to what the program needs.
 */
#ifndef LF_H
#define LF_H

#include <stdbool.h>
#include <stdint.h>

/* kernel.c gives these functions external linkage, so that compiled code can call (and inline) them. Who measures which
 * branches were taken keeps them from being inlined. */
#ifndef LF_INLINE
#define LF_INLINE static inline __attribute__((always_inline, unused))
#endif
#define LF_COLD __attribute__((cold, noinline))
#define LF_APART __attribute__((noinline))

typedef uint8_t lf_byte;

/* A program of more than 255 slots or channels is wide: the numbers of both have two bytes. */
#ifdef LF_WIDE
typedef uint16_t lf_slot;
typedef uint16_t lf_port;
typedef uint32_t lf_count;
#define LF_NOBODY 0xFFFFu /* no slot */
#define LF_CHANNELS_ROOM 1024u /* numbers of channels, 0 included */
#else
typedef uint8_t lf_slot;
typedef uint8_t lf_port;
typedef uint16_t lf_count; /* of alternatives: at most 255 clauses of one side meet plain communications of the others */
#define LF_NOBODY 0xFFu
#define LF_CHANNELS_ROOM 256u
#endif

#define LF_NONE 0xFFu /* no clause: "plain" */

enum lf_fault_kind {
    LF_FAULT_INDEX = 1,
    LF_FAULT_RANGE = 2,
    LF_FAULT_OVERFLOW = 3,
    LF_FAULT_DIVISION = 4,
    LF_FAULT_CASE = 5,
    LF_FAULT_ASSERT = 6,
    LF_FAULT_PORT = 7,
    LF_FAULT_PROCESSES = 8,
    LF_FAULT_CHANNELS = 9,
    LF_FAULT_CALLS = 10,
    LF_FAULT_ELEMENT = 11,
    LF_FAULT_ENDLESS = 12,
    LF_FAULT_ENVIRONMENT = 13,
    LF_FAULT_EFFECT = 14 /* host */
};

/* Where a clause finds its port. */
enum lf_port_kind { LF_PORT_NONE = 0, LF_PORT_FRAME = 1, LF_PORT_BLOCK = 2, LF_PORT_CONSTANT = 3 };

/* One clause of one waiting position, for one run of slots that can be there: what they offer to a partner. */
struct lf_offer {
    uint16_t positions;   /* offset of the first slot's position in the block */
    uint16_t record;      /* offset of the first slot's record */
    uint16_t stride;      /* from record to record */
    uint16_t frame;       /* distance from the record to the frame, when it is fixed */
    uint16_t frame_at;    /* else: where the record says so */
    uint16_t waiting;     /* the position number */
    uint16_t resume;      /* the position after the meeting */
    uint16_t port;        /* frame offset, block offset or channel number, as port_kind says */
    uint16_t closed;      /* frame offset of the closed clauses */
    uint16_t values;      /* frame offset of the values that are sent */
    uint16_t wait;        /* frame offset of the wait area, and how many bytes of it this position uses */
    uint16_t wait_size;
    lf_slot first;        /* the slots */
    lf_slot count;
    uint8_t frame_width;  /* 0: the frame is fixed; else the width of the field at frame_at */
    uint8_t wide;         /* positions have two bytes */
    uint8_t clause;       /* its number in the SELECT, LF_NONE if plain */
    uint8_t port_kind;
    uint8_t closable;     /* 1: bit `clause` of `closed` says whether the clause is closed */
    uint8_t tests;        /* 1: `accept` is there */
    uint8_t moves;        /* 1: `complete` is there */
    uint8_t shares;       /* 1: several processes can wait in a queue of this wait: order of arrival matters */
    bool (*accept)(lf_byte *b, lf_byte *frame, const lf_byte *values);   /* a receive: may it take these? 0: always */
    void (*complete)(lf_byte *b, lf_byte *frame, const lf_byte *values); /* a receive: assign them. 0: nothing to do */
};

/* What an attempt has found so far; filled by the policy. */
struct lf_meeting {
    lf_count found;   /* alternatives so far */
    uint8_t own;      /* the alternative that is to be taken: own clause, */
    lf_slot partner;  /* partner (LF_NOBODY: a pending interrupt), */
    uint8_t theirs;   /* and the partner's clause */
    uint8_t extra;    /* the policy's own */
};

/* --- what the compiled program provides ---------------------------------------------------------------------- */

extern const uint32_t lf_block_size; /* up to 65,536 */
extern const lf_slot lf_slots;                /* of the environment too, if the program is composed with one */
extern const uint8_t lf_wrap_to; /* 1 if the initialisation has one action only and there are other slots, else 0 */
extern const uint8_t lf_wide_positions;
extern const uint16_t lf_first_waiting;
extern const uint16_t lf_positions_at;
extern const uint16_t lf_pending_at;
extern const uint8_t lf_has_readers; /* some process can wait for the console */
extern const lf_port lf_channels;   /* room for channels */
extern const uint16_t lf_interrupts; /* how many the program names; their numbers: */
extern const uint8_t lf_interrupt_numbers[];
extern const uint16_t lf_interrupts_from_outside; /* all of them, or none: an environment raises them */

/* Only where the program is composed with an environment: its slots follow the program's, its positions lie apart. */
extern const lf_slot lf_program_slots;
extern const uint8_t lf_environment_wide_positions;
extern const uint16_t lf_environment_first_waiting;
extern const uint16_t lf_environment_positions_at;

/* The policy block: offsets of its fields. A room of 0: the field is not there. */
extern const uint16_t lf_policy_size;
extern const uint16_t lf_policy_clock_at;
extern const uint16_t lf_policy_deadlines_at;
extern const uint16_t lf_policy_sleepers_at;
extern const uint16_t lf_policy_cursor_at;
extern const uint16_t lf_policy_arrivals_at;
extern const uint16_t lf_policy_taker_at;
extern const uint8_t lf_takers_first; /* 1: who takes an interrupt runs next, and the taker is there */
extern const uint8_t lf_has_deadlines;
extern const lf_slot lf_sleepers_room;
extern const uint8_t lf_runs_next; /* 1: lf_program_run_next is there */
extern const uint8_t lf_timed_selects; /* 1: there is a SELECT of which several clauses wait for time */
extern const uint8_t lf_rests;    /* 1: the program imports Power, whose variable `deep` lies there in the block */
extern const uint16_t lf_deep_at;

void lf_program_initialise(lf_byte *b);            /* a zeroed block becomes the state before the first step */
void lf_program_run(lf_byte *b, lf_slot slot);     /* the next action of a ready process */
void lf_program_run_next(lf_byte *b); /* of the next ready process, or idles; on a board, round-robin among few */
void lf_program_mark_ports(lf_byte *b, lf_byte *used);            /* NEW: sets the bit of every channel in use */
void lf_program_interrupt(lf_byte *b, uint8_t bit, struct lf_meeting *m); /* finds who waits for it */
void lf_program_take(lf_byte *b, uint8_t bit, struct lf_meeting *m);      /* lets the chosen one go */
void lf_program_wake(lf_byte *b, lf_slot slot, uint8_t clause);
lf_slot lf_program_reader(lf_byte *b);             /* the lowest slot that waits for the console, or LF_NOBODY */
void lf_program_console(lf_byte *b, lf_slot slot, uint8_t c);

/* --- the policies -------------------------------------------------------------------------------------------- */

void lf_policy_alternative(lf_byte *b, struct lf_meeting *m, uint8_t own, lf_slot partner, uint8_t theirs, uint8_t shares);
bool lf_policy_meet(lf_byte *b, struct lf_meeting *m);
uint8_t lf_policy_choice(lf_byte *b, uint8_t branches);
uint8_t lf_policy_in8(lf_byte *b, uint32_t address);
uint16_t lf_policy_in16(lf_byte *b, uint32_t address);
uint32_t lf_policy_in32(lf_byte *b, uint32_t address);
void lf_policy_out8(lf_byte *b, uint32_t address, uint8_t value);
void lf_policy_out16(lf_byte *b, uint32_t address, uint16_t value);
void lf_policy_out32(lf_byte *b, uint32_t address, uint32_t value);
uint32_t lf_policy_clock(lf_byte *b);
int16_t lf_policy_console_in(lf_byte *b); /* -1: nothing there */
void lf_policy_console_out(lf_byte *b, uint8_t c);
void lf_policy_spin(lf_byte *b, uint32_t microseconds);
void lf_policy_waits(lf_byte *b, lf_slot slot, uint8_t shares);
void lf_policy_leaves(lf_byte *b, lf_slot slot, uint8_t shares);
void lf_policy_sleeps(lf_byte *b, lf_slot slot, uint8_t clause, uint32_t milliseconds);
void lf_policy_created(lf_byte *b, lf_slot slot, uint32_t deadline);
void lf_policy_ended(lf_byte *b, lf_slot slot);
void lf_policy_access(lf_byte *b, uint8_t begins); /* what is decided from 1 to 0 is part of a port access, no attempt */

/* What something outside of the program has written, with the bounds of its type. The checker answers any value from
 * `low` to `high` if `all_tried`; else, since they are too many, the one that it found. */
uint8_t lf_policy_any8(lf_byte *b, uint8_t found, uint8_t low, uint8_t high, uint8_t all_tried);
uint16_t lf_policy_any16(lf_byte *b, uint16_t found, uint16_t low, uint16_t high, uint8_t all_tried);
uint32_t lf_policy_any32(lf_byte *b, uint32_t found, uint32_t low, uint32_t high, uint8_t all_tried);

/* Never returns: a board halts or resets, the host leaves the action. */
_Noreturn void lf_fault(lf_byte *b, uint8_t kind, uint16_t site, int32_t first, int32_t second);

/* --- positions ----------------------------------------------------------------------------------------------- */

LF_INLINE uint16_t lf_load16(const lf_byte *at) { return (uint16_t)(at[0] | ((uint16_t)at[1] << 8)); }

LF_INLINE void lf_store16(lf_byte *at, uint16_t v)
{
    at[0] = (lf_byte)v;
    at[1] = (lf_byte)(v >> 8);
}

LF_INLINE lf_byte *lf_position_of_slot(lf_byte *b, uint16_t positions, lf_slot index, uint8_t wide)
{
    return wide ? b + positions + 2u * index : &b[positions + index];
}

LF_INLINE uint16_t lf_position_at(const lf_byte *at, uint8_t wide) { return wide ? lf_load16(at) : *at; }

LF_INLINE uint16_t lf_position(const lf_byte *b, uint16_t positions, lf_slot index, uint8_t wide)
{
    return wide ? lf_load16(b + positions + 2u * index) : b[positions + index];
}

LF_INLINE void lf_set_position_at(lf_byte *at, uint8_t wide, uint16_t number)
{
    if (wide)
        lf_store16(at, number);
    else
        *at = (lf_byte)number;
}

LF_INLINE void lf_set_position(lf_byte *b, uint16_t positions, lf_slot index, uint8_t wide, uint16_t number)
{
    lf_set_position_at(lf_position_of_slot(b, positions, index, wide), wide, number);
}

/* Where the process in any slot is; 0: nobody. */
LF_INLINE uint16_t lf_position_of(const lf_byte *b, lf_slot slot)
{
    if (lf_program_slots == lf_slots || slot < lf_program_slots)
        return lf_position(b, lf_positions_at, slot, lf_wide_positions);
    return lf_position(b, lf_environment_positions_at, (lf_slot)(slot - lf_program_slots), lf_environment_wide_positions);
}

LF_INLINE bool lf_is_ready(const lf_byte *b, lf_slot slot)
{
    uint16_t p = lf_position_of(b, slot);
    if (lf_program_slots == lf_slots || slot < lf_program_slots) return p != 0 && p < lf_first_waiting;
    return p != 0 && p < lf_environment_first_waiting;
}

/* The number of a channel, in the block. */
LF_INLINE lf_port lf_load_port(const lf_byte *at)
{
#ifdef LF_WIDE
    return lf_load16(at);
#else
    return *at;
#endif
}

LF_INLINE void lf_clear(lf_byte *at, uint16_t size)
{
    for (uint16_t i = 0; i < size; i++) at[i] = 0;
}

/* --- offers -------------------------------------------------------------------------------------------------- */

LF_INLINE lf_byte *lf_frame_of(lf_byte *b, const struct lf_offer *o, lf_slot index)
{
    lf_byte *record = b + o->record + (uint16_t)(index * o->stride);
    if (o->frame_width == 0) return record + o->frame;
    return record + (o->frame_width == 1 ? record[o->frame_at] : lf_load16(record + o->frame_at));
}

/* Does the slot `first + index` wait in this offer, on this channel? */
LF_INLINE bool lf_waits_in(const lf_byte *b, const lf_byte *frame, const struct lf_offer *o, lf_port channel)
{
    if (o->port_kind == LF_PORT_FRAME && lf_load_port(frame + o->port) != channel) return false;
    if (o->port_kind == LF_PORT_BLOCK && lf_load_port(b + o->port) != channel) return false;
    if (o->port_kind == LF_PORT_CONSTANT && o->port != channel) return false;
    if (o->closable && (frame[o->closed + o->clause / 8u] >> (o->clause % 8u) & 1u)) return false;
    return true;
}

/* A sender attempts: this slot, whose position lies at `at`, is an alternative if it waits in `o` for its message on
 * `channel`, and may take these values. */
LF_INLINE void lf_seek_receiver_at(lf_byte *b, struct lf_meeting *m, uint8_t own, lf_port channel, const lf_byte *values,
                                   const struct lf_offer *o, lf_slot slot, const lf_byte *at, lf_byte *frame)
{
    if (lf_position_at(at, o->wide) != o->waiting) return;
    if (!lf_waits_in(b, frame, o, channel)) return;
    if (o->tests && !o->accept(b, frame, values)) return;
    lf_policy_alternative(b, m, own, slot, o->clause, o->shares);
}

LF_INLINE void lf_seek_receiver(lf_byte *b, struct lf_meeting *m, uint8_t own, lf_port channel, const lf_byte *values,
                                const struct lf_offer *o, lf_slot index)
{
    lf_byte *at = lf_position_of_slot(b, o->positions, index, o->wide);
    if (lf_position_at(at, o->wide) != o->waiting) return; /* only then its frame is looked for */
    lf_seek_receiver_at(b, m, own, channel, values, o, (lf_slot)(o->first + index), at, lf_frame_of(b, o, index));
}

/* All of them are. */
LF_INLINE void lf_seek_receivers(lf_byte *b, struct lf_meeting *m, uint8_t own, lf_port channel, const lf_byte *values,
                                 const struct lf_offer *o)
{
    for (lf_slot i = 0; i < o->count; i++) lf_seek_receiver(b, m, own, channel, values, o, i);
}

/* A receiver attempts: this slot, whose position lies at `at`, is an alternative if it waits in `o` to send its message on
 * `channel`, with values that it may take (`tests`: if `accept` says so; a flag beside the pointer, since where functions
 * have an address space of their own the compiler does not know that a function is not null). */
LF_INLINE void lf_seek_sender_at(lf_byte *b, struct lf_meeting *m, uint8_t own, lf_port channel, lf_byte *own_frame,
                                 uint8_t tests, bool (*accept)(lf_byte *, lf_byte *, const lf_byte *),
                                 const struct lf_offer *o, lf_slot slot, const lf_byte *at, lf_byte *frame)
{
    if (lf_position_at(at, o->wide) != o->waiting) return;
    if (!lf_waits_in(b, frame, o, channel)) return;
    if (tests && !accept(b, own_frame, frame + o->values)) return;
    lf_policy_alternative(b, m, own, slot, o->clause, o->shares);
}

LF_INLINE void lf_seek_sender(lf_byte *b, struct lf_meeting *m, uint8_t own, lf_port channel, lf_byte *own_frame,
                              uint8_t tests, bool (*accept)(lf_byte *, lf_byte *, const lf_byte *),
                              const struct lf_offer *o, lf_slot index)
{
    lf_byte *at = lf_position_of_slot(b, o->positions, index, o->wide);
    if (lf_position_at(at, o->wide) != o->waiting) return;
    lf_byte *frame = lf_frame_of(b, o, index);
    lf_seek_sender_at(b, m, own, channel, own_frame, tests, accept, o, (lf_slot)(o->first + index), at, frame);
}

/* All of them are. */
LF_INLINE void lf_seek_senders(lf_byte *b, struct lf_meeting *m, uint8_t own, lf_port channel, lf_byte *own_frame,
                               uint8_t tests, bool (*accept)(lf_byte *, lf_byte *, const lf_byte *),
                               const struct lf_offer *o)
{
    for (lf_slot i = 0; i < o->count; i++) lf_seek_sender(b, m, own, channel, own_frame, tests, accept, o, i);
}

/* The lowest slot that waits in `o`, or LF_NOBODY. */
LF_INLINE lf_slot lf_first_waiting_in(const lf_byte *b, const struct lf_offer *o)
{
    for (lf_slot i = 0; i < o->count; i++)
        if (lf_position(b, o->positions, i, o->wide) == o->waiting) return (lf_slot)(o->first + i);
    return LF_NOBODY;
}

LF_INLINE bool lf_is_chosen(const lf_byte *b, const struct lf_meeting *m, const struct lf_offer *o)
{
    lf_slot index = (lf_slot)(m->partner - o->first);
    return index < o->count && m->theirs == o->clause && lf_position(b, o->positions, index, o->wide) == o->waiting;
}

/* The wait of the slot `first + index` is over: its wait area is zero again, and it is ready. */
LF_INLINE void lf_release(lf_byte *b, const struct lf_offer *o, lf_slot index, lf_byte *frame)
{
    lf_clear(frame + o->wait, o->wait_size);
    lf_set_position(b, o->positions, index, o->wide, o->resume);
    lf_policy_leaves(b, (lf_slot)(o->first + index), o->shares);
}

/* If the chosen partner waits in `o`: the values move to it, and it is ready. */
LF_INLINE bool lf_deliver(lf_byte *b, const struct lf_meeting *m, const lf_byte *values, const struct lf_offer *o)
{
    if (!lf_is_chosen(b, m, o)) return false;
    lf_slot index = (lf_slot)(m->partner - o->first);
    lf_byte *frame = lf_frame_of(b, o, index);
    if (o->moves) o->complete(b, frame, values);
    lf_release(b, o, index, frame);
    return true;
}

/* If the chosen partner waits in `o`: its values move to the own frame, and it is ready. */
LF_INLINE bool lf_fetch(lf_byte *b, const struct lf_meeting *m, lf_byte *own_frame, uint8_t moves,
                        void (*complete)(lf_byte *, lf_byte *, const lf_byte *), const struct lf_offer *o)
{
    if (!lf_is_chosen(b, m, o)) return false;
    lf_slot index = (lf_slot)(m->partner - o->first);
    lf_byte *frame = lf_frame_of(b, o, index);
    if (moves) complete(b, own_frame, frame + o->values);
    lf_release(b, o, index, frame);
    return true;
}

/* Is this slot, whose position lies at `at`, the chosen partner, and does it wait in `o`? */
LF_INLINE bool lf_is_chosen_at(const struct lf_meeting *m, const struct lf_offer *o, lf_slot slot, const lf_byte *at)
{
    return m->partner == slot && m->theirs == o->clause && lf_position_at(at, o->wide) == o->waiting;
}

/* Its wait is over: its wait area is zero again, and it is ready. */
LF_INLINE void lf_release_at(lf_byte *b, const struct lf_offer *o, lf_slot slot, lf_byte *at, lf_byte *frame)
{
    lf_clear(frame + o->wait, o->wait_size);
    lf_set_position_at(at, o->wide, o->resume);
    lf_policy_leaves(b, slot, o->shares);
}

/* If this slot is the chosen partner, and waits in `o`: the values move to it, and it is ready. */
LF_INLINE bool lf_deliver_at(lf_byte *b, const struct lf_meeting *m, const lf_byte *values, const struct lf_offer *o,
                             lf_slot slot, lf_byte *at, lf_byte *frame)
{
    if (!lf_is_chosen_at(m, o, slot, at)) return false;
    if (o->moves) o->complete(b, frame, values);
    lf_release_at(b, o, slot, at, frame);
    return true;
}

LF_INLINE bool lf_deliver_to(lf_byte *b, const struct lf_meeting *m, const lf_byte *values, const struct lf_offer *o,
                             lf_slot index)
{
    lf_slot slot = (lf_slot)(o->first + index);
    lf_byte *at = lf_position_of_slot(b, o->positions, index, o->wide);
    if (index >= o->count || !lf_is_chosen_at(m, o, slot, at)) return false;
    return lf_deliver_at(b, m, values, o, slot, at, lf_frame_of(b, o, index));
}

/* If this slot is the chosen partner, and waits in `o`: its values move to the own frame, and it is ready. */
LF_INLINE bool lf_fetch_at(lf_byte *b, const struct lf_meeting *m, lf_byte *own_frame, uint8_t moves,
                           void (*complete)(lf_byte *, lf_byte *, const lf_byte *), const struct lf_offer *o, lf_slot slot,
                           lf_byte *at, lf_byte *frame)
{
    if (!lf_is_chosen_at(m, o, slot, at)) return false;
    if (moves) complete(b, own_frame, frame + o->values);
    lf_release_at(b, o, slot, at, frame);
    return true;
}

LF_INLINE bool lf_fetch_from(lf_byte *b, const struct lf_meeting *m, lf_byte *own_frame, uint8_t moves,
                             void (*complete)(lf_byte *, lf_byte *, const lf_byte *), const struct lf_offer *o,
                             lf_slot index)
{
    lf_slot slot = (lf_slot)(o->first + index);
    lf_byte *at = lf_position_of_slot(b, o->positions, index, o->wide);
    if (index >= o->count || !lf_is_chosen_at(m, o, slot, at)) return false;
    return lf_fetch_at(b, m, own_frame, moves, complete, o, slot, at, lf_frame_of(b, o, index));
}

LF_INLINE void lf_meeting_begin(struct lf_meeting *m)
{
    m->found = 0;
    m->own = LF_NONE;
    m->partner = LF_NOBODY;
    m->theirs = LF_NONE;
    m->extra = 0;
}

/* --- interrupts ---------------------------------------------------------------------------------------------- */

LF_INLINE bool lf_is_pending(const lf_byte *b, uint8_t bit)
{
    return b[lf_pending_at + bit / 8u] >> (bit % 8u) & 1u;
}

LF_INLINE void lf_set_pending(lf_byte *b, uint8_t bit)
{
    b[lf_pending_at + bit / 8u] |= (lf_byte)(1u << (bit % 8u));
}

LF_INLINE void lf_clear_pending(lf_byte *b, uint8_t bit)
{
    b[lf_pending_at + bit / 8u] &= (lf_byte)~(1u << (bit % 8u));
}

/* The attempt to receive an interrupt, clause `own`: a pending one is an alternative. */
LF_INLINE void lf_seek_pending(lf_byte *b, struct lf_meeting *m, uint8_t own, uint8_t bit)
{
    if (lf_is_pending(b, bit)) lf_policy_alternative(b, m, own, LF_NOBODY, LF_NONE, 0);
}

/* --- creation, end, channels --------------------------------------------------------------------------------- */

/* The lowest free one of `count` slots, as an index; a fault if there is none. */
LF_INLINE lf_slot lf_free_slot(lf_byte *b, uint16_t positions, lf_slot count, uint8_t wide, uint16_t site)
{
    for (lf_slot i = 0; i < count; i++)
        if (lf_position(b, positions, i, wide) == 0) return i;
    lf_fault(b, LF_FAULT_PROCESSES, site, count, 0);
}

LF_INLINE void lf_end(lf_byte *b, uint16_t positions, lf_slot index, uint8_t wide, lf_slot slot, lf_byte *record,
                      uint16_t stride)
{
    lf_clear(record, stride);
    lf_set_position(b, positions, index, wide, 0);
    lf_policy_ended(b, slot);
}

LF_INLINE void lf_mark(lf_byte *used, lf_port channel) { used[channel / 8u] |= (lf_byte)(1u << (channel % 8u)); }

/* Ports that lie on the stack of the running action (of processes that cannot wait): NEW must see them too. */
struct lf_live_ports {
    const struct lf_live_ports *outer;
    const lf_byte *ports;
    uint16_t count;
};

/* The lowest free number from `first` to `last`; the fault tells how many there are. */
LF_INLINE lf_port lf_new_channel_among(lf_byte *b, const struct lf_live_ports *live, uint16_t site, uint16_t first,
                                       uint16_t last)
{
    lf_byte used[LF_CHANNELS_ROOM / 8u] = {0};
    lf_program_mark_ports(b, used);
    for (; live; live = live->outer)
        for (uint16_t i = 0; i < live->count; i++) lf_mark(used, lf_load_port(live->ports + i * sizeof(lf_port)));
    for (uint16_t n = first; n <= last; n++)
        if (!(used[n / 8u] >> (n % 8u) & 1u)) return (lf_port)n;
    lf_fault(b, LF_FAULT_CHANNELS, site, (int32_t)last - first + 1, 0);
}

LF_INLINE lf_port lf_new_channel(lf_byte *b, const struct lf_live_ports *live, uint16_t site)
{
    return lf_new_channel_among(b, live, site, 1, lf_channels);
}

/* --- frames of calls that can wait --------------------------------------------------------------------------- */

LF_INLINE uint16_t lf_load_width(const lf_byte *at, uint8_t width) { return width == 1 ? at[0] : lf_load16(at); }

LF_INLINE void lf_store_width(lf_byte *at, uint8_t width, uint16_t v)
{
    if (width == 1)
        at[0] = (lf_byte)v;
    else
        lf_store16(at, v);
}

/* One more call of a recursive process is under way; a fault at the bound. */
LF_INLINE void lf_count_call(lf_byte *b, lf_byte *counter, uint8_t width, uint16_t bound, uint16_t site)
{
    uint16_t n = lf_load_width(counter, width);
    if (n >= bound) lf_fault(b, LF_FAULT_CALLS, site, bound, 0);
    lf_store_width(counter, width, (uint16_t)(n + 1u));
}

LF_INLINE void lf_uncount_call(lf_byte *counter, uint8_t width)
{
    lf_store_width(counter, width, (uint16_t)(lf_load_width(counter, width) - 1u));
}

/* --- arrays of CHAR ------------------------------------------------------------------------------------------ */

/* Bit 15 of a length says that the array lies in the constant pool, which on AVR is flash. */
#define LF_IN_POOL 0x8000u

LF_INLINE lf_byte lf_array_byte(const lf_byte *a, uint16_t length, uint16_t i)
{
#ifdef __AVR__
    if (length & LF_IN_POOL) return *(const __flash lf_byte *)(uint16_t)(a + i);
#else
    (void)length;
#endif
    return a[i];
}

/* The character at `i`, 0 at the end. */
LF_INLINE lf_byte lf_character(const lf_byte *a, uint16_t length, uint16_t i)
{
    return i < (length & (uint16_t)~LF_IN_POOL) ? lf_array_byte(a, length, i) : 0;
}

/* -1, 0, 1; up to the first 0X or the end. */
LF_INLINE int8_t lf_compare_strings(const lf_byte *x, uint16_t x_length, const lf_byte *y, uint16_t y_length)
{
    for (uint16_t i = 0;; i++) {
        lf_byte c = lf_character(x, x_length, i), d = lf_character(y, y_length, i);
        if (c != d) return c < d ? -1 : 1;
        if (c == 0) return 0;
    }
}

/* The array of `size` characters at `to` becomes the string, which is as long: the compiler has filled it up with 0X. */
LF_INLINE void lf_assign_string(lf_byte *to, uint16_t size, const lf_byte *from, uint16_t length)
{
    for (uint16_t i = 0; i < size; i++) to[i] = lf_array_byte(from, length, i);
}

/* --- events -------------------------------------------------------------------------------------------------- */

/* An interrupt arrives: whoever waits for it goes on (the policy chooses), else it is pending. Who it was, or LF_NOBODY. */
LF_INLINE lf_slot lf_interrupt(lf_byte *b, uint8_t bit)
{
    struct lf_meeting m;
    lf_meeting_begin(&m);
    lf_program_interrupt(b, bit, &m);
    if (lf_policy_meet(b, &m))
        lf_program_take(b, bit, &m);
    else
        lf_set_pending(b, bit);
    return m.partner;
}

#endif
