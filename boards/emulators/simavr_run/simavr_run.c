/* Runs an AVR chip in simavr, with its USART 0 on standard input and output or on a pseudo-terminal.

   simavr_run --chip NAME --clock HZ [--baud B] [--cycles N] [--input FILE] [--pty] [--held] [--real-time] [--attached] [--boot ADDRESS]
              [--quiet ADDRESS:SLOTS:WIDTH:KINDS] [--pass ADDRESS] [--flip CYCLES:ADDRESS:BIT] [--signal PORT:BIT:CYCLES:TIMES] [--dump SPACE:ADDRESS:SIZE]... [--executed FILE] [--report FILE] IMAGE

   IMAGE is the content of the flash, from address 0. The run ends when the program sleeps with interrupts off, crashes,
   has run for N cycles, is quiet, or on SIGTERM. Quiet is a program that sleeps while no process can ever go on: their
   positions (numbers of WIDTH bytes, one for each of SLOTS, in the data space) tell. KINDS has a character for each
   number from 0: `.` never goes on by itself, `i` only with input, `!` may. Then the report is written: how it
   ended, the cycles, how many bytes the stack took, the asked-for pieces of memory (space `data`, `flash`).
   With --attached it also ends when its input does: whoever started it is gone.
   With --pass ADDRESS the report says how many cycles lay between two comings to that place of the flash, at most: from
   the second on, and without those between which the chip slept.
   With --executed a file has a byte for each one of the flash: 1 where an instruction began that was executed.
   With --flip a bit of the data space turns over by itself, so many cycles after the first byte of input.
   With --voltage CHANNEL:MILLIVOLTS there is a voltage at a channel of the converter; the supply is 5 V. With --usart
   DIGIT standard input and output are those of another USART, with --usart - of none.
   With --part KIND:ADDRESS there is a part on the two-wire bus: `memory` (a 24LC32), `registers` (of a sensor, with their
   content as a third part, :HEX), or simavr's own `eeprom` and `clock`. With shift:PORT:DATA:CLOCK:LATCH there is a
   row of shift registers at these bits of a port, with display:PORT:SELECT a MAX7219 on SPI. Its content is the space `part0` of --dump, `part1` that of the second. With --bus-fault KIND:N something goes wrong there, once the
   chip has said N things: a part is `absent` when it is addressed, a byte is `refused`, the bus `hangs` with SCL low for
   ever, or SDA is `stuck` until clocks come. (With the last two no part answers what the chip has just said.)
   With --signal a pin is high, and TIMES times low for CYCLES; CYCLES lie between, and before the first.
   Input is kept back until the program has turned its receiver on; not with --pty, where it is lost as on a real wire.
   With --pty the first line of the output names the terminal; opening it resets the chip, as the DTR line of a serial
   converter does, and a chip that stands still keeps its terminal. With --held it does
   nothing until SIGUSR1. With --boot the chip starts at that address after each reset. Exit status: 0, or 1 and a
   message. */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_ioport.h>
#include <simavr/avr_adc.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>

#include "parts.h"

#define BITS_OF_A_BYTE 10u /* start, eight, stop */
#define DUMPS_AT_MOST 16
#define VOLTAGES_AT_MOST 16
#define SUPPLY 5000u /* millivolts */
#define INPUT_SIZE 4096u
#define NO_USART '-'

enum space { DATA, FLASH, PART };

struct dump {
    enum space space;
    unsigned part; /* its number */
    uint32_t address, size;
};

static struct {
    const char *chip, *image, *input, *report, *executed;
    uint32_t clock, baud, boot;
    uint64_t cycles; /* 0: no bound */
    volatile bool held; /* a signal changes it */
    bool pty, real_time, attached, boots;
    const char *kinds; /* 0: a quiet program goes on */
    uint32_t positions, slots, width;
    uint32_t pass; /* 0: none */
    char signal_port;
    uint32_t signal_bit, signal_cycles, signal_times;
    uint64_t flip_cycles; /* 0: never */
    uint32_t flip_address, flip_bit;
    uint32_t voltages[VOLTAGES_AT_MOST];
    char usart;
    struct dump dumps[DUMPS_AT_MOST];
    unsigned dump_count;
} options = {.baud = 115200, .usart = '0'};
static uint8_t *executed; /* by address; NULL: nobody asks */

