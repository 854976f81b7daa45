/* Where models of devices lead the program, and what they answer there: from the search with them, whose compiled actions
 * are run once more in each state. The program's part of a block, and its positions, are the same without models.
 */
#include "image/decision_tree.h"

enum { MOST_DECISIONS = 1024, MOST_WAYS = 4096, MOST_RUNS = 1 << 17 }; /* of one run; of one action in one state */
enum { SAMPLES = 3 };

struct led {
    struct img *x;
    struct mc_worker w;        /* of the search with models */
    uint8_t *state, *memory;   /* its block; one that its actions run on, with what lies before it */
    uint32_t size;
    struct img_map seen;
    uint32_t room, count;      /* of the answers */

    /* the ways in which they can be answered, of one slot after the other */
    struct img_answers *way;
    uint32_t ways_room, ways, first_way[257];

    /* what is decided in a run, and how many alternatives there were: all are tried, one after the other */
    uint32_t decision[MOST_DECISIONS], alternatives[MOST_DECISIONS], decisions, asked;
    uint32_t ended; /* so many deeds: from then on it read the console, or asked who came first. Both end an action */
};

uint64_t img_answers_hash(const struct img *x, uint32_t slot)
{
    const struct img_answers *a = &x->answers_of[slot];
    uint64_t h = a->size;
    for (uint32_t i = 0; i < a->size; i++) h = img_mixed(h, x->answers[a->from + i]);
    return h;
}

uint32_t img_take_answer(struct img *x, uint32_t width)
{
    uint32_t slot = x->walk.slot, taken = (uint32_t)x->field[IMG_ANSWERS], v = 0;
    for (uint32_t i = 0; i < width && slot != MC_NOBODY; i++)
        if (taken + i < x->answers_of[slot].size) v |= (uint32_t)x->answers[x->answers_of[slot].from + taken + i] << 8 * i;
    img_choose(x, IMG_ANSWERS, taken + width);
    return v;
}

bool img_answers_ended(const struct img *x)
{
    const struct img_answers *a = &x->answers_of[x->walk.slot & 0xFF];
    return x->answered && x->walk.slot != MC_NOBODY && a->clock && (uint32_t)x->field[IMG_ANSWERS] > a->size;
}

/* Past the room for decisions not all ways are tried. */
static uint32_t decide(struct img_oracle *o, uint32_t alternatives)
{
    struct led *l = o->context;
    if (l->asked == MOST_DECISIONS) {
        l->x->crowded = true;
        return 0;
    }
    uint32_t at = l->asked++;
    if (at == l->decisions) l->decision[l->decisions++] = 0;
    l->alternatives[at] = alternatives;
    return l->decision[at];
}

static void end_with(struct led *l)
{
    if (l->ended > l->x->oracle->count) l->ended = l->x->oracle->count;
}

/* A byte of the console; or what takes several accesses, between which the device may write it. */
static uint32_t any_input(struct img_oracle *o, uint32_t width, uint32_t address)
{
    static const uint32_t sample[SAMPLES] = {0, 0xFFFFFFFF, 0x5A5A5A5A};
    struct led *l = o->context;
    (void)address;
    if (width) {
        l->x->t.sampled++;
        return sample[decide(o, SAMPLES)] >> (32 - 8 * width);
    }
    end_with(l);
    return 0;
}

/* Any order will do: the image's actions are compared with the program's. */
static bool never_before(struct img_oracle *o, uint8_t a, uint8_t b)
{
    (void)a, (void)b;
    end_with(o->context);
    return false;
}

static void put_byte(struct led *l, uint32_t v)
{
    l->x->answers = img_room(l->x->answers, &l->room, l->count, 1, &l->x->no_memory);
    if (!l->x->no_memory) l->x->answers[l->count++] = (uint8_t)v;
}

/* What was read in the run, in order. Of a read that takes several accesses the model's answer comes first: it counts for nothing. */
static void put_reads(struct led *l, struct img_answers *a)
{
    const struct img_oracle *o = l->x->oracle;
    for (uint32_t i = 0; i < o->count; i++) {
        const struct img_deed *d = &o->deed[i];
        bool torn = d->kind == IMG_ANSWERED && i + 1 < o->count && d[1].kind == IMG_IN;
        bool reads = (d->kind == IMG_ANSWERED && !torn) || d->kind == IMG_IN;
        for (uint32_t k = 0; reads && k < d->first; k++) put_byte(l, d->third >> 8 * k);
        l->x->crowded |= reads && i >= l->ended;
        a->clock |= d->kind == IMG_CLOCK;
    }
    a->size = l->count - a->from;
}

