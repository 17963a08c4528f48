/* Writes picture files for tests of commands to the scratch folder. */
#ifndef SQ_TEST_APP_PAGES_H
#define SQ_TEST_APP_PAGES_H

#include <sys/stat.h>

#include "support/scratch.h"
#include "sys/file.h"
#include "unit/image/encoded.h"

/* Writes a page and returns its path, which is valid for eight more calls. */
static inline const char *
pages_put(const char *name, enum encoded_kind kind,
          const struct sq_image *image) {
    const char *path = t_scratch_path(name);
    T_BUF(file, SQ_MAX_IMAGE_BYTES);
    encoded_make(kind, image, &file);
    t_put(path, file.data, file.len);
    return path;
}

static inline const char *
pages_put_size(const char *name, enum encoded_kind kind, int width,
               int height) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    encoded_page(width, height, &image);
    const char *path = pages_put(name, kind, &image);
    return path;
}

static inline long long
pages_bytes(const char *path) {
    struct stat st = { 0 };
    return stat(path, &st) == 0 ? (long long)st.st_size : -1;
}

/* Detects the format of a file, and decodes its picture. */
static inline const char *
pages_look(const char *path, struct sq_image *out) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    const struct sq_codec *codec = NULL;
    T_OK(sq_file_read(path, SQ_MAX_IMAGE_BYTES, &file, &t_err)
         && sq_codec_find(file.data, file.len, &codec, &t_err)
         && sq_image_decode(file.data, file.len, &sq_limits_default, out,
                            &t_err));
    return codec ? codec->name : "none";
}

#endif
