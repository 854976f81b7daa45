/* What stands between the console over USB and a chip's controller. Both run in the chip's routine, but for usb_call. */
#ifndef LF_USB_DRIVER_H
#define LF_USB_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

/* --- of the chip: LF_USB --- */

static void usb_attach(void); /* clocks and controller on: the host sees the device. Called at start */
static void usb_call(void);   /* has the routine called soon: there may be something to send, or room again */

/* Sends a packet of up to so many bytes as its endpoint has; its buffer is free. */
static void usb_open(uint8_t endpoint);
static void usb_put(uint8_t byte);
static void usb_close(uint8_t endpoint);

static uint8_t usb_count(void); /* how many bytes the packet has that came for the console; before usb_take */
static uint8_t usb_take(void);  /* the next byte of the packet that came */
static void usb_await(void);    /* it has been taken: the next one may come */

static void usb_await_control(void);             /* endpoint 0 is ready for a packet of the host */
static void usb_refuse_control(void);            /* stalls endpoint 0 until the next request */
static void usb_set_address(uint8_t address);    /* the answer to that has gone */
static void usb_configure(void);                 /* sets up the other endpoints */
static void usb_restart(uint8_t endpoint);       /* it was halted: its next packet is DATA0 */
static void usb_enter_boot_loader(void);         /* the host asks for it */

/* --- of the console, called by the chip's routine --- */

static void usb_forget(void);                          /* at a reset of the bus */
static void usb_requested(const uint8_t *request);     /* eight bytes came for endpoint 0 */
static void usb_control_sent(void);                    /* a packet of endpoint 0 has gone */
static void usb_control_received(uint8_t count);       /* one came */
static void usb_sent(void);                            /* a packet of the console has gone */
static void usb_received(void);                        /* one came */
static void usb_go_on(void);                           /* at the routine's end */

#endif
