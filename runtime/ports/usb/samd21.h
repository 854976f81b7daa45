/* The USB controller of the SAM D21 as a device: endpoints have two banks each, one to receive (0) and one to send (1), told in
   a table in RAM, as their buffers are. Chapter 32 of the data sheet. Its registers of 8 and 16 bits are reached by the words
   that they lie in; what is written to those beside them does nothing as a 0. */

#define USB 0x41005000
#define CONTROL_OF_USB USB /* with the wait for it in bits 16 and 17, and the quality of service in 24 to 27 */
#define LINE_AND_ADDRESS (USB + 0x08u)
#define ENABLE_USB_INTERRUPTS (USB + 0x18u)
#define USB_FLAGS (USB + 0x1Cu)
#define TABLE_AT (USB + 0x24u)
#define CALIBRATION (USB + 0x28u)
#define KIND_OF(endpoint) (USB + 0x100u + 0x20u * (endpoint))
#define STATE_OF(endpoint) (KIND_OF(endpoint) + 4u) /* from the lowest byte: clear, set, read; flags, taken back by ones */
#define ENABLE_FOR(endpoint) (KIND_OF(endpoint) + 8u)

#define USB_RESET 1u
#define USB_ON 2u
#define USB_UNDER_WAY 0x30000u
#define BEST_QUALITY (0x0Fu << 24)
#define ADDRESS_IS_ON (0x80u << 16)
#define BUS_RESET 8u /* in USB_FLAGS */
#define OF_CONTROL 0x11u
#define RECEIVES_BULK 0x03u
#define SENDS_BULK 0x30u
#define SENDS_NOTICES 0x40u
#define FIRST_IS_DATA0(out) (1u << !(out)) /* in STATE_OF's lowest byte */
#define STALL_BOTH 0x30u
#define TO_RECEIVE 0x40u /* cleared: the bank is empty */
#define TO_SEND (0x80u << 8)
#define HAS_RECEIVED (1u << 24)
#define HAS_SENT (2u << 24)
#define HAS_REQUEST (0x10u << 24)
#define ON(flags) ((flags) >> 24 << 8) /* in ENABLE_FOR */

#define BANK_SIZE_CODE(bytes) ((bytes) >= 64 ? 3u << 28 : (bytes) >= 32 ? 2u << 28 : (bytes) >= 16 ? 1u << 28 : 0u)
#define BANK_COUNT 0x3FFFu
#define BANK_WANTS(bytes) ((uint32_t)(bytes) << 14)
#define PEND_LINES 0xE000E200

/* Of the factory: what the transceiver is calibrated with, or what the data sheet says where nothing is stored. */
#define CALIBRATED 0x00806024
#define STORED(shift, mask, or_else) (word >> (shift) & (mask)) == (mask) ? (or_else) : word >> (shift) & (mask)

static volatile uint32_t banks[4][8] __attribute__((aligned(4))); /* address, sizes, two words more; twice */
static volatile uint8_t areas[4][64] __attribute__((aligned(4))); /* received and sent by endpoint 0, by 2, by 3 */
enum { CONTROL_IN, CONTROL_OUT, DATA_IN, DATA_OUT };

static uint8_t put_area, put_count, take_area, taken_of_it;

static void usb_open(uint8_t endpoint)
{
    put_area = endpoint ? DATA_OUT : CONTROL_OUT;
    put_count = 0;
}

static void usb_put(uint8_t byte) { areas[put_area][put_count++] = byte; }

static void usb_close(uint8_t endpoint)
{
    banks[endpoint][5] = BANK_SIZE_CODE(64) | put_count;
    lf_write(STATE_OF(endpoint), TO_SEND);
}

static uint8_t usb_take(void) { return areas[take_area][taken_of_it++]; }

static uint8_t usb_count(void)
{
    take_area = DATA_IN;
    taken_of_it = 0;
    return (uint8_t)(banks[USB_RECEIVES][1] & BANK_COUNT);
}

static void usb_await(void)
{
    banks[USB_RECEIVES][1] = BANK_SIZE_CODE(USB_IN_PACKET) | BANK_WANTS(USB_IN_PACKET);
    lf_write(STATE_OF(USB_RECEIVES), TO_RECEIVE);
}

static void usb_await_control(void)
{
    banks[0][1] = BANK_SIZE_CODE(64) | BANK_WANTS(64);
    lf_write(STATE_OF(0), TO_RECEIVE);
}

static void usb_refuse_control(void) { lf_write(STATE_OF(0), STALL_BOTH << 8); }

static void usb_set_address(uint8_t address) { lf_write(LINE_AND_ADDRESS, ADDRESS_IS_ON | (uint32_t)address << 16); }

static void usb_restart(uint8_t endpoint) { lf_write(STATE_OF(endpoint), FIRST_IS_DATA0(endpoint == USB_RECEIVES)); }

