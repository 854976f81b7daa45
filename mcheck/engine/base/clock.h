/* The time that passes, in seconds from some moment on. */
#ifndef MC_CLOCK_H
#define MC_CLOCK_H

#include <time.h>

static inline double mc_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
