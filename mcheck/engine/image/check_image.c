/* A check of an image from its setup to what it found, for Python. */
#include "image/decision_tree.h"

static uint32_t weight_of(const struct img *x)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->e->space.p.block_size; i++) n += x->block[i] != 0;
    return n;
}

/* Of each kind and place the smallest block: the one with the fewest bytes that are not zero. */
void img_note_error(struct img *x, uint32_t kind, uint32_t pc, uint32_t where, uint64_t expected, uint64_t found,
                    uint32_t event, uint32_t which)
{
    uint32_t weight = weight_of(x), i = 0;
    uint32_t position = (event == IMG_RUN || event == IMG_WAKE) && which < x->e->space.p.slots ? x->position[which] : 0;
    if (x->wanted) return;
    if (kind == IMG_ENDLESS && img_answers_ended(x)) {
        x->polls_on = true;
        return;
    }
    while (i < x->t.errors && !(x->error[i].kind == kind && x->error[i].pc == pc && x->error[i].where == where &&
                                x->error[i].position == position))
        i++;
    x->enough |= kind == IMG_ENDLESS || ++x->t.met >= IMG_ENOUGH;
    if (i == IMG_MOST_ERRORS) return;
    struct img_error *e = &x->error[i];
    uint64_t count = i < x->t.errors ? e->count + 1 : 1;
    if (i == x->t.errors) {
        if (!x->error_block[i] && !(x->error_block[i] = malloc(x->e->space.p.block_size + 1))) return;
        x->t.errors++;
    } else if (weight >= e->weight) {
        e->count = count;
        return;
    }
    *e = (struct img_error){kind, pc, where, expected, found, event, which, position, weight, x->root, count};
    memcpy(x->error_block[i], x->block, x->e->space.p.block_size);
}

struct img *img_new(struct mc_engine *e, const struct img_setup *s)
{
    struct img *x = calloc(1, sizeof *x);
    const struct mc_program *p = &e->space.p;
    if (!x) return NULL;
    x->s = *s;
    x->e = e;
    for (uint32_t i = 0; i < IMG_FIELDS; i++) x->field[i] = -1;
    x->field[IMG_INPUTS] = x->field[IMG_ANSWERS] = 0;
    x->worsts = p->positions + 2 + s->interrupts;
    uint32_t before = (s->oracle_room + 63u) & ~63u;
    bool has = mc_worker_new(&x->w, &e->space);
    x->w.rootless = true;
    x->executed = calloc(1, s->flash_size / 2 + 1);
    x->touched = malloc(4ull * s->places);
    x->is_touched = calloc(s->places, 1);
    x->is_written = calloc(s->places, 1);
    x->written = calloc(s->places, sizeof *x->written);
    x->processor = s->processor == IMG_AVR ? &img_avr : s->processor == IMG_THUMB ? &img_thumb : &img_riscv;
    x->block = calloc(1, p->block_size + 64);
    x->after = calloc(1, p->block_size + 64);
    x->stamps = calloc(p->block_size + 1, 4);
    x->worst = calloc(x->worsts + 1, sizeof *x->worst);
    x->oracle = calloc(1, sizeof *x->oracle);
    x->oracle_memory = aligned_alloc(64, before + ((p->block_size + 127u) & ~63u));
    x->phase = calloc(16, sizeof *x->phase);
    x->root_of = calloc(16, 4);
    if (!has || !x->processor->create(x) || !x->executed || !x->touched || !x->is_touched || !x->is_written || !x->written ||
        !x->block || !x->after || !x->stamps || !x->worst || !x->oracle || !x->oracle_memory || !x->phase || !x->root_of || !(x->phase[0] = calloc(1, sizeof **x->phase))) {
        img_free(x);
        return NULL;
    }
    x->phases = 1;
    x->phase[0]->begins = true;
    x->phases_room = x->roots_room = 16;
    x->oracle_block = x->oracle_memory + before;
    return x;
}

void img_free(struct img *x)
{
    if (!x) return;
    mc_worker_free(&x->w);
    for (uint32_t i = 0; i < x->phases; i++) img_phase_free(x->phase[i]);
    for (uint32_t i = 0; i < IMG_MOST_ERRORS; i++) free(x->error_block[i]);
    x->processor->destroy(x);
    img_map_free(&x->children), img_map_free(&x->walked), img_map_free(&x->phase_of);
    free(x->phase), free(x->root_of), free(x->executed), free(x->touched), free(x->is_touched), free(x->is_written), free(x->written);
    free(x->access), free(x->node), free(x->leaf), free(x->exit), free(x->kept_written), free(x->kept_access);
    free(x->replay), free(x->answer), free(x->choice), free(x->block), free(x->after), free(x->stamps), free(x->worst);
    free(x->answers), free(x->oracle), free(x->oracle_memory), free(x->step), free(x->change), free(x);
}

