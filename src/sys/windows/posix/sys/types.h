#pragma GCC system_header
#ifndef SQ_POSIX_SYS_TYPES_H
#define SQ_POSIX_SYS_TYPES_H

#include_next <sys/types.h>

/* Numbers of files and disks have 64 and 32 bits. */
#define ino_t sq_ino_t
#define dev_t sq_dev_t
typedef unsigned long long ino_t;
typedef unsigned long long dev_t;
typedef unsigned uid_t;
typedef unsigned gid_t;

#endif
