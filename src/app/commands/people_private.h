/* What the views of replies share; only for people*.c. */
#ifndef SQ_APP_COMMANDS_PEOPLE_PRIVATE_H
#define SQ_APP_COMMANDS_PEOPLE_PRIVATE_H

#include "app/commands/people.h"

typedef bool sq_people_show_fn(struct sq_people *people, struct sq_err *err);
typedef bool sq_people_done_fn(const struct sq_json *reply);

/* people_screen.c: devices, apps and elements. */
sq_people_show_fn sq_show_devices;
sq_people_show_fn sq_show_apps;
sq_people_show_fn sq_show_dump;
sq_people_show_fn sq_show_find;
sq_people_show_fn sq_show_wait;
sq_people_show_fn sq_show_screenshot;
sq_people_show_fn sq_show_visual_snapshot;
sq_people_show_fn sq_show_accessibility_check;
sq_people_done_fn sq_has_elements;
sq_people_done_fn sq_has_apps;
sq_people_done_fn sq_has_matches;
sq_people_done_fn sq_has_waited;

/* people_vision.c: text in pixels. */
sq_people_show_fn sq_show_ocr;
sq_people_show_fn sq_show_visual_find_text;
sq_people_show_fn sq_show_visual_find_image;
sq_people_show_fn sq_show_remember;
sq_people_show_fn sq_show_forget;
sq_people_done_fn sq_has_text;

/* people_action.c: operations that act. */
sq_people_show_fn sq_show_tap;
sq_people_show_fn sq_show_input;
sq_people_show_fn sq_show_scroll;
sq_people_show_fn sq_show_swipe;
sq_people_show_fn sq_show_key;
sq_people_show_fn sq_show_launch;
sq_people_show_fn sq_show_stop;

/* people_archive.c: past screenshots. */
sq_people_show_fn sq_show_list;
sq_people_show_fn sq_show_get;
sq_people_show_fn sq_show_save;
sq_people_show_fn sq_show_sheet;
sq_people_show_fn sq_show_hits;
sq_people_done_fn sq_has_screenshots;
sq_people_done_fn sq_has_hits;

/* Returns a member of a member: width of {"image":{"width":…}}. */
int sq_reply_int(const struct sq_json *reply, const char *object,
                 const char *member);

bool sq_reply_is_true(const struct sq_json *reply, const char *member);

/* Returns "" for one, "s" for any other number. */
const char *sq_plural(int64_t count);

/* Prints " on ID" of the reply's device, if it has one. */
bool sq_people_put_device(struct sq_people *people, struct sq_err *err);

/* Prints a faint line in the words of a person; nothing if it is empty. */
bool sq_people_put_remark(struct sq_people *people, struct sq_span text,
                          struct sq_err *err);

/* Prints the warnings and notes of the reply. */
bool sq_people_put_remarks(struct sq_people *people, struct sq_err *err);

/*
 * Prints "Wrote FILE: 450x1000 pixels, 24 KB, 612 tokens." for the picture that
 * `info` describes; nothing if no file was written.
 */
bool sq_people_put_written(struct sq_people *people, const struct sq_json *info,
                           struct sq_err *err);

/* Prints how points are counted after the picture that `info` describes. */
bool sq_people_put_usage(struct sq_people *people, const struct sq_json *info,
                         struct sq_err *err);

/* Prints a list of elements in compact form, if the reply has one. */
bool sq_people_put_elements(struct sq_people *people, struct sq_err *err);

/* people_steps.c */
bool sq_show_steps(struct sq_people *people, struct sq_err *err);
bool sq_show_open(struct sq_people *people, struct sq_err *err);
bool sq_show_permission(struct sq_people *people, struct sq_err *err);
bool sq_show_reset(struct sq_people *people, struct sq_err *err);
bool sq_show_pinch(struct sq_people *people, struct sq_err *err);
bool sq_show_rotate(struct sq_people *people, struct sq_err *err);
bool sq_show_appearance(struct sq_people *people, struct sq_err *err);
bool sq_show_location(struct sq_people *people, struct sq_err *err);
bool sq_show_clipboard(struct sq_people *people, struct sq_err *err);
bool sq_show_notifications(struct sq_people *people, struct sq_err *err);
bool sq_show_logs(struct sq_people *people, struct sq_err *err);
bool sq_show_info(struct sq_people *people, struct sq_err *err);
bool sq_show_wake(struct sq_people *people, struct sq_err *err);
bool sq_show_video(struct sq_people *people, struct sq_err *err);
bool sq_show_install(struct sq_people *people, struct sq_err *err);
bool sq_show_uninstall(struct sq_people *people, struct sq_err *err);

/* Ends the line of an action, and prints what its receipt has. */
bool sq_people_put_receipt(struct sq_people *people, struct sq_err *err);

#endif