static avr_t *avr;
static int console_in = -1, console_out = STDOUT_FILENO;
static int openings = -1; /* tells who opens and closes the terminal; -1: there is none */
static uint8_t input[INPUT_SIZE];
static unsigned input_taken, input_read;
static volatile sig_atomic_t stopped;
static avr_cycle_count_t longest_pass;
static uint16_t deepest; /* the lowest value of the stack pointer */

static _Noreturn void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("simavr_run: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

static void on_start(int number)
{
    (void)number;
    options.held = false;
}

static void wait_for_start(void)
{
    const struct timespec pause = {0, 1000000};
    while (options.held && !stopped)
        nanosleep(&pause, NULL);
}

/* simavr prints what the program does wrong, and its own reports, to standard output: that is the console's. */
static void log_to_stderr(avr_t *chip, const int level, const char *format, va_list arguments)
{
    (void)chip;
    if (level <= LOG_WARNING)
        vfprintf(stderr, format, arguments);
}

static void on_sent(avr_irq_t *irq, uint32_t value, void *parameter)
{
    (void)irq;
    (void)parameter;
    uint8_t byte = (uint8_t)value;
    while (write(console_out, &byte, 1) < 0) {
        if (errno == EIO || errno == EPIPE)
            return; /* nobody listens: the wire does not care */
        if (errno == EAGAIN) {
            struct pollfd wait = {console_out, POLLOUT, 0};
            if (poll(&wait, 1, 100) == 0)
                return; /* the terminal's buffer is full, and nobody reads it */
        } else if (errno != EINTR) {
            fail("cannot write to the console: %s", strerror(errno));
        }
    }
}

/* Sleeping costs no time of the host, unless the run is in real time (see `keep_pace`). */
static void on_sleep(avr_t *chip, avr_cycle_count_t cycles)
{
    (void)chip;
    (void)cycles;
}

static void open_terminal(void)
{
    int slave;
    char name[128];
    if (openpty(&console_out, &slave, name, NULL, NULL) != 0)
        fail("cannot make a pseudo-terminal: %s", strerror(errno));
    struct termios raw;
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    close(slave);
    openings = inotify_init1(IN_NONBLOCK);
    if (openings < 0 || inotify_add_watch(openings, name, IN_OPEN | IN_CLOSE) < 0)
        fail("cannot watch the pseudo-terminal: %s", strerror(errno));
    fcntl(console_out, F_SETFL, O_NONBLOCK);
    console_in = console_out;
    printf("%s\n", name);
    fflush(stdout);
}

static void open_input(void)
{
    console_in = options.input ? open(options.input, O_RDONLY) : STDIN_FILENO;
    if (console_in < 0)
        fail("cannot open %s: %s", options.input, strerror(errno));
}

static void press_reset(void)
{
    avr_reset(avr);
    avr_regbit_set(avr, avr->reset_flags.extrf);
    input_taken = input_read = 0;
}

/* Resets the chip when the terminal is opened that nobody had open: then a serial converter raises its DTR line. */
static void follow_openings(void)
{
    static int open_now;
    union {
        struct inotify_event event;
        char bytes[1024];
    } buffer;
    ssize_t size = read(openings, &buffer, sizeof buffer);
    for (ssize_t at = 0; at < size;) {
        struct inotify_event event;
        memcpy(&event, buffer.bytes + at, sizeof event);
        at += (ssize_t)(sizeof event + event.len);
        if (!(event.mask & IN_OPEN)) {
            open_now -= open_now > 0;
        } else if (open_now++ == 0) {
            press_reset();
        }
    }
    struct pollfd look = {console_in, 0, 0};
    if (poll(&look, 1, 0) == 1 && look.revents & POLLHUP)
        open_now = 0; /* two closings can come as one event */
}

static void read_console(void)
{
    if (openings >= 0)
        follow_openings();
    if (console_in < 0 || input_taken < input_read)
        return;
    struct pollfd look = {console_in, POLLIN, 0};
    if (poll(&look, 1, 0) == 0)
        return; /* standard input may come when it likes */
    ssize_t got = read(console_in, input, sizeof input);
    if (got > 0) {
        input_taken = 0;
        input_read = (unsigned)got;
    } else if (got == 0) {
        console_in = -1;
    } else if (errno != EAGAIN && errno != EINTR && errno != EIO) {
        fail("cannot read the console: %s", strerror(errno));
    }
}

/* Waits until the host's clock has caught up with the chip's. */
static void keep_pace(const struct timespec *start)
{
    uint64_t nanoseconds = avr->cycle / options.clock * 1000000000u + avr->cycle % options.clock * 1000000000u / options.clock;
    struct timespec due = *start;
    due.tv_sec += (time_t)(nanoseconds / 1000000000u);
    due.tv_nsec += (long)(nanoseconds % 1000000000u);
    if (due.tv_nsec >= 1000000000) {
        due.tv_nsec -= 1000000000;
        due.tv_sec++;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
}

static const avr_uart_t *find_usart(void)
{
    if (options.usart == NO_USART)
        return NULL;
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (io->kind && strcmp(io->kind, "uart") == 0 && ((avr_uart_t *)io)->name == options.usart)
            return (avr_uart_t *)io;
    fail("the chip %s has no USART %c", options.chip, options.usart);
}

/* Asked when the chip sleeps: so the program has looked at all that was there. */
static bool is_quiet(bool receiver_empty)
{
    if (!options.kinds)
        return false;
    size_t known = strlen(options.kinds);
    bool input_ended = console_in < 0 && input_taken == input_read && receiver_empty;
    for (uint32_t slot = 0; slot < options.slots; slot++) {
        const uint8_t *at = avr->data + options.positions + slot * options.width;
        uint32_t position = options.width == 1 ? at[0] : at[0] | (uint32_t)at[1] << 8;
        char kind = position < known ? options.kinds[position] : '!';
        if (kind == '!' || (kind == 'i' && !input_ended))
            return false;
    }
    return true;
}

/* A new value is written in two halves: only one that stays for an instruction counts. */
static void watch_stack(void)
{
    static uint16_t before;
    uint16_t now = (uint16_t)(avr->data[R_SPL] | avr->data[R_SPH] << 8);
    if (now == before && now < deepest)
        deepest = now;
    before = now;
}

static void watch_passes(bool slept_now)
{
    static avr_cycle_count_t begun;
    static uint32_t passes;
    static bool slept;
    slept |= slept_now;
    if (avr->pc != options.pass || slept_now)
        return;
    if (passes++ > 1 && !slept && avr->cycle - begun > longest_pass)
        longest_pass = avr->cycle - begun;
    begun = avr->cycle;
    slept = false;
}

/* The edges of the signal up to now. */
static void send_signal(void)
{
    static uint32_t edges;
    if (edges > 2 * options.signal_times || avr->cycle < (avr_cycle_count_t)edges * options.signal_cycles)
        return;
    avr_irq_t *pin = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(options.signal_port), (int)options.signal_bit);
    if (pin == NULL)
        fail("the chip %s has no port %c", options.chip, options.signal_port);
    avr_raise_irq(pin, edges % 2 == 0);
    edges++;
}

/* A chip that stands still does not leave its line: somebody may open the terminal anew, which resets it. */
static bool is_reset_later(void)
{
    const struct timespec pause = {0, 1000000};
    const int stands = avr->state;
    while (options.pty && !stopped && avr->state == stands) {
        read_console();
        input_taken = input_read; /* nobody listens */
        nanosleep(&pause, NULL);
    }
    return options.pty && !stopped;
}

static const char *run(void)
{
    const avr_uart_t *usart = find_usart();
    avr_irq_t *receive = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ(options.usart), UART_IRQ_INPUT);
    const avr_cycle_count_t byte_cycles = (avr_cycle_count_t)options.clock * BITS_OF_A_BYTE / options.baud;
    const avr_cycle_count_t slice = options.clock / 1000u; /* the console is looked at once in a millisecond */
    avr_cycle_count_t next_byte = 0, next_look = 0, first_input = 0;
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (!stopped) {
        if (avr->cycle >= next_look) {
            next_look = avr->cycle + slice;
            read_console();
            if (options.attached && console_in < 0)
                return "stopped";
            if (options.real_time)
                keep_pace(&start);
        }
        if (input_taken < input_read && avr->cycle >= next_byte && usart && (options.pty || avr_regbit_get(avr, usart->rxen))) {
            avr_raise_irq(receive, input[input_taken++]);
            if (first_input == 0)
                first_input = avr->cycle;
            next_byte = avr->cycle + byte_cycles;
            if (input_taken == input_read)
                read_console(); /* bytes follow each other without a gap, as on a busy wire */
        }
        if (options.signal_port)
            send_signal();
        if (options.flip_cycles && first_input && avr->cycle >= first_input + options.flip_cycles) {
            avr->data[options.flip_address] ^= (uint8_t)(1u << options.flip_bit);
            options.flip_cycles = 0;
        }
        if (executed && avr->state == cpu_Running && avr->pc <= avr->flashend)
            executed[avr->pc] = 1;
        int state = avr_run(avr);
        watch_stack();
        if (options.pass)
            watch_passes(state == cpu_Sleeping);
        if ((state == cpu_Done || state == cpu_Crashed) && !is_reset_later())
            return state == cpu_Done ? "halted" : "crashed";
        bool sends = usart && avr_regbit_get(avr, usart->udrc.enable); /* there is more in the port's buffer */
        if (state == cpu_Sleeping && !sends && is_quiet(!usart || usart->input.read == usart->input.write))
            return "quiet";
        if (options.cycles && avr->cycle >= options.cycles)
            return "cycles";
    }
    return "stopped";
}

