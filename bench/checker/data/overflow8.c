#include <assert.h>
int main(void) {
  unsigned char pulses = 0;
  for (;;) {
    assert(pulses < 255);
    pulses++;
  }
}
