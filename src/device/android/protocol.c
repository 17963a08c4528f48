/* Encodes and decodes the adb server's protocol. */
#include "device/android/link.h"

#include <stdio.h>
#include <string.h>

#include "util/bytes.h"

#define PREFIX_BYTES 4
#define STATUS_BYTES 4
#define SYNC_HEAD_BYTES 8
#define STAT_BYTES 12
#define MAX_CHUNK ((uint32_t)64 << 10)

#define MIN_SPACE ((size_t)64 << 10)

#define MAX_REASON 200

static void
truncate_to(struct sq_buf *buf, size_t len) {
    sq_buf_clear(buf);
    sq_buf_commit(buf, len);
}

bool
sq_adb_put_request(struct sq_buf *out, struct sq_span request,
                   struct sq_err *err) {
    const size_t start = out->len;
    if (request.len > SQ_ADB_MAX_REQUEST) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "a command of %zu bytes is too long for adb",
                       request.len);
    }
    if (!sq_buf_printf(out, err, "%04zx", request.len)) {
        return false;
    }
    if (!sq_buf_append(out, request.ptr, request.len, err)) {
        truncate_to(out, start);
        return false;
    }
    return true;
}

static bool
fail_protocol(const char *what, struct sq_err *err) {
    sq_fail(err, SQ_ERR_FORMAT, "the adb server sent %s", what);
    return sq_fail_hint(err, "Another program may use its port: check "
                             "ADB_SERVER_SOCKET, or run adb kill-server.");
}

bool
sq_adb_parse_hex(struct sq_span digits, unsigned *out) {
    uint32_t number;
    if (sq_span_take_hex(&digits, 8, &number) == 0 || digits.len > 0) {
        return false;
    }
    *out = number;
    return true;
}

bool
sq_adb_read_text(const struct sq_adb_source *source, struct sq_buf *out,
                 struct sq_err *err) {
    char digits[PREFIX_BYTES];
    unsigned len;
    uint8_t *space;
    if (!source->read(source->context, digits, sizeof(digits), err)) {
        return false;
    }
    if (!sq_adb_parse_hex((struct sq_span){ digits, sizeof(digits) }, &len)) {
        return fail_protocol("an invalid length", err);
    }
    if (!sq_buf_reserve(out, len, &space, err)
        || !source->read(source->context, space, len, err)) {
        return false;
    }
    sq_buf_commit(out, len);
    return true;
}

/* Prefixes of the server's refusals, their error codes and hints. */
static const struct server_error {
    const char *start;
    enum sq_err_code code;
    const char *hint;
} server_errors[] = {
    { "device offline", SQ_ERR_DEVICE_OFFLINE,
      "Plug it in again, or run adb reconnect offline. A phone that has just "
      "started needs a moment." },
    { "device unauthorized", SQ_ERR_DEVICE_OFFLINE,
      "Unlock it and accept \"Allow USB debugging?\" on its screen." },
    { "device still authorizing", SQ_ERR_DEVICE_OFFLINE,
      "Unlock it and accept \"Allow USB debugging?\" on its screen." },
    { "device still connecting", SQ_ERR_DEVICE_OFFLINE,
      "Try again in a moment." },
    { "device '", SQ_ERR_DEVICE_NOT_FOUND,
      "It is no longer attached: plug it in again. The operation @devices "
      "lists "
      "the attached devices." },
    { "no devices", SQ_ERR_DEVICE_NOT_FOUND,
      "It is no longer attached: plug it in again." },
    { "unknown host service", SQ_ERR_UNSUPPORTED,
      "The adb server does not know this: a newer adb is needed." },
    { "closed", SQ_ERR_UNSUPPORTED,
      "The device refused the command: it may be restarting. Try again." },
};

static void
show_reason(const struct sq_buf *reason, char out[MAX_REASON + 1]) {
    size_t len = reason->len < MAX_REASON ? reason->len : MAX_REASON;
    for (size_t i = 0; i < len; i++) {
        uint8_t byte = reason->data[i];
        out[i] = byte >= ' ' && byte < 0x7f ? (char)byte : ' ';
    }
    while (len > 0 && out[len - 1] == ' ') {
        len--;
    }
    out[len] = '\0';
}

static bool
fail_server_error(const struct sq_buf *reason, struct sq_err *err) {
    char shown[MAX_REASON + 1];
    show_reason(reason, shown);
    for (size_t i = 0; i < SQ_COUNT(server_errors); i++) {
        if (sq_span_starts_with(sq_span_of(shown), server_errors[i].start)) {
            sq_fail_quoting(err, server_errors[i].code, "adb: %s", shown);
            return sq_fail_hint(err, "%s", server_errors[i].hint);
        }
    }
    sq_fail_quoting(err, SQ_ERR_IO, "adb: %s",
                    shown[0] ? shown : "request rejected without a reason");
    return sq_fail_hint(
        err, "Try again. Run adb devices -l to see what its server lists.");
}