static void load_image(void)
{
    FILE *file = fopen(options.image, "rb");
    if (file == NULL)
        fail("cannot read %s: %s", options.image, strerror(errno));
    size_t size = fread(avr->flash, 1, avr->flashend + 1u, file);
    if (size == 0 || fgetc(file) != EOF)
        fail("%s is empty, or larger than the flash of the chip %s", options.image, options.chip);
    fclose(file);
    avr->codeend = avr->flashend;
}

static void write_report(const char *end)
{
    FILE *file = options.report ? fopen(options.report, "w") : stderr;
    if (file == NULL)
        fail("cannot write %s: %s", options.report, strerror(errno));
    fprintf(file, "{\"end\": \"%s\", \"cycles\": %" PRIu64 ", \"pc\": %u, \"stack\": %u, \"pass\": %" PRIu64 ", \"dumps\": [",
            end, avr->cycle, avr->pc, avr->ramend - deepest, longest_pass);
    for (unsigned i = 0; i < options.dump_count; i++) {
        const struct dump *d = &options.dumps[i];
        uint32_t bound = d->space == FLASH ? avr->flashend + 1 : avr->ramend + 1u;
        const uint8_t *space = d->space == FLASH ? avr->flash : avr->data;
        if (d->space == PART)
            space = content_of_part(d->part, &bound);
        if (space == NULL)
            fail("there is no part %u", d->part);
        if (d->address > bound || d->size > bound - d->address)
            fail("the chip has no memory at %u of size %u", d->address, d->size);
        fputs(i ? ", \"" : "\"", file);
        for (uint32_t at = 0; at < d->size; at++)
            fprintf(file, "%02x", space[d->address + at]);
        fputc('"', file);
    }
    fputs("]}\n", file);
    if (file != stderr && fclose(file) != 0)
        fail("cannot write %s: %s", options.report, strerror(errno));
}

