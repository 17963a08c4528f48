/* A device that disconnects during a full-size frame. */

#include "device/android/state.h"
#include "sys/clock.h"
#include "unit/device/android/scripted.h"
#include "util/limits.h"

#define WIDTH 1080
#define HEIGHT 2400
#define FULL_BYTES (16 + (size_t)WIDTH * HEIGHT * 4)
#define OFFSETS 500
#define ALL_OFFSETS 2000 /* with SQUINT_TEST_ALL, as in `make vanish` */
#define SLOWNESS 1000
/* Every second offset is here, where the headers are. */
#define EARLY_BYTES ((size_t)64 << 10)

#define FULL_AROUND                                                            \
    "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n"              \
    "  Display: mDisplayId=0\n"                                                \
    "    init=1080x2400 420dpi cur=1080x2400 app=1080x2400\n"                  \
    "  DisplayRotation\n    mRotation=0\n--squint--\n"

static unsigned char *frame;
static struct sq_capture capture;

static bool
take(struct sq_err *err) {
    struct sq_deadline deadline = test_deadline();
    sq_capture_finish(&capture);
    capture = (struct sq_capture){ 0 };
    sq_buf_init(&capture.bytes, SQ_MAX_IMAGE_BYTES);
    return sq_device_capture(phone, NULL, &capture, &deadline, err);
}

static bool
is_whole(void) {
    return capture.bytes.len == FULL_BYTES
        && memcmp(capture.bytes.data, frame, FULL_BYTES) == 0;
}

static void
make_full_frame(void) {
    frame = malloc(FULL_BYTES);
    T(frame != NULL);
    for (size_t i = 0; i < FULL_BYTES; i++) {
        frame[i] = (unsigned char)(i * 7 + (i >> 11) + 1);
    }
    static const unsigned char header[16] = {
        WIDTH & 255, WIDTH >> 8, 0, 0, HEIGHT & 255, HEIGHT >> 8, 0, 0, 1,
        0,           0,          0, 1
    };
    memcpy(frame, header, sizeof(header));
}

static void
check_disconnects(int rounds, const char *features) {
    const struct rule table[] = { { .words = "screencap",
                                    .bytes = frame,
                                    .count = FULL_BYTES,
                                    .errors = "" },
                                  { .words = "input", .out = "" },
                                  { .words = "window displays",
                                    .out = FULL_AROUND },
                                  { 0 } };
    /* A slow frame would make it use PNG instead. */
    sq_clock_slow_down(SLOWNESS);
    phone_start(table);
    server.packet_bytes = 32768;
    if (!features) {
        server.features = "";
        sq_device_destroy(phone);
        phone = fake_adb_device(adb);
    }
    T_OK(take(&t_err));
    T(is_whole());
    for (int i = 0; i < rounds; i++) {
        t_err = (struct sq_err){ 0 };
        /* The display is queried first, on a connection of its own. */
        server.cut_connection = features ? 1 : 0;
        server.cut_at = (long)(t_random() % (i % 2 ? EARLY_BYTES : FULL_BYTES));
        fake_adb_clear_log(&server);
        T(!take(&t_err));
        T(t_err.code == SQ_ERR_DEVICE_OFFLINE || t_err.code == SQ_ERR_IO
          || t_err.code == SQ_ERR_SCREENSHOT_FAILED);
        T(t_err.message[0] && t_err.hint[0] && capture.bytes.len == 0);
        /*
         * After any failure small calls work again; every 100th round also a
         * capture.
         */
        struct sq_deadline deadline = test_deadline();
        server.cut_at = -1;
        T_OK(sq_device_key(phone, "back", &deadline, &t_err));
        if (i % 100 == 99) {
            T_OK(take(&t_err));
            T(is_whole());
        }
    }
    sq_capture_finish(&capture);
    capture = (struct sq_capture){ 0 };
    phone_end();
}

T_CASE(disconnect_at_random_offsets) {
    make_full_frame();
    check_disconnects(t_tests_all() ? ALL_OFFSETS : OFFSETS, "shell_v2");
    free(frame);
}

T_CASE(disconnect_without_an_end_mark) {
    make_full_frame();
    check_disconnects(OFFSETS / 10, NULL);
    free(frame);
}
