/* What a walk through the trees chooses: contents of the policy block, interrupts, inputs; what each place then holds. */
#include "image/decision_tree.h"

enum { CAME_OPTIONS = 4, WHEN_OPTIONS = 4, TIMED_ENTRIES = 2 };

/* Times of the first that is due, from now; of a later one, from the one before. */
static const int32_t first_when[WHEN_OPTIONS] = {0, -2, 1, 1000}, later_when[WHEN_OPTIONS] = {0, 1, 700, 0x10000};
static const uint8_t came_option[CAME_OPTIONS] = {0, 2, 1, 3}; /* LF_MASKED, LF_CAME */
static const uint32_t sample[] = {0, 0xFFFFFFFF, 0x5A5A5A5A};
/* Of a pass, the first so many bytes of input have every value, the others those of the sample. */
enum { MOST_INPUTS = 2, SAMPLES = 3, ERASED = 0xEE, QUEUED = 16, LOST_SO_FAR = 7, CONSOLE_IS_ON = 8 };

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

/* Who can have taken an interrupt just now. */
static bool can_have_taken(const struct img *x, uint32_t slot)
{
    uint32_t position = x->position[slot];
    return position && position < x->e->space.p.first_waiting && x->s.takes[position];
}

enum { NO_TAKER, OWES_TURN, TAKERS }; /* what the taker may be; from TAKERS on one after the other */

static uint32_t options_of_taker(const struct img *x)
{
    if (x->field[IMG_TAKER] >= 0 || x->is_initial) return 1;
    uint32_t count = TAKERS;
    for (uint32_t slot = 0; slot < x->e->space.p.slots; slot++) count += can_have_taken(x, slot);
    return count;
}

static uint32_t take_of_taker(struct img *x, uint32_t option)
{
    if (x->field[IMG_TAKER] >= 0) return (uint32_t)x->field[IMG_TAKER];
    uint32_t slot = MC_NOBODY;
    if (option == OWES_TURN) slot = IMG_TURN_OWED;
    for (uint32_t n = TAKERS, s = 0; option >= TAKERS && s < x->e->space.p.slots; s++)
        if (can_have_taken(x, s) && n++ == option) slot = s;
    img_choose(x, IMG_TAKER, slot);
    return slot;
}

static uint32_t options_of_policy(struct img *x, uint32_t o)
{
    const struct img_setup *s = &x->s;
    if (o == s->taker_at) return options_of_taker(x);
    if (o == s->turn_at) return x->field[IMG_TURN] >= 0 || x->is_initial ? 1 : s->interrupts;
    if (o == s->cursor_at) return x->field[IMG_CURSOR] >= 0 || x->is_initial ? 1 : x->e->space.p.slots - s->wrap_to;
    x->walk.asked_policy = true;
    if (s->arrivals_room && o > s->arrivals_at && o <= s->arrivals_at + x->shareds && x->field[IMG_ORDER + o - s->arrivals_at - 1] < 0)
        return options_of_order(x, x->shareds, IMG_ORDER);
    if (s->sleepers_room && o >= s->sleepers_at && o <= s->sleepers_at + 6 * s->sleepers_room)
        return options_of_sleepers(x, o - s->sleepers_at);
    return 1;
}

static uint32_t take_of_policy(struct img *x, uint32_t o, uint32_t option)
{
    const struct img_setup *s = &x->s;
    if (o == s->taker_at) return take_of_taker(x, option);
    if (o == s->turn_at) {
        if (x->field[IMG_TURN] < 0) img_choose(x, IMG_TURN, option);
        return (uint32_t)x->field[IMG_TURN];
    }
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

/* Does an input of this width have all its values? */
static bool has_all_values(const struct img *x, uint32_t width)
{
    return x->field[IMG_INPUTS] + width <= MOST_INPUTS;
}

/* How many values a place may have. */
uint32_t img_options(struct img *x, uint32_t address)
{
    uint32_t width = img_width_of(address);
    uint8_t place = img_place_of(x, address);
    address &= IMG_INDEX;
    if (x->answered && place == IMG_DEVICE) return 1;
    switch (place) {
    case IMG_POLICY: return options_of_policy(x, address - x->s.policy_at);
    case IMG_CAME: return x->field[IMG_CAMES + address - x->s.came_at] >= 0 ? 1 : CAME_OPTIONS;
    case IMG_WOKEN: return x->field[IMG_WAS_WOKEN] >= 0 ? 1 : 2;
    case IMG_MASK: case IMG_LINES: case IMG_SENDING: return 2;
    case IMG_DEVICE: case IMG_BUFFER: return has_all_values(x, width) ? 1u << 8 * width : SAMPLES;
    default: return 1;
    }
}

void img_learn(struct img *x, uint32_t offset)
{
    struct img_learned *l = &x->learned[x->walk.slot];
    x->walk.foreign = true;
    for (uint32_t i = 0; i < l->count; i++)
        if (l->offset[i] == offset) return;
    if (l->count < IMG_MOST_LEARNED) l->offset[l->count++] = (uint16_t)offset;
}

uint32_t img_take(struct img *x, uint32_t address, uint32_t option)
{
    const struct img_setup *s = &x->s;
    uint32_t width = img_width_of(address);
    uint8_t place = img_place_of(x, address);
    address &= IMG_INDEX;
    if (x->answered && place == IMG_DEVICE) return img_take_answer(x, width);
    switch (place) {
    case IMG_BLOCK: return img_byte_of_block(x, address - s->block_at);
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
    case IMG_LINES: return option ? UINT32_MAX >> (32 - 8 * width) : 0;
    case IMG_SENDING: return !option;
    case IMG_TX_SENT: return x->data[s->queued_at]; /* all of it */
    case IMG_TX_CONTROL: return CONSOLE_IS_ON;
    case IMG_LOST: case IMG_TOLD: return LOST_SO_FAR;
    case IMG_DEVICE: case IMG_BUFFER: {
        bool all = has_all_values(x, width);
        img_choose(x, IMG_INPUTS, x->field[IMG_INPUTS] + width);
        x->t.sampled += !all;
        return all ? option : sample[option] >> (32 - 8 * width);
    }
    default: return 0;
    }
}
