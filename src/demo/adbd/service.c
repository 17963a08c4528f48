/*
 * Opens services by name, logs finished requests, and serves sync:, which pulls
 * and pushes files.
 */
#include <inttypes.h>
#include <stdio.h>

#include "demo/adbd/connection.h"
#include "util/bytes.h"
#include "util/mem.h"
#include "util/minmax.h"

#define LINE_SIZE 1024
#define NS_PER_US 1000
#define NS_PER_S UINT64_C(1000000000)

#define WORD_BYTES 8 /* four letters and a number */
#define MAX_PATH_BYTES 1024
#define CHUNK_BYTES ((size_t)64 << 10)
#define MAX_INPUT_BYTES ((size_t)4 << 20)
#define MODE_FILE 0100660u
#define MODE_FOLDER 0040771u

static char
printable(char byte) {
    return (unsigned char)byte < ' ' || byte == 0x7f ? ' ' : byte;
}

void
sq_adbd_service_log(const struct sq_adbd_service *service, struct sq_span what,
                    int status, int programs) {
    const struct sq_adbd_phone *phone = service->phone;
    char line[LINE_SIZE];
    if (!phone->options.log) {
        return;
    }
    int64_t own_us = (service->gone_ns - service->began_ns) / NS_PER_US;
    int used = snprintf(
        line, sizeof(line), "%" PRId64 ".%03" PRId64 "\t%d\t%zu\t%d\t",
        own_us / 1000, own_us % 1000, status, service->bytes, programs);
    size_t at = (size_t)used;
    for (size_t i = 0; i < what.len && at + 1 < sizeof(line); i++) {
        line[at++] = printable(what.ptr[i]);
    }
    line[at] = '\0';
    phone->options.log(phone->options.log_context, line);
}

int64_t
sq_adbd_link_ns(int64_t rate, size_t bytes) {
    uint64_t work = (uint64_t)bytes * NS_PER_S;
    uint64_t per_ns = rate > 0 ? (uint64_t)rate : 1;
    return rate == 0 ? 0 : (int64_t)(work / per_ns + (work % per_ns != 0));
}

void
sq_adbd_service_sent(struct sq_adbd_service *service, size_t bytes,
                     int64_t made_ns, bool is_control) {
    int64_t rate = is_control ? 0 : sq_adbd_phone_rate(service->phone);
    service->gone_ns =
        sq_max_int64(service->gone_ns, made_ns) + sq_adbd_link_ns(rate, bytes);
}

struct sync_service {
    struct sq_adbd_service base;
    struct sq_buf input;
    struct sq_buf answer; /* sent in the next turn */
    struct sq_buf upload;
    char path[MAX_PATH_BYTES + 1]; /* file being pushed; empty: none */
    bool too_large;
    bool ended;
};

static struct sync_service *
service_of(struct sq_adbd_service *base) {
    return (struct sync_service *)base;
}

static void
sync_destroy(struct sq_adbd_service *base) {
    struct sync_service *service = service_of(base);
    sq_buf_finish(&service->input);
    sq_buf_finish(&service->answer);
    sq_buf_finish(&service->upload);
    sq_mem_free(service);
}

static bool
put_word(struct sync_service *service, const char *id, uint32_t number,
         struct sq_err *err) {
    uint8_t word[WORD_BYTES];
    memcpy(word, id, 4);
    sq_store_le32(word + 4, number);
    return sq_buf_append(&service->answer, word, sizeof(word), err);
}

static bool
put_number(struct sync_service *service, uint32_t number, struct sq_err *err) {
    uint8_t bytes[4];
    sq_store_le32(bytes, number);
    return sq_buf_append(&service->answer, bytes, sizeof(bytes), err);
}

static bool
put_failure(struct sync_service *service, const char *why, struct sq_err *err) {
    size_t len = strlen(why);
    return put_word(service, "FAIL", (uint32_t)len, err)
        && sq_buf_append(&service->answer, why, len, err);
}

static bool
put_stat(struct sync_service *service, const char *id, const char *path,
         const struct sq_adbd_file *file, struct sq_err *err) {
    bool folder = !file && sq_adbd_files_is_folder(path);
    uint32_t mode = file ? MODE_FILE : folder ? MODE_FOLDER : 0;
    return put_word(service, id, mode, err)
        && put_number(service, file ? (uint32_t)file->bytes.len : 0, err)
        && put_number(service, file ? (uint32_t)file->modified_s : 0, err);
}

