/* What the commands share that read text or find images in picture files. */
#ifndef SQ_APP_COMMANDS_VISION_FILE_H
#define SQ_APP_COMMANDS_VISION_FILE_H

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

/* The time in which a command must be done. */
#define SQ_VISION_FILE_TIMEOUT_MS 120000

#endif
