/* Shares helpers between the files screen_picture*.c. */
#ifndef SQ_TOOLS_SCREEN_SCREEN_PICTURE_PRIVATE_H
#define SQ_TOOLS_SCREEN_SCREEN_PICTURE_PRIVATE_H

#include <stdio.h>
#include <string.h>

#include "tools/screen/screen_picture.h"

/* Appends a sentence to shot->note. */
static inline void
add_note(struct sq_screen_picture *shot, const char *text) {
    size_t used = strlen(shot->note);
    snprintf(shot->note + used, sizeof(shot->note) - used, "%s%s",
             used ? " " : "", text);
}

#endif
