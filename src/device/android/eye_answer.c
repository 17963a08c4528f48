/* Makes the requests to the eye and reads its answers. */
#include "device/android/eye.h"

#include <string.h>

#include "eye/pixels.h"
#include "image/pipeline/codec.h"
#include "image/pipeline/pack.h"
#include "util/bytes.h"

/* A frame that needs more than this is not kept as the base of the next. */
#define MAX_PACKED ((size_t)6 << 20)

void
sq_eye_talk_init(struct sq_eye_talk *talk) {
    *talk = (struct sq_eye_talk){ 0 };
    sq_eye_crc_init(&talk->crc);
    sq_buf_init(&talk->frame.packed, MAX_PACKED);
    sq_buf_init(&talk->scaled.packed, MAX_PACKED);
    sq_buf_init(&talk->answer, SQ_EYE_MAX_ANSWER);
}

void
sq_eye_talk_finish(struct sq_eye_talk *talk) {
    sq_buf_finish(&talk->frame.packed);
    sq_buf_finish(&talk->scaled.packed);
    sq_buf_finish(&talk->answer);
    talk->frame.number = talk->scaled.number = 0;
    talk->messages = (struct sq_span){ 0 };
}

static bool
fail_invalid(const char *what, struct sq_err *err) {
    return sq_fail(err, SQ_ERR_FORMAT, "the eye on the phone sent %s", what);
}

/* Reads a message; its payload is then talk->answer. */
static bool
read_message(struct sq_eye_talk *talk, const struct sq_adb_source *source,
             enum sq_eye_type *type, struct sq_err *err) {
    uint8_t bytes[SQ_EYE_HEAD_BYTES];
    struct sq_eye_head head;
    uint8_t *space;
    talk->messages = (struct sq_span){ 0 };
    if (!source->read(source->context, bytes, sizeof(bytes), err)) {
        return false;
    }
    if (!sq_eye_read_head(bytes, SQ_EYE_MAX_ANSWER, &head)
        || head.sequence != talk->sequence) {
        return fail_invalid("something that is no answer", err);
    }
    sq_buf_clear(&talk->answer);
    if (!sq_buf_reserve(&talk->answer, head.length, &space, err)
        || (head.length > 0
            && !source->read(source->context, space, head.length, err))) {
        return false;
    }
    sq_buf_commit(&talk->answer, head.length);
    *type = head.type;
    return sq_eye_check(&talk->crc, bytes, talk->answer.data, head.length)
        || fail_invalid("an answer with a wrong checksum", err);
}

bool
sq_eye_read_hello(struct sq_eye_talk *talk, const struct sq_adb_source *source,
                  const uint8_t sha256[SQ_SHA256_BYTES], struct sq_err *err) {
    enum sq_eye_type type;
    if (!read_message(talk, source, &type, err)) {
        return false;
    }
    if (type != SQ_EYE_HELLO || talk->answer.len != SQ_EYE_HELLO_BYTES) {
        return fail_invalid("another message before its first one", err);
    }
    if (memcmp(talk->answer.data, sha256, SQ_SHA256_BYTES) == 0) {
        return true;
    }
    uint8_t of_nothing[SQ_SHA256_BYTES];
    struct sq_sha256 sha;
    sq_sha256_init(&sha);
    sq_sha256_end(&sha, of_nothing);
    return memcmp(talk->answer.data, of_nothing, SQ_SHA256_BYTES) == 0
             ? sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "the eye on the phone could not read /proc/self/exe, so "
                       "it cannot be checked")
             : fail_invalid("the checksum of another program", err);
}

void
sq_eye_put_request(struct sq_eye_talk *talk, enum sq_eye_type type,
                   uint32_t length, uint8_t out[SQ_EYE_REQUEST_BYTES]) {
    const struct sq_eye_head head = { type, ++talk->sequence, length };
    sq_eye_put_head(&talk->crc, &head, out + SQ_EYE_HEAD_BYTES, out);
}

void
sq_eye_make_request(struct sq_eye_talk *talk,
                    const struct sq_eye_capture *capture,
                    uint8_t out[SQ_EYE_REQUEST_BYTES]) {
    struct sq_eye_capture complete = *capture;
    complete.base = talk->frame.number;
    complete.scaled_base = capture->limit > 0 ? talk->scaled.number : 0;
    sq_eye_put_capture(&complete, out + SQ_EYE_HEAD_BYTES);
    sq_eye_put_request(talk, SQ_EYE_CAPTURE, SQ_EYE_CAPTURE_BYTES, out);
}

/* A frame being read. */
struct reader {
    struct sq_incoming incoming;
    struct sq_eye_talk *talk;
    const struct sq_adb_source *source;
    struct sq_adb_output *output;
    const struct sq_eye_scaling *scaling; /* NULL: it must not be scaled */
    uint64_t hash;             /* of the frame that was asked for; 0: any */
    struct sq_eye_begin begin; /* most_bytes is 0 before it has come */
    struct sq_eye_coder coder;
    size_t base_words;
    bool has_ended;
    struct sq_eye_end end;
    struct sq_err first_err; /* code SQ_ERR_NONE if nothing failed */
};

