/*
 * Pictures that the eye scales: made of them, a picture has the same bytes as
 * made of the frame. When it scales, what it keeps, and how it watches.
 */
#include "image/pipeline/picture.h"
#include "unit/eye/running_eye.h"

/* A frame of a page, which the caller frees. */
static uint8_t *
make_frame(const char *name, size_t *len, struct sq_size *size) {
    T_FREED(sq_image_finish) struct sq_image page = { 0 };
    t_page_draw(name, &page);
    *size = sq_image_size(&page);
    *len = 16 + (size_t)page.height * page.stride;
    uint8_t *frame = malloc(*len);
    put_header(frame, page.width, page.height, 1);
    memcpy(frame + 16, page.pixels, *len - 16);
    return frame;
}

static void
make_picture(const uint8_t *bytes, size_t len,
             const struct sq_picture_opts *how, struct sq_buf *out) {
    struct sq_picture_info info;
    sq_buf_init(out, MAX_FRAME);
    T_OK(sq_picture_make(bytes, len, how, &sq_limits_default, out, &info,
                         &t_err));
}

/* The scaling that a picture of such a frame needs. */
static struct sq_eye_scaling
plan(const struct sq_picture_opts *how, struct sq_size size) {
    struct sq_region part;
    struct sq_size image;
    T_OK(sq_picture_plan(how, size, &part, &image, &t_err));
    return (struct sq_eye_scaling){
        .width = (uint32_t)size.width,
        .height = (uint32_t)size.height,
        .part = { (uint32_t)part.x, (uint32_t)part.y, (uint32_t)part.width,
                  (uint32_t)part.height },
        .out_width = (uint32_t)image.width,
        .out_height = (uint32_t)image.height,
        .kernel =
            how->kernel == SQ_KERNEL_AREA ? SQ_EYE_BOX : SQ_EYE_CATMULL_ROM,
    };
}

/* Captures what screencap prints, scaled if the coded frame is larger. */
static struct sq_eye_begin
capture(const uint8_t *frame, size_t len, const struct sq_eye_scaling *scaling,
        uint32_t limit) {
    struct sq_eye_begin begun = { 0 };
    const struct sq_eye_capture request = { .max_bytes = MAX_FRAME,
                                            .limit = limit,
                                            .scaling = *scaling };
    t_put(t_scratch_path("frame"), frame, len);
    request_capture(&request);
    sq_adb_output_clear(&output);
    T_OK(sq_eye_read_frame(&talk, &source, &request, &output, &begun, &t_err));
    T_INT(output.status, 0);
    return begun;
}

/* Fetches a part of a kept frame. Returns the status. */
static int
crop(uint64_t hash, const struct sq_eye_scaling *scaling) {
    const struct sq_eye_crop values = { hash, MAX_FRAME, *scaling };
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    sq_eye_put_crop(&values, request + SQ_EYE_HEAD_BYTES);
    send_request(SQ_EYE_CROP, SQ_EYE_CROP_BYTES, request);

    sq_adb_output_clear(&output);
    T_OK(sq_eye_read_crop_answer(&talk, &source, &values, &output, &t_err));
    return output.status;
}

/* Checks that output.out gives the picture that the frame gives. */
static void
check_picture(const uint8_t *frame, size_t len,
              const struct sq_picture_opts *how) {
    const struct sq_picture_opts same = { .format = how->format };
    T_FREED(sq_buf_finish) struct sq_buf expected = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf found = { 0 };
    make_picture(frame, len, how, &expected);
    make_picture(output.out.data, output.out.len, &same, &found);
    T_BYTES(found.data, found.len, expected.data, expected.len);
}

static const struct sq_region regions[] = {
    { 0, 0, 1080, 2400 },  { 0, 0, 1079, 2399 },  { 1, 1, 1079, 2399 },
    { 37, 411, 533, 277 }, { 1000, 0, 80, 2400 }, { 0, 2399, 1080, 1 },
    { 1079, 2399, 1, 1 },
};

/* Every page and region in many sizes, with both kernels. */
T_CASE(pictures_are_the_same) {
    static const int sides[] = { 0, 2000, 1000, 999, 512, 333, 128, 17, 1 };
    size_t count = SQ_COUNT(sides);
    if (!begin()) {
        return;
    }
    size_t turn = 0;
    for (size_t page = 0; t_page_names[page]; page++) {
        size_t len;
        struct sq_size size;
        uint8_t *frame = make_frame(t_page_names[page], &len, &size);
        uint64_t hash = look(frame, len, 0).hash;
        for (size_t i = 0; i < SQ_COUNT(regions); i++) {
            for (size_t side = 0; side < count; side++) {
                const struct sq_picture_opts how = {
                    .max_dimension = sides[side],
                    .region = &regions[i],
                    .format = SQ_FORMAT_JPEG,
                    .kernel = turn++ % 3 == 0 ? SQ_KERNEL_AREA
                                              : SQ_KERNEL_CATMULL_ROM,
                };
                const struct sq_eye_scaling scaling = plan(&how, size);
                T_INT(crop(hash, &scaling), 0);
                check_picture(frame, len, &how);
            }
        }
        free(frame);
    }
    T_INT(end(), 1);
}

