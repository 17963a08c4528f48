/* Makes libjpeg write to a buffer, and encodes rows with it. */
#include "image/jpeg/jpeg.h"

#include <assert.h>

#include "image/jpeg/private.h"

#define PIECE_BYTES ((size_t)64 << 10)

static void
next_piece(j_compress_ptr cinfo) {
    struct sq_jpeg_output *output = cinfo->client_data;
    size_t left = output->out->max - output->out->len;
    output->capacity = left < PIECE_BYTES && left > 0 ? left : PIECE_BYTES;
    if (!sq_buf_reserve(output->out, output->capacity,
                        &output->destination.next_output_byte,
                        sq_jpeg_err((j_common_ptr)cinfo))) {
        sq_jpeg_escape((j_common_ptr)cinfo);
    }
    output->destination.free_in_buffer = output->capacity;
}

/* libjpeg calls this if all space is used; free_in_buffer is invalid then. */
static boolean
piece_is_full(j_compress_ptr cinfo) {
    struct sq_jpeg_output *output = cinfo->client_data;
    sq_buf_commit(output->out, output->capacity);
    next_piece(cinfo);
    return TRUE;
}

static void
last_piece(j_compress_ptr cinfo) {
    struct sq_jpeg_output *output = cinfo->client_data;
    sq_buf_commit(output->out,
                  output->capacity - output->destination.free_in_buffer);
    output->before = output->out->len; /* the file is complete */
}

struct setup {
    struct sq_jpeg_output *output;
    const struct sq_jpeg_format *format;
    const struct sq_jpeg_opts *opts;
};

static void
set_up(void *context) {
    const struct setup *setup = context;
    struct jpeg_compress_struct *cinfo = &setup->output->cinfo;
    jpeg_create_compress(cinfo);
    cinfo->client_data = setup->output;
    cinfo->dest = &setup->output->destination;
    cinfo->image_width = (JDIMENSION)setup->format->width;
    cinfo->image_height = (JDIMENSION)setup->format->height;
    cinfo->in_color_space = setup->format->colours;
    cinfo->input_components = setup->format->components;
    jpeg_set_defaults(cinfo);
    jpeg_set_quality(cinfo, setup->opts->quality, TRUE);
    cinfo->dct_method = JDCT_ISLOW;
    cinfo->optimize_coding = setup->opts->optimise;
    if (setup->opts->full_chroma) {
        cinfo->comp_info[0].h_samp_factor = 1;
        cinfo->comp_info[0].v_samp_factor = 1;
    }
}

bool
sq_jpeg_output_init(struct sq_jpeg_output *output,
                    const struct sq_jpeg_format *format,
                    const struct sq_jpeg_opts *opts, struct sq_buf *out,
                    struct sq_err *err) {
    *output = (struct sq_jpeg_output){
        .destination = { .init_destination = next_piece,
                         .empty_output_buffer = piece_is_full,
                         .term_destination = last_piece },
        .out = out,
        .before = out->len,
    };
    output->cinfo.err = sq_jpeg_error_init(&output->error);
    struct setup setup = { output, format, opts };
    return sq_jpeg_run(&output->error, set_up, &setup, err);
}

void
sq_jpeg_output_finish(struct sq_jpeg_output *output) {
    jpeg_destroy_compress(&output->cinfo);
    if (output->out) {
        output->out->len = output->before;
        output->out = NULL;
    }
}

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
    sq_jpeg_output_finish(&self.output);
    return ok;
}
