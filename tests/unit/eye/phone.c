/*
 * The eye itself, with a screencap that prints what the test wants. Frames of
 * all formats and all pages arrive exactly, and it ends when its stream does.
 */
#include "unit/eye/running_eye.h"

T_CASE(all_pages_arrive) {
    if (!begin()) {
        return;
    }
    for (size_t i = 0; t_page_names[i]; i++) {
        T_FREED(sq_image_finish) struct sq_image page = { 0 };
        t_page_draw(t_page_names[i], &page);
        size_t len = 16 + (size_t)page.height * page.stride;
        uint8_t *frame = malloc(len);
        put_header(frame, page.width, page.height, 1);
        memcpy(frame + 16, page.pixels, len - 16);
        check_frame(frame, len);
        memset(frame + len / 3, 9, 5000); /* then a change, and none */
        check_frame(frame, len);
        check_frame(frame, len);
        free(frame);
    }
    T(t_holds(t_scratch_path("arguments"), "-d 18446744073709551615\n", 24));
    T_INT(end(), 1);
}

/* All formats, both headers, and sizes that are no multiple of a word. */
T_CASE(all_formats_arrive) {
    static const struct {
        uint32_t format;
        size_t pixel_bytes;
    } formats[] = { { 1, 4 }, { 3, 3 }, { 4, 2 }, { 22, 8 }, { 43, 4 } };
    if (!begin()) {
        return;
    }
    uint8_t frame[16 + 37 * 21 * 8];
    for (size_t i = 0; i < SQ_COUNT(formats); i++) {
        for (int header = 12; header <= 16; header += 4) {
            size_t len = (size_t)header + 37 * 21 * formats[i].pixel_bytes;
            for (size_t at = 0; at < len; at++) {
                frame[at] = (uint8_t)(at % 100 < 60 ? 3 : at * at * 7);
            }
            put_header(frame, 37, 21, formats[i].format);
            check_frame(frame, len);
            frame[len - 1] ^= 255;
            check_frame(frame, len);
        }
    }
    T_INT(end(), 1);
}

T_CASE(looks_need_no_pixels) {
    static const struct sq_eye_area whole;
    uint8_t frame[SIDE_BYTES];
    if (!begin()) {
        return;
    }
    memset(frame, 50, sizeof(frame));
    put_header(frame, SIDE, SIDE, 1);
    check_frame(frame, sizeof(frame)); /* the one that the host has */
    uint64_t first = hash_of(frame, sizeof(frame));
    struct sq_eye_seen seen = look(frame, sizeof(frame), 0);
    T(seen.status == 0 && seen.hash == first && seen.width == SIDE
      && seen.height == SIDE && !seen.is_black);
    frame[16 + 4 * (30 * SIDE + 20)] = 1;
    uint64_t second = hash_of(frame, sizeof(frame));
    T(look(frame, sizeof(frame), first).hash == second);
    struct sq_eye_compared compared = compare(first, second, whole);
    T(compared.outcome == SQ_EYE_DIFFERENT && compared.where.count == 1
      && compared.where.items[0].x == 20 && compared.where.items[0].y == 30
      && compared.where.items[0].width == 1
      && compared.where.items[0].height == 1);
    T_INT(compare(second, second, whole).outcome, SQ_EYE_SAME);
    T_INT(compare(first, second, (struct sq_eye_area){ 0, 0, 20, 99 }).outcome,
          SQ_EYE_SAME);
    T_INT(compare(first, second, (struct sq_eye_area){ 1, 0, 100, 99 }).outcome,
          SQ_EYE_UNKNOWN);
    T_INT(compare(first, 77, whole).outcome, SQ_EYE_UNKNOWN);
    check_frame(frame, sizeof(frame)); /* its base is still there */
    T_INT(end(), 1);
}

