#include "archive/activity/activity.h"
#include "archive/sampling/sampling.h"
#include "archive/store/fingerprint.h"
#include "image/jpeg/jpeg.h"
#include "support/segments_text.h"
#include "support/test.h"

#define MAX_SHOTS 32
#define PICTURES 7
#define SIDE_X 320
#define SIDE_Y 180

/* The pictures as JPEG files, and the picture of each shot. */
static struct sq_buf pictures[PICTURES];
static struct sq_shot shots[MAX_SHOTS];
static int picture_of[MAX_SHOTS]; /* -1: cannot be read; -2: not a picture */
static size_t shot_count;

/* A white mail page, a dark editor and a purple chat, with some text. */
static const uint8_t pages[][3] = { { 250, 250, 250 },
                                    { 30, 30, 30 },
                                    { 90, 40, 110 } };
#define FIRST_PAGE 4

static void
paint_page(int page, int x, int y, uint8_t *pixel) {
    bool is_text = x > 40 && x < 280 && y % 12 == 6 && (x ^ y) % 3 == 0;
    for (int i = 0; i < 3; i++) {
        pixel[i] = is_text ? 140 : pages[page][i];
    }
}

/* Picture 3 is picture 2 with a small window drawn on it. */
static uint8_t
brightness(int picture, int x, int y) {
    if (picture == 3 && x > 240 && y > 120) {
        return 250;
    }
    switch (picture) {
    case 0:
        return (uint8_t)(x * 255 / SIDE_X);
    case 1:
        return (uint8_t)(255 - x * 255 / SIDE_X);
    default:
        return (uint8_t)((x / 40 + y / 30) % 2 ? 40 : 200);
    }
}

static void
draw(int picture) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_rows *rows = NULL;
    T_OK(sq_image_init(&image, SIDE_X, SIDE_Y, &sq_limits_default, &t_err));
    for (int y = 0; y < SIDE_Y; y++) {
        uint8_t *row = sq_image_row(&image, y);
        for (int x = 0; x < SIDE_X; x++) {
            uint8_t *pixel = row + x * SQ_PIXEL_BYTES;
            memset(pixel, brightness(picture, x, y), SQ_PIXEL_BYTES);
            if (picture >= FIRST_PAGE) {
                paint_page(picture - FIRST_PAGE, x, y, pixel);
            }
        }
    }
    sq_buf_init(&pictures[picture], (size_t)1 << 20);
    T_OK(sq_rows_from_image(&image, &rows, &t_err)
         && sq_jpeg_encode(rows, &(struct sq_jpeg_opts){ .quality = 80 },
                           &pictures[picture], &t_err));
    sq_rows_destroy(rows);
}

static void
start(void) {
    shot_count = 0;
}

/* One letter per shot, one minute apart from 10:00: the picture, or x, ?. */
static void
add(const char *letters, uint8_t monitor) {
    for (size_t i = 0; letters[i]; i++) {
        int64_t utc = 1767261600 + (int64_t)i * 60;
        size_t at = shot_count;
        /* Keep them sorted by time. */
        for (; at > 0 && shots[at - 1].utc > utc; at--) {
            shots[at] = shots[at - 1];
            picture_of[at] = picture_of[at - 1];
        }
        shots[at] =
            (struct sq_shot){ .utc = (uint32_t)utc, .monitor = monitor };
        picture_of[at] = letters[i] == 'x' ? -1
                       : letters[i] == '?' ? -2
                                           : letters[i] - '0';
        shot_count++;
    }
}

/* The scenes of the shots, which look like these fingerprints. */
static const char *
scenes_of(const struct sq_image_fingerprint *looks) {
    struct sq_image_fingerprint prints[32] = { 0 };
    const struct sq_shots all = { shots, shot_count };
    T_FREED(sq_segments_finish) struct sq_segments found = { 0 };
    for (size_t i = 0; i < shot_count; i++) {
        if (picture_of[i] >= 0) {
            prints[i] = looks[picture_of[i]];
        }
    }
    sq_segments_init(&found);
    T_OK(sq_scenes_find(&all, prints, &found, &t_err));
    sq_segments_merge(&found);
    const char *text = t_segments_text(&found);
    return text;
}

static struct sq_image_fingerprint looks[PICTURES]; /* of the pictures */

static const char *
gather(void) {
    return scenes_of(looks);
}

T_CASE(set_up) {
    for (int i = 0; i < PICTURES; i++) {
        draw(i);
        T_OK(sq_image_fingerprint_make(pictures[i].data, pictures[i].len, NULL,
                                       &looks[i], &t_err));
    }
}

T_CASE(scene_starts_when_a_change_persists) {
    start();
    add("000111222", 0);
    T_STR(gather(), "10:00:00-10:03:00 scene 1; "
                    "10:03:00-10:06:00 scene 2; "
                    "10:06:00-10:13:00 scene 3");
}

T_CASE(flat_pages_differ_by_brightness) {
    start();
    add("444555666", 0);
    T_STR(gather(), "10:00:00-10:03:00 scene 1; "
                    "10:03:00-10:06:00 scene 2; "
                    "10:06:00-10:13:00 scene 3");
}

T_CASE(single_different_picture_is_not_a_scene) {
    start();
    add("0001000", 0);
    T_STR(gather(), "10:00:00-10:11:00 scene 1");
    /* The single picture before it does not move the start of the scene. */
    start();
    add("01011", 0);
    T_STR(gather(), "10:00:00-10:03:00 scene 1; 10:03:00-10:09:00 scene 2");
}

