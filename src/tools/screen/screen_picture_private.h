/* Shares helpers between the files screen_picture*.c. */
#ifndef SQ_TOOLS_SCREEN_SCREEN_PICTURE_PRIVATE_H
#define SQ_TOOLS_SCREEN_SCREEN_PICTURE_PRIVATE_H

#include "tools/screen/screen_picture.h"

/* Returns how the picture is encoded, except for its region. */
struct sq_picture_opts
sq_screen_picture_how(const struct sq_screen_picture *shot);

/* Returns whether the size depends on the text that the screen shows. */
bool sq_screen_picture_is_legible(const struct sq_screen_picture *shot);

/* Returns whether the device has cropped and scaled the capture. */
bool sq_screen_picture_is_scaled(const struct sq_screen_picture *shot);

/*
 * Chooses what is needed of a capture; see struct sq_scaling_chooser. context
 * is a struct sq_screen_picture, which receives what was chosen.
 */
bool sq_screen_picture_choose(void *context, const struct sq_screen *screen,
                              struct sq_size frame, struct sq_scaling *out);

/* Encodes the capture, and its copy for a file, within all limits. */
bool sq_screen_picture_encode(struct sq_screen_picture *shot,
                              struct sq_err *err);

/* Appends a sentence to shot->note. */
void sq_screen_picture_note(struct sq_screen_picture *shot, const char *text);

#endif
