#include <assert.h>
unsigned short nondet_sample(void);
int main(void) {
  _Bool heating = 0;
  for (;;) {
    unsigned short x = nondet_sample();
    if (x < 18000) heating = 1;
    else if (x > 22000) heating = 0;
    assert(!heating || x <= 22000);
  }
}
