/*
 * bad-decoder decode-worker [gunzip | database FILE]: reads as the real worker
 * does, but misbehaves as a word says that the first bytes of what it reads
 * contain. A database is not read: the name of the file says what to do.
 */
#define _GNU_SOURCE /* memmem */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <isa-l.h>

#include "device/android/link.h"
#include "device/ios/ios.h"
#include "device/ui_xml.h"
#include "image/pipeline/decoder.h"

#define SEARCHED 128
#define MEMORY ((size_t)16 << 20)
#define MAX_REPLY ((size_t)64 << 20)

static bool is_gunzip;

static const char *
find(const uint8_t *memory, size_t bytes, const char *word) {
    return memmem(memory, bytes < SEARCHED ? bytes : SEARCHED, word,
                  strlen(word));
}

static bool
is_asked(const uint8_t *memory, size_t bytes, const char *word) {
    return find(memory, bytes, word) != NULL;
}

static void
use_memory(void) {
    for (size_t used = 0; used < 4 * MEMORY; used += 1 << 20) {
        char *block = malloc(1 << 20);
        if (!block) {
            abort();
        }
        memset(block, 1, 1 << 20);
    }
}

static bool
answer(void *context, struct sq_span request, uint8_t *memory, size_t bytes,
       struct sq_buf *reply, struct sq_err *err) {
    if (is_asked(memory, bytes, "bad:crash")) {
        abort();
    }
    if (is_asked(memory, bytes, "bad:memory")) {
        use_memory();
    }
    while (is_asked(memory, bytes, "bad:hang")) {
    }
    if (is_asked(memory, bytes, "bad:short")) {
        return sq_buf_append(reply, "no", 2, err);
    }
    if (is_asked(memory, bytes, "bad:keep")) {
        /* Its memory is the only other descriptor; it stays writable. */
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
    }
    bool ok = (is_gunzip ? sq_gunzip_answer : sq_foreign_answer)(
        context, request, memory, bytes, reply, err);
    if (ok && is_asked(memory, bytes, "bad:nonsense")) {
        memset(reply->data, 0x7f, reply->len);
    }
    const char *number = find(memory, bytes, "bad:byte");
    if (ok && number) {
        struct sq_span text = sq_span_of(number + strlen("bad:byte"));
        int64_t at = 0;
        sq_span_take_int64(&text, &at);
        reply->data[(size_t)at % reply->len] ^= 0x81;
    }
    return ok;
}

static bool
answer_database(void *context, struct sq_span request, uint8_t *memory,
                size_t bytes, struct sq_buf *reply, struct sq_err *err) {
    static bool is_open;
    const char *path = context;
    (void)request, (void)memory, (void)bytes;
    if (!is_open) {
        is_open = true;
        return true;
    }
    if (strstr(path, "crash.db")) {
        abort();
    }
    while (strstr(path, "hang.db")) {
    }
    if (strstr(path, "cause.db")) {
        sq_fail(err, SQ_ERR_IO, "bad");
        return sq_fail_cause(err, 1 << 20);
    }
    for (int i = 0; strstr(path, "nonsense.db") && i < 200; i++) {
        /* Rows of one column, of which the first is longer than the part. */
        const uint32_t number = i == 0 ? 7 : i == 1 ? 1 : UINT32_MAX - 1;
        if (!sq_buf_append(reply, (const char *)&number, 4, err)) {
            return false;
        }
    }
    return reply->len > 0 || sq_buf_append(reply, "no", 2, err);
}

static bool
prepare(void *context, struct sq_err *err) {
    (void)context;
    (void)err;
    return true;
}

int
main(int argc, char **argv) {
    static struct inflate_state inflater;
    static const struct sq_foreign_reader *const readers[] = {
        &sq_picture_reader,
        &sq_ui_xml_reader,
        &sq_plist_reader,
        NULL,
    };
    const struct sq_foreign_reader *const *context = readers;
    struct sq_err err = { 0 };
    is_gunzip = argc > 2 && strcmp(argv[2], "gunzip") == 0;
    struct sq_worker_job job = {
        .open = prepare,
        .prepare = prepare,
        .answer = answer,
        .memory_bytes = MEMORY,
        .cpu_seconds = 60,
        .max_reply = MAX_REPLY,
        .keeps_memory = is_gunzip,
    };
    void *own = is_gunzip ? (void *)&inflater : (void *)&context;
    if (argc > 3 && strcmp(argv[2], "database") == 0) {
        job.answer = answer_database;
        own = argv[3];
    }
    return sq_worker_serve(&job, own, &err) ? 0 : 1;
}
