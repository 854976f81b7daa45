/* What a host asks of a device over USB's endpoint 0 (USB 2.0, chapter 9; CDC PSTN 1.2, section 6.3). Runs in the routine of the
   chip's USB only. */
#ifndef LF_USB_CONTROL_H
#define LF_USB_CONTROL_H

#include "descriptors.h"
#include "driver.h"

/* In the first byte of a request. */
#define OF_CLASS 0x20u
#define KIND 0x60u
#define TO_ENDPOINT 2u
#define RECIPIENT 0x1Fu

#define GET_STATUS 0u
#define CLEAR_FEATURE 1u
#define SET_FEATURE 3u
#define SET_ADDRESS 5u
#define GET_DESCRIPTOR 6u
#define GET_CONFIGURATION 8u
#define SET_CONFIGURATION 9u
#define GET_INTERFACE 10u
#define SET_INTERFACE 11u
#define SET_LINE_CODING 0x20u
#define GET_LINE_CODING 0x21u
#define SET_CONTROL_LINES 0x22u
#define SEND_BREAK 0x23u

#define OF_DEVICE 1u /* descriptors */
#define OF_CONFIGURATION 2u
#define LINE_CODING_SIZE 7u
#define RATE_FOR_BOOT_LOADER 1200u /* and nobody is ready: so Arduinos are asked for it */

static volatile bool usb_configured;
static uint8_t usb_line_coding[LINE_CODING_SIZE] = {LOW(LF_CONSOLE_BAUD), HIGH(LF_CONSOLE_BAUD), LOW(LF_CONSOLE_BAUD >> 16),
                                                    0, 0, 0, 8};
/* What is being answered, and how much of it is left; a packet at a time. */
static uint8_t answer_at, answer_left;
static enum { A_DESCRIPTOR, THE_LINE_CODING, A_NUMBER } answer;
static uint8_t a_number;
static uint8_t address_to_come;
static bool line_coding_comes;

static uint8_t byte_of_answer(void)
{
    if (answer == A_DESCRIPTOR)
        return usb_descriptors[answer_at++];
    if (answer == THE_LINE_CODING)
        return usb_line_coding[answer_at++];
    return answer_at++ == 0 ? a_number : 0;
}

static void send_answer(void)
{
    usb_open(0);
    for (uint8_t room = USB_CONTROL_PACKET; answer_left && room; answer_left--, room--)
        usb_put(byte_of_answer());
    usb_close(0);
}

static void reply(uint8_t what, uint8_t at, uint8_t size, uint16_t wanted)
{
    answer = what;
    answer_at = at;
    answer_left = (uint8_t)(wanted < size ? wanted : size);
    usb_await_control(); /* the host ends it by an empty packet */
    send_answer();
}

/* An empty packet, which says that a request without an answer is done. */
static void confirm(void)
{
    answer_left = 0;
    send_answer();
}

static bool describe(uint8_t what, uint8_t index, uint16_t wanted)
{
    if (what == OF_DEVICE && index == 0)
        reply(A_DESCRIPTOR, 0, USB_DEVICE_SIZE, wanted);
    else if (what == OF_CONFIGURATION && index == 0)
        reply(A_DESCRIPTOR, USB_CONFIGURATION_AT, USB_CONFIGURATION_SIZE, wanted);
    else
        return false;
    return true;
}

static void reply_number(uint8_t number, uint8_t size, uint16_t wanted)
{
    a_number = number;
    reply(A_NUMBER, 0, size, wanted);
}

static bool do_standard(const uint8_t *request, uint16_t wanted)
{
    switch (request[1]) {
    case GET_STATUS: reply_number(0, 2, wanted); return true;
    case GET_DESCRIPTOR: return describe(request[3], request[2], wanted);
    case GET_CONFIGURATION: reply_number(usb_configured, 1, wanted); return true;
    case GET_INTERFACE: reply_number(0, 1, wanted); return true;
    case SET_ADDRESS: address_to_come = request[2] & 0x7Fu; break;
    case SET_CONFIGURATION:
        if (request[2] > 1)
            return false;
        usb_configured = request[2];
        usb_forget();
        if (usb_configured)
            usb_configure();
        break;
    case CLEAR_FEATURE:
        if ((request[0] & RECIPIENT) == TO_ENDPOINT && usb_configured)
            usb_restart(request[4] & 0x0Fu);
        break;
    case SET_FEATURE: return false;
    case SET_INTERFACE:
        if (request[2])
            return false;
        break;
    default: return false;
    }
    confirm();
    return true;
}

static bool do_of_class(const uint8_t *request, uint16_t wanted)
{
    switch (request[1]) {
    case SET_LINE_CODING:
        line_coding_comes = true;
        usb_await_control();
        return true;
    case GET_LINE_CODING: reply(THE_LINE_CODING, 0, LINE_CODING_SIZE, wanted); return true;
    case SET_CONTROL_LINES:
        confirm();
        if (!(request[2] & 1u) && (usb_line_coding[0] | usb_line_coding[1] << 8) == RATE_FOR_BOOT_LOADER &&
            !usb_line_coding[2])
            usb_enter_boot_loader();
        return true;
    case SEND_BREAK: confirm(); return true;
    }
    return false;
}

/* A request of eight bytes came. Whatever was under way is over. */
static void usb_requested(const uint8_t *request)
{
    uint16_t wanted = (uint16_t)(request[6] | request[7] << 8);
    bool is_known = false;
    line_coding_comes = false;
    address_to_come = 0;
    answer_left = 0;
    if ((request[0] & KIND) == 0)
        is_known = do_standard(request, wanted);
    else if ((request[0] & KIND) == OF_CLASS)
        is_known = do_of_class(request, wanted);
    if (!is_known)
        usb_refuse_control();
}

/* A packet of endpoint 0 has gone. */
static void usb_control_sent(void)
{
    if (address_to_come) {
        usb_set_address(address_to_come);
        address_to_come = 0;
    }
    if (answer_left)
        send_answer();
}

/* One came, with so many bytes: those of a request, or the end of an answer. */
static void usb_control_received(uint8_t count)
{
    if (!line_coding_comes)
        return;
    line_coding_comes = false;
    for (uint8_t i = 0; i < count && i < LINE_CODING_SIZE; i++)
        usb_line_coding[i] = usb_take();
    confirm();
}

#endif
