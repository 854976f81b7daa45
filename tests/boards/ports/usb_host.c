/* The console over USB on this machine, with a controller that is played: a line of text for each thing that the host or the
   program does, and what the device says to it. For test_usb_console.py. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LF_CLOCK_HZ 4000UL
#define LF_CONSOLE_BAUD 115200UL
#define LF_CONSOLE_BUFFER 32
#define LF_USB_VENDOR 0x1209u
#define LF_USB_PRODUCT 0x0001u
#define LF_USB "../../../tests/boards/ports/usb_host.h" /* from where it is included */

#include "../../../runtime/port.h"

static uint32_t now;
static void play(void);

uint32_t lf_port_milliseconds(void) { return now; }
void lf_port_watchdog_feed(void) {}
void lf_port_idle(void)
{
    now++;
    play();
}

#include "../../../runtime/ports/usb/console.h"

static bool takes; /* the host takes what comes, while the program waits */

static void play(void)
{
    if (takes && on_its_way) {
        usb_sent();
        usb_go_on();
    }
}

static int bytes_of(const char *digits, uint8_t *to)
{
    int count = 0;
    for (unsigned byte; sscanf(digits + 2 * count, "%2x", &byte) == 1; count++) to[count] = (uint8_t)byte;
    return count;
}

static void obey(char what, const char *rest)
{
    uint8_t bytes[64] = {0};
    if (what == 'S' && bytes_of(rest, bytes) == 8) usb_requested(bytes);
    if (what == 'A') usb_control_sent();
    if (what == 'O') came_count = (uint8_t)bytes_of(rest, came), came_at = 0, usb_control_received(came_count);
    if (what == 'B') came_count = (uint8_t)bytes_of(rest, came), came_at = 0, usb_received();
    if (what == 'G') usb_sent();
    if (what == 'Z') usb_configured = false, usb_forget();
    if (what == 'T') takes = *rest == '1';
    if (what == 'L') lf_usb_is_read = *rest == '1';
    if (what == 'W') for (int i = atoi(rest); i; i--) lf_port_console_write((uint8_t)('a' + i % 26));
    if (what == 'P') for (; *rest >= ' '; rest++) lf_port_console_put((uint8_t)*rest);
    if (what == 'R') for (int i = atoi(rest); i; i--) printf("read %d\n", lf_usb_read());
    usb_go_on();
    printf("done at %u\n", now);
}

int main(void)
{
    char line[256];
    lf_port_usb_start();
    while (fgets(line, sizeof line, stdin)) obey(line[0], line + 1);
    return 0;
}
