/* A lamp with a serial line, in C. `lamp N` has the fault number N; `lamp` has none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fault;
static int level, on, count;

static int is(int n) { return fault == n; }

static void say(const char *answer) {
    count++;
    if (is(1) && count % 7 == 0) return;                  /* an answer is lost */
    if (is(2) && count % 9 == 0) puts(answer);            /* one comes twice */
    puts(answer);
    if (is(3) && count % 11 == 0) puts("hello");          /* something else comes */
}

static void set(int wanted) {
    if (is(4) && wanted == 3) wanted = 2;                 /* the highest level is not reached */
    level = wanted;
    on = is(5) ? on : 1;                                  /* it stays off */
    say(is(6) && wanted == 0 ? "refused" : "ok");
}

static void up(void) {
    if ((!on && !is(7)) || (level >= 3 && !is(8))) {      /* goes up although it is off; above the highest level */
        say("refused");
        return;
    }
    level += is(9) && level == 1 ? 2 : 1;                 /* jumps */
    say(is(10) && level == 3 ? "refused" : "ok");         /* wrong answer, right effect */
}

static void down(void) {
    if ((!on && !is(11)) || (level <= 0 && !is(12))) {
        if (is(13)) level = 0;                            /* an effect where there is none */
        say("refused");
        return;
    }
    if (!is(14)) level--;
    say("ok");
}

static void toggle(void) {
    on = !on;
    if (is(15) && on) level = 0;                          /* forgets the level */
    if (is(16) && level == 2) on = 1;                     /* cannot be switched off at this level */
    say("ok");
}

static void get(void) {
    char text[16];
    if (!on && !is(17)) {
        say(is(18) ? "of" : "off");
        return;
    }
    snprintf(text, sizeof text, is(19) && level == 2 ? "level %d " : "level %d", level);
    if (is(20) && count > 30) text[6] = '0';              /* after a while it always says 0 */
    say(text);
}

int main(int argc, char **argv) {
    char line[32];
    if (argc > 1) fault = atoi(argv[1]);
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "set ", 4) == 0) set(atoi(line + 4));
        else if (strcmp(line, "up\n") == 0) up();
        else if (strcmp(line, "down\n") == 0) down();
        else if (strcmp(line, "toggle\n") == 0) toggle();
        else if (strcmp(line, "get\n") == 0) get();
    }
    return 0;
}
