/* Limits of the memory that output of phones can use. */
#include "device/android/link.h"

#include "device/android/capture.h"
#include "device/android/state.h"
#include "unit/device/android/scripted.h"
#include "util/limits.h"

#define MIB ((size_t)1 << 20)

static unsigned char flood[3 << 20];

/* A header as screencap writes it, and bytes after it. */
static void
put_header(unsigned width, unsigned height, unsigned format) {
    const unsigned numbers[] = { width, height, format, 1 };
    memset(flood, 0x55, sizeof(flood));
    for (size_t i = 0; i < 16; i++) {
        flood[i] = (unsigned char)(numbers[i / 4] >> 8 * (i % 4));
    }
}

static size_t
held(void) {
    return sq_quota_held(adb->memory);
}

static bool
shoot(struct sq_capture *capture, struct sq_err *err) {
    struct sq_deadline deadline = test_deadline();
    *capture = (struct sq_capture){ 0 };
    sq_buf_init(&capture->bytes, SQ_MAX_IMAGE_BYTES);
    return sq_device_capture(phone, NULL, capture, &deadline, err);
}

T_CASE(size_is_known_from_the_first_bytes) {
    static const struct {
        unsigned width;
        unsigned height;
        unsigned format;
        size_t want;
    } rows[] = {
        { 1080, 2400, 1, 16 + 1080 * 2400 * 4 },
        { 1080, 2400, 4, 16 + 1080 * 2400 * 2 },
        { 1080, 2400, 22, 16 + 1080 * 2400 * 8 },
        { 16384, 16384, 1, 16 + (size_t)16384 * 16384 * 4 },
        /* Not frames, so these are messages. */
        { 16385, 1, 1, 64 << 10 },
        { 0, 10, 1, 64 << 10 },
        { 10, 10, 99, 64 << 10 },
    };
    struct sq_buf part = { .data = flood };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        put_header(rows[i].width, rows[i].height, rows[i].format);
        part.len = 15;
        T_INT(sq_picture_max_bytes(&part), 0);
        part.len = 16;
        T_INT(sq_picture_max_bytes(&part), rows[i].want);
        part.len = 1000;
        T_INT(sq_picture_max_bytes(&part), rows[i].want);
    }
    memcpy(flood, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    T_INT(sq_picture_max_bytes(&part), 0);
}

/*
 * A frame that is too large costs only its header; a PNG is requested instead.
 */
T_CASE(too_large_frame_is_not_read) {
    struct sq_capture capture;
    put_header(8000, 8000, 1);
    const struct rule table[] = { { .words = "screencap",
                                    .bytes = flood,
                                    .count = sizeof(flood),
                                    .stalls = true },
                                  { 0 } };
    phone_start(table);
    T_FAILS(shoot(&capture, &t_err), SQ_ERR_LIMIT);
    T(t_err.hint[0]);
    T_HAS(t_err.message, FAKE_ADB_SERIAL);
    T(fake_adb_received(&server, "screencap"));
    T_HAS(last_command(), "screencap -p");
    T_INT(held(), 0);
    sq_capture_finish(&capture);
    phone_end();
}

T_CASE(screen_too_large_for_frames_uses_png) {
    static const unsigned char png[] =
        "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x08\0\0\0\x10\x08\2\0\0\0"
        "abcd\0\0\0\0IEND\xae\x42\x60\x82";
    struct sq_capture capture;
    put_header(8000, 8000, 1);
    const struct rule table[] = {
        { .words = "screencap -p", .bytes = png, .count = sizeof(png) - 1 },
        { .words = "screencap",
          .bytes = flood,
          .count = sizeof(flood),
          .stalls = true },
        { 0 }
    };
    phone_start(table);
    for (int i = 0; i < 3; i++) {
        T_OK(shoot(&capture, &t_err));
        T_INT(capture.bytes.len, sizeof(png) - 1);
        sq_capture_finish(&capture);
    }
    /* After the first refusal, PNG is requested directly. */
    T_INT(server.log_count, 8); /* with the display state each time */
    phone_end();
}

/* Nothing may follow the last byte of a frame. */
T_CASE(more_bytes_than_announced_are_refused) {
    struct sq_capture capture;
    put_header(8, 16, 1);
    const struct rule table[] = { { .words = "screencap",
                                    .bytes = flood,
                                    .count = sizeof(flood),
                                    .stalls = true },
                                  { 0 } };
    phone_start(table);
    server.packet_bytes = 4096;
    T_FAILS(shoot(&capture, &t_err), SQ_ERR_LIMIT);
    T(t_err.hint[0]);
    sq_capture_finish(&capture);
    phone_end();
}

