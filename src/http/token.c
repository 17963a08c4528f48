/* Reads or creates the token that clients must send. */
#include "http/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "sys/call.h"
#include "sys/entropy.h"
#include "sys/file.h"
#include "sys/folder.h"

#define TOKEN_BYTES 32
#define MAX_FILE_BYTES ((size_t)4 << 10)

bool
sq_http_secret_write(const char *path, const void *bytes, size_t count,
                     struct sq_err *err) {
    char folder[SQ_PATH_SIZE];
    const char *slash = strrchr(path, '/');
    size_t len = slash ? (size_t)(slash - path) : 0;
    int opened;
    if (len >= sizeof(folder)) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "the path of the token file is too long");
    }
    if (len > 0) {
        snprintf(folder, sizeof(folder), "%.*s", (int)len, path);
        if (!sq_folder_open(folder, &opened, err)) {
            return false;
        }
        sq_folder_close(opened);
    }
    return sq_file_write_private(path, bytes, count, err);
}

static bool
check_mode(const char *path, const struct stat *found, struct sq_err *err) {
    if (!S_ISREG(found->st_mode)) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "the token file %.160s is not a regular file", path);
    }
    if (found->st_mode & (S_IRWXG | S_IRWXO)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "others may read the token file %.160s",
                path);
        return sq_fail_hint(err, "Run chmod 600 on it, and write a new token "
                                 "if others have read it.");
    }
    return true;
}

static bool
is_token(struct sq_span text) {
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] <= ' ' || text.ptr[i] > '~') {
            return false;
        }
    }
    return text.len >= SQ_HTTP_MIN_TOKEN && text.len < SQ_HTTP_TOKEN_SIZE;
}

static bool
read_token(const char *path, char out[SQ_HTTP_TOKEN_SIZE], struct sq_err *err) {
    SQ_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    if (!sq_file_read(path, MAX_FILE_BYTES, &bytes, err)) {
        return false;
    }
    struct sq_span text = sq_span_trim(sq_buf_span(&bytes));
    bool ok = is_token(text);
    if (ok) {
        memcpy(out, text.ptr, text.len);
        out[text.len] = '\0';
    } else {
        sq_fail(err, SQ_ERR_FORMAT, "the token file %.160s contains no token",
                path);
        sq_fail_hint(err,
                     "Write one line of %d to %d visible characters, or "
                     "remove the file and the next start creates a token.",
                     SQ_HTTP_MIN_TOKEN, SQ_HTTP_TOKEN_SIZE - 1);
    }
    return ok;
}

bool
sq_http_token_load(const char *path, char out[SQ_HTTP_TOKEN_SIZE], bool *is_new,
                   struct sq_err *err) {
    struct stat found;
    *is_new = false;
    if (sq_call_fstatat(AT_FDCWD, path, &found) == 0) {
        return check_mode(path, &found, err) && read_token(path, out, err);
    }
    if (errno != ENOENT) {
        return sq_file_fail(path, false, errno, err);
    }
    *is_new = true;
    char line[2 * TOKEN_BYTES + 2];
    if (sq_random_hex(out, 2 * TOKEN_BYTES + 1) < 0) {
        return sq_errno_fail(err, "create a token");
    }
    snprintf(line, sizeof(line), "%s\n", out);
    return sq_http_secret_write(path, line, sizeof(line) - 1, err);
}

bool
sq_http_token_refresh(struct sq_http_token_file *file, bool is_forced,
                      bool *changed, struct sq_err *err) {
    struct stat found = { 0 };
    char token[SQ_HTTP_TOKEN_SIZE] = "";
    int failure =
        sq_call_fstatat(AT_FDCWD, file->path, &found) == 0 ? 0 : errno;
    const int64_t changed_ns =
        (int64_t)found.st_mtim.tv_sec * 1000000000 + found.st_mtim.tv_nsec;
    *changed = false;
    if (!is_forced && file->device == found.st_dev
        && file->inode == found.st_ino && file->size == found.st_size
        && file->changed_ns == changed_ns) {
        return true;
    }
    file->device = found.st_dev;
    file->inode = found.st_ino;
    file->size = found.st_size;
    file->changed_ns = changed_ns;
    if (failure != 0) {
        return sq_file_fail(file->path, false, failure, err);
    }
    if (!check_mode(file->path, &found, err)
        || !read_token(file->path, token, err)) {
        return false;
    }
    *changed = strcmp(token, file->token) != 0;
    memcpy(file->token, token, sizeof(token));
    return true;
}
