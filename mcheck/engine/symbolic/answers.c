/* Answers by question: a hash table over one array of words. */
#include "symbolic/answers.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const uint64_t *key, uint64_t words)
{
    uint64_t h = 0x9e3779b97f4a7c15ull ^ words;
    for (uint64_t i = 0; i < words; i++) {
        h = (h ^ key[i]) * 0xff51afd7ed558ccdull;
        h ^= h >> 32;
    }
    return h ? h : 1;
}

static struct mc_answer *place_of(const struct mc_answers *a, uint64_t hash, const uint64_t *key, uint64_t words)
{
    for (uint64_t i = hash & (a->room - 1);; i = (i + 1) & (a->room - 1)) {
        struct mc_answer *e = a->entries + i;
        if (!e->hash) return e;
        if (e->hash == hash && e->key_words == words && !memcmp(a->words + e->key, key, 8 * words)) return e;
    }
}

static bool room_for(uint64_t **words, uint64_t *room, uint64_t wanted)
{
    if (wanted <= *room) return true;
    uint64_t more = *room ? *room : 64;
    while (more < wanted) more *= 2;
    uint64_t *grown = realloc(*words, 8 * more);
    if (!grown) return false;
    *words = grown;
    *room = more;
    return true;
}

static bool grow(struct mc_answers *a)
{
    uint64_t room = a->room ? 2 * a->room : 1024;
    struct mc_answer *old = a->entries, *entries = calloc(room, sizeof *entries);
    if (!entries) return false;
    for (uint64_t i = 0; i < a->room; i++) {
        if (!old[i].hash) continue;
        uint64_t at = old[i].hash & (room - 1);
        while (entries[at].hash) at = (at + 1) & (room - 1);
        entries[at] = old[i];
    }
    free(old);
    a->entries = entries;
    a->room = room;
    return true;
}

const uint64_t *mc_answers_find(struct mc_answers *a, const uint64_t *key, uint64_t words, uint64_t *value_words)
{
    if (a->room) {
        const struct mc_answer *e = place_of(a, hash_of(key, words), key, words);
        if (e->hash) {
            if (value_words) *value_words = e->value_words;
            return a->words + e->value;
        }
    }
    a->question_words = 0;
    if (!room_for(&a->question, &a->question_room, words)) return NULL;
    memcpy(a->question, key, 8 * words);
    a->question_words = words;
    return NULL;
}

bool mc_answers_add(struct mc_answers *a, const uint64_t *value, uint64_t words)
{
    uint64_t n = a->question_words;
    if (2 * (a->used + 1) > a->room && !grow(a)) return false;
    if (!room_for(&a->words, &a->words_room, a->words_used + n + words)) return false;
    uint64_t hash = hash_of(a->question, n);
    struct mc_answer *e = place_of(a, hash, a->question, n);
    if (e->hash) return true;
    *e = (struct mc_answer){hash, a->words_used, n, a->words_used + n, words};
    memcpy(a->words + e->key, a->question, 8 * n);
    if (words) memcpy(a->words + e->value, value, 8 * words);
    a->words_used += n + words;
    a->used++;
    return true;
}

void mc_answers_free(struct mc_answers *a)
{
    free(a->entries);
    free(a->words);
    free(a->question);
}
