/* The console as a serial line over USB, by interrupt: of a port's part `usb`, which includes it once, behind its chip.h.
   The chip's controller is driven by LF_USB (driver.h).

   What is written goes into a buffer, and from there in packets as the host takes them; what is received goes into the one of
   received.h. A packet is only taken if it has room there, and until then the host waits: so no byte is lost on the way in. */
#ifndef LF_USB_CONSOLE_H
#define LF_USB_CONSOLE_H

#define LF_RECEIVES_PACKETS
#include "../received.h"

#define USB_BUFFER 128u   /* bytes to be sent */
#define USB_PATIENCE 3000u /* milliseconds that a write waits for a host that takes nothing; what comes then is not kept */
#define USB_ROUNDS (LF_CLOCK_HZ / 4u) /* about as long, without looking at the time */

/* Counted modulo 256. Only who writes moves `queued`, and only the routine moves `sent`: so no access needs interrupts off. */
static volatile uint8_t queued, sent;
static uint8_t to_send[USB_BUFFER];
static volatile bool on_its_way; /* a packet */
static volatile bool waits;      /* a packet of the host, for room */
static volatile bool deaf;       /* the host has taken nothing for so long */
static volatile bool drops;      /* the routine is to forget the oldest byte */
/* Whether the program reads the console. If not, what comes is taken and forgotten, so that the host need not wait. */
bool lf_usb_is_read;

int16_t lf_usb_read(void);
void lf_port_console_flush(void);

#include "control.h"
#include LF_USB

/* Of the bus, or of the configuration: what was on its way is lost, or not wanted any more. */
static void usb_forget(void)
{
    on_its_way = waits = false;
}

static bool has_room(void)
{
    return (uint8_t)(received - taken) <= LF_CONSOLE_BUFFER - USB_IN_PACKET;
}

static bool is_full(void)
{
    return (uint8_t)(queued - sent) == USB_BUFFER;
}

static void usb_sent(void)
{
    on_its_way = deaf = false;
}

static void usb_received(void)
{
    waits = true;
}

static void take_packet(void)
{
    for (uint8_t count = usb_count(); count; count--) {
        uint8_t byte = usb_take();
        if (lf_usb_is_read)
            keep_received(byte);
    }
    waits = false;
    usb_await();
}

static void send_packet(void)
{
    usb_open(USB_SENDS);
    for (uint8_t room = USB_OUT_PACKET; sent != queued && room; room--) {
        usb_put(to_send[sent % USB_BUFFER]);
        sent = (uint8_t)(sent + 1);
    }
    usb_close(USB_SENDS);
    on_its_way = true;
}

static void usb_go_on(void)
{
    if (drops && is_full())
        sent = (uint8_t)(sent + 1);
    drops = false;
    if (!usb_configured)
        return;
    if (waits && (has_room() || !lf_usb_is_read))
        take_packet();
    if (!on_its_way && sent != queued)
        send_packet();
}

void lf_port_usb_start(void);

void lf_port_usb_start(void)
{
    usb_attach();
}

static void put(uint8_t byte)
{
    uint8_t at = queued;
    to_send[at % USB_BUFFER] = byte;
    queued = (uint8_t)(at + 1);
}

void lf_port_console_write(uint8_t byte)
{
    if (is_full()) {
        uint32_t begin = lf_port_milliseconds();
        while (is_full() && !deaf) {
            deaf = lf_port_milliseconds() - begin >= USB_PATIENCE;
            lf_port_watchdog_feed();
            lf_port_idle(); /* the tick ends it, too */
        }
        if (is_full())
            return;
    }
    put(byte);
    if (!on_its_way)
        usb_call();
}

/* Of the line that says why it all ended: if nobody takes anything, the oldest bytes go for it. */
void lf_port_console_put(uint8_t byte)
{
    for (uint32_t i = USB_ROUNDS; i && is_full() && !deaf; i--) {
    }
    if (is_full()) {
        deaf = drops = true;
        usb_call();
        for (uint32_t i = USB_ROUNDS; i && is_full(); i--) {
        }
    }
    put(byte);
    usb_call();
}

/* Sends what is left, before a reset. */
void lf_port_console_flush(void)
{
    for (uint32_t i = USB_ROUNDS; i && usb_configured && !deaf && (on_its_way || sent != queued); i--) {
    }
}

int16_t lf_usb_read(void)
{
    int16_t byte = take_received();
    if (byte >= 0 && waits && has_room())
        usb_call();
    return byte;
}

#endif
