/* Persistent sets where two words have a bit for each variable and two for each communication: stubborn_sets.c, whose loops over
 * words are unrolled. */
#define FIND mc_find_enough_of_small
#define VAR_WORDS(x) ((void)(x), 2u)
#define SPEAK_WORDS(x) ((void)(x), 2u)
enum { WORDS = 2 };
#include "reduce/stubborn_sets.c"
