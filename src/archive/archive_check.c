/*
 * Checks whether a shot's files are usable, reading a constant number of bytes.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "archive/archive_private.h"
#include "archive/store/root.h"
#include "image/pipeline/codec.h"
#include "sys/call.h"
#include "sys/clock.h"
#include "sys/folder.h"
#include "util/bytes.h"
#include "util/limits.h"

#define GROWING_NS ((int64_t)10 * 1000000000)

static bool
has_bytes(struct sq_span span, size_t at, const char *bytes, size_t count) {
    return span.len >= at + count && memcmp(span.ptr + at, bytes, count) == 0;
}

/* Returns whether the bytes occur close to the end. */
static bool
ends_with(const struct sq_file_ends *ends, const char *bytes, size_t count) {
    for (size_t i = ends->tail.len; i-- > 0;) {
        if (has_bytes(ends->tail, i, bytes, count)) {
            return true;
        }
    }
    return false;
}

/*
 * Formats are recognised by content, not by file name. At the end are bytes,
 * or, of WebP, as many as the head says.
 */
static const struct kind {
    enum sq_shot_ending ending;
    const char *start;
    size_t start_len;
    size_t at;
    const char *end;
    size_t end_len;
} kinds[] = {
    { SQ_SHOT_JPG, "\xff\xd8\xff", 3, 0, "\xff\xd9", 2 },
    { SQ_SHOT_PNG, "\x89PNG\r\n\x1a\n", 8, 0, "IEND\xae\x42\x60\x82", 8 },
    { SQ_SHOT_WEBP, "WEBP", 4, 8, NULL, 0 },
};

static bool
is_complete(const struct kind *kind, const struct sq_file_ends *ends) {
    return kind->end
             ? ends_with(ends, kind->end, kind->end_len)
             : ends->size >= 8
                                 + (uint64_t)sq_load_le32(
                                     (const uint8_t *)ends->head.ptr + 4);
}

/* Returns whether the head could be the beginning of a picture. */
static bool
may_be_picture(struct sq_span head) {
    return has_bytes(head, 0, "\xff", 1) || has_bytes(head, 0, "\x89", 1)
        || has_bytes(head, 0, "R", 1);
}

enum sq_archive_fault
sq_completeness_check(const struct sq_file_ends *ends,
                      enum sq_shot_ending *ending) {
    const struct kind *kind = NULL;
    if (ends->size == 0) {
        return SQ_ARCHIVE_FAULT_EMPTY;
    }
    for (size_t i = 0; i < SQ_COUNT(kinds); i++) {
        if (has_bytes(ends->head, kinds[i].at, kinds[i].start,
                      kinds[i].start_len)) {
            kind = &kinds[i];
        }
    }
    if (kind && is_complete(kind, ends)) {
        *ending = kind->ending;
        return SQ_ARCHIVE_FAULT_NONE;
    }
    if (!kind
        && !(ends->is_fresh && ends->size < SQ_COMPLETENESS_HEAD_BYTES
             && may_be_picture(ends->head))) {
        return SQ_ARCHIVE_FAULT_CORRUPT;
    }
    return ends->is_fresh ? SQ_ARCHIVE_FAULT_GROWING
                          : SQ_ARCHIVE_FAULT_TRUNCATED;
}

bool
sq_completeness_is_fresh(int64_t written_ns) {
    return sq_clock_wall_ns() - written_ns < GROWING_NS;
}

#define NS_PER_MS 1000000
#define SLOW_NS ((int64_t)SQ_ARCHIVE_SLOW_MS * NS_PER_MS)
#define SLOW_PAUSE_NS ((int64_t)60 * 1000 * NS_PER_MS)

/* Enough to find the size of nearly all pictures without it in their name. */
#define SIZE_HEAD_BYTES (16 * 1024)

_Static_assert(SIZE_HEAD_BYTES + SQ_COMPLETENESS_TAIL_BYTES
                   <= SQ_ARCHIVE_CHECK_BYTES,
               "what is promised");

/* One file being checked. */
struct check {
    struct sq_root *root;
    const struct sq_deadline *soft_deadline;
    char path[SQ_ARCHIVE_FILE_SIZE];
    bool needs_size;
    struct sq_archive_verdict *out;
};

