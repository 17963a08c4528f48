/* Queries the version of Android, once per device. */
#include "device/android/state.h"

bool
sq_android_api(struct sq_android *android, int *out,
               const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_output output;
    int64_t version = 0;
    if (android->android_version == 0) {
        bool ok = sq_android_run(android, "getprop ro.build.version.sdk",
                                 &output, deadline, err);
        struct sq_span text = sq_buf_span(&output.out);
        sq_span_to_int64(sq_span_trim(text), &version);
        sq_adb_output_finish(&output);
        if (!ok) {
            return false;
        }
        android->android_version = version > 0 && version < 1000
                                     ? (int)version
                                     : SQ_ANDROID_UNKNOWN_API;
    }
    *out = android->android_version;
    return true;
}
