/* When pins of a chip in simavr rise, and how long it is awake: rises CHIP CLOCK IMAGE ADDRESS MASK CYCLES MOST SEED VECTOR...

   ADDRESS is a port's latch, MASK one of its bits. Prints the cycle of each rise in so many CYCLES, and in the last line the cycles awake. Interrupts,
   one of VECTORs at a time, are raised by chance, up to MOST cycles after the one before. */

#include "chip.h"

int main(int argc, char **argv)
{
    if (argc < 9 || !start_chip(argv[1], argv[2], argv[3])) return 2;
    unsigned at = (unsigned)atoi(argv[4]), mask = (unsigned)atoi(argv[5]), most = (unsigned)atoi(argv[7]);
    avr_cycle_count_t end = (avr_cycle_count_t)atoll(argv[6]), raised = 0, awake = 0;
    random_state = (uint64_t)atoi(argv[8]);
    int vectors = argc - 9;
    plan(end);
    while (avr->cycle < end) {
        unsigned before = avr->data[at] & mask;
        avr_cycle_count_t since = avr->cycle;
        int sleeps = avr->state == cpu_Sleeping, begins = avr->flash[avr->pc] == 0x88 && avr->flash[avr->pc + 1] == 0x95;
        avr_run(avr);
        if (!sleeps) awake += begins ? 1 : avr->cycle - since; /* SLEEP sleeps at once */
        if (!before && avr->data[at] & mask) printf("%llu\n", (unsigned long long)avr->cycle);
        if (vectors && avr->cycle >= raised) {
            avr_int_vector_t *v = vector_of((unsigned)atoi(argv[9 + (int)chance((unsigned)vectors)]));
            if (avr_regbit_get(avr, v->enable)) avr_raise_interrupt(avr, v);
            raised = avr->cycle + 1 + chance(chance(2) ? most : 600);
            plan(raised);
        }
    }
    printf("%llu\n", (unsigned long long)awake);
    return 0;
}
