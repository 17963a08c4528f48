/* Every ceiling in one place. A limit is checked before memory is asked for. */
#ifndef SQ_UTIL_LIMITS_H
#define SQ_UTIL_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* Pictures: pixels of one side, pixels in all, encoded bytes in or out. */
#define SQ_MAX_SIDE 16384
#define SQ_MAX_PIXELS (50 * 1000 * 1000)
#define SQ_MAX_IMAGE_BYTES ((size_t)256 << 20)

/*
 * A picture that a device gives, raw or packed: a raw frame of 1440x3120, and
 * larger ones as PNG. A receipt holds three of them at a time.
 */
#define SQ_MAX_CAPTURE_BYTES ((size_t)18 << 20)
#define SQ_MAX_CAPTURE_PIXELS (4096 * 4096)

/* What a small file could ask us to do again and again. */
#define SQ_MAX_JPEG_SCANS 100
#define SQ_MAX_PNG_CHUNKS 20000

/*
 * A colour profile: printers' have 3 MB at most, and tables of 33 steps for
 * each of four inks.
 */
#define SQ_MAX_ICC_BYTES ((size_t)4 << 20)
#define SQ_MAX_ICC_NODES (33 * 33 * 33 * 33)

/* One JSON text: nested arrays and objects, and bytes. */
#define SQ_MAX_JSON_DEPTH 64
#define SQ_MAX_JSON_BYTES ((size_t)8 << 20)

/*
 * One accessibility tree, and the document it is read from. Some walks ask
 * every node for its ancestors, so depth is a matter of time too.
 */
#define SQ_MAX_TREE_NODES 20000
#define SQ_MAX_TREE_DEPTH 512
#define SQ_MAX_UI_XML_BYTES ((size_t)6 << 20)

/* What a picture may cost. Travels with the call; see sq_limits_default. */
struct sq_limits {
    int max_side;
    int64_t max_pixels;
    size_t max_bytes;
};

extern const struct sq_limits sq_limits_default;

/* The same of a picture that a device gives. */
extern const struct sq_limits sq_limits_capture;

#endif
