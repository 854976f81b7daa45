/* What lies directly before the state block where a program runs on this machine or is checked. Generated code, the host's
 * policies and the checker's find it by its distance from the block; lfc/codegen/module/before_block.py has the same numbers.
 *
 * A run without environment has `rounds` alone: its policies' own fields lie before that.
 */
#ifndef LF_BEFORE_BLOCK_H
#define LF_BEFORE_BLOCK_H

#include <stddef.h>
#include <stdint.h>

struct lf_before_block {
    uint32_t answer; /* what an environment gives to the port read that is under way */
    uint32_t width;  /* that is asked for, in bits; 0 once it is given */
    union {
        void *context; /* of whoever decides: the engine, or the oracle of an image check */
        uint64_t context_room;
    };
    uint32_t unused;
    uint32_t rounds; /* of loops and calls that are left to the running action */
};

/* The distance of a field from the block. */
#define LF_BEFORE(field) (sizeof(struct lf_before_block) - offsetof(struct lf_before_block, field))

/* The checker's own room: the struct is in it, and before it lies a byte for each block of the flow graphs. */
enum { LF_ROOM_BEFORE_BLOCK = 64 };

_Static_assert(LF_BEFORE(answer) == 24, "the answer");
_Static_assert(LF_BEFORE(width) == 20, "the width of the answer");
_Static_assert(LF_BEFORE(context) == 16, "the context");
_Static_assert(LF_BEFORE(rounds) == 4, "the budget of rounds");
_Static_assert(sizeof(struct lf_before_block) <= LF_ROOM_BEFORE_BLOCK, "the room");

static inline uint32_t *lf_rounds_before(uint8_t *b) { return (uint32_t *)(void *)(b - LF_BEFORE(rounds)); }

static inline void *lf_context_before(const uint8_t *b) { return *(void *const *)(const void *)(b - LF_BEFORE(context)); }

static inline void lf_set_context_before(uint8_t *b, void *context)
{
    *(void **)(void *)(b - LF_BEFORE(context)) = context;
}

#endif
