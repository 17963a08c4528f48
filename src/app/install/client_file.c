/* Refuses what cannot be a client's file. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/install/install.h"
#include "sys/call.h"
#include "sys/file.h"

bool
sq_install_check_config(const char *config, struct sq_err *err) {
    if (!config || strcmp(config, "-") != 0) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            "--config takes the client's file, not standard input (-)");
    return sq_fail_hint(err, "Give its path; ./- is a file with that name.");
}

bool
sq_install_check_file(const struct sq_install_client *client, const char *path,
                      struct sq_err *err) {
    struct stat st;
    if (sq_call_fstatat(AT_FDCWD, path, &st) < 0) {
        return sq_file_fail(path, false, errno, err);
    }
    if (S_ISREG(st.st_mode)) {
        return true;
    }
    char name[SQ_FILE_NAME_SIZE];
    sq_file_name(path, true, name);
    if (!S_ISDIR(st.st_mode)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is a pipe or a device, not a file",
                name);
        return sq_fail_hint(err, "Give the path of the client's file.");
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "%s is a folder, not a file", name);
    return sq_fail_hint(err,
                        "Give the path of the client's file; for %s it is "
                        "named %s.",
                        client->title, strrchr(client->places[0], '/') + 1);
}

static bool
fail_read_only(const char *path, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE];
    sq_file_name(path, true, name);
    sq_fail(err, SQ_ERR_IO, "%s is read-only and was not changed", name);
    return sq_fail_hint(err, "Make it writable (chmod u+w), or print the "
                             "change with --print and make it by hand.");
}

/* Root may write to any file, so the mode counts, too. */
bool
sq_install_check_writable(const char *path, struct sq_err *err) {
    struct stat st;
    if (sq_call_fstatat(AT_FDCWD, path, &st) < 0) {
        return sq_file_fail(path, true, errno, err);
    }
    if ((st.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0) {
        return fail_read_only(path, err);
    }
    if (sq_call_access(path, W_OK) == 0) {
        return true;
    }
    return errno == EACCES || errno == EPERM || errno == EROFS
             ? fail_read_only(path, err)
             : sq_file_fail(path, true, errno, err);
}
