/* The USB controller of the RP2040 as a device: endpoints have buffers in its own memory of 4 KB, and a word each that gives a buffer
   away and takes it back. Section 4.1 of the data sheet. */

#define MEMORY 0x50100000
#define CONTROL_OF(endpoint, out) (MEMORY + 8u * (endpoint) + 4u * (out))
#define BUFFER_OF(endpoint, out) (MEMORY + 0x80u + 8u * (endpoint) + 4u * (out))
#define AREA_OF_CONTROL 0x100u /* both ways */
#define AREA_OF(endpoint) (0x140u + 0x40u * (endpoint))
#define MEMORY_SIZE 0x1000u

#define USB 0x50110000
#define DEVICE_ADDRESS USB
#define MAIN_CONTROL (USB + 0x40u)
#define LINE_CONTROL (USB + 0x4Cu)
#define LINE_STATUS (USB + 0x50u)
#define BUFFERS_DONE (USB + 0x58u) /* two bits for each endpoint: sent, received */
#define STALL_CONTROL (USB + 0x68u)
#define MUXING (USB + 0x74u)
#define POWER (USB + 0x78u)
#define ENABLE_INTERRUPTS (USB + 0x90u)
#define FORCE_INTERRUPTS (USB + 0x94u)

#define CONTROLLER_ON 1u
#define TO_PINS_AND_CONNECTED 9u      /* in MUXING */
#define POWER_IS_THERE 0xCu           /* in POWER: whatever the pin says */
#define PULLED_UP (1u << 16)          /* in LINE_CONTROL */
#define TELL_OF_CONTROL (1u << 29)
#define BUS_RESET (1u << 19)          /* in LINE_STATUS; taken back by ones */
#define REQUEST (1u << 17)
#define ON_BUFFER_RESET_AND_REQUEST (1u << 4 | 1u << 12 | 1u << 16)
#define FORCED (1u << 4)
#define BOTH_OF_CONTROL_STALL 3u

#define ENDPOINT_ON (1u << 31 | 1u << 29) /* in CONTROL_OF; with an interrupt for each buffer */
#define OF_BULK (2u << 26)
#define OF_NOTICES (3u << 26)
#define IS_FULL (1u << 15) /* in BUFFER_OF */
#define IS_DATA1 (1u << 13)
#define STALLS (1u << 11)
#define GIVEN_AWAY (1u << 10)
#define COUNT 0x3FFu

#define RESET_USB (1u << 24)
#define RESET_USB_PLL (1u << 13)
#define USB_PLL 0x4002C000
#define USB_CLOCK (RP_CLOCKS + 0x54u)
#define USB_CLOCK_ON (1u << 11) /* of its PLL */
#define USB_FEEDBACK (48000000u / (LF_CRYSTAL_HZ / 25u)) /* 1,200 MHz, by 5 and by 5 */

_Static_assert(LF_CRYSTAL_HZ / 25u * USB_FEEDBACK == 48000000u, "a crystal from which USB's 48 MHz come");

static uint32_t next_is_data1;    /* a bit for each endpoint that sends, and behind 16 for each that receives */
static uint32_t put_at, put_word; /* where the next byte to be sent goes, and the bytes beside it */
static uint32_t take_at;          /* where the next byte that came lies */

static void usb_open(uint8_t endpoint)
{
    put_at = MEMORY + (endpoint ? AREA_OF(endpoint) : AREA_OF_CONTROL);
    put_word = 0;
}

static void usb_put(uint8_t byte)
{
    put_word |= (uint32_t)byte << put_at % 4u * 8u;
    lf_write(put_at & ~3u, put_word);
    if (++put_at % 4u == 0)
        put_word = 0;
}

/* The word is in another clock's domain: what else it says must have arrived before the buffer is given away. */
static void give_away(uint32_t buffer, uint32_t toggle, uint32_t what)
{
    if (next_is_data1 & toggle)
        what |= IS_DATA1;
    next_is_data1 ^= toggle;
    lf_write(buffer, what);
    for (uint32_t i = 0; i < 3; i++)
        (void)lf_read(buffer);
    lf_write(buffer, what | GIVEN_AWAY);
}

static void usb_close(uint8_t endpoint)
{
    uint32_t begin = MEMORY + (endpoint ? AREA_OF(endpoint) : AREA_OF_CONTROL);
    give_away(BUFFER_OF(endpoint, 0), 1u << endpoint, IS_FULL | (put_at - begin));
}

static uint8_t usb_take(void)
{
    uint8_t byte = (uint8_t)(lf_read(take_at & ~3u) >> take_at % 4u * 8u);
    take_at++;
    return byte;
}

static uint8_t usb_count(void)
{
    take_at = MEMORY + AREA_OF(USB_RECEIVES);
    return (uint8_t)(lf_read(BUFFER_OF(USB_RECEIVES, 1)) & COUNT);
}

static void usb_await(void) { give_away(BUFFER_OF(USB_RECEIVES, 1), 0x10000u << USB_RECEIVES, USB_IN_PACKET); }

static void usb_await_control(void) { give_away(BUFFER_OF(0, 1), 0x10000u, USB_CONTROL_PACKET); }

