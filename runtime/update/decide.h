/* Which image runs, and which one is kept: a function of what the slots hold, and of nothing else. */
#ifndef UPDATE_DECIDE_H
#define UPDATE_DECIDE_H

#include <stdbool.h>
#include <stdint.h>

enum { UP_NONE = 2 };

struct up_slot {
    uint32_t version;
    bool valid;    /* its head is right; looked at more closely, its signature too */
    bool reported; /* it ran, and said so */
    uint8_t tries; /* how often it was started */
};

/* The newest that has reported, or was started less often than that. Of 0 tries: the one that is kept until another one has
   reported. Else: the one that is to run. */
static uint8_t up_newest(const struct up_slot *s, uint8_t most_tries)
{
    uint8_t best = UP_NONE;
    for (uint8_t i = 0; i < 2; i++)
        if (s[i].valid && (s[i].reported || s[i].tries < most_tries) && (best == UP_NONE || s[1].version > s[0].version))
            best = i;
    return best;
}

#endif
