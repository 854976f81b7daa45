#include <assert.h>
#define N 8
unsigned short nondet_sample(void);
int main(void) {
  unsigned short ring[N] = {0}, sum = 0, v;
  unsigned char at = 0;
  for (;;) {
    v = nondet_sample() % 1024;
    assert(sum >= ring[at]);
    assert((unsigned)(sum - ring[at]) + v <= 65535u);
    sum = sum - ring[at] + v;
    ring[at] = v;
    at = (at + 1) % N;
    assert(sum / N < 1024);
  }
}
