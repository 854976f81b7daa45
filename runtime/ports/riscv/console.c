/* The console: sent by polling, received by interrupt into a bounded buffer. The UART's driver lies in uarts/. */

#include "../received.h"
#include "chip.h"
#include LF_UART
#include "../console.h"
