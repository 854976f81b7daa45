/* Where models of devices lead the program, and what they answer there: from the search with them, whose compiled actions
 * are run once more in each state. The program's part of a block, and its positions, are the same without models.
 */
#include "image/decision_tree.h"

struct led {
    struct img *x;
    struct mc_worker w;        /* of the search with models */
    uint8_t *state, *memory;   /* its block; one that its actions run on, with what lies before it */
    uint32_t size;
    struct img_map seen;
    uint32_t room, count;      /* of the answers */
};

uint64_t img_answers_hash(const struct img *x, uint32_t slot)
{
    uint64_t h = x->answers_from[slot + 1] - x->answers_from[slot];
    for (uint32_t i = x->answers_from[slot]; i < x->answers_from[slot + 1]; i++) h = img_mixed(h, x->answers[i]);
    return h;
}

uint32_t img_take_answer(struct img *x, uint32_t width)
{
    uint32_t slot = x->walk.slot, taken = (uint32_t)x->field[IMG_ANSWERS], v = 0;
    for (uint32_t i = 0; i < width && slot != MC_NOBODY; i++) {
        uint32_t at = x->answers_from[slot] + taken + i;
        if (at < x->answers_from[slot + 1]) v |= (uint32_t)x->answers[at] << 8 * i;
    }
    img_choose(x, IMG_ANSWERS, taken + width);
    return v;
}

/* What no model answers. Any order of arrival will do: the image's actions are compared with the program's. */
static uint32_t nothing(struct img_oracle *o, uint32_t width, uint32_t address)
{
    (void)o, (void)width, (void)address;
    return 0;
}

static bool never_before(struct img_oracle *o, uint8_t a, uint8_t b)
{
    (void)o, (void)a, (void)b;
    return false;
}

static void put_answers(struct led *l, uint32_t slot)
{
    struct img *x = l->x;
    struct img_oracle *o = x->oracle;
    uint8_t *block = l->memory + x->s.model_room;
    memset(l->memory, 0, x->s.model_room);
    memcpy(block, l->state, l->size);
    o->input = nothing;
    o->arrived_before = never_before;
    o->clock = 0;
    o->rounds = x->e->space.o.rounds;
    x->s.with_model(block, o, IMG_RUN, slot, 0);
    for (uint32_t i = 0; i < o->count; i++) {
        const struct img_deed *d = &o->deed[i];
        for (uint32_t k = 0; d->kind == IMG_ANSWERED && k < d->first; k++) {
            x->answers = img_room(x->answers, &l->room, l->count, 1, &x->no_memory);
            if (x->no_memory) return;
            x->answers[l->count++] = (uint8_t)(d->third >> 8 * k);
        }
    }
}

static bool is_ready(struct img *x, uint32_t slot)
{
    const struct mc_space *space = &x->e->space;
    uint32_t component = space->p.slot_component[slot];
    uint32_t position = mc_values_of(space, component)->position[x->w.v[component]];
    return position && position < space->p.first_waiting;
}

static void visit(uint64_t root, void *context)
{
    struct led *l = context;
    struct img *x = l->x;
    uint32_t slots = x->e->space.p.slots;
    if (img_is_over(x)) return;
    mc_decode(&l->w, root);
    mc_put_state(&l->w, l->state);
    uint64_t own = mc_root_of_block(&x->w, l->state), key = own;
    l->count = 0;
    for (uint32_t slot = 0; slot < slots && !x->no_memory; slot++) {
        x->answers_from[slot] = l->count;
        if (is_ready(x, slot)) put_answers(l, slot);
        x->answers_from[slot + 1] = l->count;
        key = img_mixed(key, img_answers_hash(x, slot));
    }
    if (x->no_memory || img_map_find(&l->seen, key >> 1)) return;
    x->no_memory = !img_map_put(&l->seen, key >> 1, 1);
    x->is_initial = own == x->worst[x->worsts].root;
    img_check_state(x, own);
    x->is_initial = false;
}

void img_each_with_model(struct img *x, struct mc_engine *model)
{
    struct led l = {.x = x, .size = model->space.p.block_size};
    l.state = calloc(1, l.size + 64u);
    l.memory = aligned_alloc(64, x->s.model_room + ((l.size + 127u) & ~63u));
    if (mc_worker_new(&l.w, &model->space) && l.state && l.memory) {
        x->answered = true;
        mc_each_root(model, visit, &l);
        x->answered = false;
    } else {
        x->no_memory = true;
    }
    mc_worker_free(&l.w);
    img_map_free(&l.seen);
    free(l.state), free(l.memory);
}
