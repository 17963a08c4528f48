#pragma GCC system_header
#ifndef SQ_POSIX_FCNTL_H
#define SQ_POSIX_FCNTL_H

#include_next <fcntl.h>

#define AT_FDCWD (-100)
#define O_CLOEXEC 0 /* no handle is inherited unless a child is to get it */
#define O_NOCTTY 0
#define O_NONBLOCK 0x100000
#define O_NOFOLLOW 0x200000
#define O_DIRECTORY 0x400000

#endif