/* Fingerprints that differ only in the hash or in one cell. */
static struct sq_image_fingerprint given[8];

static uint64_t
bits(int count) {
    return (UINT64_C(1) << count) - 1;
}

T_CASE(scene_thresholds_in_bits_and_levels) {
    given[0] = (struct sq_image_fingerprint){ .known = true };
    given[1] = given[0];
    given[1].hash = bits(SQ_FINGERPRINT_SCENE_BITS - 1);
    given[2] = given[0];
    given[2].hash = bits(SQ_FINGERPRINT_SCENE_BITS);
    start();
    add("0011", 0);
    T_STR(scenes_of(given), "10:00:00-10:08:00 scene 1");
    start();
    add("0022", 0);
    T_STR(scenes_of(given),
          "10:00:00-10:02:00 scene 1; 10:02:00-10:08:00 scene 2");
}

/* Later pictures are compared with the one that confirmed the scene. */
T_CASE(scene_is_compared_with_its_second_picture) {
    given[0] = (struct sq_image_fingerprint){ .known = true };
    given[1] = given[0];
    given[1].hash = bits(20) << 40;
    given[2] = given[1];
    given[2].hash ^= bits(SQ_FINGERPRINT_SCENE_BITS - 1);
    given[3] = given[2];
    given[3].hash ^= bits(SQ_FINGERPRINT_SCENE_BITS - 1) << 20;
    start();
    add("001233", 0);
    T_STR(scenes_of(given),
          "10:00:00-10:02:00 scene 1; 10:02:00-10:10:00 scene 2");
}

/* The time between scenes without shots belongs to neither. */
T_CASE(pause_ends_a_scene) {
    start();
    add("0011", 0);
    shots[2].utc += 3600;
    shots[3].utc += 3600;
    T_STR(gather(), "10:00:00-10:06:00 scene 1; 11:02:00-11:08:00 scene 2");
}

T_CASE(small_changes_are_no_scene) {
    start();
    add("222333", 0);
    T_STR(gather(), "10:00:00-10:10:00 scene 1");
}

T_CASE(unreadable_pictures_are_skipped) {
    start();
    add("00xx?011x1", 0);
    T_STR(gather(), "10:00:00-10:06:00 scene 1; 10:06:00-10:14:00 scene 2");
    start();
    add("xxx", 0);
    T_STR(gather(), "");
    start();
    T_STR(gather(), "");
}

/* From files to the list: shots are selected by the scenes in the pictures. */
T_CASE(scenes_can_be_selected) {
    const struct sq_window all = { 0, 4102444800 };
    struct sq_image_fingerprint prints[9];
    T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    struct sq_choice choice;
    start();
    add("000111222", 0);
    for (size_t i = 0; i < shot_count; i++) {
        prints[i] = looks[picture_of[i]];
    }
    sq_segments_init(&segments);
    T_ARENA(arena, (size_t)1 << 20);
    T_OK(sq_scenes_find(&(struct sq_shots){ shots, shot_count }, prints,
                        &segments, &t_err));
    struct sq_choose_request ask = { .shots = { shots, shot_count },
                                     .window = all,
                                     .sampling = SQ_SAMPLING_VISUAL,
                                     .max_count = 10,
                                     .settle_s = SQ_SETTLE_S,
                                     .segments = segments.items,
                                     .segment_count = segments.count };
    T_OK(sq_choose(&ask, &arena, &choice, &t_err));
    T_INT(choice.count, 3);
    T_INT(choice.picks[1].shot, 3);
    T_INT(choice.picks[2].shot, 6);
}

T_CASE(fingerprints_distinguish_pictures) {
    struct sq_image_fingerprint print;
    T(sq_hash_distance(looks[0].hash, looks[1].hash)
      >= SQ_FINGERPRINT_SCENE_BITS);
    T(sq_hash_distance(looks[0].hash, looks[2].hash)
      >= SQ_FINGERPRINT_SCENE_BITS);
    T(sq_hash_distance(looks[2].hash, looks[3].hash)
      < SQ_FINGERPRINT_SCENE_BITS);
    T(sq_image_fingerprint_cell_delta(&looks[2], &looks[3])
      >= SQ_FINGERPRINT_CELL_DELTA);
    T_INT(sq_image_fingerprint_cell_delta(&looks[2], &looks[2]), 0);
    T(!sq_image_fingerprint_make((const uint8_t *)"text", 4, NULL, &print,
                                 &t_err));
}

T_CASE(deadline_ends_a_fingerprint) {
    struct sq_image_fingerprint print;
    const struct sq_deadline over = sq_deadline_in(0, NULL);
    T_FAILS(sq_image_fingerprint_make(pictures[0].data, pictures[0].len, &over,
                                      &print, &t_err),
            SQ_ERR_TIMEOUT);
}

T_ALLOC_CASE(every_allocation_can_fail, 1) {
    struct sq_image_fingerprint print;
    return sq_image_fingerprint_make(pictures[0].data, pictures[0].len, NULL,
                                     &print, err);
}

T_CASE(tear_down) {
    for (int i = 0; i < PICTURES; i++) {
        sq_buf_finish(&pictures[i]);
    }
}
