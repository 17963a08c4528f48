/* All size limits. Each is checked before memory is allocated. */
#ifndef SQ_UTIL_LIMITS_H
#define SQ_UTIL_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* Pictures: pixels per side, pixels in total, encoded bytes in or out. */
#define SQ_MAX_SIDE 16384
#define SQ_MAX_PIXELS (50 * 1000 * 1000)
/* Of which only some rows are in memory, where SQ_MAX_PIXELS are allowed. */
#define SQ_MAX_STREAMED_PIXELS (100 * 1000 * 1000)
#define SQ_MAX_IMAGE_BYTES ((size_t)256 << 20)

/*
 * A picture captured from a device, raw or encoded. Allows a raw frame of
 * 1440x3120, and larger frames as PNG. A receipt holds three of them at a time.
 */
#define SQ_MAX_CAPTURE_BYTES ((size_t)18 << 20)
#define SQ_MAX_CAPTURE_PIXELS (4096 * 4096)

/* Limits the work that a small malicious file can cause. */
#define SQ_MAX_JPEG_SCANS 100
#define SQ_MAX_JPEG_COEFFICIENT_BYTES ((size_t)256 << 20) /* of all calls */
#define SQ_MAX_PNG_CHUNKS 20000

/*
 * A colour profile. Profiles of printers have at most 3 MB, and tables with 33
 * steps for each of four inks.
 */
#define SQ_MAX_ICC_BYTES ((size_t)4 << 20)
#define SQ_MAX_ICC_NODES (33 * 33 * 33 * 33)

/* One JSON text: nesting depth of arrays and objects, and bytes. */
#define SQ_MAX_JSON_DEPTH 64
#define SQ_MAX_JSON_BYTES ((size_t)8 << 20)

/*
 * One accessibility tree, and the XML document it is read from. Some functions
 * visit all ancestors of every node, so the depth also limits time.
 */
#define SQ_MAX_TREE_NODES 20000
#define SQ_MAX_TREE_DEPTH 512
#define SQ_MAX_UI_XML_BYTES ((size_t)6 << 20)

/* Limits for one picture, passed along with the call. */
struct sq_limits {
    int max_side;
    int64_t max_pixels;
    size_t max_bytes;
};

extern const struct sq_limits sq_limits_default;

/* Limits for a picture captured from a device. */
extern const struct sq_limits sq_limits_capture;

#endif
