/* Encodes rows with libjpeg. */
#include "image/jpeg/write.h"

#include <assert.h>

#include "image/jpeg/output.h"

struct writer {
    struct sq_jpeg_output output;
    struct sq_rows *rows;
    bool rows_ok;
};

/* Writes all rows. Ends early if the source fails, which records the error. */
static void
write_rows(void *context) {
    struct writer *self = context;
    struct jpeg_compress_struct *cinfo = &self->output.cinfo;
    jpeg_start_compress(cinfo, TRUE);
    while (cinfo->next_scanline < cinfo->image_height) {
        struct sq_row row;
        self->rows_ok =
            sq_rows_next(self->rows, &row, sq_jpeg_err((j_common_ptr)cinfo));
        if (!self->rows_ok) {
            return;
        }
        /* libjpeg only reads the row, although its type is not const. */
        JSAMPROW pixels = (JSAMPROW)(uintptr_t)row.pixels;
        jpeg_write_scanlines(cinfo, &pixels, 1);
    }
    jpeg_finish_compress(cinfo);
}

bool
sq_jpeg_encode(struct sq_rows *rows, const struct sq_jpeg_opts *opts,
               struct sq_buf *out, struct sq_err *err) {
    assert(sq_rows_are_normal(rows));
    struct writer self = { .rows = rows };
    const struct sq_jpeg_format format = {
        .width = rows->width,
        .height = rows->height,
        .colours = JCS_EXT_RGBX,
        .components = SQ_PIXEL_BYTES,
    };
    bool ok = sq_jpeg_output_init(&self.output, &format, opts, out, err)
           && sq_jpeg_run(&self.output.error, write_rows, &self, err)
           && self.rows_ok;
    if (ok) {
        sq_jpeg_output_commit(&self.output);
    }
    sq_jpeg_output_finish(&self.output);
    return ok;
}
