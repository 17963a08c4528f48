#pragma GCC system_header
#include_next <limits.h>

/* Bytes of a name: 255 units of UTF-16 are at most 765 bytes of UTF-8. */
#undef NAME_MAX
#define NAME_MAX 765