/* Returns the frame to which the parts may refer. */
static struct sq_eye_base *
base_of(const struct reader *reader) {
    return reader->begin.is_scaled ? &reader->talk->scaled
                                   : &reader->talk->frame;
}

/* Unpacks the last frame, to which the parts refer. */
static bool
restore_base(struct reader *reader, struct sq_err *err) {
    const struct sq_eye_base *base = base_of(reader);
    struct sq_buf *out = &reader->output->out;
    if (base->number == 0 || reader->hash != 0) {
        return fail_invalid("changes of a frame that is not known", err);
    }
    if (!sq_unpack(base->packed.data, base->packed.len, out, err)) {
        return false;
    }
    reader->base_words = out->len / SQ_EYE_WORD;
    return out->len <= reader->begin.most_bytes
        || fail_invalid("changes of a smaller frame", err);
}

static bool
is_expected(const struct reader *reader, const struct sq_eye_begin *begin) {
    const struct sq_eye_scaling *scaling = reader->scaling;
    if (!begin->is_scaled) {
        return reader->hash == 0;
    }
    return scaling && begin->width == scaling->width
        && begin->height == scaling->height
        && begin->distance == scaling->out_width
        && begin->most_bytes
               == SQ_RAW_HEADER_BYTES
                      + (size_t)scaling->out_width * scaling->out_height
                            * SQ_EYE_WORD
        && (reader->hash == 0 || begin->hash == reader->hash);
}

static bool
take_begin(struct reader *reader, struct sq_err *err) {
    const struct sq_buf *answer = &reader->talk->answer;
    struct sq_adb_output *output = reader->output;
    const struct sq_adb_source *source = reader->source;
    struct sq_eye_begin begin;
    uint8_t *space;
    if (reader->begin.most_bytes > 0
        || !sq_eye_read_begin(answer->data, (uint32_t)answer->len, &begin)
        || begin.most_bytes == 0 || begin.most_bytes > output->out.max
        || !is_expected(reader, &begin)) {
        return fail_invalid("an invalid frame", err);
    }
    reader->begin = begin;
    reader->coder.distance = begin.distance;
    output->expected_max = begin.most_bytes;
    return (!source->admit
            || source->admit(source->context, begin.most_bytes, err))
        && sq_buf_reserve(&output->out, begin.most_bytes, &space, err)
        && (!begin.has_base || restore_base(reader, err));
}

static bool
take_part(struct reader *reader, struct sq_err *err) {
    const struct sq_buf *answer = &reader->talk->answer;
    return (reader->begin.most_bytes > 0
            && sq_eye_decode(&reader->coder, answer->data, answer->len,
                             reader->output->out.data,
                             reader->begin.most_bytes / SQ_EYE_WORD,
                             reader->base_words))
        || fail_invalid("invalid pixels", err);
}

/* Takes the bytes of the frame after its last whole word, and messages. */
static bool
take_end(struct reader *reader, struct sq_err *err) {
    const struct sq_buf *answer = &reader->talk->answer;
    if (!sq_eye_read_end(answer->data, (uint32_t)answer->len, &reader->end)) {
        return fail_invalid("an invalid end of a frame", err);
    }
    const uint8_t *rest = answer->data + SQ_EYE_END_BYTES;
    size_t len = answer->len - SQ_EYE_END_BYTES;
    size_t bytes = reader->end.bytes;
    size_t tail = bytes % SQ_EYE_WORD;
    if (bytes / SQ_EYE_WORD != reader->coder.at
        || bytes > reader->begin.most_bytes || tail > len) {
        return fail_invalid("a frame of another size than it announced", err);
    }
    if (tail > 0) {
        memcpy(reader->output->out.data + bytes - tail, rest, tail);
    }
    reader->has_ended = true;
    reader->output->status = reader->end.status;
    return sq_buf_append(&reader->output->errors, rest + tail, len - tail, err);
}

static bool
take_message(struct reader *reader, struct sq_err *err) {
    static bool (*const take[SQ_EYE_TYPES])(struct reader *,
                                            struct sq_err *) = {
        [SQ_EYE_BEGIN] = take_begin,
        [SQ_EYE_PART] = take_part,
        [SQ_EYE_END] = take_end,
    };
    struct sq_err *first_err = &reader->first_err;
    enum sq_eye_type type;
    if (first_err->code
        || !read_message(reader->talk, reader->source, &type, first_err)
        || !(take[type] ? take[type](reader, first_err)
                        : fail_invalid("an answer that was not asked for",
                                       first_err))) {
        return sq_fail_with(err, first_err);
    }
    reader->incoming.bytes = reader->output->out.data;
    reader->incoming.count =
        reader->has_ended ? reader->end.bytes : reader->coder.at * SQ_EYE_WORD;
    return true;
}

static bool
await(struct sq_incoming *incoming, size_t count, struct sq_err *err) {
    struct reader *reader = (struct reader *)incoming;
    while (incoming->count < count && !reader->has_ended) {
        if (!take_message(reader, err)) {
            return false;
        }
    }
    return incoming->count >= count
        || sq_fail(err, SQ_ERR_TRUNCATED, "the frame has %zu bytes, not %zu",
                   incoming->count, count);
}

