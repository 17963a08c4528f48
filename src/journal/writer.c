/* Writes journals. */
#include "journal/journal.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

#include "sys/clock.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "tool/tool.h"
#include "util/mem.h"

#define DEFAULT_BYTES ((size_t)256 << 20)
#define NS_PER_MS 1000000
#define MESSAGE_SIZE (SQ_ERR_MESSAGE_SIZE + 80)

/* Lines of one call: its pictures, then the call. */
#define MAX_CALL_BYTES ((size_t)192 << 20)

/* A line must be readable by the JSON parser; base64 adds a third. */
#define MAX_PICTURE_BYTES (SQ_MAX_JSON_BYTES / 4 * 3 - 4096)

struct sq_journal_writer {
    struct sq_call_log *log;
    struct sq_call_listener listener;
    int file;
    size_t max_bytes;
    atomic_size_t written;
    atomic_uint_fast64_t calls;
    uint64_t last_picture;
    atomic_bool has_ended;         /* full, or it cannot be written */
    char why[SQ_ERR_MESSAGE_SIZE]; /* it has ended; constant from then on */
    void (*print_message)(const char *message);
    char path[SQ_PATH_SIZE];
};

static void
put_text(struct sq_json_writer *w, const char *key, struct sq_span text) {
    if (text.len > 0) {
        sq_json_put_string(sq_json_at(w, key), text);
    }
}

static void
put_int(struct sq_json_writer *w, const char *key, int64_t number) {
    sq_json_put_int(sq_json_at(w, key), number);
}

static void
put_flag(struct sq_json_writer *w, const char *key, bool flag) {
    if (flag) {
        sq_json_put_bool(sq_json_at(w, key), true);
    }
}

static bool
is_recorded_picture(const struct sq_logged_block *block) {
    return block->kind == SQ_BLOCK_IMAGE
        && block->data.len <= MAX_PICTURE_BYTES;
}

static void
put_block(struct sq_json_writer *w, const struct sq_logged_block *block,
          uint64_t *next_picture) {
    static const char *const audiences[] = {
        [SQ_FOR_BOTH] = "",
        [SQ_FOR_MODEL] = "assistant",
        [SQ_FOR_USER] = "user",
    };
    sq_json_begin_object(w);
    if (block->kind == SQ_BLOCK_IMAGE) {
        put_text(w, "type", SQ_SPAN("image"));
        if (is_recorded_picture(block)) {
            put_int(w, "picture", (int64_t)(*next_picture)++);
        }
    } else if (block->kind == SQ_BLOCK_LINK) {
        put_text(w, "type", SQ_SPAN("resource_link"));
        put_text(w, "uri", block->uri);
        put_text(w, "name", block->name);
    } else {
        put_text(w, "type", SQ_SPAN("text"));
        sq_json_put_string(sq_json_at(w, "text"), block->data);
    }
    put_text(w, "mimeType",
             sq_span_of(block->mime_type ? block->mime_type : ""));
    put_text(w, "audience", sq_span_of(audiences[block->audience]));
    sq_json_end_object(w);
}

static bool
put_call_line(const struct sq_logged_call *call, uint64_t next_picture,
              struct sq_buf *out, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_open(&w, out);
    put_int(&w, "call", (int64_t)call->sequence);
    put_int(&w, "client", (int64_t)call->client);
    put_text(&w, "clientName", call->client_name);
    put_text(&w, "tool", call->tool);
    put_text(&w, "operation", call->operation);
    put_flag(&w, "acts", call->acts);
    put_flag(&w, "secrets", call->has_secrets);
    sq_json_put_raw(sq_json_at(&w, "arguments"), call->arguments);
    put_int(&w, "started", call->started_wall_ns / NS_PER_MS);
    put_int(&w, "tookMs", call->total_ns / NS_PER_MS);
    if (call->held_ns > 0) {
        put_int(&w, "heldMs", call->held_ns / NS_PER_MS);
    }
    if (call->device_ns >= 0) {
        put_int(&w, "deviceMs", call->device_ns / NS_PER_MS);
    }
    put_int(&w, "pictureTokens", call->picture_tokens);
    put_int(&w, "textTokens", call->text_tokens);
    sq_json_begin_array_of(&w, "content");
    for (int i = 0; i < call->block_count; i++) {
        put_block(&w, &call->blocks[i], &next_picture);
    }
    sq_json_end_array(&w);
    if (call->state == SQ_CALL_FAILED) {
        sq_json_begin_object_of(&w, "error");
        put_text(&w, "code", sq_span_of(sq_tool_error_name(call->error)));
        put_text(&w, "message", call->message);
        put_text(&w, "hint", call->hint);
        if (call->details.len > 0) {
            sq_json_put_raw(sq_json_at(&w, "details"), call->details);
        }
        sq_json_end_object(&w);
    }
    return sq_json_end_line(&w, err);
}