/* The whole screen as models get it, from the capture itself. */
T_CASE(captures_are_the_same) {
    static const enum sq_format formats[] = { SQ_FORMAT_JPEG, SQ_FORMAT_WEBP,
                                              SQ_FORMAT_PNG };
    if (!begin()) {
        return;
    }
    for (size_t page = 0; t_page_names[page]; page++) {
        size_t len;
        struct sq_size size;
        uint8_t *frame = make_frame(t_page_names[page], &len, &size);
        const struct sq_picture_opts how = { .max_dimension = 1000,
                                             .format = formats[page % 3] };
        const struct sq_eye_scaling scaling = plan(&how, size);
        struct sq_eye_begin begun = capture(frame, len, &scaling, 1);
        T(begun.is_scaled && begun.hash == hash_of(frame, len)
          && begun.width == 1080 && begun.height == 2400 && !begun.is_black);
        check_picture(frame, len, &how);
        memset(frame + len / 3, 9, 5000); /* then a change, and none */
        size_t before = received;
        T(capture(frame, len, &scaling, 1).is_scaled);
        check_picture(frame, len, &how);
        T(received - before < 20000);
        before = received;
        T(capture(frame, len, &scaling, 1).is_scaled);
        check_picture(frame, len, &how);
        T(received - before < 300);
        free(frame);
    }
    T_INT(end(), 1);
}

/* A frame of noise, in which each byte depends on the seed. */
static void
make_noise(uint8_t frame[SIDE_BYTES], uint32_t seed) {
    for (uint32_t i = 16; i < SIDE_BYTES; i++) {
        seed = seed * 1664525 + 1013904223;
        frame[i] = (uint8_t)(seed >> 24);
    }
    put_header(frame, SIDE, SIDE, 1);
}

static const struct sq_eye_scaling half = {
    .width = SIDE,
    .height = SIDE,
    .part = { 0, 0, SIDE, SIDE },
    .out_width = SIDE / 2,
    .out_height = SIDE / 2,
};

T_CASE(limit_decides) {
    uint8_t frame[SIDE_BYTES];
    if (!begin()) {
        return;
    }
    make_noise(frame, 1);
    T(!capture(frame, sizeof(frame), &half, 60000).is_scaled);
    T_BYTES(output.out.data, output.out.len, frame, sizeof(frame));
    memset(frame + 5000, 3, 1000);
    T(!capture(frame, sizeof(frame), &half, 100)
           .is_scaled); /* a small change */
    T_BYTES(output.out.data, output.out.len, frame, sizeof(frame));
    make_noise(frame, 2);
    T(capture(frame, sizeof(frame), &half, 20000).is_scaled);
    memset(frame + 5000, 3, 1000); /* the host still has the one before */
    T(capture(frame, sizeof(frame), &half, 20000).is_scaled);
    make_noise(frame, 1);
    memset(frame + 5000, 3, 1000);
    T(!capture(frame, sizeof(frame), &half, 100).is_scaled);
    T_BYTES(output.out.data, output.out.len, frame, sizeof(frame));
    T_INT(end(), 1);
}

/* Frames that cannot be scaled are sent as they are. */
T_CASE(others_are_sent_whole) {
    struct sq_eye_scaling other = half;
    uint8_t frame[SIDE_BYTES];
    if (!begin()) {
        return;
    }
    other.width = SIDE + 1;
    make_noise(frame, 1);
    T(!capture(frame, sizeof(frame), &other, 1).is_scaled);
    T_BYTES(output.out.data, output.out.len, frame, sizeof(frame));
    make_noise(frame, 2);
    put_header(frame, SIDE, SIDE, 5); /* blue before red */
    T(!capture(frame, sizeof(frame), &half, 1).is_scaled);
    T_BYTES(output.out.data, output.out.len, frame, sizeof(frame));
    make_noise(frame, 3);
    T(!capture(frame, sizeof(frame) - 4, &half, 1).is_scaled); /* 12 bytes */
    T_BYTES(output.out.data, output.out.len, frame, sizeof(frame) - 4);
    make_noise(frame, 4);
    T(!capture(frame, sizeof(frame) - 401, &half, 1).is_scaled); /* cut off */
    T_BYTES(output.out.data, output.out.len, frame, sizeof(frame) - 401);
    T_INT(end(), 1);
}

