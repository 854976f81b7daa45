/* Access to device registers by address. */

#include "../registers.h"