bool
sq_adb_read_status(const struct sq_adb_source *source, struct sq_err *err) {
    char status[STATUS_BYTES];
    if (!source->read(source->context, status, sizeof(status), err)) {
        return false;
    }
    if (memcmp(status, "OKAY", STATUS_BYTES) == 0) {
        return true;
    }
    if (memcmp(status, "FAIL", STATUS_BYTES) != 0) {
        return fail_protocol("neither OKAY nor FAIL", err);
    }
    SQ_BUF(reason, SQ_ADB_MAX_REQUEST);
    if (sq_adb_read_text(source, &reason, err)) {
        fail_server_error(&reason, err);
    }
    return false;
}

bool
sq_adb_read_rest(const struct sq_adb_source *source, struct sq_buf *out,
                 struct sq_err *err) {
    size_t got;
    do {
        uint8_t *space;
        /* With a full buffer, still detect whether more follows. */
        size_t free_now = out->cap - out->len;
        size_t want = free_now > MIN_SPACE ? free_now : MIN_SPACE;
        if (want > out->max - out->len) {
            want = out->max - out->len;
        }
        if (!sq_buf_reserve(out, want ? want : 1, &space, err)
            || !source->read_some(source->context, space, want, &got, err)) {
            return false;
        }
        sq_buf_commit(out, got);
    } while (got > 0);
    return true;
}

void
sq_adb_undo_terminal(struct sq_buf *bytes, size_t start) {
    size_t kept = start;
    for (size_t i = start; i < bytes->len; i++) {
        bool added = bytes->data[i] == '\r' && i + 1 < bytes->len
                  && bytes->data[i + 1] == '\n';
        if (!added) {
            bytes->data[kept++] = bytes->data[i];
        }
    }
    truncate_to(bytes, kept);
}

bool
sq_adb_put_sync(struct sq_buf *out, const char *request, struct sq_span path,
                struct sq_err *err) {
    const size_t start = out->len;
    uint8_t head[SYNC_HEAD_BYTES];
    if (path.len > SQ_ADB_MAX_PATH) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "a path of %zu bytes is too long for adb", path.len);
    }
    memcpy(head, request, 4);
    sq_store_le32(head + 4, (uint32_t)path.len);
    if (!sq_buf_append(out, head, sizeof(head), err)
        || !sq_buf_append(out, path.ptr, path.len, err)) {
        truncate_to(out, start);
        return false;
    }
    return true;
}

static bool
is_sync(const uint8_t *head, const char *id) {
    return memcmp(head, id, 4) == 0;
}

static bool
fail_packet(struct sq_err *err) {
    sq_fail(err, SQ_ERR_FORMAT, "the device sent an invalid sync packet");
    return sq_fail_hint(err, "Connect it again: adb reconnect.");
}

bool
sq_adb_read_stat(const struct sq_adb_source *source, struct sq_adb_stat *out,
                 struct sq_err *err) {
    uint8_t answer[4 + STAT_BYTES];
    if (!source->read(source->context, answer, sizeof(answer), err)) {
        return false;
    }
    if (!is_sync(answer, "STAT")) {
        return fail_packet(err);
    }
    *out = (struct sq_adb_stat){ .mode = sq_load_le32(answer + 4),
                                 .size = sq_load_le32(answer + 8),
                                 .modified_s = sq_load_le32(answer + 12) };
    return true;
}

/* Reads the device's reason for a refusal, of the length it sent. */
static bool
fail_file(const struct sq_adb_source *source, uint32_t len,
          struct sq_err *err) {
    static const char missing[] = "No such file";
    char text[MAX_REASON];
    char shown[MAX_REASON + 1];
    size_t kept = len < MAX_REASON ? len : MAX_REASON;
    if (!source->read(source->context, text, kept, err)) {
        return false;
    }
    const struct sq_buf reason = { .data = (uint8_t *)text, .len = kept };
    show_reason(&reason, shown);
    sq_fail_quoting(err, strstr(shown, missing) ? SQ_ERR_NOT_FOUND : SQ_ERR_IO,
                    "the device did not send the file: %s", shown);
    return sq_fail_hint(err, "Try again.");
}

static bool
read_chunk(const struct sq_adb_source *source, struct sq_buf *out, bool *ended,
           struct sq_err *err) {
    uint8_t head[SYNC_HEAD_BYTES];
    uint8_t *space;
    if (!source->read(source->context, head, sizeof(head), err)) {
        return false;
    }
    uint32_t len = sq_load_le32(head + 4);
    *ended = is_sync(head, "DONE");
    if (*ended) {
        return true;
    }
    if (is_sync(head, "FAIL")) {
        return fail_file(source, len, err);
    }
    if (!is_sync(head, "DATA") || len > MAX_CHUNK) {
        return fail_packet(err);
    }
    if (!sq_buf_reserve(out, len, &space, err)
        || !source->read(source->context, space, len, err)) {
        return false;
    }
    sq_buf_commit(out, len);
    return true;
}

bool
sq_adb_read_file(const struct sq_adb_source *source, size_t part,
                 struct sq_buf *out, bool *ended, struct sq_err *err) {
    const size_t start = out->len;
    bool ok = true;
    *ended = false;
    while (ok && !*ended && out->len - start < part) {
        ok = read_chunk(source, out, ended, err);
    }
    if (!ok) {
        truncate_to(out, start);
    }
    return ok;
}
