/*
 * What a command leaves for the next: any bytes are refused or restored, and a
 * restored state is saved and restored as the same.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "demo/phone/phone.h"
#include "device/demo/demo.h"
#include "fuzz/fuzz.h"
#include "session/session.h"

#define NOW 1700000000

static struct sq_device *device;

static void
destroy_device(void) {
    sq_device_destroy(device);
}

static void
try_phone(struct sq_span text) {
    const struct sq_demo_options options = { 0 };
    struct sq_err err = { 0 };
    struct sq_buf first;
    struct sq_buf second;
    if (!device
        && (!sq_demo_create(&options, &device, &err)
            || atexit(destroy_device) != 0)) {
        return;
    }
    struct sq_phone *phone = (struct sq_phone *)device;
    if (!sq_phone_restore(phone, text, &err)) {
        return;
    }
    sq_buf_init(&first, SQ_PHONE_STATE_MAX);
    sq_buf_init(&second, SQ_PHONE_STATE_MAX);
    if (sq_phone_save(phone, &first, &err)) {
        bool ok = sq_phone_restore(phone, sq_buf_span(&first), &err)
               && sq_phone_save(phone, &second, &err);
        assert(ok && first.len == second.len
               && memcmp(first.data, second.data, first.len) == 0);
    }
    sq_buf_finish(&second);
    sq_buf_finish(&first);
}

static void
try_session(struct sq_span text) {
    struct sq_err err = { 0 };
    struct sq_session *session = NULL;
    const struct sq_session_options options = { 0 };
    struct sq_screen screen = { .size = { 1080, 2400 } };
    struct sq_frame frame;
    if (!sq_session_create(&options, &session, &err)) {
        return;
    }
    if (sq_session_restore(session, NOW, text, &err)) {
        const struct sq_span latest = { 0 };
        (void)sq_session_frame(session, "demo", latest, &screen, &frame, &err);
    }
    sq_session_destroy(session);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct sq_span text = { (const char *)data, size };
    try_phone(text);
    try_session(text);
    return 0;
}
