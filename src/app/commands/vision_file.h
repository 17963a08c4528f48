/* What the commands share that read text or find images in picture files. */
#ifndef SQ_APP_COMMANDS_VISION_FILE_H
#define SQ_APP_COMMANDS_VISION_FILE_H

#include "page/page.h"
#include "args/optional.h"
#include "geom/rect.h"
#include "image/image.h"
#include "json/writer.h"
#include "vision/reader.h"

/* Creates a reader that starts this program as its worker. */
bool sq_vision_file_reader(const char *language, struct sq_reader **out,
                           struct sq_err *err);

/* Writes the members x, y, width and height. */
void sq_vision_file_put_box(struct sq_json_writer *w, struct sq_rect box);

/* Writes the members of a box, and its middle: centerX and centerY. */
void sq_vision_file_put_place(struct sq_json_writer *w, struct sq_rect box);

/* Returns what standard output is, with colours if it is a terminal. */
struct sq_paper sq_vision_file_paper(void);

/* Adds the cells x, y, width and height. */
bool sq_vision_file_add_box(struct sq_table *table, struct sq_rect box,
                            struct sq_err *err);

/* The time in which a command must be done. */
#define SQ_VISION_FILE_TIMEOUT_MS 120000

#endif
