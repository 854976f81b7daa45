#include <assert.h>
unsigned short nondet_sample(void);
int main(void) {
  unsigned charge = 1000000, drawn = 0;
  for (;;) {
    unsigned i = nondet_sample() % 1024;
    if (i <= charge) {
      charge -= i;
      drawn += i;
    }
    assert(charge + drawn == 1000000);
  }
}
