/* How long a chip in simavr takes to answer interrupts: answers CHIP CLOCK IMAGE VECTOR ADDRESS MASK VALUE COUNT LEAST MOST SEED RESETS STEP

   The interrupt is raised COUNT times, from LEAST to MOST cycles after the answer before (by chance). An answer is a write to ADDRESS of which the bits MASK are VALUE. Prints, for each, the cycles from the interrupt
   to the end of the writing instruction; 0: there was no answer within a second. With MOST = LEAST it sweeps: each time a cycle more. With RESETS 1 each begins
   with a reset, and the kernel's loop, which comes to STEP, an address of the flash. */

#include "chip.h"

static unsigned address, mask, value;
static int answered;

/* The address to which an instruction writes; 0: it writes to none, or by a pointer. */
static unsigned target(const uint8_t *at)
{
    unsigned w = at[0] | at[1] << 8, next = at[2] | at[3] << 8;
    if ((w & 0xF800) == 0xB800) return (w & 0xF) + (w >> 5 & 0x30) + 0x20; /* OUT */
    if ((w & 0xFD00) == 0x9800) return (w >> 3 & 0x1F) + 0x20;             /* CBI, SBI */
    return (w & 0xFE0F) == 0x9200 ? next : 0;                              /* STS */
}

static void step(void)
{
    int writes = avr->state == cpu_Running && target(avr->flash + avr->pc) == address;
    avr_run(avr);
    answered |= writes && (avr->data[address] & mask) == value;
}

/* A chip that sleeps goes on until the next thing that simavr has planned: so something is planned for the end. */
static void run_until(avr_cycle_count_t end)
{
    plan(end);
    while (avr->cycle < end) step();
}

int main(int argc, char **argv)
{
    if (argc != 14 || !start_chip(argv[1], argv[2], argv[3])) return 2;
    avr_int_vector_t *vector = vector_of((unsigned)atoi(argv[4]));
    mask = (unsigned)strtoul(argv[6], NULL, 0), value = (unsigned)strtoul(argv[7], NULL, 0);
    unsigned count = (unsigned)atoi(argv[8]), least = (unsigned)atoi(argv[9]), most = (unsigned)atoi(argv[10]);
    random_state = (uint64_t)atoi(argv[11]);
    address = (unsigned)strtoul(argv[5], NULL, 0);
    for (unsigned i = 0; vector && i < count; i++) {
        if (argv[12][0] == '1') {
            avr_reset(avr);
            while (avr->pc != (avr_flashaddr_t)atoi(argv[13])) avr_run(avr);
        }
        run_until(avr->cycle + least + (most > least ? chance(most - least) : i % 4096));
        avr_cycle_count_t begin = avr->cycle, end = begin + avr->frequency;
        answered = 0;
        /* The chip keeps the flag of an interrupt that is masked; simavr does not always. */
        while (!answered && avr->cycle < end && !avr_regbit_get(avr, vector->enable)) step();
        if (!answered) avr_raise_interrupt(avr, vector);
        while (!answered && avr->cycle < end) step();
        printf("%u\n", answered ? (unsigned)(avr->cycle - begin) : 0);
    }
    return 0;
}