static uint64_t number(const char *name, const char *text)
{
    char *rest;
    errno = 0;
    unsigned long long value = strtoull(text, &rest, 0);
    if (errno || *text == '\0' || *rest != '\0')
        fail("%s wants a number, not %s", name, text);
    return value;
}

static void add_dump(const char *text)
{
    struct dump *d = &options.dumps[options.dump_count];
    char space[8];
    int32_t address, size;
    if (options.dump_count == DUMPS_AT_MOST)
        fail("more than %d dumps", DUMPS_AT_MOST);
    bool part = strncmp(text, "part", 4) == 0 && text[4] >= '0' && text[4] <= '9' && text[5] == ':';
    if (sscanf(text, "%7[a-z0-9]:%" SCNi32 ":%" SCNi32, space, &address, &size) != 3 || address < 0 || size < 0 ||
        (strcmp(space, "data") != 0 && strcmp(space, "flash") != 0 && !part))
        fail("--dump wants data:ADDRESS:SIZE, flash:ADDRESS:SIZE or partN:ADDRESS:SIZE, not %s", text);
    *d = (struct dump){part ? PART : space[0] == 'f' ? FLASH : DATA, part ? (unsigned)(text[4] - '0') : 0, (uint32_t)address,
                       (uint32_t)size};
    options.dump_count++;
}

