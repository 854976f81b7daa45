/* Every reached state is followed through what an image's passes read and did, and lets the code run where that is new. */
#include "image_tree.h"

enum { CAME_OPTIONS = 4, DEVICE_OPTIONS = 256, WHEN_OPTIONS = 4, TIMED_ENTRIES = 2, NO_NODE = 0xFFFFFFFFu };

/* Times of the first that is due, from now; of a later one, from the one before. */
static const int32_t first_when[WHEN_OPTIONS] = {0, -2, 1, 1000}, later_when[WHEN_OPTIONS] = {0, 1, 700, 0x10000};
static const uint8_t came_option[CAME_OPTIONS] = {0, 2, 1, 3}; /* LF_MASKED, LF_CAME */
static const uint32_t clocks[] = {0, 0xFFFFFF80u};
static const uint8_t sample[] = {0, 0xFF, 0x5A};
/* Of a pass, the first so many bytes of input have every value, the others those of the sample. */
enum { MOST_READS = 200, MOST_INPUTS = 2, SAMPLES = 3, CLOCKS = 2, ERASED = 0xEE, QUEUED = 16, ELSEWHERE = 0xF8, LOST_SO_FAR = 7 };

void *img_room(void *at, uint32_t *room, uint32_t used, size_t size, bool *no_memory)
{
    if (used < *room) return at;
    uint32_t more = *room ? *room * 2 : 256;
    void *grown = realloc(at, more * size);
    if (!grown) {
        *no_memory = true;
        return at;
    }
    *room = more;
    return grown;
}

/* --- maps ---------------------------------------------------------------------------------------------------- */

static uint64_t home(uint64_t key) { return mc_mix(key); }

uint32_t *img_map_find(struct img_map *m, uint64_t key)
{
    if (!m->key) return NULL;
    for (uint64_t i = home(key) & m->mask; m->key[i]; i = (i + 1) & m->mask)
        if (m->key[i] == key + 1) return &m->value[i];
    return NULL;
}

static bool grow_map(struct img_map *m)
{
    struct img_map more = {NULL, NULL, m->key ? m->mask * 2 + 1 : 1023, m->used};
    more.key = calloc(more.mask + 1, 8);
    more.value = malloc((more.mask + 1) * 4);
    if (!more.key || !more.value) {
        free(more.key), free(more.value);
        return false;
    }
    for (uint64_t k = 0; m->key && k <= m->mask; k++) {
        if (!m->key[k]) continue;
        uint64_t i = home(m->key[k] - 1) & more.mask;
        while (more.key[i]) i = (i + 1) & more.mask;
        more.key[i] = m->key[k];
        more.value[i] = m->value[k];
    }
    free(m->key), free(m->value);
    *m = more;
    return true;
}

bool img_map_put(struct img_map *m, uint64_t key, uint32_t value)
{
    if ((!m->key || m->used * 2 > m->mask) && !grow_map(m)) return false;
    uint64_t i = home(key) & m->mask;
    while (m->key[i]) i = (i + 1) & m->mask;
    m->key[i] = key + 1;
    m->value[i] = value;
    m->used++;
    return true;
}

/* --- choices ------------------------------------------------------------------------------------------------- */

void img_choose(struct img *x, uint32_t field, int64_t value)
{
    x->choice = img_room(x->choice, &x->choices_room, x->choices, sizeof *x->choice, &x->no_memory);
    if (x->no_memory) return;
    x->choice[x->choices++] = (struct img_choice){field, x->field[field]};
    x->field[field] = value;
}

void img_undo(struct img *x, uint32_t choices)
{
    while (x->choices > choices) {
        const struct img_choice *c = &x->choice[--x->choices];
        x->field[c->field] = c->before;
    }
}

static bool is_chosen(const struct img *x, uint32_t from, uint32_t count, uint8_t slot)
{
    for (uint32_t i = 0; i < count; i++)
        if (x->field[from + i] == slot) return true;
    return false;
}

/* The option-th slot of a list that no entry has yet. */
static uint8_t unchosen(const struct img *x, const uint8_t *slots, uint32_t count, uint32_t from, uint32_t option)
{
    for (uint32_t i = 0; i < count; i++)
        if (!is_chosen(x, from, count, slots[i]) && option-- == 0) return slots[i];
    return MC_NOBODY;
}

static uint32_t unchosen_count(const struct img *x, uint32_t count, uint32_t from)
{
    uint32_t left = count;
    for (uint32_t i = 0; i < count; i++) left -= x->field[from + i] >= 0;
    return left;
}