static void set_up(uint8_t endpoint, uint32_t kind, uint32_t flags)
{
    lf_write(KIND_OF(endpoint), kind);
    lf_write(STATE_OF(endpoint), 3u); /* both ways begin with DATA0 */
    lf_write(ENABLE_FOR(endpoint), ON(flags));
}

static void usb_configure(void)
{
    set_up(USB_NOTIFIES, SENDS_NOTICES, 0);
    set_up(USB_RECEIVES, RECEIVES_BULK, HAS_RECEIVED);
    set_up(USB_SENDS, SENDS_BULK, HAS_SENT);
    usb_await();
}

/* A UF2 boot loader looks for this word at the end of the RAM, which a reset by the program does not change. */
#define LAST_WORD 0x20007FFC
#define TO_BOOT_LOADER 0xF01669EF
#define CHIP_RESET 0xE000ED0C
#define PLEASE_RESET 0x05FA0004

static void usb_enter_boot_loader(void)
{
    lf_write(LAST_WORD, TO_BOOT_LOADER);
    lf_write(CHIP_RESET, PLEASE_RESET);
}

static void usb_call(void) { lf_write(PEND_LINES, 1u << LF_USB_LINE); }

static uint32_t flags_of(uint8_t endpoint)
{
    uint32_t flags = lf_read(STATE_OF(endpoint)) & (HAS_RECEIVED | HAS_SENT | HAS_REQUEST);
    lf_write(STATE_OF(endpoint), flags);
    return flags;
}

static void look_at_control(void)
{
    uint32_t flags = flags_of(0);
    take_area = CONTROL_IN;
    taken_of_it = 0;
    if (flags & HAS_SENT)
        usb_control_sent();
    if (flags & HAS_REQUEST) {
        uint8_t request[8];
        for (uint8_t i = 0; i < 8; i++)
            request[i] = usb_take();
        lf_write(STATE_OF(0), STALL_BOTH);
        usb_requested(request);
    } else if (flags & HAS_RECEIVED) {
        usb_control_received((uint8_t)(banks[0][1] & BANK_COUNT));
    }
}

static void usb_serve(void)
{
    if (lf_read(USB_FLAGS) & BUS_RESET) { /* which turns all endpoints off */
        lf_write(USB_FLAGS, BUS_RESET);
        lf_write(LINE_AND_ADDRESS, ADDRESS_IS_ON);
        usb_configured = false;
        usb_forget();
        set_up(0, OF_CONTROL, HAS_RECEIVED | HAS_SENT | HAS_REQUEST);
        usb_await_control();
    }
    look_at_control();
    if (usb_configured) {
        if (flags_of(USB_RECEIVES) & HAS_RECEIVED)
            usb_received();
        if (flags_of(USB_SENDS) & HAS_SENT)
            usb_sent();
    }
    usb_go_on();
}

#define USB_TO_BUS 0x40000414 /* the bus that it reads the RAM over, and that of its registers */
#define USB_TO_REGISTERS 0x4000041C
#define PORT_A_CONFIGURE 0x41004428
#define PINS_24_AND_25_ARE_USB (1u << 31 | 1u << 30 | 1u << 28 | 6u << 24 | 1u << 16 | 0x300u)
#define OF_USB 6u /* of the clock's users */

static void usb_attach(void)
{
    uint32_t word = lf_read(CALIBRATED);
    lf_set_bits(USB_TO_BUS, 1u << 6);
    lf_set_bits(USB_TO_REGISTERS, 1u << 5);
    lf_write(PORT_A_CONFIGURE, PINS_24_AND_25_ARE_USB);
    lf_write(CLOCK_USERS, USER(OF_USB, 0u));
    lf_write(CONTROL_OF_USB, USB_RESET); /* a boot loader has used it */
    lf_wait_for(CONTROL_OF_USB, USB_UNDER_WAY, 0);
    uint32_t down = STORED(13, 31u, 5u), up = STORED(18, 31u, 29u), trim = STORED(23, 7u, 3u);
    lf_write(CALIBRATION, up | down << 6 | trim << 12);
    banks[0][0] = (uint32_t)(uintptr_t)areas[CONTROL_IN];
    banks[0][4] = (uint32_t)(uintptr_t)areas[CONTROL_OUT];
    banks[USB_RECEIVES][0] = (uint32_t)(uintptr_t)areas[DATA_IN];
    banks[USB_SENDS][4] = (uint32_t)(uintptr_t)areas[DATA_OUT];
    lf_write(TABLE_AT, (uint32_t)(uintptr_t)banks);
    lf_write(ENABLE_USB_INTERRUPTS, BUS_RESET);
    lf_write(CONTROL_OF_USB, BEST_QUALITY | USB_ON);
    lf_wait_for(CONTROL_OF_USB, USB_UNDER_WAY, 0);
    lf_enable_line(LF_USB_LINE);
    lf_write(LINE_AND_ADDRESS, 0); /* full speed, pulled up: the host sees it */
}
