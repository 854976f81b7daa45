#include <assert.h>
int main(void) {
  unsigned short pulses = 0;
  for (;;) {
    assert(pulses < 65535);
    pulses++;
  }
}
