/* Locks that show whether the owner of a temporary file is alive. */
#include "sys/owner_lock.h"

#include <errno.h>

#include "sys/call.h"
#include "sys/clock.h"

#define NS_PER_S INT64_C(1000000000)
#define OLD_S 3600 /* far longer than writing a file takes */

bool
sq_owner_lock_acquire(int fd) {
    struct stat st;
    if (sq_call_lock_file(fd, true) < 0 && errno == EWOULDBLOCK) {
        return false;
    }
    return sq_call_fstat(fd, &st) < 0 || st.st_nlink > 0;
}

static bool
is_old(const struct stat *st) {
    return sq_clock_wall_ns() / NS_PER_S - (int64_t)st->st_mtime > OLD_S;
}

bool
sq_owner_lock_is_abandoned(int fd) {
    struct stat st;
    if (sq_call_fstat(fd, &st) < 0 || st.st_uid != sq_call_user()) {
        return false;
    }
    return sq_call_lock_file(fd, false) == 0
        || (errno != EWOULDBLOCK && is_old(&st));
}
