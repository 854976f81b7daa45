/* Answers of the caller, remembered by question. A question is a list of words:
 *
 *   OPERATION      asked | op << 8 | width << 16 | of << 24 | terms << 32, operands    (`terms`: which operands are terms, by bits)
 *   BYTE           asked | number << 8, term
 *   JOIN           asked | terms << 8, bytes
 *   SWITCH         asked, number of the switch, of the group of its cases, term        (whether it is one of these)
 *   TRUTH, NUMBER  asked | mode << 8, term, of each of its symbols the set
 *   INPUT          asked | policy << 8 | bits << 16, arguments                         (the set)
 *   SYMBOL         asked, number, width
 *   FRAMES         asked, node, value                                                  (is a layout, its number; or: the next node,
 *                                                                                       offset and size of what it is about)
 *   EXPLICIT       asked, bytes in words                                               (number, then what is dead: offset, size)
 *   SIMPLE, WITH_VALUES, IMAGE  as TRUTH, without a mode                               (IMAGE: a set; 0: it is none)
 *   SINGLE         asked, value                                                        (the set)
 *   SHAPE          asked, explicit, layout, of each run cell | symbol << 16 | width << 40
 *
 * An answer that is a value is two words: what (enum mc_value_kind), and the number. That to TRUTH and NUMBER is how many ways there
 * are, and of each the answer, the symbol and its set; none: it is to be handed over. */
#ifndef MC_ANSWERS_H
#define MC_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

struct mc_answer { uint64_t hash, key, key_words, value, value_words; }; /* places in `words` */

struct mc_answers {
    struct mc_answer *entries;
    uint64_t used, room; /* a power of two */
    uint64_t *words;
    uint64_t words_used, words_room;
    uint64_t *question; /* what was asked last and not found */
    uint64_t question_words, question_room;
};

/* NULL: not known; it is the question then (or there is no memory for it: no words). Good until the next answer. */
const uint64_t *mc_answers_find(struct mc_answers *a, const uint64_t *key, uint64_t words, uint64_t *value_words);
bool mc_answers_add(struct mc_answers *a, const uint64_t *value, uint64_t words); /* to the question */
void mc_answers_free(struct mc_answers *a);

#endif
