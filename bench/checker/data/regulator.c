#include <assert.h>
#define LIMIT 100000
unsigned short nondet_sample(void);
int main(void) {
  int sum = 0, out = 0;
  for (;;) {
    int e = nondet_sample() % 1024 - 512;
    sum = sum + e;
    if (sum > LIMIT) sum = LIMIT;
    else if (sum < -LIMIT) sum = -LIMIT;
    out = (e * 20 + sum) / 16;
    if (out > 255) out = 255;
    else if (out < 0) out = 0;
    assert(out >= 0 && out <= 255);
  }
}
