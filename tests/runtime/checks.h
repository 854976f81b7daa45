/* Checks that say where they failed, and a list of tests to run. Includes nothing of the runtime. */
#ifndef CHECKS_H
#define CHECKS_H

#include <stdio.h>
#include <string.h>

struct test {
    const char *name;
    void (*run)(void);
};

#define TEST(function) {#function, function}

static int failures;

static inline void check_true(int holds, const char *text, const char *file, int line)
{
    if (holds) return;
    printf("%s:%d: does not hold: %s\n", file, line, text);
    failures++;
}

static inline void check_equal(long long have, long long want, const char *text, const char *file, int line)
{
    if (have == want) return;
    printf("%s:%d: %s is %lld, not %lld\n", file, line, text, have, want);
    failures++;
}

#define CHECK(condition) check_true((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(have, want) check_equal((long long)(have), (long long)(want), #have, __FILE__, __LINE__)

/* All tests, or the one that is named; the exit code says whether all held. */
static inline int run_tests(const struct test *tests, int count, int argc, char **argv)
{
    int ran = 0;
    for (int i = 0; i < count; i++) {
        if (argc > 1 && strcmp(argv[1], tests[i].name) != 0) continue;
        int before = failures;
        tests[i].run();
        ran++;
        printf("%s %s\n", failures == before ? "ok" : "FAILED", tests[i].name);
    }
    if (!ran) printf("there is no such test\n");
    return failures || !ran;
}

#define MAIN(tests) \
    int main(int argc, char **argv) { return run_tests(tests, (int)(sizeof(tests) / sizeof(tests)[0]), argc, argv); }

#endif
