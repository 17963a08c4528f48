#define _XOPEN_SOURCE 700 /* nftw */
#include "support/album.h"

#include <ftw.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>

#include "support/scratch.h"
#include "support/test.h"

#define MAX_DEPTH 16

const char t_small_jpeg[] = "\xff\xd8\xff\xe0 not much of a picture \xff\xd9";
const size_t t_small_jpeg_len = sizeof(t_small_jpeg) - 1;

static void
make_folders(const char *path, size_t len) {
    char part[600];
    for (size_t i = 1; i <= len && i < sizeof(part); i++) {
        if (path[i] == '/' || i == len) {
            memcpy(part, path, i);
            part[i] = '\0';
            mkdir(part, 0700);
        }
    }
}

void
t_album_folder(const char *path) {
    const char *full = t_scratch_path(path);
    make_folders(full, strlen(full));
}

void
t_album_put_bytes(const char *path, const void *bytes, size_t len) {
    const char *full = t_scratch_path(path);
    make_folders(full, (size_t)(strrchr(full, '/') - full));
    t_put(full, bytes, len);
}

void
t_album_put(const char *path) {
    t_album_put_bytes(path, t_small_jpeg, t_small_jpeg_len);
}

static void
set_age(const char *path, int seconds) {
    struct timespec times[2];
    T_INT(clock_gettime(CLOCK_REALTIME, &times[0]), 0);
    times[0].tv_sec -= seconds;
    times[1] = times[0];
    T_INT(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW), 0);
}

void
t_album_age(const char *path, int seconds) {
    set_age(t_scratch_path(path), seconds);
}

static int
age_one(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)st;
    (void)ftw;
    if (type == FTW_D || type == FTW_DP) {
        set_age(path, 60);
    }
    return 0;
}

void
t_album_age_all(void) {
    T_INT(nftw(t_scratch(), age_one, MAX_DEPTH, FTW_PHYS | FTW_DEPTH), 0);
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)st;
    (void)ftw;
    return type == FTW_DP ? rmdir(path) : unlink(path);
}

void
t_album_end(void) {
    t_scratch_remove_run();
    T_INT(nftw(t_scratch(), remove_one, MAX_DEPTH, FTW_PHYS | FTW_DEPTH), 0);
}
