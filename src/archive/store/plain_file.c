/* Checks that a path is a regular file. */
#include "archive/store/plain_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "archive/cause.h"
#include "sys/call.h"
#include "sys/file.h"

bool
sq_plain_file_check(const char *path, struct sq_err *err) {
    struct stat st;
    bool is_stream = strcmp(path, "-") == 0;
    if (!is_stream && sq_call_fstatat(AT_FDCWD, path, &st) < 0) {
        int number = errno;
        sq_file_fail(path, false, number, err);
        return sq_fail_cause(err, number == ENOENT || number == ENOTDIR
                                      ? SQ_CAUSE_ACTIVITY_MISSING
                                      : SQ_CAUSE_ACTIVITY_FORBIDDEN);
    }
    if (is_stream || !S_ISREG(st.st_mode)) {
        char name[SQ_FILE_NAME_SIZE];
        sq_file_name(path, false, name);
        sq_fail(err, SQ_ERR_FORMAT, "%s is not a file", name);
        sq_fail_hint(err, "Name a file that contains activities.");
        return sq_fail_cause(err, SQ_CAUSE_ACTIVITY_UNREADABLE);
    }
    return true;
}
