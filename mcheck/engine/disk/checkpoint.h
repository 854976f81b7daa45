/* Saving a breadth-first search, and going on with one that was saved. */
#ifndef MC_CHECKPOINT_H
#define MC_CHECKPOINT_H

#include "search/bfs.h"

enum { MC_IDENTITY = 96 }; /* digests of the engine, the program, and the options that matter */

enum { MC_SEAL = 32 };

/* A message authentication code, by whoever has the key: what is in a file is shown in its order, then `end` says what the code
 * is, and begins anew. Functions that are NULL: nobody has a key. */
struct mc_seal {
    void (*show)(const uint8_t *bytes, uint64_t count);
    void (*end)(uint8_t *code);
};

enum mc_resumed {
    MC_RESUMED = 0,
    MC_UNREADABLE = 1,    /* the system says why */
    MC_NO_CHECKPOINT = 2,
    MC_DAMAGED = 3,
    MC_OTHER_ENGINE = 4,  /* in the order of the identity's thirds */
    MC_OTHER_PROGRAM = 5,
    MC_OTHER_OPTIONS = 6,
    MC_NOT_AUTHENTIC = 7  /* no seal, that of another key, or the file was changed and summed up again */
};

/* From now on: about every so many seconds, when something but an error stops the search, and when it is complete. Not 0: the
 * system's number for why nothing can be written there. */
uint32_t mc_checkpoint_to(struct mc_engine *e, const char *path, const uint8_t *identity, double every, struct mc_seal seal);
/* Of the last time; 0: none. */
uint32_t mc_checkpoint_error(struct mc_engine *e, uint64_t *saved);
/* Before the search: go on with what is in the file. What is refused leaves an engine that is to be freed. Without the right
 * seal (`*authentic` is 0) it is refused, unless this is done `knowingly`. */
uint32_t mc_resume(struct mc_engine *e, const char *path, const uint8_t *identity, struct mc_seal seal, uint32_t knowingly,
                   uint32_t *authentic, uint32_t *error);

/* replayed.c: what has been loaded, in which every number is within its bounds, is a search of this program. */
bool mc_is_replayed(struct mc_engine *e);

#endif
