/* The machine as the caller has it: what it is told of terms, sets and shapes, and steps from their begin to all their ends. */
#include "symbolic/machine.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT_PATHS = 64 }; /* between steps, with their memory */

struct mc_symbolic *mc_symbolic_new(const int64_t *code, uint64_t words, uint32_t block_size, uint32_t rounds)
{
    struct mc_symbolic *s = calloc(1, sizeof *s);
    int64_t *kept = malloc(8 * (words ? words : 1));
    if (!s || !kept) {
        free(s);
        free(kept);
        return NULL;
    }
    memcpy(kept, code, 8 * words);
    s->code = kept;
    s->block_size = block_size;
    s->rounds = rounds;
    return s;
}

void mc_symbolic_free(struct mc_symbolic *s)
{
    if (!s) return;
    for (uint32_t i = 0; i < s->paths_room; i++) mc_path_freed(&s->paths[i]);
    void *owned[] = {(void *)(uintptr_t)s->code, s->terms.at, s->symbols.at, s->sets.at, s->shapes.at, s->runs.at, s->bytes.at, s->layouts.at,
                     s->cells.at, s->control.at, s->paths, s->box.at, s->output.at, s->key.at, s->owner.at, s->named.at,
                     s->contents.at, s->block.at};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
    mc_answers_free(&s->answers);
    free(s);
}

uint32_t mc_symbolic_term(struct mc_symbolic *s, uint32_t term, uint32_t width, uint32_t is_symbol, const uint32_t *symbols, uint32_t count)
{
    if (term != s->terms.count || !ROOM_FOR(s->symbols, count)) return 0;
    struct term t = {width, is_symbol, s->symbols.count, count};
    for (uint32_t i = 0; i < count; i++) s->symbols.at[s->symbols.count++] = symbols[i];
    return ADD(s->terms, t);
}

uint32_t mc_symbolic_set(struct mc_symbolic *s, uint32_t set, uint32_t is_single, uint64_t value)
{
    return set == s->sets.count && ADD(s->sets, (struct set){is_single, value});
}

uint32_t mc_symbolic_shape(struct mc_symbolic *s, uint32_t shape, const uint8_t *explicit_bytes, const uint32_t *runs, uint32_t count)
{
    if (shape != s->shapes.count || !ROOM_FOR(s->runs, count) || !ROOM_FOR(s->bytes, s->block_size)) return 0;
    struct shape of = {s->runs.count, count, s->bytes.count};
    for (uint32_t i = 0; i < count; i++, runs += 3) s->runs.at[s->runs.count++] = (struct run){runs[0], runs[1], runs[2]};
    if (s->block_size) memcpy(s->bytes.at + s->bytes.count, explicit_bytes, s->block_size);
    s->bytes.count += s->block_size;
    return ADD(s->shapes, of);
}

uint32_t mc_symbolic_control(struct mc_symbolic *s, const uint32_t *ranges, uint32_t count)
{
    s->control.count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!ADD(s->control, (struct run){ranges[2 * i], ranges[2 * i + 1], 0})) return 0;
    return 1;
}

uint32_t mc_symbolic_layout(struct mc_symbolic *s, uint32_t layout, const uint32_t *cells, uint32_t count)
{
    if (layout != s->layouts.count || !ROOM_FOR(s->cells, count)) return 0;
    struct layout of = {s->cells.count, count};
    for (uint32_t i = 0; i < count; i++, cells += 3) s->cells.at[s->cells.count++] = (struct cell){cells[0], cells[1], cells[2]};
    return ADD(s->layouts, of);
}

/* --- steps ----------------------------------------------------------------------------------------------------------- */

void mc_symbolic_begin(struct mc_symbolic *s, const struct mc_symbolic_step *step, const uint32_t *box)
{
    s->step = *step;
    s->box.count = 0;
    s->has_begun = false;
    s->on_stack = 0;
    s->splits = 0;
    s->output.count = 0;
    if (!ROOM_FOR(s->box, step->symbols)) s->step.symbols = UINT32_MAX;
    else if (step->symbols) memcpy(s->box.at, box, step->symbols * sizeof *box);
}

/* So many paths on the stack, the ones above the old with nothing in them. */
static bool stack_room(struct mc_symbolic *s, uint64_t count)
{
    if (count <= s->paths_room) return true;
    uint64_t more = s->paths_room ? s->paths_room : 8;
    while (more < count) more *= 2;
    struct path *grown_paths = realloc(s->paths, more * sizeof *s->paths);
    if (!grown_paths) return false;
    memset(grown_paths + s->paths_room, 0, (more - s->paths_room) * sizeof *s->paths);
    s->paths = grown_paths;
    s->paths_room = (uint32_t)more;
    return true;
}

static enum status spread(struct mc_symbolic *s, struct path *p, struct run r)
{
    const struct term *t = s->terms.at + r.term;
    struct value v = term_value(r.term);
    enum status status = GOES_ON;
    if (t->is_symbol) {
        const struct set *own = s->sets.at + p->symbols.at[s->symbols.at[t->first]].set;
        if (own->is_single) v = number(own->value);
    } else {
        status = mc_asked_of_term(s, p, MC_ASKED_WITH_VALUES, r.term, &v);
    }
    uint32_t *cells = p->cells.at + MC_ROOM_BEFORE + r.offset;
    for (uint32_t i = 0; i < r.size && status == GOES_ON; i++) status = mc_byte_of(s, v, i, &cells[i]);
    return status;
}

