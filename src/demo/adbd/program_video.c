/* The program screenrecord, which runs until its limit or until pkill. */
#include <stdio.h>
#include <string.h>

#include "demo/adbd/program.h"

#define NS_PER_S INT64_C(1000000000)
#define LONGEST_S 180

/* The first boxes of an MP4 file, without a picture. */
static const char video[] = "\0\0\0\x18"
                            "ftypmp42\0\0\0\0isommp42"
                            "\0\0\0\x08"
                            "mdat";

static bool
is_record(const char *const *argv) {
    return strcmp(argv[0], "screenrecord") == 0;
}

void
sq_adbd_record_begin(struct sq_adbd_phone *phone, const char *const *argv,
                     int argc, int64_t now_ns) {
    int64_t seconds = LONGEST_S;
    if (!is_record(argv)) {
        return;
    }
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--time-limit") == 0
            && !sq_span_to_int64(sq_span_of(argv[i + 1]), &seconds)) {
            seconds = 0;
        }
    }
    phone->recording.on = true;
    phone->recording.ends_ns = now_ns + seconds * NS_PER_S;
    snprintf(phone->recording.path, sizeof(phone->recording.path), "%s",
             argv[argc - 1]);
}

bool
sq_adbd_is_recording(const struct sq_adbd_phone *phone, const char *const *argv,
                     int64_t now_ns) {
    return is_record(argv) && phone->recording.on
        && now_ns < phone->recording.ends_ns;
}

bool
sq_adbd_run_screenrecord(struct sq_adbd_call *call, struct sq_err *err) {
    struct sq_adbd_file *file;
    const char *path = call->phone->recording.path;
    call->phone->recording.on = false;
    if (!sq_adbd_files_check(path, NULL)) {
        return sq_adbd_print_error(call, 1, err, "ERROR: unable to open '%s'\n",
                                   path);
    }
    return sq_adbd_files_create(&call->phone->files, path,
                                sq_phone_now_ns(call->phone->demo) / NS_PER_S,
                                &file, err)
        && sq_buf_append(&file->bytes, video, sizeof(video) - 1, err);
}

/* "pkill -2 -f PATTERN" ends the recording whose file the pattern names. */
bool
sq_adbd_run_pkill(struct sq_adbd_call *call, struct sq_err *err) {
    const char *pattern = sq_adbd_arg_after(call, "-f");
    (void)err;
    bool matches =
        pattern && call->phone->recording.on
        && strncmp(pattern, "screenrecor", 11) == 0
        && sq_span_ends_with(sq_span_of(pattern), call->phone->recording.path);
    if (!matches) {
        call->status = 1;
        return true;
    }
    call->phone->recording.on = false;
    return true;
}