static void read_quiet(const char *text)
{
    int taken = 0;
    if (sscanf(text, "%" SCNu32 ":%" SCNu32 ":%" SCNu32 ":%n", &options.positions, &options.slots, &options.width, &taken) !=
            3 ||
        taken == 0 || (options.width != 1 && options.width != 2))
        fail("--quiet wants ADDRESS:SLOTS:WIDTH:KINDS, not %s", text);
    options.kinds = text + taken;
}

static void read_signal(const char *text)
{
    char rest;
    if (sscanf(text, "%c:%" SCNu32 ":%" SCNu32 ":%" SCNu32 "%c", &options.signal_port, &options.signal_bit,
               &options.signal_cycles, &options.signal_times, &rest) != 4 ||
        options.signal_bit > 7)
        fail("--signal wants PORT:BIT:CYCLES:TIMES, not %s", text);
}

static void read_flip(const char *text)
{
    char rest;
    if (sscanf(text, "%" SCNu64 ":%" SCNu32 ":%" SCNu32 "%c", &options.flip_cycles, &options.flip_address,
               &options.flip_bit, &rest) != 3 ||
        options.flip_cycles == 0 || options.flip_bit > 7)
        fail("--flip wants CYCLES:ADDRESS:BIT, not %s", text);
}

static void read_voltage(const char *text)
{
    char rest;
    uint32_t channel, millivolts;
    if (sscanf(text, "%" SCNu32 ":%" SCNu32 "%c", &channel, &millivolts, &rest) != 2 || channel >= VOLTAGES_AT_MOST ||
        millivolts > SUPPLY)
        fail("--voltage wants CHANNEL:MILLIVOLTS, not %s", text);
    options.voltages[channel] = millivolts;
}

static void connect_voltages(void)
{
    avr->vcc = avr->avcc = avr->aref = SUPPLY;
    for (unsigned channel = 0; channel < VOLTAGES_AT_MOST; channel++) {
        avr_irq_t *input = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, (int)channel);
        if (input != NULL && options.voltages[channel])
            avr_raise_irq(input, options.voltages[channel]);
    }
}

static void wants(const char *name, const char *wanted, const char *text)
{
    if (wanted != NULL)
        fail("%s wants %s, not %s", name, wanted, text);
}

