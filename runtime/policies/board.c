/* A board's policies and main loop: decides as board.h says, asks the port for inputs. */
#include "board.h"

#include "../port.h"

/* Policy block, then state block; the compiled program provides it. */
extern lf_byte lf_memory[];

#ifdef __AVR__
#define LF_IN_FLASH __flash
#else
#define LF_IN_FLASH
#endif

#ifndef LF_RUNS_NEXT /* who tells what runs has it picked first */
#define LF_RUNS_NEXT lf_runs_next
#endif

#define BLOCK (lf_memory + lf_policy_size)

void lf_policy_alternative(lf_byte *b, struct lf_meeting *m, uint8_t own, lf_slot partner, uint8_t theirs, uint8_t shares)
{
    lf_board_alternative(b, m, own, partner, theirs, shares);
}

bool lf_policy_meet(lf_byte *b, struct lf_meeting *m)
{
    (void)b;
    return m->found != 0;
}

uint8_t lf_policy_choice(lf_byte *b, uint8_t branches)
{
    (void)b, (void)branches;
    return 0;
}

uint8_t lf_policy_in8(lf_byte *b, uint32_t address) { (void)b; return lf_port_in8(address); }
uint16_t lf_policy_in16(lf_byte *b, uint32_t address) { (void)b; return lf_port_in16(address); }
uint32_t lf_policy_in32(lf_byte *b, uint32_t address) { (void)b; return lf_port_in32(address); }

/* A board takes what was written as it is. */
uint8_t lf_policy_any8(lf_byte *b, uint8_t found, uint8_t low, uint8_t high, uint8_t all_tried)
{
    (void)b, (void)low, (void)high, (void)all_tried;
    return found;
}

uint16_t lf_policy_any16(lf_byte *b, uint16_t found, uint16_t low, uint16_t high, uint8_t all_tried)
{
    (void)b, (void)low, (void)high, (void)all_tried;
    return found;
}

uint32_t lf_policy_any32(lf_byte *b, uint32_t found, uint32_t low, uint32_t high, uint8_t all_tried)
{
    (void)b, (void)low, (void)high, (void)all_tried;
    return found;
}

void lf_policy_out8(lf_byte *b, uint32_t address, uint8_t value) { (void)b; lf_port_out8(address, value); }
void lf_policy_out16(lf_byte *b, uint32_t address, uint16_t value) { (void)b; lf_port_out16(address, value); }
void lf_policy_out32(lf_byte *b, uint32_t address, uint32_t value) { (void)b; lf_port_out32(address, value); }

uint32_t lf_policy_clock(lf_byte *b)
{
    uint32_t now = lf_port_milliseconds();
    lf_store32(lf_policy_block(b) + lf_policy_clock_at, now);
    return now;
}

/* Input that was lost is told once, before what came after it is read: as the line `!lost count`, in hexadecimal. */
static const LF_IN_FLASH uint8_t lost_begins[] = "\n!lost ";

static LF_COLD void tell_lost(uint8_t count)
{
    for (const LF_IN_FLASH uint8_t *c = lost_begins; *c; c++) lf_port_console_write(*c);
    for (uint8_t i = 0; i < 2; i++, count = (uint8_t)(count << 4)) {
        uint8_t digit = count >> 4;
        lf_port_console_write((uint8_t)(digit < 10 ? '0' + digit : 'A' - 10 + digit));
    }
    lf_port_console_write('\n');
}

static int16_t read_console(void)
{
    uint8_t lost = lf_port_console_overrun();
    if (lost) tell_lost(lost);
    return lf_port_console_read();
}

int16_t lf_policy_console_in(lf_byte *b) { (void)b; return read_console(); }
void lf_policy_console_out(lf_byte *b, uint8_t c) { (void)b; lf_port_console_write(c); }
void lf_policy_spin(lf_byte *b, uint32_t microseconds) { (void)b; lf_port_spin(microseconds); }
/* Once each, however many places of the program they are called from. */
static LF_APART void arrive(lf_byte *b, lf_slot slot) { lf_arrivals_add(b, slot); }
static LF_APART void depart(lf_byte *b, lf_slot slot) { lf_arrivals_remove(b, slot); }
static LF_APART void begin_sleep(lf_byte *b, lf_slot slot, uint8_t clause, uint32_t milliseconds)
{
    lf_sleepers_add(b, slot, clause, lf_port_milliseconds(), milliseconds);
}
static LF_APART void end_sleep(lf_byte *b, lf_slot slot) { lf_sleepers_remove(b, slot); }