static bool
answer_stat(struct sync_service *service, const char *path,
            struct sq_err *err) {
    return put_stat(service, "STAT", path,
                    sq_adbd_files_find(&service->base.phone->files, path), err);
}

static bool
answer_list(struct sync_service *service, const char *path,
            struct sq_err *err) {
    const struct sq_adbd_files *files = &service->base.phone->files;
    bool ok = true;
    for (const struct sq_adbd_file *file = sq_adbd_files_in(files, path, NULL);
         ok && file; file = sq_adbd_files_in(files, path, file)) {
        const char *name = sq_adbd_file_name(file);
        uint32_t len = (uint32_t)strlen(name);
        ok = put_stat(service, "DENT", path, file, err)
          && put_number(service, len, err)
          && sq_buf_append(&service->answer, name, len, err);
    }
    return ok && put_word(service, "DONE", 0, err)
        && put_number(service, 0, err) && put_number(service, 0, err)
        && put_number(service, 0, err);
}

static bool
answer_receive(struct sync_service *service, const char *path,
               struct sq_err *err) {
    const struct sq_adbd_file *file =
        sq_adbd_files_find(&service->base.phone->files, path);
    bool ok = true;
    if (!file) {
        return put_failure(service, "No such file or directory", err);
    }
    for (size_t at = 0; ok && at < file->bytes.len; at += CHUNK_BYTES) {
        size_t left = file->bytes.len - at;
        left = left < CHUNK_BYTES ? left : CHUNK_BYTES;
        ok = put_word(service, "DATA", (uint32_t)left, err)
          && sq_buf_append(&service->answer, file->bytes.data + at, left, err);
    }
    return ok && put_word(service, "DONE", 0, err);
}

/* Parses "path,mode". The contents follow in chunks. */
static bool
begin_send(struct sync_service *service, const char *path, struct sq_err *err) {
    const char *comma = strrchr(path, ',');
    int len = comma ? (int)(comma - path) : (int)strlen(path);
    (void)err;
    snprintf(service->path, sizeof(service->path), "%.*s", len, path);
    sq_buf_clear(&service->upload);
    service->too_large = false;
    return true;
}

static bool
end_send(struct sync_service *service, uint32_t modified, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct sq_adbd_file *file;
    bool ok = sq_adbd_files_create(&service->base.phone->files, service->path,
                                   modified, &file, &local_err)
           && sq_buf_append(&file->bytes, service->upload.data,
                            service->upload.len, &local_err);
    service->path[0] = '\0';
    sq_buf_finish(&service->upload);
    sq_buf_init(&service->upload, SQ_ADBD_MAX_FILE_BYTES);
    if (local_err.code == SQ_ERR_NOMEM) {
        return sq_fail_nomem(err);
    }
    if (!ok || service->too_large) {
        return put_failure(
            service, ok ? "No space left on device" : local_err.message, err);
    }
    return put_word(service, "OKAY", 0, err);
}

static const struct request {
    const char *id;
    bool (*answer)(struct sync_service *service, const char *path,
                   struct sq_err *err);
} requests[] = {
    { "STAT", answer_stat },
    { "LIST", answer_list },
    { "RECV", answer_receive },
    { "SEND", begin_send },
};

static bool
answer_request(struct sync_service *service, const char *id,
               struct sq_span path, struct sq_err *err) {
    char name[MAX_PATH_BYTES + 1];
    char what[MAX_PATH_BYTES + 16];
    size_t before = service->answer.len;
    service->base.began_ns = service->base.phone->clock_ns();
    snprintf(name, sizeof(name), "%.*s", SQ_SPAN_ARGS(path));
    for (size_t i = 0; i < SQ_COUNT(requests); i++) {
        if (memcmp(id, requests[i].id, 4) != 0) {
            continue;
        }
        if (!requests[i].answer(service, name, err)) {
            return false;
        }
        snprintf(what, sizeof(what), "sync:%s %s", requests[i].id, name);
        service->base.bytes = service->answer.len - before;
        sq_adbd_service_sent(&service->base, service->base.bytes,
                             service->base.phone->clock_ns(), false);
        sq_adbd_service_log(&service->base, sq_span_of(what), 0, 0);
        return true;
    }
    service->ended = true;
    return put_failure(service, "unknown command", err);
}

