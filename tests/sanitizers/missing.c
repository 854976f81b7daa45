/* What our compiler's thread sanitizer calls and the system's run-time library, which is older, does not have. The library
 * watches its own memcpy and the others, wherever they are called from. */
#include <stddef.h>
#include <string.h>

void *__tsan_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }
void *__tsan_memmove(void *to, const void *from, size_t bytes) { return memmove(to, from, bytes); }
void *__tsan_memset(void *to, int byte, size_t bytes) { return memset(to, byte, bytes); }
