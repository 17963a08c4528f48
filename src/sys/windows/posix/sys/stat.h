/* A struct stat with numbers of files of 64 bits and times in nanoseconds. */
#pragma GCC system_header
#ifndef SQ_POSIX_SYS_STAT_H
#define SQ_POSIX_SYS_STAT_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include_next <sys/stat.h>

#define stat sq_stat
#undef st_mtime
struct stat {
    uint64_t st_dev;
    uint64_t st_ino;
    mode_t st_mode;
    unsigned st_nlink;
    uid_t st_uid;
    int64_t st_size;
    struct timespec st_mtim;
    struct timespec st_ctim;
};
#define st_mtime st_mtim.tv_sec

#undef S_ISLNK
#undef S_ISSOCK
#define S_IFLNK 0xa000
#define S_IFSOCK 0xc000
#define S_ISLNK(mode) (((mode)&S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) (((mode)&S_IFMT) == S_IFSOCK)
#ifndef S_IRWXG
#define S_IRWXG 070
#define S_IRWXO 007
#endif

#endif
