/* Parses the chunks of a WebP file. */
#include "image/webp/chunks.h"

#include <string.h>

#include "util/bytes.h"

#define RIFF_HEADER 12 /* "RIFF", size, "WEBP" */
#define CHUNK_HEADER 8 /* name, size */
#define FRAME_HEADER 16

static void
take_first(struct sq_webp_chunk *to, struct sq_webp_chunk chunk) {
    if (!to->data) {
        *to = chunk;
    }
}

/*
 * Reads an ANMF header: position in units of two pixels, size minus one,
 * duration and flags.
 */
static void
read_frame(struct sq_webp_frame *frame, struct sq_webp_chunk chunk) {
    if (frame->picture.data || chunk.length < FRAME_HEADER) {
        return;
    }
    const uint8_t *p = chunk.data;
    *frame = (struct sq_webp_frame){
        .x = (int)sq_load_le24(p) * 2,
        .y = (int)sq_load_le24(p + 3) * 2,
        .width = (int)sq_load_le24(p + 6) + 1,
        .height = (int)sq_load_le24(p + 9) + 1,
        .picture = { p + FRAME_HEADER, chunk.length - FRAME_HEADER },
    };
}

bool
sq_webp_chunks_read(struct sq_webp_chunks *chunks, const uint8_t *bytes,
                    size_t count, struct sq_err *err) {
    *chunks = (struct sq_webp_chunks){ 0 };
    size_t end = sq_load_le32(bytes + 4) + 8;
    if (end > count) {
        return sq_fail(err, SQ_ERR_TRUNCATED, "WebP: the file ends too early");
    }
    for (size_t at = RIFF_HEADER; end - at >= CHUNK_HEADER;) {
        const uint8_t *name = bytes + at;
        size_t length = sq_load_le32(bytes + at + 4);
        at += CHUNK_HEADER;
        if (length > end - at) {
            break;
        }
        struct sq_webp_chunk chunk = { bytes + at, length };
        if (memcmp(name, "ICCP", 4) == 0) {
            take_first(&chunks->profile, chunk);
        } else if (memcmp(name, "EXIF", 4) == 0) {
            take_first(&chunks->exif, chunk);
        } else if (memcmp(name, "ANMF", 4) == 0) {
            read_frame(&chunks->first, chunk);
        }
        at += length;
        at += length % 2 && at < end; /* chunks have an even size */
    }
    return true;
}
