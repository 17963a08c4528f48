/* Opens picture files for the commands that look into them. */
#include "app/commands/vision_file.h"

#include "app/commands/command.h"
#include "image/pipeline/codec.h"
#include "sys/path.h"
#include "vision/reader.h"

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

struct sq_paper
sq_vision_file_paper(void) {
    const struct sq_opt_int automatic = { .given = false };
    return sq_paper_of_output(automatic);
}

bool
sq_vision_file_add_box(struct sq_table *table, struct sq_rect box,
                       struct sq_err *err) {
    return sq_table_printf(table, SQ_INK_STRONG, err, "%d", box.left)
        && sq_table_printf(table, SQ_INK_STRONG, err, "%d", box.top)
        && sq_table_printf(table, SQ_INK_PLAIN, err, "%d", box.right - box.left)
        && sq_table_printf(table, SQ_INK_PLAIN, err, "%d",
                           box.bottom - box.top);
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

void
sq_vision_file_put_place(struct sq_json_writer *w, struct sq_rect box) {
    sq_vision_file_put_box(w, box);
    sq_json_put_key(w, "centerX");
    sq_json_put_int(w, (box.left + box.right) / 2);
    sq_json_put_key(w, "centerY");
    sq_json_put_int(w, (box.top + box.bottom) / 2);
}
