/*
 * Declares every operation; each is defined at the end of the file of its name.
 */
#ifndef SQ_TOOLS_OPERATIONS_H
#define SQ_TOOLS_OPERATIONS_H

#include "config/option.h"
#include "tool/tool.h"

/* Describes screenshotId; not true for every client: sq_schema_for_stateless.
 */
#define SQ_LATEST_PICTURE "Default: the latest"

/* Looks at the screen, and answers in pixels of a picture of it. */
#define SQ_USES_LOOKS (SQ_USE_CAPTURES | SQ_USE_SIZES | SQ_USE_PICTURES)

/* Acts on the screen, and may show it afterwards. */
#define SQ_USES_ACTS                                                           \
    (SQ_USES_LOOKS | SQ_USE_COSTS | SQ_USE_RECEIPTS | SQ_USE_ELEMENTS)

/* Finds an element, in the tree or in the pixels. */
#define SQ_USES_FINDS (SQ_USE_ELEMENTS | SQ_USE_TEMPLATES)

/* Reads past screenshots. */
#define SQ_USES_PAST (SQ_USE_PAST | SQ_USE_ACTIVITY | SQ_USE_PICTURES)

extern const struct sq_tool sq_tool_accessibility_check;
extern const struct sq_tool sq_tool_apps;
extern const struct sq_tool sq_tool_contact_sheet;
extern const struct sq_tool sq_tool_crop_screenshot;
extern const struct sq_tool sq_tool_devices;
extern const struct sq_tool sq_tool_dump;
extern const struct sq_tool sq_tool_find;
extern const struct sq_tool sq_tool_forget;
extern const struct sq_tool sq_tool_get_screenshot;
extern const struct sq_tool sq_tool_input;
extern const struct sq_tool sq_tool_key;
extern const struct sq_tool sq_tool_launch;
extern const struct sq_tool sq_tool_list_screenshots;
extern const struct sq_tool sq_tool_ocr;
extern const struct sq_tool sq_tool_remember;
extern const struct sq_tool sq_tool_save_screenshot;
extern const struct sq_tool sq_tool_screenshot;
extern const struct sq_tool sq_tool_scroll;
extern const struct sq_tool sq_tool_search_screenshots;
extern const struct sq_tool sq_tool_stop;
extern const struct sq_tool sq_tool_swipe;
extern const struct sq_tool sq_tool_tap;
extern const struct sq_tool sq_tool_visual_find_image;
extern const struct sq_tool sq_tool_visual_find_text;
extern const struct sq_tool sq_tool_visual_snapshot;
extern const struct sq_tool sq_tool_wait;
extern const struct sq_tool sq_tool_steps;
extern const struct sq_tool sq_tool_open;
extern const struct sq_tool sq_tool_permission;
extern const struct sq_tool sq_tool_reset;
extern const struct sq_tool sq_tool_pinch;
extern const struct sq_tool sq_tool_rotate;
extern const struct sq_tool sq_tool_appearance;
extern const struct sq_tool sq_tool_location;
extern const struct sq_tool sq_tool_clipboard;
extern const struct sq_tool sq_tool_notifications;
extern const struct sq_tool sq_tool_logs;
extern const struct sq_tool sq_tool_info;
extern const struct sq_tool sq_tool_wake;
extern const struct sq_tool sq_tool_video;
extern const struct sq_tool sq_tool_install;
extern const struct sq_tool sq_tool_uninstall;

/* Shows the steps before the one that failed, from the details of its error. */
struct sq_people;
bool sq_people_show_done_steps(struct sq_people *people, struct sq_err *err);

#endif