/* Maps errno to a fault of the file; fails if out of memory or descriptors. */
static bool
set_fault(struct check *check, int number, struct sq_err *err) {
    if (sq_is_out_of_descriptors(number)) {
        errno = number;
        return sq_errno_fail(err, "open a screenshot");
    }
    if (number == ENOMEM) {
        return sq_fail_nomem(err);
    }
    check->out->fault = sq_archive_fault_of(number);
    return true;
}

/* Checks a regular file by its first and last bytes. Returns 0 or errno. */
static int
check_ends(struct check *check, int fd, const struct stat *st) {
    char head[SIZE_HEAD_BYTES];
    char tail[SQ_COMPLETENESS_TAIL_BYTES];
    uint64_t size = (uint64_t)st->st_size;
    size_t wanted =
        check->needs_size ? sizeof(head) : (size_t)SQ_COMPLETENESS_HEAD_BYTES;
    size_t tail_wanted = size < sizeof(tail) ? (size_t)size : sizeof(tail);
    size_t head_got = 0;
    size_t tail_got = 0;
    wanted = size < wanted ? (size_t)size : wanted;
    int number = sq_file_read_at(fd, head, wanted, 0, &head_got);
    if (number == 0) {
        number = sq_file_read_at(fd, tail, tail_wanted, size - tail_wanted,
                                 &tail_got);
    }
    if (number != 0) {
        return number;
    }
    if (head_got < wanted || tail_got < tail_wanted) {
        check->out->fault = SQ_ARCHIVE_FAULT_GROWING;
        return 0;
    }
    const struct sq_file_ends ends = {
        .head = { head, head_got },
        .tail = { tail, tail_got },
        .size = size,
        .is_fresh = sq_completeness_is_fresh(sq_file_mtime_ns(st)),
    };
    enum sq_shot_ending ending;
    struct sq_size found = { 0 };
    check->out->fault = sq_completeness_check(&ends, &ending);
    if (check->out->fault == SQ_ARCHIVE_FAULT_NONE && check->needs_size
        && sq_head_size((const uint8_t *)head, head_got, &found)) {
        check->out->width = found.width;
        check->out->height = found.height;
    }
    return 0;
}

/* Caches the result, unless the file may still change or memory is lacking. */
static void
cache_result(struct check *check, const struct stat *st) {
    const struct sq_file_state state = sq_file_state_of(check->path, st);
    struct sq_checked_file *known =
        sq_completeness_is_fresh(state.mtime_ns)
            ? NULL
            : (struct sq_checked_file *)sq_file_table_put(
                &check->root->checked, sizeof(*known), SQ_CHECKED_MAX, &state);
    if (known) {
        known->width = check->out->width;
        known->height = check->out->height;
        known->fault = (uint64_t)check->out->fault;
    }
}

static bool
check_open_file(struct check *check, int fd, struct sq_err *err) {
    struct stat st;
    if (sq_call_fstat(fd, &st) < 0) {
        return set_fault(check, errno, err);
    }
    int number = 0;
    if (!S_ISREG(st.st_mode)) {
        check->out->fault = SQ_ARCHIVE_FAULT_NOT_A_FILE;
    } else if ((uintmax_t)st.st_size > SQ_MAX_IMAGE_BYTES) {
        check->out->fault = SQ_ARCHIVE_FAULT_TOO_LARGE;
    } else {
        number = check_ends(check, fd, &st);
    }
    if (number != 0) {
        return set_fault(check, number, err);
    }
    cache_result(check, &st);
    return true;
}

static bool
open_and_check(struct check *check, struct sq_err *err) {
    int fd = sq_open_beneath(check->root->fd, check->path);
    bool ok =
        fd < 0 ? set_fault(check, errno, err) : check_open_file(check, fd, err);
    if (fd >= 0) {
        sq_call_close(fd);
    }
    check->out->is_checked = ok;
    return ok;
}

/*
 * Gets the status of the file, or its fault. The root was usually opened a
 * moment ago, for the list that contains the file: it is opened again only if
 * the file is not found there.
 */