static void put_way(struct led *l, uint32_t slot)
{
    struct img *x = l->x;
    struct img_answers a = {.from = l->count};
    put_reads(l, &a);
    l->way = img_room(l->way, &l->ways_room, l->ways, sizeof *l->way, &x->no_memory);
    if (x->no_memory) return;
    for (uint32_t i = l->first_way[slot]; i < l->ways; i++) {
        struct img_answers *b = &l->way[i];
        if (b->size != a.size || memcmp(x->answers + b->from, x->answers + a.from, a.size)) continue;
        b->clock |= a.clock;
        l->count = a.from;
        return;
    }
    l->way[l->ways++] = a;
}

static void run_once(struct led *l, uint32_t slot)
{
    struct img *x = l->x;
    struct img_oracle *o = x->oracle;
    uint8_t *block = l->memory + x->s.model_room;
    memset(l->memory, 0, x->s.model_room);
    memcpy(block, l->state, l->size);
    l->asked = 0;
    l->ended = UINT32_MAX;
    o->context = l;
    o->input = any_input;
    o->arrived_before = never_before;
    o->decide = decide;
    o->clock = img_clocks(x) > 1 ? img_clock(decide(o, 2)) : 0;
    o->rounds = x->e->space.o.rounds;
    x->s.with_model(block, o, IMG_RUN, slot, 0);
    x->crowded |= o->count == IMG_DEEDS;
}

/* The next way to decide; false: there is none. */
static bool decide_otherwise(struct led *l)
{
    while (l->decisions && l->decision[l->decisions - 1] + 1 >= l->alternatives[l->decisions - 1]) l->decisions--;
    if (!l->decisions) return false;
    l->decision[l->decisions - 1]++;
    return true;
}

/* Every way in which the action of a slot can be answered. */
static void put_answers(struct led *l, uint32_t slot)
{
    struct img *x = l->x;
    uint32_t runs = 0;
    l->decisions = 0;
    do {
        run_once(l, slot);
        put_way(l, slot);
        x->crowded |= ++runs > MOST_RUNS || l->ways - l->first_way[slot] > MOST_WAYS;
    } while (!img_is_over(x) && decide_otherwise(l));
}

/* Is it ready, and may its action read a device? */
static bool may_ask(struct img *x, uint32_t slot)
{
    const struct mc_space *space = &x->e->space;
    uint32_t component = space->p.slot_component[slot];
    uint32_t position = mc_values_of(space, component)->position[x->w.v[component]];
    return position && position < space->p.first_waiting && x->s.asks[position];
}

/* In the state at hand, with one way for each slot. */
static void look_at_way(struct led *l, uint64_t own, uint32_t number)
{
    struct img *x = l->x;
    uint64_t key = own;
    for (uint32_t slot = 0; slot < x->e->space.p.slots; slot++) {
        uint32_t first = l->first_way[slot], ways = l->first_way[slot + 1] - first;
        x->answers_of[slot] = ways ? l->way[first + number % ways] : (struct img_answers){.from = 0};
        key = img_mixed(key, img_answers_hash(x, slot));
    }
    if (img_map_find(&l->seen, key >> 1)) return;
    x->no_memory |= !img_map_put(&l->seen, key >> 1, 1);
    img_check_state(x, own);
}

static void visit(uint64_t root, void *context)
{
    struct led *l = context;
    struct img *x = l->x;
    uint32_t slots = x->e->space.p.slots, most = 1;
    if (img_is_over(x)) return;
    mc_decode(&l->w, root);
    mc_put_state(&l->w, l->state);
    uint64_t own = mc_root_of_block(&x->w, l->state);
    l->count = l->ways = 0;
    for (uint32_t slot = 0; slot < slots; slot++) {
        l->first_way[slot] = l->ways;
        if (may_ask(x, slot) && !img_is_over(x)) put_answers(l, slot);
        l->first_way[slot + 1] = l->ways;
        if (l->ways - l->first_way[slot] > most) most = l->ways - l->first_way[slot];
    }
    x->is_initial = own == x->worst[x->worsts].root;
    for (uint32_t i = 0; i < most && !img_is_over(x); i++) look_at_way(l, own, i);
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
    free(l.state), free(l.memory), free(l.way);
}
