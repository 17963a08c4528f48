/* The functions in the table of sq_android_hand, and what they share. */
#ifndef SQ_DEVICE_ANDROID_VERBS_H
#define SQ_DEVICE_ANDROID_VERBS_H

#include "device/android/state.h"

/* Fails with SQ_ERR_PACKAGE_NOT_FOUND. */
bool sq_android_fail_package(const char *package, struct sq_err *err);

/* Fails like it unless the text can be the name of a package. */
bool sq_android_check_package(const char *package, struct sq_err *err);

/* Fails with SQ_ERR_UNSUPPORTED if the version is older than `api`. */
bool sq_android_need_api(struct sq_android *android, int api, const char *what,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);

sq_hand_fn sq_android_start;
sq_hand_fn sq_android_open_url;
sq_hand_fn sq_android_install;
sq_hand_fn sq_android_uninstall;
sq_hand_fn sq_android_permission;
sq_hand_fn sq_android_reset;
sq_hand_fn sq_android_appearance;
sq_hand_fn sq_android_gesture;
sq_hand_fn sq_android_record;

sq_reading_fn sq_android_read_info;
sq_reading_fn sq_android_read_logs;
sq_reading_fn sq_android_read_notifications;
sq_reading_fn sq_android_read_clipboard;
sq_reading_fn sq_android_read_video;

#endif
