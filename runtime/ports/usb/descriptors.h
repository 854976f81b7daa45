/* What the console tells a host of itself over USB: a serial line of the communications device class (CDC 1.2, PSTN 1.2), which
   every system of today has a driver for. */
#ifndef LF_USB_DESCRIPTORS_H
#define LF_USB_DESCRIPTORS_H

#include <stdint.h>

#ifdef __AVR__
#define LF_IN_FLASH __flash
#else
#define LF_IN_FLASH
#endif

/* Endpoints: 0 controls, 1 would notify (and never does), 2 receives, 3 sends. */
#define USB_NOTIFIES 1u
#define USB_RECEIVES 2u
#define USB_SENDS 3u
#define USB_CONTROL_PACKET 64u
#define USB_NOTICE_PACKET 8u
#define USB_OUT_PACKET 64u
/* A packet is taken when it has room in the buffer behind it. */
#define USB_IN_PACKET (LF_CONSOLE_BUFFER / 2u)

_Static_assert(USB_IN_PACKET >= 8 && USB_IN_PACKET <= 64, "the receive buffer of a console over USB must have 16 to 128 bytes");

#define LOW(n) ((n) & 0xFFu)
#define HIGH(n) ((n) >> 8 & 0xFFu)

enum {
    USB_DEVICE_SIZE = 18,
    USB_CONFIGURATION_AT = USB_DEVICE_SIZE,
    USB_CONFIGURATION_SIZE = 67,
};

static const LF_IN_FLASH uint8_t usb_descriptors[USB_DEVICE_SIZE + USB_CONFIGURATION_SIZE] = {
    /* the device: USB 2.0, communications, no strings, one configuration */
    18, 1, 0x00, 0x02, 2, 0, 0, USB_CONTROL_PACKET, LOW(LF_USB_VENDOR), HIGH(LF_USB_VENDOR), LOW(LF_USB_PRODUCT),
    HIGH(LF_USB_PRODUCT), 0x00, 0x01, 0, 0, 0, 1,
    /* its configuration: two interfaces, powered by the bus, 100 mA */
    9, 2, USB_CONFIGURATION_SIZE, 0, 2, 1, 0, 0x80, 50,
    /* the interface that controls: abstract control model, one endpoint */
    9, 4, 0, 0, 1, 2, 2, 0, 0,
    5, 0x24, 0x00, 0x10, 0x01, /* CDC 1.10 */
    5, 0x24, 0x01, 0, 1,       /* no calls */
    4, 0x24, 0x02, 0x02,       /* it knows line coding and control lines */
    5, 0x24, 0x06, 0, 1,       /* which interfaces belong together */
    7, 5, 0x80 | USB_NOTIFIES, 3, USB_NOTICE_PACKET, 0, 255,
    /* the interface of the data: two bulk endpoints */
    9, 4, 1, 0, 2, 10, 0, 0, 0,
    7, 5, USB_RECEIVES, 2, USB_IN_PACKET, 0, 0,
    7, 5, 0x80 | USB_SENDS, 2, USB_OUT_PACKET, 0, 0,
};

#endif
