/* Copies a file to the device with the service sync:. */
#include "device/android/push.h"

#include <string.h>

#include "sys/sockets.h"
#include "util/bytes.h"

#define WORD_BYTES 8 /* four letters and a number */
#define CHUNK ((size_t)64 << 10)
#define MODE "33261" /* a regular file, rwxr-xr-x */
#define MAX_REASON 200
#define MODIFIED 1 /* seconds since 1970 */

static bool
put_word(struct sq_buf *out, const char *id, size_t number,
         struct sq_err *err) {
    uint8_t word[WORD_BYTES];
    memcpy(word, id, 4);
    sq_store_le32(word + 4, (uint32_t)number);
    return sq_buf_append(out, word, sizeof(word), err);
}

static bool
put_file(struct sq_buf *out, const char *path, struct sq_span bytes,
         struct sq_err *err) {
    size_t name = strlen(path) + 1 + strlen(MODE);
    bool ok = put_word(out, "SEND", name, err)
           && sq_buf_printf(out, err, "%s," MODE, path);
    while (ok && bytes.len > 0) {
        size_t len = bytes.len < CHUNK ? bytes.len : CHUNK;
        ok = put_word(out, "DATA", len, err)
          && sq_buf_append(out, bytes.ptr, len, err);
        bytes.ptr += len;
        bytes.len -= len;
    }
    return ok && put_word(out, "DONE", MODIFIED, err);
}

static bool
read_answer(int fd, const struct sq_deadline *deadline, struct sq_err *err) {
    uint8_t word[WORD_BYTES];
    char reason[MAX_REASON];
    if (!sq_socket_read(fd, word, sizeof(word), deadline, err)) {
        return false;
    }
    if (memcmp(word, "OKAY", 4) == 0) {
        return true;
    }
    size_t len = sq_load_le32(word + 4);
    if (memcmp(word, "FAIL", 4) != 0) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "the device sent an invalid answer to a file");
    }
    len = len < sizeof(reason) ? len : sizeof(reason);
    return sq_socket_read(fd, reason, len, deadline, err)
        && sq_fail_quoting(err, SQ_ERR_IO,
                           "the device did not take the file: %.*s", (int)len,
                           reason);
}

bool
sq_adb_push_program(struct sq_adb_link *link, const char *path,
                    struct sq_span bytes, const struct sq_deadline *deadline,
                    struct sq_err *err) {
    struct sq_buf message;
    int fd = -1;
    sq_buf_init(&message, bytes.len * 2 + CHUNK);
    bool ok = put_file(&message, path, bytes, err)
           && sq_adb_open(link, "sync:", &fd, deadline, err)
           && sq_socket_write(fd, message.data, message.len, deadline, err)
           && read_answer(fd, deadline, err);
    sq_socket_close(fd);
    sq_buf_finish(&message);
    return ok;
}