/* Stores a chunk of a pushed file. Beyond the limit bytes are only counted. */
static bool
keep_data(struct sync_service *service, struct sq_span data,
          struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (sq_buf_append(&service->upload, data.ptr, data.len, &local_err)) {
        return true;
    }
    service->too_large = true;
    return local_err.code == SQ_ERR_LIMIT || sq_fail_nomem(err);
}

/* Handles one message of the input. *used is 0 if it is incomplete. */
static bool
take_message(struct sync_service *service, struct sq_span rest, size_t *used,
             struct sq_err *err) {
    *used = 0;
    if (rest.len < WORD_BYTES) {
        return true;
    }
    uint32_t number = sq_load_le32((const uint8_t *)rest.ptr + 4);
    bool sending = service->path[0] != '\0';
    *used = WORD_BYTES;
    if (memcmp(rest.ptr, "QUIT", 4) == 0) {
        service->ended = true;
        return true;
    }
    if (sending && memcmp(rest.ptr, "DONE", 4) == 0) {
        return end_send(service, number, err);
    }
    bool is_data = sending && memcmp(rest.ptr, "DATA", 4) == 0;
    if (number > (is_data ? CHUNK_BYTES : MAX_PATH_BYTES)
        || (sending && !is_data)) {
        service->ended = true;
        return put_failure(service, "invalid message", err);
    }
    struct sq_span data = { rest.ptr + WORD_BYTES, number };
    if (rest.len - WORD_BYTES < number) {
        *used = 0;
        return true;
    }
    *used += number;
    return is_data ? keep_data(service, data, err)
                   : answer_request(service, rest.ptr, data, err);
}

static bool
sync_receive(struct sq_adbd_service *base, struct sq_span bytes,
             struct sq_err *err) {
    struct sync_service *service = service_of(base);
    bool ok = sq_buf_append(&service->input, bytes.ptr, bytes.len, err);
    size_t at = 0;
    size_t used = 1;
    while (ok && used && !service->ended) {
        struct sq_span rest = { (const char *)service->input.data + at,
                                service->input.len - at };
        ok = take_message(service, rest, &used, err);
        at += used;
    }
    if (ok) {
        sq_buf_drop(&service->input, at);
    }
    return ok;
}

static bool
sync_advance(struct sq_adbd_service *base, struct sq_adbd_turn *turn,
             struct sq_err *err) {
    struct sync_service *service = service_of(base);
    if (!sq_buf_append(turn->out, service->answer.data, service->answer.len,
                       err)) {
        return false;
    }
    sq_buf_clear(&service->answer);
    turn->ended = service->ended;
    return true;
}

static const struct sq_adbd_service_ops ops = {
    .receive = sync_receive,
    .advance = sync_advance,
    .destroy = sync_destroy,
};

static bool
open_sync(struct sq_adbd_phone *phone, struct sq_span name, int64_t now_ns,
          struct sq_adbd_service **out, struct sq_err *err) {
    struct sync_service *service = sq_mem_zalloc(1, sizeof(*service));
    (void)name;
    (void)now_ns;
    if (!service) {
        return sq_fail_nomem(err);
    }
    service->base = (struct sq_adbd_service){ .ops = &ops, .phone = phone };
    sq_buf_init(&service->input, MAX_INPUT_BYTES);
    sq_buf_init(&service->answer, SQ_ADBD_MAX_FILE_BYTES + MAX_INPUT_BYTES);
    sq_buf_init(&service->upload, SQ_ADBD_MAX_FILE_BYTES);
    *out = &service->base;
    return true;
}

static const struct {
    const char *prefix;
    bool (*open)(struct sq_adbd_phone *phone, struct sq_span name,
                 int64_t now_ns, struct sq_adbd_service **out,
                 struct sq_err *err);
} services[] = {
    { "shell:", sq_adbd_shell_open },
    { "shell,", sq_adbd_shell_open },
    { "exec:", sq_adbd_program_open },
    { "sync:", open_sync },
};

bool
sq_adbd_service_open(struct sq_adbd_phone *phone, struct sq_span name,
                     int64_t now_ns, struct sq_adbd_service **out,
                     struct sq_err *err) {
    bool is_withheld = sq_adbd_phone_has(phone, SQ_ADBD_NO_EXEC)
                    && sq_span_starts_with(name, "exec:");
    for (size_t i = 0; i < SQ_COUNT(services) && !is_withheld; i++) {
        if (sq_span_starts_with(name, services[i].prefix)) {
            return services[i].open(phone, name, now_ns, out, err);
        }
    }
    return sq_fail(err, SQ_ERR_NOT_FOUND, "there is no such service");
}
