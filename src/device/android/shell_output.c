/*
 * Reads the output of a command on the device: shell v2 packets, or text that
 * ends with a mark.
 */
#include "device/android/link.h"

#include <assert.h>
#include <string.h>

#include "util/bytes.h"
#include "util/minmax.h"

#define HEAD_BYTES 5

/* Memory grows with received data, not with the length in a header. */
#define MAX_READ ((size_t)1 << 20)
#define DROP_BYTES 4096
/*
 * Output of one step of decompression: small until the size is known, then
 * small enough to be decoded while more arrives.
 */
#define FIRST_STEP ((size_t)4 << 10)
#define STEP ((size_t)256 << 10)

enum packet_id {
    PACKET_STDOUT = 1,
    PACKET_STDERR = 2,
    PACKET_EXIT = 3,
};

void
sq_adb_output_init(struct sq_adb_output *output, size_t max_bytes) {
    *output = (struct sq_adb_output){ 0 };
    sq_buf_init(&output->out, max_bytes);
    sq_buf_init(&output->errors, sq_min_size(max_bytes, SQ_ADB_MAX_ERRORS));
}

void
sq_adb_output_finish(struct sq_adb_output *output) {
    sq_buf_finish(&output->out);
    sq_buf_finish(&output->errors);
    sq_quota_release(&output->memory);
}

void
sq_adb_output_clear(struct sq_adb_output *output) {
    sq_adb_output_finish(output);
    output->expected_max = 0;
    output->dropped = 0;
}

/* The state of reading packets on demand. */
struct reader {
    struct sq_incoming incoming; /* output->out, for an observer */
    const struct sq_adb_source *source;
    struct sq_adb_output *output;
    size_t out_limit; /* limit of output->out, so that it does not move */

    uint8_t head[HEAD_BYTES]; /* header of the next packet */
    size_t head_len;
    uint8_t id; /* of the current packet */
    uint32_t left;
    bool ended;
    struct sq_err first_err; /* code SQ_ERR_NONE if no read failed */
};

static bool
fail_truncated(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_TRUNCATED,
                   "the connection was closed before the command ended");
}

static bool
read_some(struct reader *reader, void *into, size_t capacity, size_t *got,
          struct sq_err *err) {
    const struct sq_adb_source *source = reader->source;
    if (!source->read_some(source->context, into, capacity, got, err)) {
        return false;
    }
    return *got > 0 || fail_truncated(err);
}

static bool
begin_packet(struct reader *reader, struct sq_err *err) {
    const struct sq_adb_source *source = reader->source;
    uint8_t status;
    reader->id = reader->head[0];
    reader->left = sq_load_le32(reader->head + 1);
    reader->head_len = 0;
    if (reader->id == PACKET_STDOUT || reader->id == PACKET_STDERR) {
        return true;
    }
    if (reader->id != PACKET_EXIT || reader->left != 1) {
        sq_fail(err, SQ_ERR_FORMAT, "the device sent an invalid shell packet");
        return sq_fail_hint(err, "Connect it again: adb reconnect.");
    }
    if (!source->read(source->context, &status, 1, err)) {
        return false;
    }
    reader->output->status = status;
    reader->ended = true;
    return true;
}

/* Reserves space for the next header, which is read with the content. */
static size_t
space_for_errors(const struct sq_buf *errors) {
    size_t capacity = errors->max - errors->len;
    return capacity > HEAD_BYTES ? capacity - HEAD_BYTES : 0;
}

/*
 * Appends packet content and reads the next header with the same call. There
 * always is a next packet, so each packet costs one read.
 */
static bool
read_content(struct reader *reader, struct sq_err *err) {
    struct sq_adb_output *output = reader->output;
    bool is_out = reader->id == PACKET_STDOUT;
    struct sq_gunzip *gunzip = is_out ? output->gunzip : NULL;
    struct sq_buf *buf = is_out ? &output->out : &output->errors;
    size_t capacity = gunzip ? SQ_GUNZIP_INPUT_BYTES
                    : is_out
                        ? sq_min_size(reader->out_limit - buf->len, MAX_READ)
                        : sq_min_size(space_for_errors(buf), MAX_READ);
    size_t now = sq_min_size(reader->left, capacity);
    size_t more = now == reader->left ? HEAD_BYTES : 0;
    uint8_t *space = gunzip ? sq_gunzip_space(gunzip) : NULL;
    size_t got;
    if ((!gunzip && !sq_buf_reserve(buf, now + more, &space, err))
        || !read_some(reader, space, now + more, &got, err)) {
        return false;
    }
    size_t content = sq_min_size(got, now);
    if (gunzip) {
        sq_gunzip_add(gunzip, content);
    } else {
        sq_buf_commit(buf, content);
    }
    reader->left -= (uint32_t)content;
    memcpy(reader->head, space + content, got - content);
    reader->head_len = got - content;
    return reader->head_len < HEAD_BYTES || begin_packet(reader, err);
}

