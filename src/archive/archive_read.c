/* Reads the file of one shot, if it is usable. */
#include <errno.h>
#include <string.h>

#include "archive/archive_private.h"
#include "image/pipeline/codec.h"
#include "image/pipeline/picture.h"
#include "sys/call.h"
#include "sys/folder.h"
#include "util/limits.h"

#define READ_STEP ((size_t)1 << 20)
#define THUMB_QUALITY 75

static const struct fault {
    const char *name;
    enum sq_err_code code;
    const char *what;
    const char *hint;
} faults[SQ_ARCHIVE_FAULTS] = {
    [SQ_ARCHIVE_FAULT_NONE] = { "none", SQ_ERR_NONE, "", "" },
    [SQ_ARCHIVE_FAULT_NOT_ALLOWED] = { "notAllowed", SQ_ERR_INVALID_OPERATION,
                                       "may not be read: the permission of its "
                                       "folder forbids it",
                                       "The permission is set in "
                                       "archive.roots." },
    [SQ_ARCHIVE_FAULT_VANISHED] = { "vanished", SQ_ERR_NOT_FOUND,
                                    "does not exist",
                                    "It may have been deleted. List the "
                                    "screenshots again." },
    [SQ_ARCHIVE_FAULT_NOT_A_FILE] = { "notAFile", SQ_ERR_FORMAT,
                                      "is not a regular file",
                                      "Links, pipes and folders are never "
                                      "opened." },
    [SQ_ARCHIVE_FAULT_LOCKED] = { "locked", SQ_ERR_IO,
                                  "is locked, or squint has no permission to "
                                  "read it",
                                  "Try again in a moment, or check its "
                                  "permissions." },
    [SQ_ARCHIVE_FAULT_EMPTY] = { "empty", SQ_ERR_TRUNCATED,
                                 "is empty (0 bytes)",
                                 "Use one shortly before or after it." },
    [SQ_ARCHIVE_FAULT_GROWING] = { "growing", SQ_ERR_TRUNCATED,
                                   "is still being written",
                                   "Try again in a moment." },
    [SQ_ARCHIVE_FAULT_TRUNCATED] = { "truncated", SQ_ERR_TRUNCATED,
                                     "is truncated",
                                     "Use one shortly before or after it." },
    [SQ_ARCHIVE_FAULT_CORRUPT] = { "corrupt", SQ_ERR_FORMAT, "is not a picture",
                                   "Use one shortly before or after it." },
    [SQ_ARCHIVE_FAULT_TOO_LARGE] = { "tooLarge", SQ_ERR_LIMIT,
                                     "is larger than 256 MiB",
                                     "Screenshots are never that large. Check "
                                     "which program wrote it." },
    [SQ_ARCHIVE_FAULT_UNREADABLE] = { "unreadable", SQ_ERR_IO, "cannot be read",
                                      "Check the disk that it is on." },
};

const char *
sq_archive_fault_name(enum sq_archive_fault fault) {
    return faults[fault].name;
}

static bool
fail(struct sq_archive_file *out, enum sq_archive_fault fault,
     struct sq_err *err) {
    out->fault = fault;
    sq_fail(err, faults[fault].code, "the screenshot %s", faults[fault].what);
    return sq_fail_hint(err, "%s", faults[fault].hint);
}

enum sq_archive_fault
sq_archive_fault_of(int number) {
    switch (number) {
    case ENOENT:
    case ENOTDIR:
    case ESTALE:
        return SQ_ARCHIVE_FAULT_VANISHED;
    case ELOOP:
    case EXDEV:
    case EINVAL:
    case EISDIR:
    case ENXIO:
    case ENAMETOOLONG:
        return SQ_ARCHIVE_FAULT_NOT_A_FILE;
    case EACCES:
    case EPERM:
    case EBUSY:
    case ETXTBSY:
    case EAGAIN:
        return SQ_ARCHIVE_FAULT_LOCKED;
    default:
        return SQ_ARCHIVE_FAULT_UNREADABLE;
    }
}

static bool
fail_number(struct sq_archive_file *out, int number, struct sq_err *err) {
    if (sq_is_out_of_descriptors(number)) {
        errno = number;
        return sq_errno_fail(err, "open a screenshot");
    }
    return number == ENOMEM ? sq_fail_nomem(err)
                            : fail(out, sq_archive_fault_of(number), err);
}

