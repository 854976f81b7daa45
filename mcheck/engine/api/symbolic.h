/* Steps over undetermined data. The engine executes decoded code of actions on blocks whose bytes are numbers or terms, and
 * brings what comes of it to its normal form. It computes with numbers alone. What an operation makes of terms, how a question
 * about them splits a path, which values a term has: that is asked of the caller, once, and remembered. What is no matter of
 * remembering (a question that is answered both ways, an instruction that is not known) is handed over, with all of its path.
 *
 * Terms and sets of values are numbers here, given by the caller. The code is one array of words (code.h). */
#ifndef MC_SYMBOLIC_H
#define MC_SYMBOLIC_H

#include <stdint.h>

struct mc_symbolic;

/* Of operations, as terms have them; conversions and comparisons among them. */
enum mc_term_op {
    MC_TERM_ADD, MC_TERM_SUB, MC_TERM_MUL, MC_TERM_UDIV, MC_TERM_UREM, MC_TERM_SDIV, MC_TERM_SREM, MC_TERM_AND, MC_TERM_OR,
    MC_TERM_XOR, MC_TERM_SHL, MC_TERM_LSHR, MC_TERM_ASHR, MC_TERM_UMIN, MC_TERM_UMAX, MC_TERM_SMIN, MC_TERM_SMAX,
    MC_TERM_USUB_SAT, MC_TERM_EQ, MC_TERM_NE, MC_TERM_ULT, MC_TERM_ULE, MC_TERM_UGT, MC_TERM_UGE, MC_TERM_SLT, MC_TERM_SLE,
    MC_TERM_SGT, MC_TERM_SGE, MC_TERM_SADD_OVERFLOWS, MC_TERM_SSUB_OVERFLOWS, MC_TERM_SMUL_OVERFLOWS, MC_TERM_UADD_OVERFLOWS,
    MC_TERM_USUB_OVERFLOWS, MC_TERM_UMUL_OVERFLOWS, MC_TERM_ZEXT, MC_TERM_SEXT, MC_TERM_TRUNC, MC_TERM_ABS, MC_TERM_BSWAP,
    MC_TERM_CTPOP, MC_TERM_FSHL, MC_TERM_FSHR, MC_TERM_SELECT, MC_TERM_BYTE, MC_TERM_CONCAT, MC_TERM_SYMBOL, MC_TERM_OPS
};

/* Instructions of code. */
enum mc_ir_op {
    MC_IR_UNKNOWN /* handed over */, MC_IR_JUMP, MC_IR_BRANCH, MC_IR_SWITCH, MC_IR_RETURN, MC_IR_CALL, MC_IR_LOAD, MC_IR_STORE,
    MC_IR_ADDRESS, MC_IR_ALLOCA, MC_IR_COPY, MC_IR_OPERATION, MC_IR_OVERFLOW, MC_IR_SELECT, MC_IR_FILL, MC_IR_MOVE, MC_IR_POLICY,
    MC_IR_OPS
};

enum mc_ir_policy {
    MC_POLICY_NOTHING, MC_POLICY_FAULT, MC_POLICY_ALTERNATIVE, MC_POLICY_MEET, MC_POLICY_CHOICE, MC_POLICY_CLOCK,
    MC_POLICY_CONSOLE, MC_POLICY_PORT, MC_POLICY_ANY
};

/* What a value is. */
enum mc_value_kind { MC_VALUE_NOTHING, MC_VALUE_NUMBER, MC_VALUE_TERM, MC_VALUE_POINTER, MC_VALUE_FAR /* its offset is a term */ };

/* Pieces of memory that are none of a path: constants by number, from here on; what is beyond those that were given has a name
 * and no memory. */
enum { MC_GLOBAL_PLACE = 0x40000000, MC_NULL_PLACE = 0x7fffffff, MC_ROOM_BEFORE = 64, MC_CELL_TERM = 256 };

/* What is asked, as the lowest byte of the first word of a question; see symbolic/answers.h for the rest. */
enum mc_asked {
    MC_ASKED_OPERATION = 1, MC_ASKED_BYTE, MC_ASKED_JOIN, MC_ASKED_SWITCH, MC_ASKED_TRUTH, MC_ASKED_NUMBER, MC_ASKED_INPUT,
    MC_ASKED_SYMBOL, MC_ASKED_FRAMES, MC_ASKED_EXPLICIT, MC_ASKED_SIMPLE, MC_ASKED_WITH_VALUES, MC_ASKED_IMAGE,
    MC_ASKED_SINGLE, MC_ASKED_SHAPE
};

/* What mc_symbolic_go comes back with. */
enum mc_symbolic_stop {
    MC_SYMBOLIC_DONE, MC_SYMBOLIC_ASKS /* mc_symbolic_answer, then go on */, MC_SYMBOLIC_HANDS_OVER /* the last part of the output */,
    MC_SYMBOLIC_TICK /* some time has passed */, MC_SYMBOLIC_TOO_MANY /* paths */, MC_SYMBOLIC_NO_MEMORY
};

