/* Reads and sets the clipboard of an Android device. */
#include "device/android/clipboard.h"

#include "device/android/command.h"

#define MAX_COMMAND ((size_t)60 << 10)

static bool
fail_refused(struct sq_err *err) {
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "this Android does not let adb use its clipboard");
    return sq_fail_hint(err, "Type the text with @input, or paste it by hand.");
}

/* Runs a call and gives its printed reply. The caller finishes *output. */
static bool
call(struct sq_android *android, struct sq_buf *command,
     struct sq_adb_output *output, const struct sq_deadline *deadline,
     struct sq_err *err) {
    sq_adb_output_init(output, SQ_ANDROID_MAX_OUTPUT);
    output->is_action = true;
    struct sq_span text = sq_buf_span(command);
    return sq_adb_run(&android->link, text, output, deadline, err);
}

static bool
check_api(struct sq_android *android, int *api,
          const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_android_api(android, api, deadline, err)
        && (*api >= SQ_CLIP_MIN_API || fail_refused(err));
}

bool
sq_android_clip_set(struct sq_android *android, struct sq_span text,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_buf command;
    struct sq_adb_output output = { 0 };
    int api;
    if (text.len > SQ_CLIP_MAX_BYTES) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "the text for the clipboard is longer than %zu bytes",
                       SQ_CLIP_MAX_BYTES);
    }
    if (sq_emulator_clip_set(&android->emulator, text, deadline, NULL)) {
        return true;
    }
    sq_buf_init(&command, MAX_COMMAND);
    bool ok = check_api(android, &api, deadline, err)
           && sq_clip_put_set(&command, api, text, err)
           && call(android, &command, &output, deadline, err)
           && (sq_clip_is_done(sq_buf_span(&output.out)) || fail_refused(err));
    sq_adb_output_finish(&output);
    sq_buf_finish(&command);
    return ok;
}

bool
sq_android_clip_get(struct sq_android *android, struct sq_buf *out,
                    enum sq_clip_content *content,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_buf command;
    struct sq_adb_output output = { 0 };
    int api;
    size_t before = out->len;
    if (sq_emulator_clip_get(&android->emulator, out, deadline, NULL)) {
        /* It does not tell an empty clipboard from one without text. */
        *content = out->len > before ? SQ_CLIP_TEXT : SQ_CLIP_UNKNOWN;
        return true;
    }
    sq_buf_init(&command, MAX_COMMAND);
    bool ok = check_api(android, &api, deadline, err)
           && sq_clip_put_get(&command, api, err)
           && call(android, &command, &output, deadline, err)
           && sq_clip_read(sq_buf_span(&output.out), api, out, content, err);
    sq_adb_output_finish(&output);
    sq_buf_finish(&command);
    return ok;
}