/* The frame that was sent and the one that is needed are never replaced. */
T_CASE(needed_frames_are_kept) {
    static const struct sq_eye_area whole;
    uint8_t frame[SIDE_BYTES];
    if (!begin()) {
        return;
    }
    memset(frame, 50, sizeof(frame));
    put_header(frame, SIDE, SIDE, 1);
    check_frame(frame, sizeof(frame));
    uint64_t sent = hash_of(frame, sizeof(frame));
    frame[SIDE_BYTES - 2] = 51;
    uint64_t needed = look(frame, sizeof(frame), 0).hash;
    uint64_t last = needed;
    for (uint8_t i = 0; i < 5; i++) {
        frame[SIDE_BYTES - 2] = (uint8_t)(60 + i);
        uint64_t next = look(frame, sizeof(frame), needed).hash;
        T_INT(compare(sent, next, whole).outcome, SQ_EYE_DIFFERENT);
        T_INT(compare(needed, next, whole).outcome, SQ_EYE_DIFFERENT);
        T_INT(compare(last, next, whole).outcome,
              i == 0 ? SQ_EYE_DIFFERENT : SQ_EYE_UNKNOWN);
        last = next;
    }
    T_INT(end(), 1);
}

T_CASE(looks_tell_what_needs_pixels) {
    uint8_t frame[SIDE_BYTES] = { 0 };
    if (!begin()) {
        return;
    }
    put_header(frame, SIDE, SIDE, 1);
    T(look(frame, sizeof(frame), 0).is_black);
    frame[SIDE_BYTES - 2] = 9;
    T(!look(frame, sizeof(frame), 0).is_black);
    put_header(frame, SIDE, SIDE, 43); /* ten bits per colour */
    struct sq_eye_seen seen = look(frame, sizeof(frame), 0);
    T(seen.status == 0 && seen.hash == 0);
    T(look(frame, sizeof(frame) / 2, 0).hash == 0); /* incomplete */
    t_put(t_scratch_path("errors"), "two displays", 12);
    t_put(t_scratch_path("fail"), "", 0);
    seen = look("Capturing failed.\n", 18, 0);
    T(seen.status == 3 && seen.hash == 0);
    T_INT(talk.messages.len, 30);
    T_INT(end(), 1);
}

T_CASE(failures_are_reported) {
    uint8_t frame[16 + 4 * 100 * 100] = { 0 };
    if (!begin()) {
        return;
    }
    t_put(t_scratch_path("frame"), "Capturing failed.\n", 18);
    t_put(t_scratch_path("errors"), "no display", 10);
    t_put(t_scratch_path("fail"), "", 0);
    struct sq_eye_begin begun;
    struct sq_eye_capture capture = ask(MAX_FRAME);
    T_OK(sq_eye_read_frame(&talk, &source, &capture, &output, &begun, &t_err));
    T_INT(output.status, 3);
    T_INT(output.out.len, 0);
    T_INT(output.errors.len, 28);
    unlink(t_scratch_path("fail"));
    put_header(frame, 100, 100, 1);
    t_put(t_scratch_path("frame"), frame, sizeof(frame));
    capture = ask(sizeof(frame) - 1); /* too large */
    sq_adb_output_clear(&output);
    T_FAILS(
        sq_eye_read_frame(&talk, &source, &capture, &output, &begun, &t_err),
        SQ_ERR_LIMIT);
    check_frame(frame, sizeof(frame)); /* it goes on */
    T_INT(end(), 1);
}

T_CASE(it_ends_while_screencap_hangs) {
    if (!begin()) {
        return;
    }
    t_put(t_scratch_path("hang"), "", 0);
    ask(MAX_FRAME);
    struct stat st;
    while (stat(t_scratch_path("arguments"), &st) != 0 || st.st_size == 0) {
        T(sq_wait_ms(1, &deadline, NULL));
    }
    T_INT(end(), 1);
}

T_CASE(damaged_request_ends_it) {
    if (!begin()) {
        return;
    }
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    const struct sq_eye_capture capture = { .max_bytes = MAX_FRAME };
    struct sq_eye_begin begun;
    sq_eye_make_request(&talk, &capture, request);
    request[SQ_EYE_HEAD_BYTES] ^= 1;
    T(sq_socket_write(stream, request, sizeof(request), &deadline, NULL));
    T(!sq_eye_read_frame(&talk, &source, &capture, &output, &begun, NULL));
    T_INT(end(), 2);
}
