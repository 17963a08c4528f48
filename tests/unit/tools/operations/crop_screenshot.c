/* Regions of past and of live pictures, in three units. */
#include <math.h>

#include "unit/tools/one_shot.h"

static bool
crop(double x, double y, double width, double height, const char *units) {
    char more[300];
    snprintf(more, sizeof(more), ",'x':%g,'y':%g,'width':%g,'height':%g%s%s%s",
             x, y, width, height, units ? ",'coordinateUnits':'" : "",
             units ? units : "", units ? "'" : "");
    return past_run_on("crop_screenshot", ref, more);
}

/* The region that was cropped from 640x400, in its pixels. */
static bool
cut_is(int x, int y, int width, int height) {
    bool ok = T_INT(past_number("pixels.x"), x)
           && T_INT(past_number("pixels.y"), y)
           && T_INT(past_number("pixels.width"), width)
           && T_INT(past_number("pixels.height"), height);
    struct sq_size size = past_size(past_picture());
    return T_INT(size.width, width) && T_INT(size.height, height) && ok;
}

T_FIXTURE(NULL, past_end);

/* list, then get, then crop: each with values of the previous reply. */
T_CASE(exit_progressive_workflow) {
    struct past_shot full = plain;
    full.width = 1280;
    full.height = 800;
    start("a", &full);
    T_OK(past_run_on("get_screenshot", ref, ""));
    const struct sq_block *thumb = past_block(SQ_BLOCK_IMAGE, 0);
    const struct past_field seen = { .column = 2, .row = 1, .thumb = true };
    T(past_shows(&thumb->data, 200, 70, &seen));
    char again[PAST_REF_SIZE];
    snprintf(again, sizeof(again), "%s", past_text("screenshotRef"));
    T_STR(again, ref);
    /* The field shown at 200,70 of 320x200, in percent of either picture. */
    T_OK(crop(50, 25, 25, 25, NULL));
    T_INT(past_size(past_picture()).width, 320);
    T_INT(past_size(past_picture()).height, 200);
    const struct past_field want = { .column = 2, .row = 1 };
    T(past_shows(past_picture(), 5, 5, &want));
    T(past_shows(past_picture(), 314, 194, &want));
}

T_CASE(same_region_in_three_units) {
    static const struct {
        double x, y, width, height;
        const char *units;
    } rows[] = {
        { 25, 50, 50, 25, NULL },
        { 25, 50, 50, 25, "percent" },
        { 0.25, 0.5, 0.5, 0.25, "normalized" },
        { 160, 200, 320, 100, "pixels" },
    };
    const struct past_field left = { .column = 1, .row = 2 };
    const struct past_field right = { .column = 2, .row = 2 };
    start_plain();
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T_OK(crop(rows[i].x, rows[i].y, rows[i].width, rows[i].height,
                  rows[i].units));
        T(cut_is(160, 200, 320, 100));
        T(past_shows(past_picture(), 10, 50, &left));
        T(past_shows(past_picture(), 310, 50, &right));
    }
}

T_CASE(regions_are_clipped_at_the_edges) {
    static const struct {
        double x, y, width, height;
        int want[4];
    } rows[] = {
        { -10, 0, 30, 100, { 0, 0, 128, 400 } }, /* 0 to 20 percent */
        { 90, 90, 50, 50, { 576, 360, 64, 40 } },
        { -50, -50, 200, 200, { 0, 0, 640, 400 } },
        { 0, 0, 100, 100, { 0, 0, 640, 400 } },
        { 0, 0, 1e6, 1e6, { 0, 0, 640, 400 } },
        { 99.99, 99.99, 5, 5, { 639, 399, 1, 1 } },
        { 50, 50, 0.001, 0.001, { 320, 200, 1, 1 } },
    };
    start_plain();
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T_OK(crop(rows[i].x, rows[i].y, rows[i].width, rows[i].height, NULL));
        if (!cut_is(rows[i].want[0], rows[i].want[1], rows[i].want[2],
                    rows[i].want[3])) {
            printf("# row %zu\n", i);
        }
    }
    /* The requested region is reported as well. */
    T_OK(crop(-10, 0, 30, 100, NULL));
    T_INT(past_number("crop.x"), -10);
    T_INT(past_number("crop.width"), 30);
    T_STR(past_text("crop.units"), "percent");
}