static void read_options(int count, char **arguments)
{
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i];
        if (strcmp(name, "--pty") == 0) {
            options.pty = true;
            continue;
        }
        if (strcmp(name, "--held") == 0) {
            options.held = true;
            continue;
        }
        if (strcmp(name, "--attached") == 0) {
            options.attached = true;
            continue;
        }
        if (strcmp(name, "--real-time") == 0) {
            options.real_time = true;
            continue;
        }
        if (strncmp(name, "--", 2) != 0) {
            options.image = name;
            continue;
        }
        if (++i == count)
            fail("%s wants a value", name);
        const char *value = arguments[i];
        if (strcmp(name, "--chip") == 0)
            options.chip = value;
        else if (strcmp(name, "--clock") == 0)
            options.clock = (uint32_t)number(name, value);
        else if (strcmp(name, "--baud") == 0)
            options.baud = (uint32_t)number(name, value);
        else if (strcmp(name, "--cycles") == 0)
            options.cycles = number(name, value);
        else if (strcmp(name, "--input") == 0)
            options.input = value;
        else if (strcmp(name, "--report") == 0)
            options.report = value;
        else if (strcmp(name, "--dump") == 0)
            add_dump(value);
        else if (strcmp(name, "--signal") == 0)
            read_signal(value);
        else if (strcmp(name, "--quiet") == 0)
            read_quiet(value);
        else if (strcmp(name, "--pass") == 0)
            options.pass = (uint32_t)number(name, value);
        else if (strcmp(name, "--executed") == 0)
            options.executed = value;
        else if (strcmp(name, "--flip") == 0)
            read_flip(value);
        else if (strcmp(name, "--voltage") == 0)
            read_voltage(value);
        else if (strcmp(name, "--part") == 0)
            wants(name, add_part(value), value);
        else if (strcmp(name, "--bus-fault") == 0)
            wants(name, add_bus_fault(value), value);
        else if (strcmp(name, "--usart") == 0)
            options.usart = value[0];
        else if (strcmp(name, "--boot") == 0) {
            options.boots = true;
            options.boot = (uint32_t)number(name, value);
        } else
            fail("there is no option %s", name);
    }
    if (!options.chip || !options.image || !options.clock || !options.baud)
        fail("--chip, --clock, a baud rate and an image are needed");
}

/* It is in the file whenever somebody ends this process. */
static void map_executed(void)
{
    FILE *f = fopen(options.executed, "w+b");
    size_t size = avr->flashend + 1u;
    if (f == NULL || ftruncate(fileno(f), (off_t)size) != 0)
        fail("%s cannot be written", options.executed);
    executed = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(f), 0);
    if (executed == MAP_FAILED)
        fail("%s cannot be written", options.executed);
    fclose(f);
}

int main(int count, char **arguments)
{
    read_options(count, arguments);
    avr_global_logger_set(log_to_stderr);
    avr = avr_make_mcu_by_name(options.chip);
    if (avr == NULL)
        fail("simavr does not know the chip %s", options.chip);
    avr_init(avr);
    avr->frequency = options.clock;
    avr->log = LOG_WARNING;
    avr->sleep = on_sleep;
    if (options.kinds && options.positions + (uint64_t)options.slots * options.width > avr->ramend + 1u)
        fail("the chip has no memory at %u for %u positions", options.positions, options.slots);
    if (options.flip_address > avr->ramend)
        fail("the chip has no memory at %u", options.flip_address);
    load_image();
    if (options.executed)
        map_executed();
    deepest = avr->ramend;
    if (options.boots) {
        avr->reset_pc = options.boot;
        avr->pc = options.boot;
    }
    uint32_t flags = 0; /* neither print lines of the console, nor sleep while the program polls it */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS(options.usart), &flags);
    avr_irq_t *sent = options.usart == NO_USART ? NULL : avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ(options.usart), UART_IRQ_OUTPUT);
    if (sent != NULL) /* if not, `run` says so */
        avr_irq_register_notify(sent, on_sent, NULL);
    connect_voltages();
    const char *missing = connect_parts(avr);
    if (missing)
        fail("%s", missing);
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    signal(SIGUSR1, on_start);
    signal(SIGPIPE, SIG_IGN);
    if (options.pty)
        open_terminal();
    else
        open_input();
    wait_for_start();
    const char *end = run();
    write_report(end);
    return 0;
}
