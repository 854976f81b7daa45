/* What a chip in simavr holds at each pass of the kernel's loop: moments CHIP CLOCK IMAGE STEP ADDRESS SIZE CYCLES MOST SEED VECTOR...

   STEP is where a pass begins; of each one its cycle is printed, and the SIZE bytes at ADDRESS if they have changed. Interrupts,
   one of VECTORs at a time, are raised by chance, up to MOST cycles after the one before. */

#include "chip.h"
#include <string.h>

enum { MOST_BYTES = 4096 };

int main(int argc, char **argv)
{
    static uint8_t last[MOST_BYTES];
    if (argc < 10 || !start_chip(argv[1], argv[2], argv[3])) return 2;
    avr_flashaddr_t begin = (avr_flashaddr_t)atoi(argv[4]);
    unsigned at = (unsigned)atoi(argv[5]), size = (unsigned)atoi(argv[6]), most = (unsigned)atoi(argv[8]);
    avr_cycle_count_t end = (avr_cycle_count_t)atoll(argv[7]), raised = 0;
    random_state = (uint64_t)atoi(argv[9]);
    int vectors = argc - 10, first = 1;
    if (size > MOST_BYTES) return 2;
    while (avr->cycle < end) {
        if (avr->pc == begin && avr->state == cpu_Running && (first || memcmp(last, avr->data + at, size))) {
            memcpy(last, avr->data + at, size);
            first = 0;
            printf("%llu ", (unsigned long long)avr->cycle);
            for (unsigned i = 0; i < size; i++) printf("%02x", last[i]);
            printf("\n");
        }
        if (vectors && avr->cycle >= raised) {
            avr_int_vector_t *v = vector_of((unsigned)atoi(argv[10 + (int)chance((unsigned)vectors)]));
            /* The chip keeps the flag of an interrupt that is masked; simavr does not always. */
            if (avr_regbit_get(avr, v->enable)) avr_raise_interrupt(avr, v);
            raised = avr->cycle + 1 + chance(chance(2) ? most : 600);
            plan(raised);
        }
        avr_run(avr);
    }
    return 0;
}
