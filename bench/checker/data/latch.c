#include <assert.h>
unsigned nondet_sample(void);
int main(void) {
  _Bool off = 0, shutdown = 0;
  unsigned low = 0, high = 0, rounds = 0;
  for (;;) {
    unsigned s = nondet_sample() % 100000;
    if (rounds < 4000000000u) rounds++;
    if (high < s) high = s;
    if (s > 90000 && low < high) low++;
    if (low > high) off = 0;
    if (low > 100 && off) shutdown = 1;
    if (low > 50) off = 1;
    assert(!shutdown || off);
  }
}