#ifdef __AVR__
#define LF_SLEEPERS_IN_ASSEMBLER (!lf_timed_selects)
#else
#define LF_SLEEPERS_IN_ASSEMBLER 0
#endif
/* The same, if it is. */
void lf_port_sleepers_add(uint32_t milliseconds, lf_slot slot, uint8_t clause);
void lf_port_sleepers_remove(lf_slot slot);

/* With deadlines: the count when the pass began, from which releases in it count. A pass has one look at the count then, but for
 * those of who begins to sleep or reads the clock. */
uint32_t lf_pass_began;

LF_INLINE uint32_t now_in_pass(void) { return lf_has_deadlines ? lf_pass_began : lf_port_milliseconds(); }

void lf_policy_waits(lf_byte *b, lf_slot slot, uint8_t shares)
{
    if (shares) arrive(b, slot);
}

void lf_policy_leaves(lf_byte *b, lf_slot slot, uint8_t shares)
{
    lf_renew_deadline(b, slot, lf_pass_began);
    if (shares) depart(b, slot);
    if (!lf_sleepers_room) return;
    if (LF_SLEEPERS_IN_ASSEMBLER)
        lf_port_sleepers_remove(slot);
    else
        end_sleep(b, slot);
}

void lf_policy_sleeps(lf_byte *b, lf_slot slot, uint8_t clause, uint32_t milliseconds)
{
    if (LF_SLEEPERS_IN_ASSEMBLER)
        lf_port_sleepers_add(milliseconds, slot, clause);
    else
        begin_sleep(b, slot, clause, milliseconds);
}

void lf_policy_created(lf_byte *b, lf_slot slot, uint32_t deadline)
{
    lf_begin_deadline(b, slot, lf_pass_began, deadline);
}

void lf_policy_ended(lf_byte *b, lf_slot slot) { lf_begin_deadline(b, slot, 0, LF_NO_DEADLINE); }

/* What the image does at a fault; made with it (lfc/link/fault_options.py). */
extern const uint8_t lf_has_fault_texts;
extern const uint8_t lf_fault_resets;
extern const LF_IN_FLASH uint8_t lf_fault_texts[]; /* of each site, with a 0 behind it */
void lf_fault_make_safe(void);                     /* sets the outputs */

/* The line `!fault kind site first second` for the monitor, in hexadecimal. */
#ifdef __AVR__
void lf_port_fault_line(uint8_t kind, uint16_t site, int32_t first, int32_t second);
#else
static LF_COLD void write_number(uint32_t v)
{
    lf_port_console_put(' ');
    for (int8_t shift = 28; shift >= 0; shift = (int8_t)(shift - 4)) {
        uint8_t digit = (uint8_t)(v >> shift) & 15u;
        lf_port_console_put((uint8_t)(digit < 10 ? '0' + digit : 'A' - 10 + digit));
    }
}

static void lf_port_fault_line(uint8_t kind, uint16_t site, int32_t first, int32_t second)
{
    for (const char *c = "\n!fault"; *c; c++) lf_port_console_put((uint8_t)*c);
    write_number(kind);
    write_number(site);
    write_number((uint32_t)first);
    write_number((uint32_t)second);
    lf_port_console_put('\n');
}
#endif

static LF_COLD void write_text_of(uint16_t site)
{
    const LF_IN_FLASH uint8_t *c = lf_fault_texts;
    while (site)
        if (*c++ == 0) site--;
    while (*c) lf_port_console_put(*c++);
    lf_port_console_put('\n');
}