T_CASE(regions_without_area_are_refused) {
    static const struct {
        double x, y, width, height;
        const char *units;
    } rows[] = {
        { 10, 10, 0, 10, NULL },        { 10, 10, 10, 0, NULL },
        { 10, 10, -5, 10, NULL },       { 100, 0, 10, 10, NULL },
        { -20, 0, 20, 10, NULL },       { 0, 150, 10, 10, NULL },
        { 1, 0, 0.5, 1, "normalized" }, { 640, 0, 10, 10, "pixels" },
        { 0, 0, 0, 0, "pixels" },       { -5, 0, 4, 4, "pixels" },
    };
    start_plain();
    T_EACH(i, rows) {
        T_FAILS(crop(rows[i].x, rows[i].y, rows[i].width, rows[i].height,
                     rows[i].units),
                SQ_ERR_ARGUMENT);
        T_HAS(t_err.message, "640x400");
        T(t_err.hint[0] != '\0');
    }
    T_FAILS(past_run_on("crop_screenshot", ref, ",'x':1,'y':1,'width':5"),
            SQ_ERR_ARGUMENT);
    T(!crop(1e7, 0, 1, 1, NULL));
    T(!crop(0, 0, 10, 10, "inches"));
}

T_CASE(crops_are_for_user_and_model_with_description) {
    start_plain();
    T_OK(crop(50, 0, 50, 25, NULL));
    T_INT(world.result.count, 2);
    const struct sq_block *block = &world.result.blocks[0];
    T_INT(block->kind, SQ_BLOCK_IMAGE);
    T_INT(block->audience, SQ_FOR_BOTH);
    T_STR(block->mime_type, "image/jpeg");
    T_STR(past_kind(&block->data), "jpeg");
    const char *want =
        t_text("{\"screenshotRef\":\"%s\",\"timestamp\":\"" DAY
               "T10:30:45+01:00\",\"displayLocalTime\":<*>,\"width\":640,"
               "\"height\":400,<*>\"crop\":{\"x\":50,\"y\":0,\"width\":50,"
               "\"height\":25,\"units\":\"percent\"},\"pixels\":{\"x\":320,"
               "\"y\":0,\"width\":320,\"height\":100},\"image\":{\"width\":320,"
               "\"height\":100},\"tokens\":<*>}",
               ref);
    T(fake_matches(world.json, want));
}

T_CASE(too_large_regions_are_shrunk_with_a_note) {
    struct past_shot huge = plain;
    huge.width = 3000;
    huge.height = 1500;
    start("a", &huge);
    T_OK(crop(0, 0, 100, 100, NULL));
    T_INT(past_size(past_picture()).width, 2000);
    T_INT(past_number("image.width"), 2000);
    T_INT(past_number("pixels.width"), 3000);
    T_HAS(past_text("note"), "smaller");
    T_OK(crop(0, 0, 25, 25, NULL));
    T_INT(past_size(past_picture()).width, 750);
    T(!past_has("note"));
    /* The maximum size of a reply is a limit as well. */
    world.config.limits.max_result_bytes = 16 << 10;
    T_OK(crop(0, 0, 100, 100, NULL));
    T((past_picture()->len + 2) / 3 * 4 + strlen(world.json) <= 16 << 10);
}

T_CASE(regions_need_the_full_picture) {
    start("a=thumbnail", &plain);
    T_FAILS(crop(0, 0, 50, 50, NULL), SQ_ERR_INVALID_OPERATION);
    T_HAS(t_err.hint, "archive.roots");
    past_end();
    start_plain();
    past_damage(past_path(&plain, false), PAST_GROWING);
    T_FAILS(crop(0, 0, 50, 50, NULL), SQ_ERR_TRUNCATED);
    T_HAS(t_err.hint, "again");
    past_end();
    /* Only if nothing else was kept, and then the reply says so. */
    struct past_shot small = plain;
    small.parts = PAST_THUMB_ONLY;
    start("a", &small);
    T_OK(crop(0, 0, 50, 50, NULL));
    T_INT(past_size(past_picture()).width, 80);
    T_HAS(past_text("note"), "thumbnail");
    /* Its size, and pixels of it, are those of the other answers. */
    T_SAYS("'width':640,'height':400,");
    T_OK(crop(0, 0, 320, 200, "pixels"));
    T_INT(past_size(past_picture()).width, 80);
    T_SAYS("'pixels':{'x':0,'y':0,'width':320,'height':200}");
}

T_CASE(pngs_can_be_cropped) {
    const struct past_field want = { .column = 3, .row = 3 };
    past_start_with_root();
    past_put_picture("a/Screenshot from 2026-01-15 09-00-00.png", 400, 200, 0);
    past_ref(DAY, DAY, 0, ref);
    T_OK(crop(75, 75, 25, 25, NULL));
    T_STR(past_kind(past_picture()), "jpeg");
    T_INT(past_size(past_picture()).width, 100);
    T(past_shows(past_picture(), 50, 25, &want));
}

