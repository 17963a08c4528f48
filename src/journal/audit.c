/* Writes and checks audit logs. */
#include "journal/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include <sodium.h>

#include "json/writer.h"
#include "sys/call.h"
#include "sys/clock.h"
#include "sys/deadline.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "tool/tool.h"
#include "util/mem.h"
#include "util/time_text.h"
#include "util/utf8.h"

/*
 * A process that is killed may leave a part of a write, but only whole pages of
 * it: a line is shorter than the smallest page and lies within one.
 */
#define PAGE 4096
#define MAX_LINE 4000
#define TAIL (2 * (size_t)PAGE)

#define MAX_NAME 60 /* bytes of a text, before escaping */
#define MAX_WHY 200
#define MAX_FILE_BYTES ((size_t)1100 << 20)
#define LOCK_MS 2000
#define RETRY_MS 1
#define NS_PER_SECOND 1000000000
#define NS_PER_MS 1000000

#define LAST_FORMAT "%020" PRIu64 " %s\n"
#define LAST_SIZE 87 /* with its NUL */
#define HASH_KEY ",\"hash\":\""
#define HASH_END "\"}"

static const char no_hash[] =
    "0000000000000000000000000000000000000000000000000000000000000000";

struct sq_audit {
    struct sq_call_log *log;
    struct sq_call_listener listener;
    int folder;
    const char *name; /* in path */
    size_t max_bytes;
    atomic_uint lost; /* lines that could not be written since the last */
    void (*print_message)(const char *message);
    char path[SQ_PATH_SIZE];
};

static void
hash(struct sq_span before, struct sq_span text, char out[SQ_AUDIT_HASH_SIZE]) {
    crypto_hash_sha256_state state;
    unsigned char bytes[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)before.ptr,
                              before.len);
    crypto_hash_sha256_update(&state, (const unsigned char *)text.ptr,
                              text.len);
    crypto_hash_sha256_final(&state, bytes);
    sodium_bin2hex(out, SQ_AUDIT_HASH_SIZE, bytes, sizeof(bytes));
}

/* Splits a line into what is hashed, and its number and hash. */
static bool
read_line(struct sq_span line, struct sq_span *hashed,
          struct sq_audit_chain *out) {
    const size_t end_len =
        sizeof(HASH_KEY) - 1 + SQ_AUDIT_HASH_SIZE - 1 + sizeof(HASH_END) - 1;
    struct sq_span rest = line;
    int64_t number = 0;
    if (!sq_span_take_prefix(&rest, "{\"n\":")
        || !sq_span_take_int64(&rest, &number) || number < 1
        || rest.len < end_len || !sq_span_ends_with(line, HASH_END)) {
        return false;
    }
    hashed->ptr = line.ptr;
    hashed->len = line.len - end_len;
    rest = (struct sq_span){ line.ptr + hashed->len, end_len };
    if (!sq_span_take_prefix(&rest, HASH_KEY)) {
        return false;
    }
    out->number = (uint64_t)number;
    snprintf(out->hash, sizeof(out->hash), "%.*s", SQ_AUDIT_HASH_SIZE - 1,
             rest.ptr);
    return true;
}

/* A line may begin with spaces, up to the beginning of a page. */
static struct sq_span
without_spaces(struct sq_span line) {
    while (line.len > 0 && line.ptr[0] == ' ') {
        line.ptr++;
        line.len--;
    }
    return line;
}

bool
sq_audit_follow(struct sq_span text, struct sq_audit_chain *chain,
                struct sq_err *err) {
    struct sq_span line;
    for (int at = 1; sq_span_take_until(&text, '\n', &line); at++) {
        char expected[SQ_AUDIT_HASH_SIZE];
        struct sq_audit_chain next;
        struct sq_span hashed;
        line = without_spaces(line);
        if (!read_line(line, &hashed, &next)) {
            return sq_fail(err, SQ_ERR_FORMAT, "line %d is no whole line", at);
        }
        bool is_first = chain->number == 0;
        if (!is_first && next.number != chain->number + 1) {
            return sq_fail(err, SQ_ERR_FORMAT,
                           "line %d has the number %" PRIu64
                           " and comes after %" PRIu64,
                           at, next.number, chain->number);
        }
        hash(sq_span_of(is_first ? no_hash : chain->hash), hashed, expected);
        bool is_known = !is_first || next.number == 1;
        if (is_known && strcmp(expected, next.hash) != 0) {
            return sq_fail(err, SQ_ERR_FORMAT,
                           "line %d, number %" PRIu64
                           ", or the one before it was changed",
                           at, next.number);
        }
        *chain = next;
    }
    return without_spaces(text).len == 0
        || sq_fail(err, SQ_ERR_FORMAT, "the last line is not whole");
}

