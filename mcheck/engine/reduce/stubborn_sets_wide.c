/* Persistent sets where more are alive than a word has bits: stubborn_sets.c with larger sets. */
#include "reduce/stubborn_sets.h"

enum { MOST = MC_MOST_SLOTS, MOST_ALONE = MC_ALONE_OF_MANY, SET_WORDS = MOST / 64, WORDS = MC_FOOT_WORDS };
typedef unsigned _BitInt(MC_MOST_SLOTS) set_of;

union words { set_of set; uint64_t word[SET_WORDS]; }; /* the lowest bits first, as on all machines that this runs on */

static inline uint32_t lowest(set_of set)
{
    union words u = {.set = set};
    uint32_t k = 0;
    while (!u.word[k]) k++;
    return 64 * k + (uint32_t)__builtin_ctzll(u.word[k]);
}

static inline uint32_t size_of(set_of set)
{
    union words u = {.set = set};
    uint32_t n = 0;
    for (uint32_t k = 0; k < SET_WORDS; k++) n += (uint32_t)__builtin_popcountll(u.word[k]);
    return n;
}

static inline set_of without_lowest(set_of set)
{
    union words u = {.set = set};
    uint32_t k = 0;
    while (!u.word[k]) k++;
    u.word[k] &= u.word[k] - 1;
    return u.set;
}

#define SET_OF
#define FIND mc_find_enough_of_many
#define VAR_WORDS(x) (x)->o->var_words
#define SPEAK_WORDS(x) (x)->o->speak_words
#include "reduce/stubborn_sets.c"

bool mc_find_enough(const struct mc_reduction_options *o, const struct mc_footprint *footprint, const uint16_t *stand,
                    uint32_t slots, bool interrupts, struct mc_decision *to)
{
    uint32_t alive = 0;
    for (uint32_t slot = 0; slot < slots; slot++) alive += stand[slot] != 0;
    bool small = o->var_words <= 2 && o->speak_words <= 2;
    return (alive > MC_MOST_OF_FEW ? mc_find_enough_of_many : small ? mc_find_enough_of_small : mc_find_enough_of_few)(
        o, footprint, stand, slots, interrupts, to);
}
