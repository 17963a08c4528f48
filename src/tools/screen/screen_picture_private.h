/* Shares helpers between the files screen_picture*.c. */
#ifndef SQ_TOOLS_SCREEN_SCREEN_PICTURE_PRIVATE_H
#define SQ_TOOLS_SCREEN_SCREEN_PICTURE_PRIVATE_H

#include <stdio.h>
#include <string.h>

#include "tools/screen/screen_picture.h"

/* Returns how the picture is encoded, except for its region. */
struct sq_picture_opts
sq_screen_picture_how(const struct sq_call *call,
                      const struct sq_screen_picture_opts *opts);

/* Returns whether the size depends on the text that the screen shows. */
bool sq_screen_picture_is_legible(const struct sq_call *call,
                                  const struct sq_screen_picture_opts *opts);

/* Replaces the size in *how by the one at which small text is legible. */
bool sq_screen_picture_choose_legible(const struct sq_call *call,
                                      const struct sq_screen_picture_opts *opts,
                                      const struct sq_screen_picture *shot,
                                      struct sq_picture_opts *how,
                                      struct sq_err *err);

/* Returns whether the pixels of the screen are wanted, not scaled. */
bool sq_screen_picture_is_native(const struct sq_screen_picture_opts *opts);

/* Explains an error of decoding. Returns false. */
bool sq_screen_picture_fail_broken(struct sq_err *err);

/*
 * Converts the region of the call to one of the captured picture, and limits
 * its size.
 */
bool sq_screen_picture_choose_region(struct sq_call *call,
                                     const struct sq_screen_picture_opts *opts,
                                     struct sq_screen_picture *shot,
                                     struct sq_picture_opts *how,
                                     struct sq_err *err);

/* The context of sq_screen_picture_choose. */
struct sq_screen_picture_choice {
    struct sq_call *call;
    const struct sq_screen_picture_opts *opts;
    struct sq_screen_picture *shot; /* receives what was chosen */
};

/* Chooses what is needed of a capture; see struct sq_scaling_chooser. */
bool sq_screen_picture_choose(void *context, const struct sq_screen *screen,
                              struct sq_size frame, struct sq_scaling *out);

/* Appends a sentence to shot->note. */
static inline void
add_note(struct sq_screen_picture *shot, const char *text) {
    size_t used = strlen(shot->note);
    snprintf(shot->note + used, sizeof(shot->note) - used, "%s%s",
             used ? " " : "", text);
}

#endif