static bool
drop_errors(struct reader *reader, struct sq_err *err) {
    struct sq_adb_output *output = reader->output;
    uint8_t space[DROP_BYTES];
    size_t got;
    if (!read_some(reader, space, sq_min_size(reader->left, sizeof(space)),
                   &got, err)) {
        return false;
    }
    reader->left -= (uint32_t)got;
    output->dropped += got;
    return output->dropped <= SQ_ADB_MAX_DROPPED
        || sq_fail(err, SQ_ERR_LIMIT, "more than %zu bytes on stderr",
                   SQ_ADB_MAX_DROPPED);
}

static bool
has_compressed_input(const struct reader *reader) {
    const struct sq_gunzip *gunzip = reader->output->gunzip;
    return gunzip && sq_gunzip_has_work(gunzip);
}

static bool
read_next(struct reader *reader, struct sq_err *err) {
    if (has_compressed_input(reader)) {
        /* Decompresses input that has arrived. */
        const struct sq_adb_source *source = reader->source;
        struct sq_buf *out = &reader->output->out;
        size_t end = reader->output->expected_max;
        size_t step = out->len == 0 ? FIRST_STEP : STEP;
        step = sq_min_size(step, reader->out_limit - out->len);
        if (end > 0) {
            /* The end of the stream is noticed only with space for one byte. */
            step = out->len < end ? sq_min_size(step, end - out->len) : 1;
        }
        return (!source->admit || source->admit(source->context, step, err))
            && sq_gunzip_run(reader->output->gunzip, out, step, err);
    }
    if (reader->left > 0) {
        bool is_full = reader->id == PACKET_STDERR
                    && space_for_errors(&reader->output->errors) == 0;
        return is_full ? drop_errors(reader, err) : read_content(reader, err);
    }
    size_t got;
    if (!read_some(reader, reader->head + reader->head_len,
                   HEAD_BYTES - reader->head_len, &got, err)) {
        return false;
    }
    reader->head_len += got;
    return reader->head_len < HEAD_BYTES || begin_packet(reader, err);
}

/* Reads until output->out has `until` bytes or the command has ended. */
static bool
advance(struct reader *reader, size_t until, struct sq_err *err) {
    struct sq_err *first_err = &reader->first_err;
    bool ok = first_err->code == SQ_ERR_NONE;
    while (ok && (!reader->ended || has_compressed_input(reader))
           && reader->output->out.len < until) {
        ok = read_next(reader, first_err);
    }
    if (!ok && err) {
        *err = *first_err;
    }
    return ok;
}

static void
update_incoming(struct reader *reader) {
    reader->incoming.bytes = reader->output->out.data;
    reader->incoming.count = reader->output->out.len;
}

static bool
await(struct sq_incoming *incoming, size_t count, struct sq_err *err) {
    struct reader *reader = (struct reader *)incoming;
    assert(count <= reader->out_limit);
    bool ok = advance(reader, count, err);
    update_incoming(reader);
    return ok
        && (incoming->count >= count
            || sq_fail(err, SQ_ERR_TRUNCATED,
                       "the command sent %zu bytes instead of %zu",
                       incoming->count, count));
}

static bool
expect(struct sq_incoming *incoming, size_t total, struct sq_err *err) {
    struct reader *reader = (struct reader *)incoming;
    struct sq_buf *out = &reader->output->out;
    uint8_t *space;
    /* A packet header follows the last byte. */
    size_t more = (total > out->len ? total - out->len : 0) + HEAD_BYTES;
    if (!sq_buf_reserve(out, more, &space, err)) {
        return false;
    }
    reader->out_limit = total;
    update_incoming(reader);
    return true;
}

bool
sq_adb_read_shell(const struct sq_adb_source *source,
                  struct sq_adb_output *output, struct sq_err *err) {
    struct reader reader = {
        .incoming = { .await = await, .expect = expect },
        .source = source,
        .output = output,
        .out_limit = SIZE_MAX,
    };
    if (output->observer && advance(&reader, 1, err) && output->out.len > 0) {
        update_incoming(&reader);
        output->observer->read(output->observer->context, &reader.incoming);
        reader.out_limit = SIZE_MAX;
    }
    return advance(&reader, SIZE_MAX, err);
}

bool
sq_adb_cut_end(struct sq_adb_output *output, size_t start, struct sq_err *err) {
    struct sq_span rest = sq_buf_span(&output->out);
    bool has_end = sq_span_ends_with(rest, "\n");
    int status = 0;
    int digits = 0;
    rest.len -= has_end;
    for (int power = 1;
         digits < 3 && rest.len > 0 && sq_is_digit(rest.ptr[rest.len - 1]);
         power *= 10) {
        status += (rest.ptr[--rest.len] - '0') * power;
        digits++;
    }
    if (!has_end || digits == 0 || !sq_span_ends_with(rest, SQ_MARK)
        || rest.len - strlen(SQ_MARK) < start) {
        return fail_truncated(err);
    }
    output->status = status;
    sq_buf_clear(&output->out);
    sq_buf_commit(&output->out, rest.len - strlen(SQ_MARK));
    return true;
}
