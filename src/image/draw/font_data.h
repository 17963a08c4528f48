/* Returns the font file that is built into the program. */
#ifndef SQ_IMAGE_DRAW_FONT_DATA_H
#define SQ_IMAGE_DRAW_FONT_DATA_H

#include "util/span.h"

/* Returns the font file, DejaVu Sans. Constant. */
struct sq_span sq_font_file(void);

#endif
