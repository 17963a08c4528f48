#pragma GCC system_header
#include_next <stdio.h>

#define flockfile _lock_file
#define funlockfile _unlock_file
