#pragma GCC system_header
#include_next <errno.h>

/* Never set on Windows. */
#ifndef ESTALE
#define ESTALE 251
#define EDQUOT 252
#endif
