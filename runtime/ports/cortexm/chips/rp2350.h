/* RP2350 with its Cortex-M33s, in the one world that the ROM starts. */

#define LF_NVIC_LINES 52
#define LF_VTOR 1
#define LF_AFTER_ROM 1
#define LF_IMAGE_IS 0x1021 /* for the ROM: a program, secure, for ARM, for this chip */

#include "../../rp2350.h"
