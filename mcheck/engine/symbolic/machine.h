/* One machine that executes decoded code on undetermined data, as its files share it. The code is an array of words:
 *
 *   code        functions, blocks, globals (places of these tables), number of globals
 *   function    registers, place of their first contents (what, place, bits), first block
 *   block       place of its instructions, place of its phis, how many
 *   phi         register, number of ways, of each the block it comes from and the register
 *   global      place of its bytes (a word each, -1: part of an address), how many
 *   instruction eight words: enum mc_ir_op, width, bits of operands (or bytes), register of the result, a, b, c, more
 */
#ifndef MC_SYMBOLIC_MACHINE_H
#define MC_SYMBOLIC_MACHINE_H

#include "api/symbolic.h"
#include "symbolic/answers.h"

#include <stdbool.h>
#include <stddef.h>

struct value { uint32_t what, place; uint64_t bits; };
struct activation { const int64_t *pc; uint32_t function, block, registers; int32_t result; };
struct piece { uint32_t at, size; };
struct symbol { uint32_t set, width; };
struct item { uint32_t kind, a, b, c; }; /* kind: enum item_kind, with the bits of an input above */
struct alternative { uint32_t own, partner, theirs; };
enum item_kind { ITEM_TAKE, ITEM_MEET, ITEM_CHOICE, ITEM_CLOCK, ITEM_READ, ITEM_IN };
enum { UNDECIDED = UINT32_MAX, CELL_POINTER = 0x80000000, DECISION = UINT32_MAX };

/* An array that grows. */
#define LIST(type) struct { type *at; uint32_t count, room; }

struct path {
    LIST(struct value) registers;
    LIST(struct activation) active;
    LIST(uint32_t) cells; /* of all pieces: a byte, MC_CELL_TERM + a term, or CELL_POINTER | number << 3 | part */
    LIST(struct piece) pieces;
    LIST(struct symbol) symbols;
    LIST(struct item) items;
    LIST(struct alternative) alternatives;
    LIST(struct value) pointers; /* that lie in memory */
    uint64_t steps;
    uint32_t decided, assumed;
    uint32_t has_ended, fault, site; /* 1: returned, 2: at a fault */
};

struct term { uint32_t width, is_symbol, first, count; }; /* its symbols, in `symbols` */
struct set { uint32_t is_single; uint64_t value; };
struct run { uint32_t offset, size, term; };
struct cell { uint32_t offset, size, lifted; };
struct shape { uint32_t first, count, bytes; }; /* runs, and where its bytes lie */
struct layout { uint32_t first, count; };        /* cells */

enum status { GOES_ON, ASKS, HANDS_OVER, SPLITS, ENDED, TICKS, TOO_LONG, NO_MEMORY };

struct mc_symbolic {
    const int64_t *code;
    uint32_t block_size, rounds; /* that an action may have */
    struct mc_answers answers;
    LIST(struct term) terms;
    LIST(uint32_t) symbols;
    LIST(struct set) sets;
    LIST(struct shape) shapes;
    LIST(struct run) runs;
    LIST(uint8_t) bytes;
    LIST(struct layout) layouts;
    LIST(struct cell) cells;
    LIST(struct run) control; /* offset and size */
    struct path *paths;
    uint32_t on_stack, paths_room;
    struct mc_symbolic_step step;
    LIST(uint32_t) box; /* that the step begins in */
    bool has_begun;
    uint64_t splits, until_tick;
    const uint64_t *ways; /* of a question that splits */
    uint32_t decisions;   /* likewise of a decision */
    LIST(uint64_t) output;
    LIST(uint64_t) key;      /* of a long question */
    LIST(uint32_t) owner;    /* normal form: which term a symbol occurs in */
    LIST(uint64_t) named;    /* likewise, of each symbol the set and what it was */
    LIST(struct value) contents;
    LIST(uint32_t) block; /* likewise */
    struct mc_symbolic_counts counts;
};

/* Room for so many more of a list; false: no memory. */
bool mc_list_grown(void **at, uint32_t *room, uint64_t wanted, size_t size);
#define ROOM_FOR(list, n) ((uint64_t)(list).count + (n) <= (list).room || \
    mc_list_grown((void **)&(list).at, &(list).room, (uint64_t)(list).count + (n), sizeof *(list).at))
#define ADD(list, ...) (ROOM_FOR(list, 1) ? ((list).at[(list).count++] = __VA_ARGS__, true) : false)

static inline struct value number(uint64_t v) { return (struct value){MC_VALUE_NUMBER, 0, v}; }
static inline struct value term_value(uint32_t t) { return (struct value){MC_VALUE_TERM, 0, t}; }
static inline bool is_scalar(struct value v) { return v.what == MC_VALUE_NUMBER || v.what == MC_VALUE_TERM; }

/* paths.c */
bool mc_path_copied(struct path *to, const struct path *from);
void mc_path_emptied(struct path *p);
void mc_path_freed(struct path *p);

/* ask.c: what is remembered; ASKS where it is not. */
enum status mc_asked_value(struct mc_symbolic *s, const uint64_t *key, uint64_t words, struct value *out);
enum status mc_asked_word(struct mc_symbolic *s, const uint64_t *key, uint64_t words, uint64_t *out);
enum status mc_operate(struct mc_symbolic *s, uint32_t op, uint32_t width, uint32_t of, const struct value *x, uint32_t count, struct value *out);
enum status mc_byte_of(struct mc_symbolic *s, struct value v, uint32_t number, uint32_t *cell);
/* About a term and the sets of its symbols: the key, in s->key. */
bool mc_key_of_term(struct mc_symbolic *s, const struct path *p, uint64_t head, uint64_t term);
enum status mc_asked_of_term(struct mc_symbolic *s, const struct path *p, uint32_t kind, uint64_t term, struct value *out);
enum status mc_truth(struct mc_symbolic *s, const struct path *p, struct value v, uint64_t *out);
enum status mc_number_of(struct mc_symbolic *s, const struct path *p, struct value v, uint64_t *out);

/* memory.c */
enum status mc_load_value(struct mc_symbolic *s, const struct path *p, struct value pointer, uint32_t size, struct value *out);
enum status mc_store_value(struct mc_symbolic *s, struct path *p, struct value pointer, struct value v, uint32_t size);
enum status mc_fill(struct mc_symbolic *s, struct path *p, struct value to, struct value v, struct value size);
enum status mc_move(struct mc_symbolic *s, struct path *p, struct value to, struct value from, struct value size);
enum status mc_address_of(struct mc_symbolic *s, const int64_t *more, const struct value *registers, struct value base, struct value *out);

/* execute.c, policies.c, normal_form.c, output.c */
bool mc_activate(struct mc_symbolic *s, struct path *p, uint32_t function, int32_t result);
enum status mc_execute(struct mc_symbolic *s, struct path *p);
enum status mc_ask_policy(struct mc_symbolic *s, struct path *p, const int64_t *call, const struct value *registers, struct value *out);
enum status mc_end_normally(struct mc_symbolic *s, struct path *p); /* HANDS_OVER: it is not simple */
bool mc_put_path_head(struct mc_symbolic *s, const struct path *p, uint64_t part);
bool mc_put_block(struct mc_symbolic *s, const struct path *p);
bool mc_put_path(struct mc_symbolic *s, const struct path *p);

#endif