static bool
expect(struct sq_incoming *incoming, size_t total, struct sq_err *err) {
    const struct reader *reader = (const struct reader *)incoming;
    return total <= reader->begin.most_bytes
        || sq_fail(err, SQ_ERR_FORMAT, "the frame has another size");
}

/* Keeps a complete frame as the base of the next one, if it is small enough. */
static void
keep_base(const struct reader *reader) {
    const struct sq_buf *out = &reader->output->out;
    struct sq_eye_base *base = base_of(reader);
    bool is_complete = reader->end.frame != 0 && reader->end.status == 0
                    && reader->begin.most_bytes > 0;
    if (is_complete && reader->base_words * SQ_EYE_WORD == out->len
        && !reader->coder.has_changes) {
        base->number = reader->end.frame; /* it is packed already */
        return;
    }
    sq_buf_clear(&base->packed);
    bool is_kept = is_complete
                && sq_pack(out->data, out->len, reader->begin.distance,
                           &base->packed, NULL);
    base->number = is_kept ? reader->end.frame : 0;
}

/* Returns whether a scaled picture is complete and has the right header. */
static bool
check_scaled(const struct reader *reader, struct sq_err *err) {
    const struct sq_eye_scaling *scaling = reader->scaling;
    const uint8_t *header = reader->output->out.data;
    return !reader->begin.is_scaled
        || (reader->end.status == 0
            && reader->end.bytes == reader->begin.most_bytes
            && sq_load_le32(header) == scaling->out_width
            && sq_load_le32(header + 4) == scaling->out_height
            && sq_raw_most_bytes(header, SQ_RAW_HEADER_BYTES)
                   == reader->end.bytes)
        || fail_invalid("an incomplete picture", err);
}

/* Reads all answers. output->out has the frame then. */
static bool
read_all(struct reader *reader, struct sq_err *err) {
    struct sq_adb_output *output = reader->output;
    bool ok = take_message(reader, err);
    if (ok && reader->begin.most_bytes > 0 && !reader->begin.is_scaled
        && output->observer) {
        output->observer->read(output->observer->context, &reader->incoming);
    }
    while (ok && !reader->has_ended) {
        ok = take_message(reader, err);
    }
    ok = ok && check_scaled(reader, err);
    if (ok && reader->end.status == SQ_EYE_TOO_LARGE) {
        output->expected_max = SIZE_MAX;
        ok = sq_fail(err, SQ_ERR_LIMIT, "the frame is too large");
    }
    sq_buf_clear(&output->out);
    if (ok) {
        sq_buf_commit(&output->out, reader->end.bytes);
    }
    return ok;
}

bool
sq_eye_read_frame(struct sq_eye_talk *talk, const struct sq_adb_source *source,
                  const struct sq_eye_capture *capture,
                  struct sq_adb_output *output, struct sq_eye_begin *begin,
                  struct sq_err *err) {
    struct reader reader = {
        .incoming = { .await = await, .expect = expect },
        .talk = talk,
        .source = source,
        .output = output,
        .scaling = capture->limit > 0 ? &capture->scaling : NULL,
    };
    bool ok = read_all(&reader, err);
    if (ok) {
        keep_base(&reader);
        *begin = reader.begin;
    }
    return ok;
}

bool
sq_eye_read_crop_answer(struct sq_eye_talk *talk,
                        const struct sq_adb_source *source,
                        const struct sq_eye_crop *crop,
                        struct sq_adb_output *output, struct sq_err *err) {
    struct reader reader = {
        .incoming = { .await = await, .expect = expect },
        .talk = talk,
        .source = source,
        .output = output,
        .scaling = &crop->scaling,
        .hash = crop->hash,
    };
    return read_all(&reader, err)
        && (reader.begin.is_scaled || reader.end.status == SQ_EYE_GONE
            || fail_invalid("no picture", err));
}

bool
sq_eye_read_answer(struct sq_eye_talk *talk, const struct sq_adb_source *source,
                   enum sq_eye_type type, void *out, struct sq_err *err) {
    enum sq_eye_type found;
    if (!read_message(talk, source, &found, err)) {
        return false;
    }
    const uint8_t *data = talk->answer.data;
    uint32_t len = (uint32_t)talk->answer.len;
    uint32_t bytes = type == SQ_EYE_SEEN    ? SQ_EYE_SEEN_BYTES
                   : type == SQ_EYE_WATCHED ? SQ_EYE_WATCHED_BYTES
                                            : SQ_EYE_COMPARED_BYTES;
    bool ok = found == type
           && (type == SQ_EYE_SEEN      ? sq_eye_read_seen(data, len, out)
               : type == SQ_EYE_WATCHED ? sq_eye_read_watched(data, len, out)
                                        : sq_eye_read_compared(data, len, out));
    if (ok) {
        talk->messages = (struct sq_span){ (const char *)data, len };
        sq_span_skip(&talk->messages, bytes);
    }
    return ok || fail_invalid("an invalid answer", err);
}
