/* Opens picture files for the commands that look into them. */
#include "app/commands/vision_file.h"

#include "app/commands/command.h"
#include "image/pipeline/codec.h"
#include "sys/path.h"
#include "vision/recogniser.h"

bool
sq_vision_file_open(const char *path, struct sq_image *out,
                    struct sq_err *err) {
    struct sq_buf bytes;
    sq_buf_init(&bytes, SQ_MAX_IMAGE_BYTES);
    bool ok =
        sq_command_read(path, &bytes, err)
        && (sq_image_decode(bytes.data, bytes.len, &sq_limits_default, out, err)
            || sq_command_fail_in(path, err));
    sq_buf_finish(&bytes);
    return ok;
}

bool
sq_vision_file_area(const struct sq_image *image,
                    const struct sq_opt_region *region, struct sq_rect *out,
                    struct sq_err *err) {
    *out = (struct sq_rect){ 0, 0, image->width, image->height };
    if (!region->given) {
        return true;
    }
    int x = region->x.value;
    int y = region->y.value;
    int width = region->width.value;
    int height = region->height.value;
    if (x < 0 || y < 0 || width < 1 || height < 1 || width > image->width - x
        || height > image->height - y) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "the region %d,%d,%d,%d is not inside the picture", x, y, width,
                height);
        return sq_fail_hint(err, "The picture has %dx%d pixels.", image->width,
                            image->height);
    }
    *out = (struct sq_rect){ x, y, x + width, y + height };
    return true;
}

bool
sq_vision_file_reader(const char *language, struct sq_reader **out,
                      struct sq_err *err) {
    char program[SQ_PATH_SIZE];
    const struct sq_reader_options options = {
        .program = program,
        .language = language ? language : SQ_OCR_DEFAULT_LANGUAGE,
    };
    return sq_path_program(program, err)
        && sq_reader_create(&options, out, err);
}

void
sq_vision_file_put_box(struct sq_json_writer *w, struct sq_rect box) {
    sq_json_put_key(w, "x");
    sq_json_put_int(w, box.left);
    sq_json_put_key(w, "y");
    sq_json_put_int(w, box.top);
    sq_json_put_key(w, "width");
    sq_json_put_int(w, box.right - box.left);
    sq_json_put_key(w, "height");
    sq_json_put_int(w, box.bottom - box.top);
}