static bool
stat_file(struct check *check, struct stat *st, struct sq_err *err) {
    struct sq_root *root = check->root;
    enum sq_archive_trouble trouble;
    if (root->fd >= 0 && sq_call_lstatat(root->fd, check->path, st) == 0) {
        return true;
    }
    if (!sq_root_open(root, &trouble, err)) {
        return false;
    }
    if (trouble != SQ_ARCHIVE_TROUBLE_NONE) {
        check->out->fault = SQ_ARCHIVE_FAULT_VANISHED;
        return true;
    }
    return sq_call_lstatat(root->fd, check->path, st) == 0
        || set_fault(check, errno, err);
}

/* Checks a file. The root's lock must be held. */
static bool
check_locked(struct check *check, struct sq_err *err) {
    struct sq_root *root = check->root;
    struct stat st;
    if (!stat_file(check, &st, err)) {
        return false;
    }
    check->out->is_checked = true;
    if (check->out->fault != SQ_ARCHIVE_FAULT_NONE) {
        return true;
    }
    const struct sq_file_state state = sq_file_state_of(check->path, &st);
    const struct sq_checked_file *known =
        (const struct sq_checked_file *)sq_file_table_find(&root->checked,
                                                           &state);
    if (known) {
        check->out->fault = (enum sq_archive_fault)known->fault;
        check->out->width = known->width;
        check->out->height = known->height;
        return true;
    }
    check->out->is_checked = false;
    return sq_clock_monotonic_ns() < root->slow_until_ns
        || !sq_deadline_check(check->soft_deadline, NULL)
        || open_and_check(check, err);
}

static struct sq_archive_verdict
verdict_of(enum sq_archive_fault fault) {
    return (struct sq_archive_verdict){ .fault = fault, .is_checked = true };
}

/* Checks one of a shot's files; fills *out unless it fails. */
static bool
check_file(struct sq_root *root, const struct sq_archive_pick *pick,
           bool is_thumb, const struct sq_deadline *soft_deadline,
           struct sq_archive_verdict *out, struct sq_err *err) {
    struct sq_archive_verdict verdict = { 0 };
    struct sq_err local_err = { 0 };
    struct check check = { .root = root,
                           .soft_deadline = soft_deadline,
                           .needs_size = !is_thumb && pick->shot.width == 0,
                           .out = &verdict };
    if (!sq_archive_path(pick, is_thumb ? pick->thumb : pick->full,
                         check.path)) {
        *out = verdict_of(SQ_ARCHIVE_FAULT_NOT_A_FILE);
        return true;
    }
    bool ok = sq_root_lock(root, soft_deadline, &local_err);
    if (ok) {
        int64_t began_ns = sq_clock_monotonic_ns();
        ok = check_locked(&check, &local_err);
        int64_t now_ns = sq_clock_monotonic_ns();
        if (now_ns - began_ns >= SLOW_NS) {
            root->slow_until_ns = now_ns + SLOW_PAUSE_NS;
        }
        sq_root_unlock(root);
    }
    if (!ok && local_err.code != SQ_ERR_TIMEOUT) {
        return sq_fail_with(err, &local_err);
    }
    *out = ok ? verdict : (struct sq_archive_verdict){ 0 };
    return true;
}

bool
sq_archive_check(struct sq_archive *archive, const struct sq_archive_pick *pick,
                 const struct sq_deadline *soft_deadline,
                 struct sq_archive_verdict *out, struct sq_err *err) {
    assert(pick->root >= 0 && (size_t)pick->root < archive->count);
    struct sq_root *root = &archive->roots[pick->root];
    struct sq_archive_verdict verdict = verdict_of(SQ_ARCHIVE_FAULT_VANISHED);
    if (sq_permission_allows(pick->permission).max_side == 0) {
        *out = verdict_of(SQ_ARCHIVE_FAULT_NOT_ALLOWED);
        return true;
    }
    if (pick->thumb[0]
        && !check_file(root, pick, true, soft_deadline, &verdict, err)) {
        return false;
    }
    bool needs_full = verdict.is_checked
                   && verdict.fault != SQ_ARCHIVE_FAULT_NONE && pick->full[0];
    if (needs_full
        && !check_file(root, pick, false, soft_deadline, &verdict, err)) {
        return false;
    }
    *out = verdict;
    return true;
}