/* Reads the number and hash of the last line that was written. */
static struct sq_audit_chain
read_last(int file) {
    char text[LAST_SIZE] = "";
    struct sq_audit_chain chain = { 0, "" };
    int64_t number = 0;
    ssize_t got = sq_call_pread(file, text, LAST_SIZE - 1, 0);
    struct sq_span rest = { text, got > 0 ? (size_t)got : 0 };
    if (rest.len == LAST_SIZE - 1 && sq_span_take_int64(&rest, &number)) {
        chain.number = (uint64_t)number;
        snprintf(chain.hash, sizeof(chain.hash), "%.*s", SQ_AUDIT_HASH_SIZE - 1,
                 rest.ptr + 1);
    }
    return chain;
}

static bool
name_file(const char *base, const char *suffix, char out[SQ_PATH_SIZE]) {
    return snprintf(out, SQ_PATH_SIZE, "%s%s", base, suffix) < SQ_PATH_SIZE;
}

static bool
fail_file(const struct sq_audit *audit, int number, struct sq_err *err) {
    return sq_file_fail(audit->path, true, number, err);
}

/* Opens a file of the log that belongs to the user alone. */
static bool
open_file(const struct sq_audit *audit, const char *suffix, int flags, int *out,
          struct stat *info, struct sq_err *err) {
    char name[SQ_PATH_SIZE];
    if (!name_file(audit->name, suffix, name)) {
        return fail_file(audit, ENAMETOOLONG, err);
    }
    int file = sq_call_openat(
        audit->folder, name,
        flags | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (file < 0 || sq_call_fstat(file, info) < 0) {
        int number = errno;
        if (file >= 0) {
            sq_call_close(file);
        }
        return fail_file(audit, number, err);
    }
    if (!S_ISREG(info->st_mode) || info->st_uid != sq_call_user()
        || info->st_nlink != 1 || (info->st_mode & 077) != 0) {
        sq_call_close(file);
        sq_fail(err, SQ_ERR_IO, "%s%s is not a private file of this user",
                audit->path, suffix);
        return sq_fail_hint(err, "Name another file, or run chmod 600 on it.");
    }
    *out = file;
    return true;
}

/* Holds the lock of the log while *out is open. */
static bool
lock(const struct sq_audit *audit, int *out, struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_in(LOCK_MS, NULL);
    struct stat info;
    if (!open_file(audit, ".last", O_RDWR, out, &info, err)) {
        return false;
    }
    while (sq_call_lock_file(*out, true) < 0) {
        int number = errno;
        if (number != EWOULDBLOCK || !sq_wait_ms(RETRY_MS, &limit, err)) {
            sq_close_fd(out);
            return number == EWOULDBLOCK ? false
                                         : fail_file(audit, number, err);
        }
    }
    return true;
}

/* Renames FILE to FILE.1, FILE.1 to FILE.2, ... */
static bool
rotate(const struct sq_audit *audit, struct sq_err *err) {
    for (int i = SQ_AUDIT_KEPT; i > 0; i--) {
        char from[SQ_PATH_SIZE];
        char to[SQ_PATH_SIZE];
        char suffix[16] = "";
        snprintf(suffix, sizeof(suffix), ".%d", i);
        name_file(audit->name, suffix, to);
        snprintf(suffix, sizeof(suffix), ".%d", i - 1);
        name_file(audit->name, i > 1 ? suffix : "", from);
        if (sq_call_renameat(audit->folder, from, to) < 0 && errno != ENOENT) {
            return fail_file(audit, errno, err);
        }
    }
    return true;
}

/* What is known before a line is appended. */
struct place {
    int file;
    size_t size;
    bool is_torn; /* the last line has no end */
    struct sq_audit_chain chain;
};

/*
 * Reads the end of the file: the last line may not be in FILE.last if a process
 * was killed between the two. If FILE.last is ahead, lines were removed; the
 * next one continues its numbers, so that this shows.
 */
static void
read_tail(struct place *place) {
    char text[TAIL];
    size_t from = place->size > TAIL ? place->size - TAIL : 0;
    ssize_t got = sq_call_pread(place->file, text, sizeof(text), (off_t)from);
    struct sq_span rest = { text, got > 0 ? (size_t)got : 0 };
    struct sq_span line;
    while (sq_span_take_until(&rest, '\n', &line)) {
        struct sq_audit_chain chain;
        struct sq_span hashed;
        if (read_line(without_spaces(line), &hashed, &chain)
            && chain.number > place->chain.number) {
            place->chain = chain;
        }
    }
    place->is_torn = without_spaces(rest).len > 0;
}

static bool
open_place(const struct sq_audit *audit, struct place *out,
           struct sq_err *err) {
    struct stat info;
    const int flags = O_RDWR | O_APPEND;
    if (!open_file(audit, "", flags, &out->file, &info, err)) {
        return false;
    }
    out->size = (size_t)info.st_size;
    read_tail(out);
    if (out->size + PAGE <= audit->max_bytes) {
        return true;
    }
    sq_call_close(out->file);
    out->is_torn = false;
    out->size = 0;
    return rotate(audit, err)
        && open_file(audit, "", flags, &out->file, &info, err);
}

static bool
write_whole(const struct sq_audit *audit, int file, const void *bytes,
            size_t len, struct sq_err *err) {
    ssize_t put = len > 0 ? sq_call_write(file, bytes, len) : 0;
    return put == (ssize_t)len
        || fail_file(audit, put < 0 ? errno : ENOSPC, err);
}

/* Makes the line of an object, and the end of the chain with it. */
static bool
put_line(struct place *place, struct sq_span object, struct sq_buf *out,
         struct sq_err *err) {
    struct sq_audit_chain *chain = &place->chain;
    const char *before = chain->number > 0 ? chain->hash : no_hash;
    char hashed[SQ_AUDIT_HASH_SIZE];
    if (!sq_buf_printf(out, err, "{\"n\":%" PRIu64 ",%.*s", chain->number + 1,
                       (int)object.len - 2, object.ptr + 1)) {
        return false;
    }
    hash(sq_span_of(before), sq_buf_span(out), hashed);
    chain->number++;
    memcpy(chain->hash, hashed, sizeof(hashed));
    return sq_buf_printf(out, err, HASH_KEY "%s" HASH_END "\n", hashed);
}

static bool
append_line(const struct sq_audit *audit, struct place *place, int last,
            struct sq_span line, struct sq_err *err) {
    char spaces[PAGE];
    char text[LAST_SIZE];
    size_t used = (place->size + place->is_torn) % PAGE;
    size_t padding = used + line.len > PAGE ? PAGE - used : 0;
    snprintf(text, sizeof(text), LAST_FORMAT, place->chain.number,
             place->chain.hash);
    memset(spaces, ' ', sizeof(spaces));
    return write_whole(audit, place->file, "\n", place->is_torn, err)
        && write_whole(audit, place->file, spaces, padding, err)
        && write_whole(audit, place->file, line.ptr, line.len, err)
        && write_whole(audit, last, text, LAST_SIZE - 1, err);
}

static bool
append(struct sq_audit *audit, struct sq_span object, struct sq_err *err) {
    struct place place = { 0 };
    SQ_FD last = -1;
    if (!lock(audit, &last, err)) {
        return false;
    }
    place.chain = read_last(last);
    SQ_BUF(line, MAX_LINE);
    bool is_open = open_place(audit, &place, err);
    bool ok = is_open && put_line(&place, object, &line, err)
           && append_line(audit, &place, last, sq_buf_span(&line), err);
    if (is_open) {
        sq_call_close(place.file);
    }
    return ok;
}

static void
put_text(struct sq_json_writer *w, const char *key, struct sq_span text,
         size_t max) {
    if (text.len > 0) {
        sq_json_put_clean(sq_json_at(w, key), sq_utf8_shorten(text, max));
    }
}

static void
begin_object(struct sq_audit *audit, const char *event, struct sq_buf *out,
             struct sq_json_writer *w) {
    char time[SQ_TIME_TEXT_SIZE];
    unsigned lost = atomic_load(&audit->lost);
    sq_time_format(sq_clock_wall_ns() / NS_PER_SECOND, 0, time);
    sq_buf_init(out, MAX_LINE);
    sq_json_open(w, out);
    put_text(w, "time", sq_span_of(time), MAX_NAME);
    sq_json_put_int(sq_json_at(w, "pid"), getpid());
    put_text(w, "event", sq_span_of(event), MAX_NAME);
    if (lost > 0) {
        sq_json_put_int(sq_json_at(w, "lost"), lost);
    }
}

/* Adds the line and frees it. What cannot be added is counted. */
static bool
end_object(struct sq_audit *audit, struct sq_buf *object,
           struct sq_json_writer *w, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    unsigned lost = atomic_load(&audit->lost);
    bool ok = sq_json_close(w, &local_err)
           && append(audit, sq_buf_span(object), &local_err);
    sq_buf_finish(object);
    if (ok) {
        atomic_fetch_sub(&audit->lost, lost);
    } else if (atomic_fetch_add(&audit->lost, 1) == 0 && audit->print_message) {
        char message[SQ_ERR_MESSAGE_SIZE + 80];
        snprintf(message, sizeof(message),
                 "the audit log lacks calls, which are still answered: %s",
                 local_err.message);
        audit->print_message(message);
    }
    return ok || sq_fail_with(err, &local_err);
}

static bool
add_event(struct sq_audit *audit, const char *event, const char *key,
          const char *text, struct sq_err *err) {
    struct sq_json_writer w;
    struct sq_buf object;
    begin_object(audit, event, &object, &w);
    put_text(&w, key, sq_span_of(text), MAX_WHY);
    return end_object(audit, &object, &w, err);
}

void
sq_audit_add_refusal(struct sq_audit *audit, const char *text) {
    if (audit) {
        add_event(audit, "http", "refused", text, NULL);
    }
}

static void
put_point(struct sq_json_writer *w, const char *key, bool is_known,
          struct sq_img_pt point) {
    if (is_known) {
        sq_json_begin_array_of(w, key);
        sq_json_put_int(w, point.x);
        sq_json_put_int(w, point.y);
        sq_json_end_array(w);
    }
}

static void
put_end(struct sq_json_writer *w, const struct sq_logged_call *call) {
    char digest[SQ_AUDIT_HASH_SIZE];
    hash((struct sq_span){ 0 }, call->arguments, digest);
    put_text(w, "device", call->device, MAX_NAME);
    put_text(w, "arguments", sq_span_of(digest), SQ_AUDIT_HASH_SIZE);
    put_point(w, "point", call->has_point, call->point);
    put_point(w, "end", call->has_end, call->end);
    sq_json_put_int(sq_json_at(w, "ms"), call->total_ns / NS_PER_MS);
    put_text(w, "result",
             sq_span_of(call->error ? sq_tool_error_name(call->error) : "ok"),
             MAX_NAME);
    /* These messages name an app or an option, never a text to type. */
    if (call->error == SQ_ERR_REFUSED || call->error == SQ_ERR_LIMIT
        || call->error == SQ_ERR_INVALID_OPERATION) {
        put_text(w, "because", call->message, MAX_WHY);
    }
}

/* Called by the log of calls, one at a time. */
static void
record(void *context, const struct sq_logged_call *call) {
    static const char *const events[] = {
        [SQ_CALL_RUNNING] = "begin",
        [SQ_CALL_HELD] = "held",
        [SQ_CALL_SUCCEEDED] = "call",
        [SQ_CALL_FAILED] = "call",
    };
    struct sq_audit *audit = context;
    struct sq_json_writer w;
    struct sq_buf object;
    bool has_ended = call->total_ns >= 0;
    if (!has_ended && !call->acts) {
        return;
    }
    begin_object(audit, events[call->state], &object, &w);
    sq_json_put_int(sq_json_at(&w, "call"), (int64_t)call->sequence);
    sq_json_put_int(sq_json_at(&w, "client"), (int64_t)call->client);
    put_text(&w, "clientName", call->client_name, MAX_NAME);
    put_text(&w, "tool", call->tool, MAX_NAME);
    put_text(&w, "operation", call->operation, MAX_NAME);
    if (has_ended) {
        put_end(&w, call);
    }
    end_object(audit, &object, &w, NULL);
}

/* Opens the folder of the log; it is made if it is missing. */
static bool
open_folder(struct sq_audit *audit, struct sq_err *err) {
    char folder[SQ_PATH_SIZE];
    const char *slash = strrchr(audit->path, '/');
    audit->name = slash ? slash + 1 : audit->path;
    snprintf(folder, sizeof(folder), "%.*s",
             slash && slash > audit->path ? (int)(slash - audit->path) : 1,
             slash ? audit->path : ".");
    return sq_folder_open(folder, &audit->folder, err);
}

bool
sq_audit_create(const struct sq_audit_options *options, struct sq_call_log *log,
                struct sq_audit **out, struct sq_err *err) {
    struct sq_audit *audit = sq_mem_zalloc(1, sizeof(*audit));
    if (!audit) {
        return sq_fail_nomem(err);
    }
    bool is_open = name_file(options->path, "", audit->path)
                     ? open_folder(audit, err)
                     : sq_fail(err, SQ_ERR_ARGUMENT, "the path is too long");
    audit->max_bytes = options->max_bytes;
    if (!is_open
        || !add_event(audit, "start", "version", options->version, err)) {
        if (is_open) {
            sq_folder_close(audit->folder);
        }
        sq_mem_free(audit);
        return sq_fail_in(err, "audit log");
    }
    audit->print_message = options->print_message;
    audit->listener = (struct sq_call_listener){ record, audit, NULL };
    audit->log = log;
    sq_call_log_listen(log, &audit->listener);
    *out = audit;
    return true;
}

void
sq_audit_destroy(struct sq_audit *audit) {
    if (audit) {
        sq_call_log_unlisten(audit->log, &audit->listener);
        add_event(audit, "end", "", "", NULL);
        sq_folder_close(audit->folder);
        sq_mem_free(audit);
    }
}

/* Follows the chain through one file; a missing one is skipped. */
static bool
verify_file(const char *path, struct sq_audit_report *report,
            struct sq_err *err) {
    struct sq_err local_err = { 0 };
    SQ_FREED(sq_buf_finish) struct sq_buf text = { 0 };
    if (!sq_file_read(path, MAX_FILE_BYTES, &text, &local_err)) {
        return local_err.code == SQ_ERR_NOT_FOUND
            || sq_fail_with(err, &local_err);
    }
    struct sq_span first = sq_buf_span(&text);
    struct sq_span hashed;
    struct sq_audit_chain chain;
    if (report->first == 0 && sq_span_take_until(&first, '\n', &hashed)
        && read_line(without_spaces(hashed), &hashed, &chain)) {
        report->first = chain.number;
    }
    bool ok = sq_audit_follow(sq_buf_span(&text), &report->last, &local_err);
    report->files++;
    return ok || sq_fail(err, SQ_ERR_FORMAT, "%s: %s", path, local_err.message);
}

/* Compares the end of the chain with FILE.last. */
static bool
verify_last(const char *path, const struct sq_audit_report *report,
            struct sq_err *err) {
    char name[SQ_PATH_SIZE];
    name_file(path, ".last", name);
    SQ_FD file = sq_call_openat(AT_FDCWD, name, O_RDONLY | O_CLOEXEC, 0);
    if (file < 0) {
        return sq_file_fail(name, false, errno, err);
    }
    struct sq_audit_chain last = read_last(file);
    if (last.number > report->last.number) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "the lines after number %" PRIu64
                       " were removed; the last one had the number %" PRIu64,
                       report->last.number, last.number);
    }
    return last.number < report->last.number
        || strcmp(last.hash, report->last.hash) == 0
        || sq_fail(err, SQ_ERR_FORMAT, "the last line was changed");
}

bool
sq_audit_verify(const char *path, struct sq_audit_report *out,
                struct sq_err *err) {
    struct sq_audit_report report = { 0 };
    bool ok = true;
    for (int i = SQ_AUDIT_KEPT; ok && i >= 0; i--) {
        char name[SQ_PATH_SIZE];
        char suffix[16];
        snprintf(suffix, sizeof(suffix), ".%d", i);
        ok = name_file(path, i > 0 ? suffix : "", name)
               ? verify_file(name, &report, err)
               : sq_fail(err, SQ_ERR_ARGUMENT, "the path is too long");
    }
    if (!ok || !verify_last(path, &report, err)) {
        return false;
    }
    /* Only what there was no room for may be missing. */
    if (report.first != 1 && report.files <= SQ_AUDIT_KEPT) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "the lines before number %" PRIu64 " were removed",
                       report.first);
    }
    *out = report;
    return true;
}