/* What a part of the output is: the normal form of an end, a fault, the block of an end, a path that goes on elsewhere. */
enum mc_symbolic_part { MC_PART_NORMAL, MC_PART_FAULT, MC_PART_BLOCK, MC_PART_PATH };

struct mc_symbolic *mc_symbolic_new(const int64_t *code, uint64_t words, uint32_t block_size, uint32_t rounds);
void mc_symbolic_free(struct mc_symbolic *s);

/* `term`: the next number; `is_symbol`: it is one itself. */
uint32_t mc_symbolic_term(struct mc_symbolic *s, uint32_t term, uint32_t width, uint32_t is_symbol, const uint32_t *symbols, uint32_t count);
/* `set`: the next number. */
uint32_t mc_symbolic_set(struct mc_symbolic *s, uint32_t set, uint32_t is_single, uint64_t value);
/* A shape that steps begin in: its bytes; of each run offset, size and term. */
uint32_t mc_symbolic_shape(struct mc_symbolic *s, uint32_t shape, const uint8_t *explicit_bytes, const uint32_t *runs, uint32_t count);
/* Ranges of the block (offset, size) that must be numbers in a state. */
uint32_t mc_symbolic_control(struct mc_symbolic *s, const uint32_t *ranges, uint32_t count);
/* The next layout of frames: its cells (offset, size, lifted). */
uint32_t mc_symbolic_layout(struct mc_symbolic *s, uint32_t layout, const uint32_t *cells, uint32_t count);

struct mc_symbolic_step {
    uint32_t function, arguments;
    uint64_t argument[4];
    uint32_t shape, symbols;
    uint32_t mode;      /* how questions are answered; answers are remembered for each */
    uint32_t is_normal; /* ends are brought to their normal form, where that is simple */
    uint64_t most_paths, most_steps;
};

/* A step of all values of a box: of each symbol the number of its set. */
void mc_symbolic_begin(struct mc_symbolic *s, const struct mc_symbolic_step *step, const uint32_t *box);
uint32_t mc_symbolic_go(struct mc_symbolic *s);
/* What is asked, and its length. */
const uint64_t *mc_symbolic_question(const struct mc_symbolic *s, uint64_t *words);
uint32_t mc_symbolic_answer(struct mc_symbolic *s, const uint64_t *answer, uint64_t words);
/* What has come out since this was last asked. */
const uint64_t *mc_symbolic_output(struct mc_symbolic *s, uint64_t *words);

struct mc_symbolic_counts { uint64_t instructions, paths, questions, answers; };
void mc_symbolic_count(const struct mc_symbolic *s, struct mc_symbolic_counts *out);

/* Boxes of one shape: of each symbol the number of its set. */
struct mc_coverage;
struct mc_coverage *mc_coverage_new(void);
void mc_coverage_free(struct mc_coverage *c);
/* `set`: the next number, of so many intervals, from the lowest (both bounds are in it). */
uint32_t mc_coverage_set(struct mc_coverage *c, uint32_t set, const uint64_t *bounds, uint32_t count);
/* The first of the known boxes, from `first` on, out of which the box sticks in one symbol (`outside`), or in none (MC_COVERED). */
enum { MC_COVERED = UINT32_MAX, MC_BEYOND = UINT32_MAX - 1 };
uint32_t mc_coverage_next(struct mc_coverage *c, const uint32_t *box, uint32_t symbols, const uint32_t *known, uint32_t count,
                          uint32_t first, uint32_t *outside);

/* What an operation makes of numbers. */
uint64_t mc_term_apply(uint32_t op, uint32_t width, uint32_t of, uint64_t a, uint64_t b, uint64_t c);

/* The values of a term for many values of its symbols. `nodes`: what it is made of, the operands first: of each eight words
 * (op, width, of, count of operands, and three of them: the number of a node, or MC_NODE_NUMBER + the place of a number in
 * `numbers`); those of a concatenation lie in `more`, from the first operand on; a symbol has the first of its values, each
 * `rows` after the other, as its operand. */
enum { MC_NODE_WORDS = 8, MC_NODE_NUMBER = 1 << 24, MC_CHUNK = 256 };
uint32_t mc_term_column(const uint32_t *nodes, uint32_t count, const uint32_t *more, const uint64_t *numbers, const uint64_t *symbol_values,
                        uint64_t rows, uint64_t *out);
/* Sets as intervals, from the lowest: how many, written to `bounds`, which has room for two words of each value. */
/* Of values in ascending order those of which the other column has one of `wanted`. */
uint64_t mc_values_fitting(const uint64_t *values, const uint64_t *column, uint64_t rows, const uint64_t *wanted, uint32_t count,
                           uint64_t *bounds);
/* Of values in any order, which are sorted. */
uint64_t mc_values_of(uint64_t *values, uint64_t rows, uint64_t *bounds);

#endif