bool
sq_journal_put_call(const struct sq_logged_call *call, uint64_t *last_picture,
                    struct sq_buf *out, struct sq_err *err) {
    uint64_t next = *last_picture + 1;
    bool ok = true;
    for (int i = 0; ok && i < call->block_count; i++) {
        const struct sq_logged_block *block = &call->blocks[i];
        if (is_recorded_picture(block)) {
            struct sq_json_writer w;
            sq_json_open(&w, out);
            put_int(&w, "picture", (int64_t)++ * last_picture);
            put_text(&w, "mimeType", sq_span_of(block->mime_type));
            sq_json_put_base64(sq_json_at(&w, "data"), block->data.ptr,
                               block->data.len);
            ok = sq_json_end_line(&w, err);
        }
    }
    return ok && put_call_line(call, next, out, err);
}

/* Ends the journal and says so once. */
static void
stop(struct sq_journal_writer *writer, const char *why) {
    char message[MESSAGE_SIZE];
    snprintf(writer->why, sizeof(writer->why), "%s", why);
    atomic_store(&writer->has_ended, true);
    if (writer->print_message) {
        snprintf(message, sizeof(message),
                 "no more calls are recorded: %s; they are still answered",
                 why);
        writer->print_message(message);
    }
}

static bool
append(struct sq_journal_writer *writer, const void *bytes, size_t len,
       struct sq_err *err) {
    writer->written += len;
    return sq_append_file_write(writer->file, writer->path, bytes, len, err);
}

/* Called by the log, one call at a time. */
static void
record(void *context, const struct sq_logged_call *call) {
    static const char full[] = "{\"full\":true}\n";
    struct sq_journal_writer *writer = context;
    struct sq_err err = { 0 };
    if (writer->has_ended || call->total_ns < 0) {
        return;
    }
    SQ_BUF(lines, MAX_CALL_BYTES);
    if (!sq_journal_put_call(call, &writer->last_picture, &lines, &err)) {
        stop(writer, err.message);
    } else if (writer->written + lines.len + sizeof(full) > writer->max_bytes) {
        append(writer, full, sizeof(full) - 1, &err);
        stop(writer, "it has reached its limit");
    } else if (!append(writer, lines.data, lines.len, &err)) {
        stop(writer, err.message);
    } else {
        atomic_fetch_add(&writer->calls, 1);
    }
}

static bool
write_header(struct sq_journal_writer *writer, const char *version,
             struct sq_err *err) {
    char line[200];
    int len =
        snprintf(line, sizeof(line),
                 "{\"journal\":%d,\"version\":\"%.40s\",\"started\":"
                 "%" PRId64 "}\n",
                 SQ_JOURNAL_FORMAT, version, sq_clock_wall_ns() / NS_PER_MS);
    return append(writer, line, (size_t)len, err);
}

/* Writes the path of the file: the given one, or a new one in that folder. */
static bool
choose_path(const char *given, char out[SQ_PATH_SIZE], struct sq_err *err) {
    char random[SQ_RANDOM_NAME_SIZE];
    int len;
    if (!sq_path_is_folder(given)) {
        len = snprintf(out, SQ_PATH_SIZE, "%s", given);
    } else if (!sq_random_name(random, err)) {
        return false;
    } else {
        len = snprintf(out, SQ_PATH_SIZE, "%s/squint-%" PRId64 "-%.8s.jsonl",
                       given, sq_clock_wall_ns() / NS_PER_MS, random);
    }
    return len < SQ_PATH_SIZE
        || sq_fail(err, SQ_ERR_ARGUMENT, "the path of the journal is too long");
}

bool
sq_journal_writer_create(const struct sq_journal_options *options,
                         struct sq_call_log *log,
                         struct sq_journal_writer **out, struct sq_err *err) {
    struct sq_journal_writer *writer = sq_mem_zalloc(1, sizeof(*writer));
    if (!writer) {
        return sq_fail_nomem(err);
    }
    writer->max_bytes = options->max_bytes ? options->max_bytes : DEFAULT_BYTES;
    writer->print_message = options->print_message;
    writer->listener = (struct sq_call_listener){ record, writer, NULL };
    if (!choose_path(options->path, writer->path, err)
        || !sq_append_file_create(writer->path, &writer->file, err)) {
        sq_mem_free(writer);
        return sq_fail_in(err, "journal");
    }
    if (!write_header(writer, options->version, err)) {
        sq_append_file_close(writer->file);
        sq_file_remove(writer->path);
        sq_mem_free(writer);
        return sq_fail_in(err, "journal");
    }
    writer->log = log;
    sq_call_log_listen(log, &writer->listener);
    *out = writer;
    return true;
}

const char *
sq_journal_writer_path(const struct sq_journal_writer *writer) {
    return writer->path;
}

struct sq_journal_progress
sq_journal_writer_progress(const struct sq_journal_writer *writer) {
    return (struct sq_journal_progress){
        .calls = atomic_load(&writer->calls),
        .bytes = atomic_load(&writer->written),
        .ended = atomic_load(&writer->has_ended) ? writer->why : NULL,
    };
}

void
sq_journal_writer_destroy(struct sq_journal_writer *writer) {
    if (writer) {
        sq_call_log_unlisten(writer->log, &writer->listener);
        sq_append_file_close(writer->file);
        sq_mem_free(writer);
    }
}