/* Later looks and frames do not replace the last two that were scaled. */
T_CASE(scaled_frames_are_kept) {
    struct sq_eye_scaling all = half;
    uint8_t first[SIDE_BYTES];
    uint8_t second[SIDE_BYTES];
    uint8_t frame[SIDE_BYTES];
    all.out_width = all.out_height = SIDE;
    if (!begin()) {
        return;
    }
    make_noise(first, 1);
    make_noise(second, 2);
    uint64_t first_hash = capture(first, sizeof(first), &half, 1).hash;
    uint64_t second_hash = capture(second, sizeof(second), &half, 1).hash;
    for (uint32_t i = 0; i < 8; i++) {
        make_noise(frame, 10 + i);
        look(frame, sizeof(frame), first_hash);
        make_noise(frame, 20 + i);
        check_frame(frame, sizeof(frame));
    }
    T_INT(crop(first_hash, &all), 0);
    T_BYTES(output.out.data, output.out.len, first, sizeof(first));
    T_INT(crop(second_hash, &all), 0);
    T_BYTES(output.out.data, output.out.len, second, sizeof(second));
    T(capture(first, sizeof(first), &half, 1).is_scaled); /* is newer now */
    make_noise(frame, 3);
    T(capture(frame, sizeof(frame), &half, 1).is_scaled);
    for (uint32_t i = 0; i < 3; i++) {
        make_noise(frame, 10 + i);
        look(frame, sizeof(frame), 0);
    }
    T_INT(crop(first_hash, &all), 0);
    T_INT(crop(second_hash, &all), SQ_EYE_GONE);
    T_INT(output.out.len, 0);
    T_INT(end(), 1);
}

static struct sq_eye_watched
next_look(void) {
    struct sq_eye_watched watched = { 0 };
    sq_adb_output_clear(&output);
    T_OK(sq_eye_read_answer(&talk, &source, SQ_EYE_WATCHED, &watched, &t_err));
    return watched;
}

static void
start_watch(struct sq_rest_rule rule, uint64_t before) {
    const struct sq_eye_watch values = { .look = { .max_bytes = MAX_FRAME,
                                                   .keep = before },
                                         .before = before,
                                         .rule = rule };
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    sq_eye_put_watch(&values, request + SQ_EYE_HEAD_BYTES);
    send_request(SQ_EYE_WATCH, SQ_EYE_WATCH_BYTES, request);
}

T_CASE(it_watches_until_the_screen_rests) {
    static const struct sq_rest_rule rule = { 10, 30, 30, 60000, true };
    static const struct sq_rest_rule short_rule = { 10, 60000, 0, 20, true };
    uint8_t frame[SIDE_BYTES];
    if (!begin()) {
        return;
    }
    make_noise(frame, 1);
    uint64_t before = look(frame, sizeof(frame), 0).hash;
    make_noise(frame, 2);
    t_put(t_scratch_path("frame"), frame, sizeof(frame));
    start_watch(rule, before);
    struct sq_eye_watched watched = next_look();
    T_INT(watched.state, SQ_REST_GOES_ON); /* a single look tells nothing */
    while (watched.state == SQ_REST_GOES_ON) {
        T(watched.seen.hash == hash_of(frame, sizeof(frame)));
        watched = next_look();
    }
    T_INT(watched.state, SQ_REST_SETTLED);
    static const struct sq_eye_area whole;
    T_INT(compare(before, watched.seen.hash, whole).outcome, SQ_EYE_DIFFERENT);
    start_watch(short_rule, 0); /* it would rest much later */
    do {
        watched = next_look();
    } while (watched.state == SQ_REST_GOES_ON);
    T_INT(watched.state, SQ_REST_OVER);
    t_put(t_scratch_path("fail"), "", 0);
    start_watch(rule, 0);
    watched = next_look(); /* the last one, since it has failed */
    T(watched.seen.hash == 0 && watched.seen.status == 3);
    unlink(t_scratch_path("fail"));
    check_frame(frame, sizeof(frame)); /* it goes on */
    T_INT(end(), 1);
}

T_CASE(watching_ends_with_the_stream) {
    static const struct sq_rest_rule rule = { 60000, 60000, 0, 120000, false };
    uint8_t frame[SIDE_BYTES];
    if (!begin()) {
        return;
    }
    make_noise(frame, 1);
    t_put(t_scratch_path("frame"), frame, sizeof(frame));
    start_watch(rule, 0);
    T_INT(next_look().state, SQ_REST_GOES_ON); /* the next is in a minute */
    T_INT(end(), 1);
}
