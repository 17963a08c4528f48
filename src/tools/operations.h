/*
 * Declares every operation; each is defined at the end of the file of its name.
 */
#ifndef SQ_TOOLS_OPERATIONS_H
#define SQ_TOOLS_OPERATIONS_H

#include "tool/tool.h"

/* Describes screenshotId; not true for every client: sq_schema_for_stateless.
 */
#define SQ_LATEST_PICTURE "Default: the latest"

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

#endif