static void usb_refuse_control(void)
{
    lf_write(STALL_CONTROL, BOTH_OF_CONTROL_STALL);
    lf_write(BUFFER_OF(0, 0), STALLS);
    lf_write(BUFFER_OF(0, 1), STALLS);
}

static void usb_set_address(uint8_t address) { lf_write(DEVICE_ADDRESS, address); }

static void set_up(uint8_t endpoint, uint32_t out, uint32_t kind)
{
    lf_write(BUFFER_OF(endpoint, out), 0);
    lf_write(CONTROL_OF(endpoint, out), ENDPOINT_ON | kind | AREA_OF(endpoint));
}

static void usb_configure(void)
{
    next_is_data1 &= 0x10001u;
    set_up(USB_NOTIFIES, 0, OF_NOTICES);
    set_up(USB_RECEIVES, 1, OF_BULK);
    set_up(USB_SENDS, 0, OF_BULK);
    usb_await();
}

static void usb_restart(uint8_t endpoint)
{
    if (endpoint == USB_SENDS)
        next_is_data1 &= ~(1u << USB_SENDS);
    if (endpoint == USB_RECEIVES && !waits) { /* the packet that is awaited is DATA0 */
        next_is_data1 &= ~(0x10000u << USB_RECEIVES);
        usb_await();
    }
}

/* The ROM has a function for it, of the two letters UB, in a table whose places are in its words 14H and 18H. */
#define ROM_FUNCTIONS 0x14u
#define ROM_LOOKUP 0x18u
typedef void *lf_lookup(uint16_t *table, uint32_t letters);
typedef void lf_to_boot_loader(uint32_t light, uint32_t disabled);

static void usb_enter_boot_loader(void)
{
#ifndef LF_REGISTERS_ARE_LOGGED
    uint32_t lookup = *(volatile uint16_t *)ROM_LOOKUP, functions = *(volatile uint16_t *)ROM_FUNCTIONS;
    lf_to_boot_loader *enter = (lf_to_boot_loader *)((lf_lookup *)lookup)((uint16_t *)functions, 'U' | 'B' << 8);
    if (enter)
        enter(0, 0);
#endif
}

static void usb_call(void) { lf_write(FORCE_INTERRUPTS, FORCED); }

static void look_at_request(void)
{
    uint8_t request[8];
    lf_write(LINE_STATUS, REQUEST);
    take_at = MEMORY;
    for (uint8_t i = 0; i < 8; i++)
        request[i] = usb_take();
    next_is_data1 |= 0x10001u; /* what follows a request is DATA1 */
    usb_requested(request);
}

static void look_at_buffers(void)
{
    uint32_t done = lf_read(BUFFERS_DONE);
    lf_write(BUFFERS_DONE, done);
    if (done & 1u)
        usb_control_sent();
    if (done & 2u) {
        take_at = MEMORY + AREA_OF_CONTROL;
        usb_control_received((uint8_t)(lf_read(BUFFER_OF(0, 1)) & COUNT));
    }
    if (done & 2u << 2u * USB_RECEIVES)
        usb_received();
    if (done & 1u << 2u * USB_SENDS)
        usb_sent();
}

static void usb_serve(void)
{
    lf_write(FORCE_INTERRUPTS, 0);
    uint32_t status = lf_read(LINE_STATUS);
    if (status & BUS_RESET) {
        lf_write(LINE_STATUS, BUS_RESET);
        lf_write(DEVICE_ADDRESS, 0);
        usb_configured = false;
        usb_forget();
    }
    look_at_buffers(); /* before a request, which follows them */
    if (status & REQUEST)
        look_at_request();
    usb_go_on();
}

static void usb_attach(void)
{
    lf_write(RP_RESETS + SET, RESET_USB | RESET_USB_PLL); /* the boot loader in the ROM has used it */
    take_out_of_reset(RESET_USB | RESET_USB_PLL);
    lf_write(USB_PLL, 1);
    lf_write(USB_PLL + 0x08u, USB_FEEDBACK);
    lf_write(USB_PLL + 0x04u + CLEAR, PLL_OSCILLATOR);
    if (!lf_wait_for(USB_PLL, PLL_LOCKED, PLL_LOCKED))
        return;
    lf_write(USB_PLL + 0x0Cu, 5u << 16 | 5u << 12);
    lf_write(USB_PLL + 0x04u + CLEAR, PLL_DIVIDER);
    lf_write(USB_CLOCK, USB_CLOCK_ON);
    for (uint32_t at = MEMORY; at != MEMORY + MEMORY_SIZE; at += 4)
        lf_write(at, 0);
    lf_write(MUXING, TO_PINS_AND_CONNECTED);
    lf_write(POWER, POWER_IS_THERE);
    lf_write(MAIN_CONTROL, CONTROLLER_ON);
    lf_write(LINE_CONTROL, TELL_OF_CONTROL);
    lf_write(ENABLE_INTERRUPTS, ON_BUFFER_RESET_AND_REQUEST);
    lf_enable_line(LF_USB_LINE);
    lf_write(LINE_CONTROL, TELL_OF_CONTROL | PULLED_UP);
}
