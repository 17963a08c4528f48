/*
 * Pictures that the user has named: crops of screens, kept as files of the user
 * with the density, the app and the text beside them.
 */
#ifndef SQ_TOOLS_SCREEN_REMEMBERED_H
#define SQ_TOOLS_SCREEN_REMEMBERED_H

#include "device/device.h"
#include "image/image.h"
#include "util/arena.h"
#include "util/buf.h"
#include "util/span.h"

#define SQ_REMEMBERED_NAME_BYTES 64
#define SQ_REMEMBERED_BESIDE_BYTES 120
#define SQ_MAX_REMEMBERED 200

/* Spans point into the arena they were read with. */
struct sq_remembered {
    struct sq_span name;
    double density;        /* pixels per dp where it was taken; 0: unknown */
    struct sq_span app;    /* may be empty */
    struct sq_span beside; /* text next to it; may be empty */
    int width;             /* in pixels */
    int height;
};

/*
 * Fails with SQ_ERR_ARGUMENT unless the name is text of 1 to 64 bytes without
 * control characters.
 */
bool sq_remembered_check_name(struct sq_span name, struct sq_err *err);

/* Stores a picture, encoded as PNG; replaces one of the same name. */
bool sq_remembered_write(const struct sq_remembered *what, struct sq_span png,
                         struct sq_err *err);

/*
 * Reads a picture by its name, in any case. Fails with SQ_ERR_NOT_FOUND and a
 * hint if there is none. The caller finishes *image.
 */
bool sq_remembered_read(struct sq_span name, struct sq_arena *arena,
                        struct sq_remembered *out, struct sq_image *image,
                        struct sq_err *err);

/* Removes a picture. Fails with SQ_ERR_NOT_FOUND if there is none. */
bool sq_remembered_remove(struct sq_span name, struct sq_arena *arena,
                          struct sq_err *err);

/*
 * Lists what is stored, sorted by name; at most SQ_MAX_REMEMBERED. Files that
 * cannot be read are left out.
 */
bool sq_remembered_list(struct sq_arena *arena, struct sq_remembered **out,
                        size_t *count, struct sq_err *err);

/*
 * Parses the bytes of such a file: a line of JSON, then the PNG. Pure; texts
 * point into bytes or the arena. For tests and fuzzing also.
 */
bool sq_remembered_parse(struct sq_span bytes, struct sq_arena *arena,
                         struct sq_remembered *out, struct sq_span *png,
                         struct sq_err *err);

#endif
