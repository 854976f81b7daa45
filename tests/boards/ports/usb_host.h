/* A controller that is played: it prints what it is asked for. */
static uint8_t came[64], came_count, came_at, going_to;

static void usb_attach(void) { printf("attached\n"); }
static void usb_call(void) { usb_go_on(); }
static void usb_open(uint8_t endpoint)
{
    going_to = endpoint;
    printf("send %u ", endpoint);
}
static void usb_put(uint8_t byte) { printf("%02x", byte); }
static void usb_close(uint8_t endpoint) { printf(endpoint == going_to ? "\n" : "to another endpoint\n"); }
static uint8_t usb_count(void) { return came_count; }
static uint8_t usb_take(void) { return came[came_at++]; }
static void usb_await(void) { printf("await\n"); }
static void usb_await_control(void) {}
static void usb_refuse_control(void) { printf("refuse\n"); }
static void usb_set_address(uint8_t address) { printf("address %u\n", address); }
static void usb_configure(void)
{
    printf("configure\n");
    usb_await();
}
static void usb_restart(uint8_t endpoint) { printf("restart %u\n", endpoint); }
static void usb_enter_boot_loader(void) { printf("boot loader\n"); }
