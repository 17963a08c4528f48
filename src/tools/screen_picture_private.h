/* What the files of look share. */
#ifndef SQ_TOOLS_SCREEN_PICTURE_PRIVATE_H
#define SQ_TOOLS_SCREEN_PICTURE_PRIVATE_H

#include <stdio.h>
#include <string.h>

#include "tools/screen_picture.h"

/* Add a sentence to what was done differently. */
static inline void
add_note(struct sq_screen_picture *shot, const char *text) {
    size_t used = strlen(shot->note);
    snprintf(shot->note + used, sizeof(shot->note) - used, "%s%s",
             used ? " " : "", text);
}

#endif