enum { PATIENCE = 1 }; /* seconds */

static void visit(uint64_t root, void *context)
{
    struct img *x = context;
    if (img_is_over(x) || (x->is_initial = root == x->worst[x->worsts].root)) return;
    img_check_state(x, root);
}

/* `block`: of so many states; NULL: every state that was reached, or that `model` has reached. */
static void check(struct img *x, const uint8_t *block, uint64_t count, struct mc_engine *model)
{
    double begin = mc_now();
    x->w.patience = block || model ? PATIENCE : 0; /* where a search was made before, it has had the time */
    if (x->processor->start(x)) {
        uint64_t initial = mc_initial(&x->w);
        x->worst[x->worsts].root = initial; /* behind the others */
        mc_decode(&x->w, initial);
        mc_put_state(&x->w, x->block);
        for (uint32_t i = 0; i < x->e->space.p.block_size; i++)
            if (x->data[x->s.block_at + i] != x->block[i])
                img_note_error(x, IMG_BAD_START, x->pc, i, x->block[i], x->data[x->s.block_at + i], IMG_IDLE, 1);
        for (uint32_t i = 0; i < x->s.policy_size; i++) {
            uint32_t expected = i == x->s.cursor_at || i == x->s.taker_at ? MC_NOBODY : 0;
            if (x->data[x->s.policy_at + i] != expected)
                img_note_error(x, IMG_BAD_START, x->pc, i, expected, x->data[x->s.policy_at + i], IMG_IDLE, 2);
        }
        x->is_initial = true;
        if (!model) img_check_state(x, initial);
        x->is_initial = false;
        if (model) img_each_with_model(x, model);
        else if (!block) mc_each_root(x->e, visit, x);
        for (uint64_t i = 0; i < count && !x->e->interrupted; i++)
            visit(mc_root_of_block(&x->w, block + i * x->e->space.p.block_size), x);
    }
    x->t.phases = x->phases;
    x->t.nodes = x->nodes;
    x->t.leaves = x->leaves;
    uint32_t most = x->call_depth + x->function_depth; /* of a pass that calls a function of arrivals */
    if (x->function_depth && x->base_stack - most < x->t.deepest) x->t.deepest = x->base_stack - most;
    if (x->function_depth && x->t.deepest < x->s.stack_low && !x->t.errors)
        img_note_error(x, IMG_BAD_STORE, x->s.depart, x->processor->address(x, (uint32_t)x->t.deepest), 0, 0, IMG_IDLE, 0);
    x->t.stop = x->no_memory ? 1 : x->twice ? 3 : x->e->interrupted ? 2 : x->polls_on ? 4 : x->crowded ? 5 : 0;
    x->t.seconds = mc_now() - begin;
}

void img_check(struct img *x) { check(x, NULL, 0, NULL); }

void img_check_blocks(struct img *x, const uint8_t *block, uint64_t count) { check(x, block, count, NULL); }

void img_check_with_model(struct img *x, struct mc_engine *model) { check(x, NULL, 0, model); }

uint32_t img_trace_worst(struct img *x, uint32_t number, uint32_t *words, uint32_t room)
{
    struct img_worst w = x->worst[number];
    if (!w.cycles) return 0;
    x->wanted_words = words;
    x->trace_room = room;
    x->trace_used = 0;
    x->wanted = 1;
    x->wanted_found = 0;
    x->wanted_cycles = w.cycles;
    x->is_initial = w.root == x->worst[x->worsts].root;
    img_check_state(x, w.root);
    x->wanted = 0;
    return x->trace_used;
}

const struct img_statistics *img_get_statistics(const struct img *x) { return &x->t; }

uint32_t img_get_error(struct img *x, uint32_t number, struct img_error *out, uint8_t *block)
{
    if (number >= x->t.errors) return 0;
    *out = x->error[number];
    memcpy(block, x->error_block[number], x->e->space.p.block_size);
    return 1;
}

void img_get_executed(const struct img *x, uint8_t *executed) { memcpy(executed, x->executed, x->s.flash_size / 2); }

void img_get_start(const struct img *x, uint8_t *data, uint32_t *sp, uint32_t *stop)
{
    memcpy(data, x->base_data, x->s.places);
    *sp = x->base_stack;
    *stop = x->stop_pc;
}

uint32_t img_get_worst(struct img *x, uint32_t number, struct img_worst *out, uint8_t *block)
{
    if (number >= x->worsts || !x->worst[number].cycles) return 0;
    *out = x->worst[number];
    mc_decode(&x->w, out->root);
    mc_put_state(&x->w, block);
    return 1;
}