/* A line for the monitor; then, if the image has it, one for people. */
_Noreturn LF_COLD void lf_fault(lf_byte *b, uint8_t kind, uint16_t site, int32_t first, int32_t second)
{
    (void)b;
    lf_fault_make_safe();
    lf_port_fault_line(kind, site, first, second);
    if (lf_has_fault_texts) write_text_of(site);
    if (lf_fault_resets) lf_port_reset();
    lf_port_watchdog_stop();
    lf_port_halt();
}

/* An interrupt that came again before this is the same one: it is remembered once. */
static bool take_interrupt(uint8_t bit)
{
    uint8_t state = lf_port_came[bit];
    if (!(state & LF_CAME)) return false;
    lf_port_came[bit] = state & (uint8_t)~LF_CAME;
    return true;
}

/* One that has come is delivered; false: none has. */
static bool deliver_interrupt(lf_byte *b)
{
    uint8_t bit = lf_interrupts_turn(b);
    for (uint16_t looked = 0; looked < lf_interrupts; looked++, bit = lf_interrupt_after(bit)) {
        if (!take_interrupt(bit)) continue;
        lf_set_interrupts_turn(b, lf_interrupt_after(bit));
        lf_set_taker(b, lf_interrupt(b, bit));
        return true;
    }
    return false;
}

/* Whoever waits for time or for the console goes on; false: nobody does. */
static bool deliver_other(lf_byte *b)
{
    if (lf_sleepers(b) && lf_sleeper_due(b, now_in_pass())) {
        const lf_byte *first = lf_sleeper(b, 0);
        lf_program_wake(b, first[0], first[1]);
        return true;
    }
    lf_slot reader = lf_has_readers ? lf_program_reader(b) : LF_NOBODY;
    int16_t c = reader != LF_NOBODY ? read_console() : -1;
    if (c < 0) return false;
    lf_program_console(b, reader, (uint8_t)c);
    return true;
}

static lf_slot pick(lf_byte *b)
{
    lf_slot taker = lf_taker(b);
    lf_set_taker(b, taker < lf_slots ? LF_TURN_OWED : LF_NOBODY);
    if (taker < lf_slots) return taker;
    return lf_has_deadlines ? lf_pick_earliest(b, lf_pass_began) : lf_pick_round_robin(b);
}

/* Nobody can go on. With `Power.Deep`, when none has for so many milliseconds, none waits for time, and the port sees no
   device at work that needs the clock or could not wake the board, it sleeps until something else than the tick comes. What
   a UART has been given last is out by then. */
#define CALM 32u
static uint8_t stirred_at; /* the last bits of the time when a process ran last */

static void stir(void)
{
    if (lf_rests) stirred_at = (uint8_t)lf_port_milliseconds();
}

static void be_idle(lf_byte *b)
{
    if (lf_rests && b[lf_deep_at] && !lf_sleepers(b)) {
        if (!lf_port_may_rest())
            stir();
        else if ((uint8_t)((uint8_t)lf_port_milliseconds() - stirred_at) >= CALM) {
            lf_port_rest();
            return;
        }
    }
    lf_port_idle();
}

/* One pass of the kernel's loop: one event, or idle. Its address is the symbol that marks a pass. */
__attribute__((noinline)) void lf_step(void)
{
    if (lf_has_deadlines) lf_pass_began = lf_port_milliseconds();
    lf_byte *b = BLOCK;
    lf_slot taker = lf_taker(b);
    lf_port_watchdog_feed();
    if (taker == LF_NOBODY && deliver_interrupt(b)) return;
    if (taker >= lf_slots && deliver_other(b)) return;
    if (LF_RUNS_NEXT) {
        lf_program_run_next(b);
        return;
    }
    lf_slot slot = pick(b);
    if (slot != LF_NOBODY) {
        stir();
        lf_program_run(b, slot);
    } else if (taker == LF_NOBODY) /* in the turn that is owed it has not looked at interrupts */
        be_idle(b);
}

_Noreturn void lf_main(void)
{
    if (lf_has_deadlines)
        for (uint16_t s = 0; s < lf_slots; s++) lf_begin_deadline(BLOCK, (lf_slot)s, 0, LF_NO_DEADLINE);
    lf_start_cursor(BLOCK);
    lf_program_initialise(BLOCK);
    for (;;) lf_step();
}