/* Checks that the bytes are a complete picture. */
static bool
check_picture(struct sq_archive_file *out, int64_t written_ns,
              struct sq_err *err) {
    const struct sq_buf *file = &out->bytes;
    size_t tail = file->len < SQ_COMPLETENESS_TAIL_BYTES
                    ? file->len
                    : SQ_COMPLETENESS_TAIL_BYTES;
    const struct sq_file_ends ends = {
        .head = { (const char *)file->data, file->len },
        .tail = { (const char *)file->data + file->len - tail, tail },
        .size = file->len,
        .is_fresh = sq_completeness_is_fresh(written_ns),
    };
    enum sq_archive_fault fault = sq_completeness_check(&ends, &out->ending);
    return fault == SQ_ARCHIVE_FAULT_NONE || fail(out, fault, err);
}

static bool
read_bytes(int fd, size_t size, const struct sq_deadline *deadline,
           struct sq_archive_file *out, struct sq_err *err) {
    uint8_t *space;
    if (!sq_buf_reserve(&out->bytes, size, &space, err)) {
        return false;
    }
    while (out->bytes.len < size) {
        size_t step = size - out->bytes.len;
        step = step < READ_STEP ? step : READ_STEP;
        if (!sq_deadline_check(deadline, err)) {
            return false;
        }
        ssize_t got = sq_call_read(fd, out->bytes.data + out->bytes.len, step);
        if (got <= 0) {
            return got < 0 ? fail_number(out, errno, err)
                           : fail(out, SQ_ARCHIVE_FAULT_GROWING, err);
        }
        sq_buf_commit(&out->bytes, (size_t)got);
    }
    return true;
}

/* Checks that the file did not change while it was read. */
static bool
check_unchanged(int fd, const struct stat *before, struct sq_archive_file *out,
                struct sq_err *err) {
    struct stat now;
    if (sq_call_fstat(fd, &now) < 0) {
        return fail_number(out, errno, err);
    }
    return (now.st_size == before->st_size
            && sq_file_mtime_ns(&now) == sq_file_mtime_ns(before))
        || fail(out, SQ_ARCHIVE_FAULT_GROWING, err);
}

static bool
read_file(int fd, const struct sq_deadline *deadline,
          struct sq_archive_file *out, struct sq_err *err) {
    struct stat st;
    if (sq_call_fstat(fd, &st) < 0) {
        return fail_number(out, errno, err);
    }
    if (!S_ISREG(st.st_mode)) {
        return fail(out, SQ_ARCHIVE_FAULT_NOT_A_FILE, err);
    }
    if (st.st_size == 0) {
        return fail(out, SQ_ARCHIVE_FAULT_EMPTY, err);
    }
    if ((uintmax_t)st.st_size > SQ_MAX_IMAGE_BYTES) {
        return fail(out, SQ_ARCHIVE_FAULT_TOO_LARGE, err);
    }
    return read_bytes(fd, (size_t)st.st_size, deadline, out, err)
        && check_unchanged(fd, &st, out, err)
        && check_picture(out, sq_file_mtime_ns(&st), err);
}

/* Opens a file under the root's lock, which protects the root's descriptor. */
static bool
open_file(struct sq_root *root, const char *path,
          const struct sq_deadline *deadline, int *fd,
          struct sq_archive_file *out, struct sq_err *err) {
    enum sq_archive_trouble trouble;
    if (!sq_root_enter(root, deadline, &trouble, err)) {
        return false;
    }
    errno = ENOENT;
    *fd = trouble == SQ_ARCHIVE_TROUBLE_NONE ? sq_open_beneath(root->fd, path)
                                             : -1;
    int number = errno;
    sq_root_unlock(root);
    return *fd >= 0 || fail_number(out, number, err);
}

/* Scales the picture down if a side is larger than max_side. */
static bool
limit_side(struct sq_archive_file *file, int max_side, struct sq_err *err) {
    const struct sq_picture_opts opts = { .max_dimension = max_side,
                                          .quality = THUMB_QUALITY };
    struct sq_picture_info info;
    struct sq_size size;
    struct sq_err local_err = { 0 };
    struct sq_buf scaled;
    sq_buf_init(&scaled, SQ_MAX_IMAGE_BYTES);
    bool ok =
        sq_codec_size(file->bytes.data, file->bytes.len, &size, &local_err)
        && (sq_size_long_side(size) <= max_side
            || sq_picture_make(file->bytes.data, file->bytes.len, &opts,
                               &sq_limits_default, &scaled, &info, &local_err));
    if (ok && scaled.len > 0) {
        sq_buf_finish(&file->bytes);
        file->bytes = scaled;
        file->ending = SQ_SHOT_JPG;
        file->whole = size;
        return true;
    }
    sq_buf_finish(&scaled);
    if (ok) {
        return true;
    }
    if (local_err.code != SQ_ERR_NOMEM && local_err.code != SQ_ERR_EXHAUSTED) {
        return fail(file, SQ_ARCHIVE_FAULT_CORRUPT, err);
    }
    return sq_fail_with(err, &local_err);
}

