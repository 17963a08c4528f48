#include "session/state.h"

#include "support/test.h"

static const uint8_t key[SQ_SESSION_KEY_BYTES] = { 1, 2, 3 };
static const uint8_t other_key[SQ_SESSION_KEY_BYTES] = { 1, 2, 4 };

static const char names[][SQ_DEVICE_TEXT_SIZE] = { "com.example", "com.other" };
static const struct sq_app_names apps = { names, 2 };

static struct sq_frame
make(void) {
    struct sq_frame frame = {
        .device_id = "emulator-5554",
        .view = { { 1080, 2400 }, { 450, 1000 }, { 10, 20, 1000, 2000 } },
        .rotation = 3,
        .app = "com.example",
        .is_region = true,
        .has_grid = true,
    };
    T_OK(sq_portable_frame_name(key, &frame, &t_err));
    return frame;
}

T_CASE(reads_what_it_wrote) {
    struct sq_frame frame = make();
    struct sq_frame read = { 0 };
    T(sq_session_is_frame_id(sq_span_of(frame.id)));
    T(sq_portable_frame_read(key, sq_span_of(frame.id), "emulator-5554", &apps,
                             &read));
    T(memcmp(&read.view, &frame.view, sizeof(read.view)) == 0);
    T_INT(read.rotation, 3);
    T(read.is_region && !read.is_default && !read.other_display);
    T(read.has_grid);
    T_STR(read.app, "com.example");
    T_STR(read.id, frame.id);
    T(strcmp(make().id, frame.id) != 0);
}

T_CASE(notices_another_app) {
    struct sq_frame frame = make();
    struct sq_frame read = { 0 };
    T(sq_portable_frame_read(key, sq_span_of(frame.id), "emulator-5554",
                             &(struct sq_app_names){ names + 1, 1 }, &read));
    T_STR(read.app, "another app");
    T(sq_portable_frame_read(key, sq_span_of(frame.id), "emulator-5554", NULL,
                             &read));
    T_STR(read.app, "another app");
    /* Any device, for questions that concern only the picture. */
    T(sq_portable_frame_read(key, sq_span_of(frame.id), NULL, NULL, &read));
    T_STR(read.device_id, "");
}

T_CASE(refuses_every_change) {
    struct sq_frame frame = make();
    struct sq_frame read = { 0 };
    struct sq_span id = sq_span_of(frame.id);
    T(!sq_portable_frame_read(other_key, id, "emulator-5554", &apps, &read));
    T(!sq_portable_frame_read(key, id, "emulator-5556", &apps, &read));
    for (size_t i = 0; i < id.len; i++) {
        char changed[SQ_FRAME_ID_SIZE];
        memcpy(changed, frame.id, sizeof(changed));
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        T(!sq_portable_frame_read(key, sq_span_of(changed), "emulator-5554",
                                  &apps, &read));
    }
    for (size_t len = 0; len < id.len; len++) {
        T(!sq_portable_frame_read(key, (struct sq_span){ id.ptr, len },
                                  "emulator-5554", &apps, &read));
    }
}