T_CASE(cached_live_picture_can_be_cropped) {
    past_start_with_root();
    world.device.plain = true;
    world.device.colour = 0xd02020;
    T_OK(past_run("screenshot", "{}"));
    snprintf(ref, sizeof(ref), "%s", past_text("screenshotId"));
    T_STR(ref, "s1");
    /* The device shows another screen now. */
    world.device.colour = 0x2020d0;
    T_OK(crop(0, 0, 50, 10, NULL));
    T_STR(past_text("screenshotId"), "s1");
    T_INT(past_size(past_picture()).width, 540);
    T_INT(past_size(past_picture()).height, 240);
    T_OK(crop(0, 0, 100, 100, "pixels"));
    T_INT(past_size(past_picture()).width, 100);
    T_INT(world.device.captures, 1);
    /* Only the latest few frames are kept. */
    for (int i = 0; i < 8; i++) {
        T_OK(past_run("screenshot", "{}"));
    }
    T_FAILS(crop(0, 0, 50, 10, NULL), SQ_ERR_UNKNOWN_SCREENSHOT);
    T(t_err.hint[0] != '\0');
    snprintf(ref, sizeof(ref), "s9");
    T_OK(crop(0, 0, 50, 10, NULL));
    snprintf(ref, sizeof(ref), "s999");
    T(!crop(0, 0, 50, 10, NULL));
}

/* The picture of 640x400 is shown at another size before it is cropped. */
T_CASE(regions_can_be_in_pixels_of_the_shown_picture) {
    start_plain();
    T_FAILS(crop(0, 0, 10, 10, "image"), SQ_ERR_UNKNOWN_SCREENSHOT);
    T_HAS(t_err.hint, "get_screenshot first");
    T_OK(past_run_on("get_screenshot", ref, ""));
    int width = (int)past_number("image.width");
    int height = (int)past_number("image.height");
    T_OK(crop(0, 0, width, height, "image"));
    T(cut_is(0, 0, 640, 400));
    T_OK(past_run_on("get_screenshot", ref, ""));
    T_OK(crop(width / 2.0, height / 2.0, width / 4.0, height / 4.0, "image"));
    T(cut_is(320, 200, 160, 100));
    /* Now that region is the picture that was shown, at its own size. */
    T_INT(past_size(past_picture()).width, 160);
    T_OK(crop(40, 50, 80, 25, "image"));
    T(cut_is(360, 250, 80, 25));
}

/* screenshotId is another name of the argument, in all three tools. */
T_CASE(live_pictures_are_named_by_their_id) {
    past_start_with_root();
    world.device.plain = true;
    world.device.colour = 0xd02020;
    T_OK(past_run("screenshot", "{}"));
    world.device.colour = 0x2020d0; /* another screen now */
    T_OK(past_run("crop_screenshot",
                  "{'screenshotId':'s1','x':0,'y':0,'width':50,'height':10}"));
    T_INT(past_size(past_picture()).width, 540);
    T_OK(past_run("get_screenshot", "{'screenshotId':'s1'}"));
    T_STR(past_text("screenshotId"), "s1");
    T_INT(past_size(past_picture()).height, 512);
    T_OK(past_run("get_screenshot",
                  "{'screenshotRef':'s1','maxDimension':1200}"));
    T_INT(past_size(past_picture()).height, 1200);
    T_INT(world.device.captures, 1);
    T(!past_run("get_screenshot", "{'screenshotId':'s99'}"));
    T(t_err.hint[0] != '\0');
}

T_CASE(regions_of_a_live_picture_use_that_picture) {
    start_plain();
    T_OK(past_run("screenshot", "{}"));
    snprintf(ref, sizeof(ref), "s1");
    T_OK(crop(45, 100, 90, 200, "image"));
    T(cut_is(108, 240, 216, 480));
}

T_CASE(crops_survive_every_failed_allocation) {
    char text[200];
    start_plain();
    snprintf(text, sizeof(text),
             "{'screenshotRef':'%s','x':10,'y':10,'width':50,'height':50}",
             ref);
    T(past_torture("crop_screenshot", text) >= 5);
    T(cut_is(64, 40, 320, 200));
    T_OK(past_run("screenshot", "{}"));
    T(past_torture("crop_screenshot", "{'screenshotRef':'s1','x':10,'y':10,"
                                      "'width':50,'height':50}")
      >= 5);
}