/* It may have been performed, so trying again may repeat it. */
T_CASE(action_with_too_much_output_may_have_been_performed) {
    const struct sq_touch touch = { .at = { 1, 1 }, .count = 1 };
    struct sq_deadline deadline = test_deadline();
    memset(flood, 'x', sizeof(flood));
    const struct rule table[] = { { .words = "input tap",
                                    .bytes = flood,
                                    .count = sizeof(flood),
                                    .stalls = true },
                                  { 0 } };
    phone_start(table);
    T_FAILS(sq_device_tap(phone, &touch, &deadline, &t_err), SQ_ERR_LIMIT);
    T_HAS(t_err.hint, "may have been performed");
    T_HAS(t_err.hint, "faulty");
    phone_end();
}

T_CASE(black_check_reads_rows_at_any_size) {
    /* 16,000 by 16,000: refused by its header. */
    static const unsigned char png[] =
        "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x3e\x80\0\0\x3e\x80\x08\2\0\0\0"
        "abcd\0\0\0\0IEND\xae\x42\x60\x82";
    struct sq_size size;
    struct sq_buf bytes = { .data = (unsigned char *)(uintptr_t)png,
                            .len = sizeof(png) - 1 };
    T_FAILS(sq_picture_check(&bytes, true, &size, &t_err), SQ_ERR_LIMIT);
    T_HAS(t_err.hint, "wm size");
}

/* Standard error is kept up to a limit. */
T_CASE(excess_standard_error_is_dropped) {
    struct sq_adb_output output;
    sq_adb_output_init(&output, 64 * MIB);
    T_INT(output.errors.max, MIB);
    T_INT(output.out.max, 64 * MIB);
    sq_adb_output_finish(&output);
    sq_adb_output_init(&output, 1000);
    T_INT(output.errors.max, 1000);
    sq_adb_output_finish(&output);
}

/* One of six answers without end. */
struct answer {
    struct sq_adb_output output;
    bool is_over;
    struct sq_err err;
};

static void
grow(struct sq_quota *memory, struct answer *answer, size_t by) {
    struct sq_deadline deadline = sq_deadline_in(1, NULL);
    uint8_t *room;
    if (answer->is_over) {
        return;
    }
    answer->is_over =
        !sq_adb_memory_admit(memory, &answer->output, by, &deadline,
                             &answer->err)
        || !sq_buf_reserve(&answer->output.out, by, &room, &answer->err);
    if (!answer->is_over) {
        sq_buf_commit(&answer->output.out, by);
    }
}

T_CASE(concurrent_answers_share_one_memory_limit) {
    struct answer answers[6] = { 0 };
    struct sq_quota *memory = NULL;
    bool are_over = false;
    size_t most = 0;
    T_OK(sq_adb_memory_create(&memory, &t_err));
    for (int i = 0; i < 6; i++) {
        sq_adb_output_init(&answers[i].output, SQ_MAX_CAPTURE_BYTES);
    }
    while (!are_over) {
        size_t all = 0;
        are_over = true;
        for (int i = 0; i < 6; i++) {
            grow(memory, &answers[i], (size_t)64 << 10);
            all += answers[i].output.out.len;
            are_over = are_over && answers[i].is_over;
        }
        most = all > most ? all : most;
    }
    T(most <= SQ_ADB_MEMORY + 6 * SQ_ADB_UNCOUNTED);
    T(most > SQ_ADB_MEMORY / 2);
    for (int i = 0; i < 6; i++) {
        T_INT(answers[i].err.code, SQ_ERR_LIMIT);
        T(answers[i].output.out.len <= SQ_MAX_CAPTURE_BYTES);
        sq_adb_output_finish(&answers[i].output);
    }
    T_INT(sq_quota_held(memory), 0);
    sq_quota_destroy(memory);
}

/* A tree uses more memory than its document. */
T_CASE(document_is_charged_for_its_tree) {
    struct answer answer = { 0 };
    struct sq_quota *memory = NULL;
    T_OK(sq_adb_memory_create(&memory, &t_err));
    sq_adb_output_init(&answer.output, SQ_MAX_UI_XML_BYTES);
    answer.output.weight = 3;
    while (answer.output.out.len < SQ_MAX_UI_XML_BYTES && !answer.is_over) {
        grow(memory, &answer, (size_t)64 << 10);
    }
    T(!answer.is_over);
    T_INT(sq_quota_held(memory), 3 * SQ_MAX_UI_XML_BYTES - SQ_ADB_UNCOUNTED);
    sq_adb_output_finish(&answer.output);
    sq_quota_destroy(memory);
}