/* Of more than so many slots not all orders are tried, but for each slot one that begins with it and goes on upwards or
 * downwards: so each slot stands at every place, and of each pair either comes first. */
enum { MOST_IN_ANY_ORDER = 4 };

static uint32_t options_of_order(struct img *x, uint32_t count, uint32_t from)
{
    return count <= MOST_IN_ANY_ORDER ? unchosen_count(x, count, from) : 2 * count;
}

static void choose_order(struct img *x, const uint8_t *slots, uint32_t count, uint32_t from, uint32_t entry, uint32_t option)
{
    if (count <= MOST_IN_ANY_ORDER) {
        img_choose(x, from + entry, unchosen(x, slots, count, from, option));
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        img_choose(x, from + i, slots[(option / 2 + (option & 1 ? count - i : i)) % count]);
}

/* The option-th clause that time can end. */
static uint32_t timed_clause(uint32_t timed, uint32_t option)
{
    for (uint32_t c = 0; c < 32; c++)
        if (timed >> c & 1 && option-- == 0) return c == 31 ? 0xFF : c;
    return 0xFF;
}

static uint32_t field_of_sleepers(struct img *x, uint32_t o, uint32_t *entry)
{
    *entry = (o - 1) / 6;
    if (*entry >= x->sleepers) return IMG_NO_FIELD;
    uint32_t part = (o - 1) % 6;
    return (part == 0 ? IMG_SLEEPER : part == 1 ? IMG_CLAUSE : IMG_WHEN) + *entry;
}

static uint32_t options_of_sleepers(struct img *x, uint32_t o)
{
    uint32_t entry, field;
    if (o == 0) return 1;
    field = field_of_sleepers(x, o, &entry);
    if (field == IMG_NO_FIELD || x->field[field] >= 0) return 1;
    if (field >= IMG_WHEN) return entry < TIMED_ENTRIES ? WHEN_OPTIONS : 1;
    if (field < IMG_CLAUSE) return options_of_order(x, x->sleepers, IMG_SLEEPER);
    int64_t slot = x->field[IMG_SLEEPER + entry];
    return slot < 0 ? 1 : (uint32_t)__builtin_popcount(x->timed[slot]);
}

static uint32_t take_of_sleepers(struct img *x, uint32_t o, uint32_t option)
{
    uint32_t entry, field;
    if (o == 0) return x->sleepers;
    field = field_of_sleepers(x, o, &entry);
    if (field == IMG_NO_FIELD) return 0;
    if (field >= IMG_WHEN) {
        if (x->field[field] < 0) {
            for (uint32_t i = 0; i < entry; i++)
                if (x->field[IMG_WHEN + i] < 0) take_of_sleepers(x, 1 + 6 * i + 2, 0);
            uint32_t from = entry ? (uint32_t)x->field[field - 1] : x->clock;
            uint32_t which = entry < TIMED_ENTRIES ? option : entry % WHEN_OPTIONS;
            img_choose(x, field, from + (uint32_t)(entry ? later_when : first_when)[which]);
        }
        return (uint32_t)x->field[field] >> 8 * ((o - 1) % 6 - 2) & 0xFF;
    }
    if (x->field[field] >= 0) return (uint32_t)x->field[field];
    if (field < IMG_CLAUSE) {
        choose_order(x, x->sleeping, x->sleepers, IMG_SLEEPER, entry, option);
    } else {
        if (x->field[IMG_SLEEPER + entry] < 0)
            choose_order(x, x->sleeping, x->sleepers, IMG_SLEEPER, entry, 0);
        img_choose(x, field, timed_clause(x->timed[x->field[IMG_SLEEPER + entry]], option));
    }
    return (uint32_t)x->field[field];
}

static uint32_t options_of_policy(struct img *x, uint32_t o)
{
    const struct img_setup *s = &x->s;
    if (o == s->cursor_at) return x->field[IMG_CURSOR] >= 0 || x->is_initial ? 1 : x->e->space.p.slots - s->wrap_to;
    x->asked_policy = true;
    if (s->arrivals_room && o > s->arrivals_at && o <= s->arrivals_at + x->shareds && x->field[IMG_ORDER + o - s->arrivals_at - 1] < 0)
        return options_of_order(x, x->shareds, IMG_ORDER);
    if (s->sleepers_room && o >= s->sleepers_at && o <= s->sleepers_at + 6 * s->sleepers_room)
        return options_of_sleepers(x, o - s->sleepers_at);
    return 1;
}

static uint32_t take_of_policy(struct img *x, uint32_t o, uint32_t option)
{
    const struct img_setup *s = &x->s;
    if (o == s->cursor_at) {
        if (x->field[IMG_CURSOR] < 0) img_choose(x, IMG_CURSOR, x->is_initial ? MC_NOBODY : s->wrap_to + option);
        return (uint32_t)x->field[IMG_CURSOR];
    }
    if (s->arrivals_room && o >= s->arrivals_at && o <= s->arrivals_at + s->arrivals_room) {
        uint32_t i = o - s->arrivals_at;
        if (i == 0) return x->shareds;
        if (i > x->shareds) return 0;
        uint32_t field = IMG_ORDER + i - 1;
        if (x->field[field] < 0) choose_order(x, x->shared, x->shareds, IMG_ORDER, i - 1, option);
        return (uint32_t)x->field[field];
    }
    if (s->sleepers_room && o >= s->sleepers_at && o <= s->sleepers_at + 6 * s->sleepers_room)
        return take_of_sleepers(x, o - s->sleepers_at, option);
    return s->clock_at != IMG_NO_FIELD && o - s->clock_at < 4 ? ERASED : 0;
}

/* How many values a place may have. */
uint32_t img_options(struct img *x, uint32_t address)
{
    switch (x->s.place[address]) {
    case IMG_POLICY: return options_of_policy(x, address - x->s.policy_at);
    case IMG_CAME: return x->field[IMG_CAMES + address - x->s.came_at] >= 0 ? 1 : CAME_OPTIONS;
    case IMG_WOKEN: return x->field[IMG_WAS_WOKEN] >= 0 ? 1 : 2;
    case IMG_MASK: return 2;
    case IMG_DEVICE: case IMG_BUFFER: return x->field[IMG_INPUTS] < MOST_INPUTS ? DEVICE_OPTIONS : SAMPLES;
    default: return 1;
    }
}

/* A byte that the signature does not stand for: this walk is not remembered, later ones will be. */
static void learn(struct img *x, uint32_t offset)
{
    struct img_learned *l = &x->learned[x->now_slot];
    x->foreign = true;
    for (uint32_t i = 0; i < l->count; i++)
        if (l->offset[i] == offset) return;
    if (l->count < IMG_MOST_LEARNED) l->offset[l->count++] = (uint16_t)offset;
}

uint32_t img_take(struct img *x, uint32_t address, uint32_t option)
{
    const struct img_setup *s = &x->s;
    switch (s->place[address]) {
    case IMG_BLOCK: {
        uint32_t o = address - s->block_at;
        if (x->now_slot != MC_NOBODY && x->stamps[o] != x->stamp) learn(x, o);
        return x->block[o];
    }
    case IMG_POLICY: return take_of_policy(x, address - s->policy_at, option);
    case IMG_CAME: {
        uint32_t field = IMG_CAMES + address - s->came_at;
        if (x->field[field] < 0) img_choose(x, field, came_option[option]);
        return (uint32_t)x->field[field];
    }
    case IMG_COUNT: return x->clock >> 8 * (address - s->count_at) & 0xFF;
    case IMG_WOKEN:
        if (x->field[IMG_WAS_WOKEN] < 0) img_choose(x, IMG_WAS_WOKEN, option);
        return (uint32_t)x->field[IMG_WAS_WOKEN];
    case IMG_TAKEN: return 0;
    case IMG_RECEIVED: return QUEUED;
    case IMG_STATUS: return s->ready;
    case IMG_MASK: return option ? 0xFF : 0;
    case IMG_LOST: case IMG_TOLD: return LOST_SO_FAR;
    case IMG_DEVICE: case IMG_BUFFER: {
        bool all = x->field[IMG_INPUTS] < MOST_INPUTS;
        img_choose(x, IMG_INPUTS, x->field[IMG_INPUTS] + 1);
        x->t.sampled += !all;
        return all ? option : sample[option];
    }
    default: return 0;
    }
}

/* --- the trees ----------------------------------------------------------------------------------------------- */

static void link_to(struct img *x, uint32_t ref)
{
    if (x->tail_node == NO_NODE) {
        x->root_of[x->tail_phase] = ref;
        return;
    }
    struct img_node *n = &x->node[x->tail_node];
    if (!n->child) {
        n->value = x->tail_value;
        n->child = ref;
    } else if (!img_map_put(&x->children, (uint64_t)x->tail_node << 32 | x->tail_value, ref)) {
        x->no_memory = true;
    }
}

static uint32_t child_of(struct img *x, uint32_t node, uint32_t value)
{
    const struct img_node *n = &x->node[node];
    if (n->child && n->value == value) return n->child;
    uint32_t *found = img_map_find(&x->children, (uint64_t)node << 32 | value);
    return found ? *found : 0;
}

static void push_answer(struct img *x, uint32_t at, uint32_t value)
{
    x->answer = img_room(x->answer, &x->answers_room, x->base + at, sizeof *x->answer, &x->no_memory);
    if (!x->no_memory) x->answer[x->base + at] = value;
}

/* The same answers, but the transmitter is ready at the second look only, and the receiver's buffer is used elsewhere. */
static bool answer_again(struct img *x, uint32_t address, uint32_t *value)
{
    uint8_t place = x->s.place[address];
    if (place == IMG_STATUS && !x->polls) {
        x->polls = x->waited = true;
        x->asks--; /* this one does not count */
        *value = 0;
        return true;
    }
    x->polls = false;
    if (x->at >= x->replay_length) return false;
    *value = x->replay[x->at++];
    if (place == IMG_TAKEN || place == IMG_RECEIVED) *value = (*value + ELSEWHERE) & 0xFF;
    return true;
}

bool img_answer(struct img *x, uint32_t address, uint32_t *value)
{
    x->asks++;
    if (x->replays) {
        return answer_again(x, address, value);
    }
    if (x->at < x->depth) {
        *value = x->answer[x->base + x->at++];
        return true;
    }
    x->node = img_room(x->node, &x->nodes_room, x->nodes, sizeof *x->node, &x->no_memory);
    if (x->no_memory) return false;
    uint32_t n = x->nodes++;
    x->node[n] = (struct img_node){address, 0, 0};
    link_to(x, img_ref(n, IMG_NODE));
    if (img_options(x, address) != 1) return false;
    *value = img_take(x, address, 0);
    push_answer(x, x->at, *value);
    x->at++;
    x->depth = x->at;
    x->tail_node = n;
    x->tail_value = *value;
    return !x->no_memory;
}

static uint32_t new_leaf(struct img *x)
{
    const struct img_result *r = &x->r;
    x->leaf = img_room(x->leaf, &x->leaves_room, x->leaves, sizeof *x->leaf, &x->no_memory);
    if (x->no_memory) return 0;
    struct img_leaf *l = &x->leaf[x->leaves];
    *l = (struct img_leaf){r->error, r->pc, r->where, r->halted, (uint32_t)r->cycles, x->kept_writes, x->writes, x->kept_accesses, x->accesses};
    for (uint32_t i = 0; i < x->writes; i++) {
        x->kept_written = img_room(x->kept_written, &x->kept_writes_room, x->kept_writes, sizeof *x->kept_written, &x->no_memory);
        if (x->no_memory) return 0;
        x->kept_written[x->kept_writes++] = x->written[i];
    }
    for (uint32_t i = 0; i < x->accesses; i++) {
        x->kept_access = img_room(x->kept_access, &x->kept_accesses_room, x->kept_accesses, sizeof *x->kept_access, &x->no_memory);
        if (x->no_memory) return 0;
        x->kept_access[x->kept_accesses++] = x->access[i];
    }
    return x->leaves++;
}

static bool did_the_same(const struct img *x, const struct img_leaf *l)
{
    if (x->r.error != l->error || x->r.halted != l->halted || x->r.asked || x->writes != l->written || x->accesses != l->accesses ||
        (!x->waited && (uint32_t)x->r.cycles != l->cycles))
        return false;
    for (uint32_t i = 0; i < x->writes; i++) {
        const struct img_written *w = &x->kept_written[l->first_written + i];
        if (x->s.place[w->address] == IMG_BUFFER) continue;
        uint8_t value = x->written[i].value;
        if (x->s.place[w->address] == IMG_TAKEN) value -= ELSEWHERE;
        if (w->address != x->written[i].address || w->value != value) return false;
    }
    return !l->accesses || !memcmp(x->access, x->kept_access + l->first_access, l->accesses * sizeof *x->access);
}

/* The same answers, and whatever is no answer the other way round. */
static void run_again(struct img *x, uint32_t phase, uint32_t leaf)
{
    const struct img_phase *p = x->phase[phase];
    uint32_t length = p->way_length + x->at;
    if (x->leaf[leaf].error) return;
    if (length > x->replay_room) {
        uint32_t *more = realloc(x->replay, 4ull * length * 2);
        if (!more) {
            x->no_memory = true;
            return;
        }
        x->replay = more;
        x->replay_room = length * 2;
    }
    for (uint32_t i = 0; i < p->way_length; i++) x->replay[i] = p->way[i];
    memcpy(x->replay + length - x->at, x->answer + x->base, 4ull * x->at);
    x->replay_length = length;
    x->replays = true;
    x->polls = x->waited = false;
    x->at = 0;
    img_run(x, phase, true);
    x->replays = false;
    struct img_leaf *l = &x->leaf[leaf];
    if (!l->error && !did_the_same(x, l)) {
        l->error = IMG_HIDDEN;
        l->pc = x->r.pc;
    }
}

/* The code runs on from a node that has no such child (NO_NODE: from the beginning of the phase). */
static void grow(struct img *x, uint32_t node, uint32_t value)
{
    uint32_t depth = x->depth, choices = x->choices;
    bool foreign = x->foreign, asked = x->asked_policy;
    x->at = 0;
    x->tail_node = node;
    x->tail_value = value;
    x->tail_phase = x->now_phase;
    img_run(x, x->now_phase, false);
    if (!x->no_memory && !x->r.asked) {
        if (x->r.marked) {
            bool picks = x->r.marked == IMG_PICKED;
            uint32_t phase = img_phase_here(x, x->now_phase);
            x->exit = img_room(x->exit, &x->exits_room, x->exits, sizeof *x->exit, &x->no_memory);
            if (phase && !x->no_memory) {
                x->exit[x->exits] = (struct img_exit){phase, (uint32_t)x->r.cycles, picks};
                link_to(x, img_ref(x->exits++, IMG_EXIT));
            } else {
                x->no_memory = true;
            }
        } else {
            uint32_t leaf = new_leaf(x);
            if (!x->no_memory) {
                link_to(x, img_ref(leaf, IMG_LEAF));
                run_again(x, x->now_phase, leaf);
            }
        }
    }
    img_undo(x, choices);
    x->depth = depth;
    x->foreign = foreign;
    x->asked_policy = asked;
}

/* --- the walk ------------------------------------------------------------------------------------------------ */

static void walk(struct img *x, uint32_t ref);

static uint64_t mixed(uint64_t h, uint64_t v) { return mc_mix((h ^ v) * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u); }

/* Can the action of a slot meet this one as it waits now? Else only where it is matters. */
static bool can_meet(struct img *x, uint32_t slot, uint32_t index)
{
    const struct mc_program *p = &x->e->space.p;
    const struct mc_action *a = &p->action[x->position[slot]];
    uint32_t other = p->partner[a->first_partner + index];
    if (other == slot || !p->may_meet[x->position[slot] * (p->positions + 1) + x->position[other]]) return false;
    x->w.scratch_used = 0;
    return *mc_remembered_pair(&x->w, a, slot, other, index) != 0;
}

/* What the action of a slot may read of the state. */
static uint64_t signature(struct img *x, uint32_t slot)
{
    const struct mc_program *p = &x->e->space.p;
    const uint32_t *v = x->w.v;
    const struct mc_action *a = &p->action[x->position[slot]];
    uint64_t h = mixed(slot, v[p->slot_component[slot]]);
    if (a->kind == MC_WHOLE) {
        for (uint32_t i = 0; i < p->components; i++) h = mixed(h, v[i]);
        return h;
    }
    for (uint32_t i = 0; i < a->touched; i++) h = mixed(h, v[p->touched[a->first_touched + i]]);
    for (uint32_t i = 0; i < a->partners; i++) {
        uint32_t other = p->partner[a->first_partner + i];
        h = mixed(h, can_meet(x, slot, i) ? v[p->slot_component[other]] + 0x10000ull : x->position[other]);
    }
    const struct img_learned *l = &x->learned[slot];
    for (uint32_t i = 0; i < l->count; i++) h = mixed(h, x->block[l->offset[i]] + 256ull * l->offset[i]);
    return h;
}

static void stamp(struct img *x, uint32_t component, uint32_t pieces)
{
    const struct mc_program *p = &x->e->space.p;
    const struct mc_component *c = &p->component[component];
    for (uint32_t i = 0; i < c->pieces && i < pieces; i++) {
        const struct mc_piece *piece = &p->pieces[c->first_piece + i];
        for (uint32_t k = 0; k < piece->size && piece->offset + k < p->block_size; k++) x->stamps[piece->offset + k] = x->stamp;
    }
}

/* The bytes that the signature stands for. The first piece of a slot's component is its position. */
static void stamp_signature(struct img *x, uint32_t slot)
{
    const struct mc_program *p = &x->e->space.p;
    const struct mc_action *a = &p->action[x->position[slot]];
    x->stamp++;
    stamp(x, p->slot_component[slot], UINT32_MAX);
    for (uint32_t i = 0; a->kind == MC_WHOLE && i < p->components; i++) stamp(x, i, UINT32_MAX);
    for (uint32_t i = 0; i < a->touched; i++) stamp(x, p->touched[a->first_touched + i], UINT32_MAX);
    for (uint32_t i = 0; i < a->partners; i++) {
        uint32_t other = p->partner[a->first_partner + i];
        stamp(x, p->slot_component[other], can_meet(x, slot, i) ? UINT32_MAX : 1);
    }
    const struct img_learned *l = &x->learned[slot];
    for (uint32_t i = 0; i < l->count; i++) x->stamps[l->offset[i]] = x->stamp;
}

static uint64_t choices_hash(const struct img *x, uint64_t h)
{
    h = mixed(h, x->clock);
    for (uint32_t i = 0; i < x->choices; i++)
        if (x->choice[i].field != IMG_CURSOR) h = mixed(h, x->choice[i].field * 0x100000000u + (uint64_t)x->field[x->choice[i].field]);
    return h;
}

static uint64_t sets_hash(const struct img *x, uint64_t h)
{
    h = mixed(h, 1 + x->shareds);
    for (uint32_t i = 0; i < x->shareds; i++) h = mixed(h, x->shared[i]);
    for (uint32_t i = 0; i < x->sleepers; i++) h = mixed(h, 256 + x->sleeping[i] + ((uint64_t)x->timed[x->sleeping[i]] << 32));
    return h;
}

enum { ASKS_POLICY = 1u << 31, HAS_CALLS = 1u << 30, MOST_LONGEST = HAS_CALLS - 1 };

void img_note_worst(struct img *x, uint32_t number, uint64_t cycles, uint32_t slot)
{
    struct img_worst *w = &x->worst[number];
    if (cycles <= w->cycles) return;
    *w = (struct img_worst){cycles, x->root, slot, (uint32_t)x->field[IMG_CURSOR] & 0xFF};
}

static void enter_phase(struct img *x, const struct img_exit *exit)
{
    uint32_t slot = img_picked(x, (uint32_t)x->field[IMG_CURSOR]), phase = exit->phase;
    uint64_t cycles = x->so_far + exit->cycles;
    uint32_t stored = slot < x->s.wrap_to ? x->e->space.p.slots - 1 : slot;
    if (slot == MC_NOBODY || x->phase[phase]->slot != stored) {
        img_note_error(x, IMG_BAD_PICK, x->phase[phase]->pc, 0, slot, x->phase[phase]->slot, IMG_RUN, slot);
        return;
    }
    uint64_t plain = choices_hash(x, mixed(signature(x, slot), phase)), key = plain;
    uint32_t *known = img_map_find(&x->walked, key);
    bool judged = known && !(*known & ASKS_POLICY);
    if (known && *known & (ASKS_POLICY | HAS_CALLS)) known = img_map_find(&x->walked, key = sets_hash(x, key));
    if (known && !x->wanted) {
        img_note_worst(x, x->position[slot], cycles + *known, slot);
        return;
    }
    stamp_signature(x, slot);
    uint64_t longest = x->longest;
    uint32_t base = x->base, depth = x->depth, now = x->now_phase, before = x->now_slot;
    uint64_t prefix = x->prefix, so_far = x->so_far;
    x->base += depth;
    x->depth = 0;
    x->now_phase = phase;
    x->now_slot = slot;
    x->prefix = cycles;
    x->so_far = 0;
    x->longest = 0;
    x->foreign = x->asked_policy = x->calls = false;
    bool before_known = x->known;
    x->known = judged;
    if (!x->root_of[phase]) grow(x, NO_NODE, 0);
    if (x->root_of[phase]) walk(x, x->root_of[phase]);
    img_note_worst(x, x->position[slot], cycles + x->longest, slot);
    if (x->foreign) {
        x->t.foreign++;
    } else if (!x->no_memory && !x->wanted) {
        uint32_t most = x->longest < MOST_LONGEST ? (uint32_t)x->longest : MOST_LONGEST;
        uint32_t flags = x->asked_policy ? ASKS_POLICY : x->calls ? HAS_CALLS : 0;
        if (flags && !img_map_find(&x->walked, plain) && !img_map_put(&x->walked, plain, flags)) x->no_memory = true;
        uint64_t full = flags ? sets_hash(x, plain) : plain;
        if (!img_map_find(&x->walked, full) && !img_map_put(&x->walked, full, most)) x->no_memory = true;
    }
    x->known = before_known;
    x->longest = longest;
    x->base = base;
    x->depth = depth;
    x->now_phase = now;
    x->now_slot = before;
    x->prefix = prefix;
    x->so_far = so_far;
}

/* What a function of arrivals does with every order that is left; its longest way. */
static uint64_t walk_function(struct img *x, uint32_t function, uint32_t slot)
{
    uint32_t phase = img_function(x, function, slot);
    if (!phase) return 0;
    uint64_t key = mixed(sets_hash(x, 0), 0x10000ull * (function + 1) + slot);
    for (uint32_t i = 0; i < x->shareds; i++) key = mixed(key, (uint64_t)x->field[IMG_ORDER + i]);
    uint32_t *known = img_map_find(&x->walked, key);
    if (known) return *known;
    uint64_t longest = x->longest, found;
    uint32_t base = x->base, depth = x->depth, now = x->now_phase;
    uint64_t so_far = x->so_far;
    bool asked = x->asked_policy, foreign = x->foreign;
    x->so_far = 0;
    x->base += depth;
    x->depth = 0;
    x->now_phase = phase;
    x->longest = 0;
    if (!x->root_of[phase]) grow(x, NO_NODE, 0);
    if (x->root_of[phase]) walk(x, x->root_of[phase]);
    found = x->longest;
    x->longest = longest;
    x->base = base;
    x->depth = depth;
    x->now_phase = now;
    x->so_far = so_far;
    x->asked_policy = asked;
    x->foreign = foreign;
    if (!x->no_memory && !x->enough && !img_map_put(&x->walked, key, (uint32_t)found)) x->no_memory = true;
    return found;
}

/* With the functions that it has called. */
static uint64_t cycles_of(struct img *x, uint32_t number)
{
    uint64_t cycles = x->leaf[number].cycles;
    for (uint32_t i = 0; i < x->leaf[number].accesses; i++) {
        struct img_access a = x->kept_access[x->leaf[number].first_access + i];
        if (a.kind != IMG_CALLED) continue;
        x->calls = true;
        cycles += walk_function(x, a.address, a.value);
    }
    return cycles;
}

static void end_of_walk(struct img *x, uint32_t number)
{
    bool is_function = x->phase[x->now_phase]->function;
    uint64_t cycles = x->so_far + (is_function ? x->leaf[number].cycles : cycles_of(x, number));
    const struct img_leaf *l = &x->leaf[number];
    x->t.passes++;
    if (cycles > x->longest && !l->halted) x->longest = cycles;
    if (is_function) {
        img_judge_function(x, l);
        return;
    }
    if (x->wanted) {
        if (!x->wanted_found && x->prefix + cycles == x->wanted_cycles) {
            x->wanted_found = 1;
            x->trace = x->wanted_words;
            x->at = x->depth;
            run_again(x, x->now_phase, number);
            x->trace = NULL;
        }
        return;
    }
    x->leaf_cycles = cycles;
    if (!x->known) img_judge(x, l, x->now_phase);
}

static void walk(struct img *x, uint32_t ref)
{
    uint32_t depth = x->depth, choices = x->choices, base = x->base, now = x->now_phase;
    uint64_t so_far = x->so_far;
    while (ref && !x->no_memory && !x->enough && !x->twice) {
        uint32_t index = ref >> 2;
        if ((ref & 3) == IMG_LEAF) {
            x->at = x->depth;
            end_of_walk(x, index);
            break;
        }
        if ((ref & 3) == IMG_EXIT) {
            struct img_exit exit = x->exit[index];
            if (exit.picks) {
                if (!img_comes_first(x)) enter_phase(x, &exit);
                break;
            }
            x->base += x->depth;
            x->depth = 0;
            x->so_far += exit.cycles;
            x->now_phase = exit.phase;
            if (x->prefix + x->so_far > x->s.most_cycles) { /* perhaps it comes back to the same state for ever */
                img_note_error(x, IMG_ENDLESS, x->phase[exit.phase]->pc, 0, 0, 0, IMG_IDLE, 0);
                break;
            }
            if (!x->root_of[exit.phase]) grow(x, NO_NODE, 0);
            ref = x->root_of[exit.phase];
            continue;
        }
        uint32_t address = x->node[index].address, options = img_options(x, address);
        if (options == 1) {
            uint32_t v = img_take(x, address, 0);
            push_answer(x, x->depth++, v);
            ref = child_of(x, index, v);
            if (!ref) {
                grow(x, index, v);
                ref = child_of(x, index, v);
            }
            continue;
        }
        if (x->field[IMG_INPUTS] > MOST_READS) {
            img_note_error(x, IMG_ENDLESS, x->s.step, address, 0, 0, IMG_IDLE, 0);
            break;
        }
        for (uint32_t i = 0; i < options && !x->no_memory && !x->enough && !x->e->interrupted; i++) {
            uint32_t before = x->depth, chosen = x->choices;
            uint32_t v = img_take(x, address, i);
            push_answer(x, x->depth++, v);
            uint32_t next = child_of(x, index, v);
            if (!next) {
                grow(x, index, v);
                next = child_of(x, index, v);
            }
            walk(x, next);
            img_undo(x, chosen);
            x->depth = before;
        }
        break;
    }
    img_undo(x, choices);
    x->depth = depth;
    x->base = base;
    x->now_phase = now;
    x->so_far = so_far;
}

static void look_at_state(struct img *x)
{
    const struct mc_program *p = &x->e->space.p;
    x->shareds = x->sleepers = 0;
    x->expanded = false;
    mc_put_state(&x->w, x->block);
    for (uint32_t slot = 0; slot < p->slots; slot++) {
        uint32_t component = p->slot_component[slot];
        uint32_t position = x->position[slot] = mc_values_of(&x->e->space, component)->position[x->w.v[component]];
        x->timed[slot] = 0;
        if (position < p->first_waiting) continue;
        if (x->s.shares[position]) x->shared[x->shareds++] = (uint8_t)slot;
        x->timed[slot] = mc_timed_clauses(&x->w, &p->action[position], slot);
        if (x->timed[slot] && x->s.sleepers_room) x->sleeping[x->sleepers++] = (uint8_t)slot;
    }
}

static void check_state(struct img *x, uint64_t root)
{
    x->root = root;
    mc_decode(&x->w, root);
    look_at_state(x);
    x->t.states++;
    for (uint32_t i = 0; i < (x->s.has_time ? CLOCKS : 1); i++) {
        x->clock = clocks[i];
        x->base = x->depth = 0;
        x->prefix = x->so_far = 0;
        x->now_phase = 0;
        x->now_slot = MC_NOBODY;
        x->longest = 0;
        if (!x->root_of[0]) grow(x, NO_NODE, 0);
        walk(x, x->root_of[0]);
    }
}

static void visit(uint64_t root, void *context)
{
    struct img *x = context;
    if (x->no_memory || x->enough || x->twice || (x->is_initial = root == x->worst[x->worsts].root)) return;
    check_state(x, root);
}

void img_check(struct img *x)
{
    double begin = mc_now();
    if (img_start(x)) {
        uint64_t initial = mc_initial(&x->w);
        x->worst[x->worsts].root = initial; /* behind the others */
        const struct avr *a = &x->avr;
        mc_decode(&x->w, initial);
        mc_put_state(&x->w, x->block);
        for (uint32_t i = 0; i < x->e->space.p.block_size; i++)
            if (a->data[x->s.block_at + i] != x->block[i])
                img_note_error(x, IMG_BAD_START, a->pc, i, x->block[i], a->data[x->s.block_at + i], IMG_IDLE, 1);
        for (uint32_t i = 0; i < x->s.policy_size; i++) {
            uint32_t expected = i == x->s.cursor_at ? MC_NOBODY : 0;
            if (a->data[x->s.policy_at + i] != expected)
                img_note_error(x, IMG_BAD_START, a->pc, i, expected, a->data[x->s.policy_at + i], IMG_IDLE, 2);
        }
        x->is_initial = true;
        check_state(x, initial);
        x->is_initial = false;
        mc_each_root(x->e, visit, x);
    }
    x->t.phases = x->phases;
    x->t.nodes = x->nodes;
    x->t.leaves = x->leaves;
    if (x->base_sp + 1 - x->call_depth - x->function_depth < x->t.deepest && x->function_depth)
        x->t.deepest = x->base_sp + 1 - x->call_depth - x->function_depth;
    if (x->function_depth && x->t.deepest < x->s.stack_low && !x->t.errors)
        img_note_error(x, IMG_BAD_STORE, x->s.depart, (uint32_t)x->t.deepest, 0, 0, IMG_IDLE, 0);
    x->t.stop = x->no_memory ? 1 : x->twice ? 3 : x->e->interrupted ? 2 : 0;
    x->t.seconds = mc_now() - begin;
}

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
    check_state(x, w.root);
    x->wanted = 0;
    return x->trace_used;
}
