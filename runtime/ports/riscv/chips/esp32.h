/* What the ESP32-C3 and the ESP32-C6 have alike: the crystal of 40 MHz as the clock, the tick by the system timer, the pins'
   matrix, and watchdogs that run when the loader in the ROM hands over. The chip's own header comes before this one. */

#define LF_CONTROLLER "controllers/matrix.h"
#define LF_UART "uarts/esp32.h"
#define LF_UART_HZ LF_CRYSTAL_HZ

#define LF_SYSTIMER_HZ 16000000u /* the crystal by 2.5 */

#ifndef __ASSEMBLER__

_Static_assert(LF_CRYSTAL_HZ == 40000000, "the port knows the crystal of 40 MHz only");
_Static_assert(LF_CLOCK_HZ == LF_CRYSTAL_HZ || LF_CLOCK_HZ == LF_CRYSTAL_HZ / 2 || LF_CLOCK_HZ == LF_CRYSTAL_HZ / 4,
               "the clock must be that of the crystal, or a half or a quarter of it");

#define KEY 0x50D83AA1u
#define GUARDS_BOOT_OF_GROUP (1u << 14)
#define GROUP_WATCHDOG (TIMER_GROUP_0 + 0x48u)
#define GROUP_WATCHDOG_KEY (TIMER_GROUP_0 + 0x64u)

static inline void lf_write_unlocked(uint32_t lock, uint32_t address, uint32_t value)
{
    lf_write(lock, KEY);
    lf_write(address, value);
    lf_write(lock, 0);
}

/* The loader leaves two watchdogs on, and a third that watches over the clock of those. */
static inline __attribute__((unused)) void lf_stop_watchdogs_of_boot(void)
{
    lf_write_unlocked(GROUP_WATCHDOG_KEY, GROUP_WATCHDOG, 0);
    lf_write_unlocked(RTC_WATCHDOG_KEY, RTC_WATCHDOG, 0);
    lf_write(SUPER_WATCHDOG_KEY, KEY_OF_SUPER_WATCHDOG);
    lf_set_bits(SUPER_WATCHDOG, FEEDS_ITSELF);
    lf_write(SUPER_WATCHDOG_KEY, 0);
}

/* The console's pins are those of the UART by the chip's own wiring: function 0. */
#define DRIVE_20_MA (2u << 10)
#define INPUT_ENABLED (1u << 9)
#define PULLED_UP (1u << 8)
#define PAD(pin) (IO_MUX + 4 + 4 * (pin))

static inline __attribute__((unused)) void lf_connect_uart(void)
{
    lf_write(PAD(LF_UART_RX), DRIVE_20_MA | INPUT_ENABLED | PULLED_UP); /* a line that nobody drives is quiet */
    lf_write(PAD(LF_UART_TX), DRIVE_20_MA);
}

/* The watchdog of the timer group counts half milliseconds of the crystal. */
#define STAGE_0_RESETS_SYSTEM (3u << 29)
#define OF_THE_CRYSTAL (1u << 21)
#define TAKE_OVER (1u << 22)
#define RESET_IS_LONG (7u << 18 | 7u << 15)
#define RUNS (1u << 31)
#define PRESCALE (LF_CRYSTAL_HZ / 2000u)

static inline __attribute__((unused)) void lf_feed_watchdog(void)
{
    lf_write_unlocked(GROUP_WATCHDOG_KEY, TIMER_GROUP_0 + 0x60u, 1);
}

static inline __attribute__((unused)) void lf_start_watchdog(void)
{
    lf_write_unlocked(GROUP_WATCHDOG_KEY, TIMER_GROUP_0 + 0x4Cu, PRESCALE << 16 | 1u);
    lf_write_unlocked(GROUP_WATCHDOG_KEY, TIMER_GROUP_0 + 0x50u, 2u * LF_WATCHDOG_MS);
    lf_write_unlocked(GROUP_WATCHDOG_KEY, GROUP_WATCHDOG,
                      RUNS | STAGE_0_RESETS_SYSTEM | OF_THE_CRYSTAL | RESET_IS_LONG | TAKE_OVER);
    lf_feed_watchdog();
}

static inline __attribute__((unused)) void lf_stop_watchdog(void)
{
    lf_write_unlocked(GROUP_WATCHDOG_KEY, GROUP_WATCHDOG, TAKE_OVER);
}

#endif