static enum status begun(struct mc_symbolic *s)
{
    if (s->step.symbols == UINT32_MAX || !stack_room(s, 1)) return NO_MEMORY;
    struct path *p = s->paths;
    struct shape of = s->shapes.at[s->step.shape];
    uint32_t n = MC_ROOM_BEFORE + s->block_size;
    mc_path_emptied(p);
    if (!ROOM_FOR(p->cells, n) || !ROOM_FOR(p->symbols, s->step.symbols) || !ADD(p->pieces, (struct piece){0, n})) return NO_MEMORY;
    memset(p->cells.at, 0, MC_ROOM_BEFORE * sizeof *p->cells.at);
    for (uint32_t i = 0; i < 4; i++) p->cells.at[MC_ROOM_BEFORE - 4 + i] = s->rounds >> 8 * i & 255;
    for (uint32_t i = 0; i < s->block_size; i++) p->cells.at[MC_ROOM_BEFORE + i] = s->bytes.at[of.bytes + i];
    p->cells.count = n;
    for (uint32_t i = 0; i < s->step.symbols; i++) p->symbols.at[i] = (struct symbol){s->box.at[i], 0};
    p->symbols.count = s->step.symbols;
    for (uint32_t i = 0; i < of.count; i++) {
        enum status r = spread(s, p, s->runs.at[of.first + i]);
        if (r != GOES_ON) return r;
    }
    if (!mc_activate(s, p, s->step.function, -1)) return NO_MEMORY;
    p->registers.at[0] = (struct value){MC_VALUE_POINTER, 0, 0};
    for (uint32_t i = 0; i < s->step.arguments && i < 4; i++) p->registers.at[1 + i] = number(s->step.argument[i]);
    s->on_stack = 1;
    s->has_begun = true;
    return GOES_ON;
}

/* The path on top becomes several, the first way on top. */
static enum status split(struct mc_symbolic *s)
{
    uint64_t n = s->ways ? s->ways[0] : s->decisions;
    uint32_t base = s->on_stack - 1;
    s->splits += n;
    if (s->splits > s->step.most_paths) return TOO_LONG;
    if (!stack_room(s, base + n)) return NO_MEMORY;
    for (uint64_t i = 1; i < n; i++)
        if (!mc_path_copied(&s->paths[base + i], &s->paths[base])) return NO_MEMORY;
    for (uint64_t i = 0; i < n; i++) {
        struct path *p = &s->paths[base + i];
        uint64_t way = n - 1 - i;
        const uint64_t *of = s->ways ? s->ways + 1 + 3 * way : NULL;
        if (of) p->symbols.at[of[1]].set = (uint32_t)of[2];
        else p->decided = (uint32_t)way;
    }
    s->on_stack = base + (uint32_t)n;
    return GOES_ON;
}

/* Of a path that has ended. */
static enum status told(struct mc_symbolic *s, struct path *p)
{
    if (p->has_ended == 1 && s->step.is_normal) {
        enum status r = mc_end_normally(s, p);
        if (r != HANDS_OVER) return r;
    }
    if (!mc_put_path_head(s, p, p->has_ended == 2 ? MC_PART_FAULT : MC_PART_BLOCK)) return NO_MEMORY;
    if (p->has_ended == 2 && (!ADD(s->output, p->fault) || !ADD(s->output, p->site))) return NO_MEMORY;
    return mc_put_block(s, p) ? GOES_ON : NO_MEMORY;
}

static enum status advanced(struct mc_symbolic *s)
{
    struct path *p = &s->paths[s->on_stack - 1];
    enum status r = p->has_ended ? ENDED : mc_execute(s, p);
    if (r == SPLITS) return split(s);
    if (r == ENDED) r = told(s, p);
    else if (r == HANDS_OVER && !mc_put_path(s, p)) return NO_MEMORY;
    if (r == GOES_ON || r == HANDS_OVER) {
        s->counts.paths++;
        s->on_stack--;
    }
    return r;
}

static uint32_t ended_with(struct mc_symbolic *s, enum status r)
{
    static const uint8_t stops[] = {[GOES_ON] = MC_SYMBOLIC_DONE, [ASKS] = MC_SYMBOLIC_ASKS, [HANDS_OVER] = MC_SYMBOLIC_HANDS_OVER,
                                    [SPLITS] = MC_SYMBOLIC_DONE, [ENDED] = MC_SYMBOLIC_DONE, [TICKS] = MC_SYMBOLIC_TICK,
                                    [TOO_LONG] = MC_SYMBOLIC_TOO_MANY, [NO_MEMORY] = MC_SYMBOLIC_NO_MEMORY};
    s->counts.questions += r == ASKS;
    if (r == ASKS && !s->answers.question_words) return MC_SYMBOLIC_NO_MEMORY;
    if (r != GOES_ON || s->on_stack) return stops[r];
    for (uint32_t i = KEPT_PATHS; i < s->paths_room; i++) mc_path_freed(&s->paths[i]);
    return MC_SYMBOLIC_DONE;
}

uint32_t mc_symbolic_go(struct mc_symbolic *s)
{
    enum status r = GOES_ON;
    if (!s->has_begun) r = begun(s);
    while (r == GOES_ON && s->on_stack) r = advanced(s);
    return ended_with(s, r);
}

const uint64_t *mc_symbolic_question(const struct mc_symbolic *s, uint64_t *words)
{
    *words = s->answers.question_words;
    return s->answers.question;
}

uint32_t mc_symbolic_answer(struct mc_symbolic *s, const uint64_t *answer, uint64_t words) { return mc_answers_add(&s->answers, answer, words); }

const uint64_t *mc_symbolic_output(struct mc_symbolic *s, uint64_t *words)
{
    *words = s->output.count;
    s->output.count = 0;
    return s->output.at;
}

void mc_symbolic_count(const struct mc_symbolic *s, struct mc_symbolic_counts *out) { *out = s->counts; }