bool
sq_archive_path(const struct sq_archive_pick *pick, const char *name,
                char out[SQ_ARCHIVE_FILE_SIZE]) {
    enum sq_shot_ending ending;
    size_t name_len = strlen(name);
    if (name_len >= SQ_NAME_SIZE || memchr(name, '/', name_len)
        || !sq_name_ending((struct sq_span){ name, name_len }, &ending)) {
        return false;
    }
    size_t len = sq_layout_path(pick->place, out);
    if (len > 0) {
        out[len++] = '/';
    }
    memcpy(out + len, name, name_len + 1);
    return true;
}

void
sq_archive_set_filter(struct sq_archive *archive, sq_archive_filter *filter,
                      void *context) {
    archive->filter = filter;
    archive->filter_context = context;
}

/* How a shot is read. */
struct reading {
    struct sq_archive *archive;
    const struct sq_archive_pick *pick;
    enum sq_archive_want want;
    bool is_reply; /* it passes the filter, and the root limits its size */
    int max_side;
};

/* Writes the path of the file to read; returns why it may not be read. */
static enum sq_archive_fault
find_path(const struct reading *reading, char out[SQ_ARCHIVE_FILE_SIZE]) {
    const struct sq_archive_pick *pick = reading->pick;
    const char *name =
        reading->want == SQ_ARCHIVE_WANT_THUMB ? pick->thumb : pick->full;
    bool is_permitted = sq_permission_allows(pick->permission).max_side > 0
                     && (reading->want != SQ_ARCHIVE_WANT_FULL
                         || reading->max_side == SQ_ARCHIVE_ANY_SIDE);
    return !is_permitted                     ? SQ_ARCHIVE_FAULT_NOT_ALLOWED
         : !name[0]                          ? SQ_ARCHIVE_FAULT_VANISHED
         : !sq_archive_path(pick, name, out) ? SQ_ARCHIVE_FAULT_NOT_A_FILE
                                             : SQ_ARCHIVE_FAULT_NONE;
}

/* Filters a picture, and scales it down if needed. */
static bool
prepare(const struct reading *reading, struct sq_archive_file *file,
        const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_archive *archive = reading->archive;
    return (!reading->is_reply || !archive->filter
            || archive->filter(archive->filter_context, reading->pick,
                               reading->want, file, deadline, err))
        && (reading->max_side == SQ_ARCHIVE_ANY_SIDE
            || limit_side(file, reading->max_side, err));
}

static bool
read_shot(const struct reading *reading, const struct sq_deadline *deadline,
          struct sq_archive_file *out, struct sq_err *err) {
    char path[SQ_ARCHIVE_FILE_SIZE];
    struct sq_archive_file file = { 0 };
    int fd = -1;
    out->fault = find_path(reading, path);
    if (out->fault != SQ_ARCHIVE_FAULT_NONE) {
        return fail(out, out->fault, err);
    }
    if (!open_file(&reading->archive->roots[reading->pick->root], path,
                   deadline, &fd, out, err)) {
        return false;
    }
    sq_buf_init(&file.bytes, SQ_MAX_IMAGE_BYTES);
    bool ok = read_file(fd, deadline, &file, err);
    sq_call_close(fd);
    ok = ok && prepare(reading, &file, deadline, err);
    if (!ok) {
        sq_buf_finish(&file.bytes);
        out->fault = file.fault;
        return false;
    }
    *out = file;
    return true;
}

bool
sq_archive_read(struct sq_archive *archive, const struct sq_archive_pick *pick,
                enum sq_archive_want want, const struct sq_deadline *deadline,
                struct sq_archive_file *out, struct sq_err *err) {
    const struct reading reading = {
        archive,
        pick,
        want,
        true,
        sq_permission_allows(pick->permission).max_side,
    };
    return read_shot(&reading, deadline, out, err);
}

bool
sq_archive_inspect(struct sq_archive *archive,
                   const struct sq_archive_pick *pick,
                   enum sq_archive_want want,
                   const struct sq_deadline *deadline,
                   struct sq_archive_file *out, struct sq_err *err) {
    const struct reading reading = { archive, pick, want, false,
                                     SQ_ARCHIVE_ANY_SIDE };
    return read_shot(&reading, deadline, out, err);
}
