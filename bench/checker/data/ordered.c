#include <assert.h>
int main(void) {
  unsigned a = 0, b = 0;
  for (;;) {
    if (b < 4000000000u) b++;
    if (a < b) a++;
    assert(a <= b);
  }
}
