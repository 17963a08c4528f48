/* remember, forget and visual-find-image on a fake device. */
#include <sys/stat.h>

#include "image/draw/draw.h"
#include "image/pipeline/rows.h"
#include "image/png/png.h"
#include "support/fake_device.h"
#include "support/scratch.h"
#include "support/test.h"
#include "tools/screen/remembered.h"
#include "util/limits.h"

#define WIDTH 1080
#define HEIGHT 2400

static struct fake_world world;
static struct sq_buf screen;

/* A heart-like icon of 72 pixels with its middle at x, y. */
static void
draw_icon(struct sq_image *image, float x, float y, float unit,
          struct sq_paint ink) {
    const struct sq_draw_shape bar = {
        x - 3 * unit, y + 2 * unit, x + 3 * unit, y + 2.6f * unit, 0, 0
    };
    sq_draw_disc(image, x - unit, y - unit, 1.2f * unit, 0, ink);
    sq_draw_disc(image, x + 1.5f * unit, y, 0.8f * unit, 0.3f * unit, ink);
    sq_draw(image, &bar, ink);
}

/* Shows a page in these colours, with the icon in that scale. */
static void
show(struct sq_paint paper, struct sq_paint ink, float scale, bool has_icon) {
    struct sq_image image = { 0 };
    struct sq_rows *rows = NULL;
    const struct sq_draw_shape all = { -9, -9, WIDTH + 9, HEIGHT + 9, 0, 0 };
    T_OK(sq_image_init(&image, WIDTH, HEIGHT, &sq_limits_default, &t_err));
    sq_draw(&image, &all, paper);
    for (int i = 0; i < 12; i++) {
        const struct sq_draw_shape line = { 60,
                                            900.0f + 60.0f * (float)i,
                                            400.0f + 40.0f * (float)i,
                                            920.0f + 60.0f * (float)i,
                                            6,
                                            0 };
        sq_draw(&image, &line, ink);
    }
    if (has_icon) {
        draw_icon(&image, 540, 480, 12 * scale, ink);
    }
    sq_buf_finish(&screen);
    sq_buf_init(&screen, SQ_MAX_IMAGE_BYTES);
    T_OK(sq_rows_from_image(&image, &rows, &t_err)
         && sq_png_encode(rows, &screen, &t_err));
    sq_rows_destroy(rows);
    sq_image_finish(&image);
    world.device.bytes = screen.data;
    world.device.byte_count = screen.len;
}

static const struct sq_paint white = { 250, 250, 250, 1 };
static const struct sq_paint dark = { 24, 24, 32, 1 };
static const struct sq_paint orange = { 230, 110, 20, 1 };

static void
start(void) {
    t_scratch_start();
    setenv("XDG_STATE_HOME", t_scratch_path("state"), 1);
    fake_world_start(&world, t_scratch());
    world.config.ui.template_matching_enabled = true;
    show(white, dark, 1, true);
}

static void
stop(void) {
    static const char *const folders[] = { "state/squint/images",
                                           "state/squint", "state" };
    struct stat st;
    fake_world_end(&world);
    sq_buf_finish(&screen);
    for (size_t i = 0; i < 3; i++) {
        if (stat(t_scratch_path(folders[i]), &st) == 0) {
            t_remove_folder(t_scratch_path(folders[i]));
        }
    }
    t_scratch_end();
}

#define REMEMBER                                                               \
    "{'name':'Heart','region':{'x':205,'y':180,'width':40,'height':40}}"

/* Searches a part of the screen, since other sizes and colours take long. */
#define ABOUT_THERE                                                            \
    "{'name':'Heart','within':{'x':100,'y':100,'width':250,'height':200}}"

T_FIXTURE(start, stop);

T_CASE(a_remembered_icon_is_found_again) {
    T(fake_run(&world, "remember", REMEMBER));
    T_SAYS("'name':'Heart','width':9");
    T_SAYS("'density':2.625");
    T(fake_run(&world, "visual-find-image", "{'name':'heart'}"));
    T(fake_matches(world.json,
                   "{'hits':[{'centerX':225,'centerY':200,'width':<*>,"
                   "'height':<*>,'scale':1,'score':1,'tier':'exact'}],"
                   "'count':1,'screenshotId':'s<*>','deviceId':'fake-1'}"));
    T(fake_run(&world, "remember", "{}"));
    T_SAYS("'count':1");
    T(fake_run(&world, "forget", "{'name':'HEART'}"));
    T(!fake_run(&world, "visual-find-image", "{'name':'heart'}"));
    T_INT(world.err.code, SQ_ERR_NOT_FOUND);
}

T_CASE(other_colours_and_sizes_are_found) {
    T(fake_run(&world, "remember", REMEMBER));
    show(dark, white, 1, true);
    T(fake_run(&world, "visual-find-image", ABOUT_THERE));
    T_SAYS("'tier':'shape'");
    T_SAYS("{'centerX':225,'centerY':200,");
    show(white, orange, 1, true);
    T(fake_run(&world, "visual-find-image", ABOUT_THERE));
    T_SAYS("{'centerX':225,'centerY':200,");
    show(white, dark, 1.5f, true);
    T(fake_run(&world, "visual-find-image", ABOUT_THERE));
    T(strstr(world.json, "\"scale\":1.5") != NULL
      || strstr(world.json, "\"scale\":1.4") != NULL);
}

T_CASE(what_is_absent_is_not_found) {
    T(fake_run(&world, "remember", REMEMBER));
    show(white, dark, 1, false);
    T(fake_run(&world, "visual-find-image", "{'name':'Heart'}"));
    T_OMITS("'count':0,'screenshotId'");
    T(strstr(world.json, "\"hits\":[],\"count\":0,\"nearestScore\":0.") != NULL
      || strstr(world.json, "\"nearestScore\":0,") != NULL);
}

T_CASE(the_place_can_be_limited) {
    T(fake_run(&world, "remember", REMEMBER));
    T(fake_run(&world, "visual-find-image",
               "{'name':'Heart','within':{'x':0,'y':300,'width':450,"
               "'height':300}}"));
    T_SAYS("'count':0");
    T(fake_run(&world, "visual-find-image",
               "{'name':'Heart','within':{'x':100,'y':100,'width':250,"
               "'height':200}}"));
    T_SAYS("'count':1");
}

/* The icon is in the first row; the second one has none. */
T_CASE(an_element_limits_the_place) {
    static const struct fake_node rows[] = {
        { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 1080, 2400 } },
        { 1, "android.widget.Button", .text = "First",
          .bounds = { 300, 300, 800, 700 }, .flags = SQ_NODE_CLICKABLE },
        { 1, "android.widget.Button", .text = "Second",
          .bounds = { 300, 800, 800, 1500 }, .flags = SQ_NODE_CLICKABLE },
        { .class_name = NULL },
    };
    static const struct {
        const char *arguments;
        const char *count;
    } places[] = {
        { "{'name':'Heart','selector':{'text':'First'}}", "\"count\":1" },
        { "{'name':'Heart','selector':{'text':'Second'}}", "\"count\":0" },
        { "{'name':'Heart','elementIndex':0}", "\"count\":1" },
        { "{'name':'Heart','elementIndex':1}", "\"count\":0" },
    };
    world.device.nodes = rows;
    T(fake_run(&world, "remember", REMEMBER));
    T(fake_run(&world, "dump", "{}"));
    T_EACH(i, places) {
        T_OK(fake_run(&world, "visual-find-image", places[i].arguments),
             &world.err);
        T_HAS(world.json, places[i].count);
    }
    T(!fake_run(&world, "visual-find-image",
                "{'name':'Heart','selector':{'text':'Third'}}"));
    T_INT(world.err.code, SQ_ERR_ELEMENT_NOT_FOUND);
}

T_CASE(earlier_pictures_have_templates) {
    T(fake_run(&world, "screenshot", "{}"));
    show(white, dark, 1, false);
    T(fake_run(&world, "screenshot", "{}"));
    T(fake_run(&world, "remember",
               "{'name':'Heart','screenshotId':'s1','region':{'x':205,'y':180,"
               "'width':40,'height':40}}"));
    show(white, dark, 1, true);
    T(fake_run(&world, "visual-find-image", "{'name':'Heart'}"));
    T_SAYS("'tier':'exact'");
    T(!fake_run(&world, "remember",
                "{'name':'Heart','screenshotId':'s9','region':{'x':205,'y':180,"
                "'width':40,'height':40}}"));
    T_INT(world.err.code, SQ_ERR_UNKNOWN_SCREENSHOT);
}

T_CASE(a_region_beside_an_earlier_picture_is_refused) {
    static const char *const bad[] = {
        "'x':440,'y':180,'width':40,'height':40",
        "'x':205,'y':990,'width':40,'height':40",
        "'x':2000,'y':0,'width':40,'height':40",
    };
    T(fake_run(&world, "screenshot", "{}"));
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        char arguments[200];
        snprintf(arguments, sizeof(arguments),
                 "{'name':'Heart','screenshotId':'s1','region':{%s}}", bad[i]);
        T(!fake_run(&world, "remember", arguments));
        T_INT(world.err.code, SQ_ERR_ARGUMENT);
        T_HAS(world.err.message, "is not inside the picture");
        T_LACKS(world.err.hint, "percent");
    }
}

T_CASE(find_says_how_alike_a_picture_is) {
    T(fake_run(&world, "remember", REMEMBER));
    T(fake_run(&world, "find", "{'selector':{'text':'HEART'}}"));
    T_SAYS("'text':'Heart'");
    T_OMITS("'match'");
    show(dark, white, 1, true);
    T(fake_run(&world, "find", "{'selector':{'text':'HEART'}}"));
    T_SAYS("'match':'shape'");
    show(white, dark, 1, false);
    T(!fake_run(&world, "tap", "{'elementIndex':0}"));
    T_INT(world.err.code, SQ_ERR_STALE_ELEMENT);
}

T_CASE(files_are_read_in_the_output_folder_only) {
    T(fake_run(&world, "screenshot",
               "{'localPath':'icon.png','region':{'x':205,'y':180,'width':40,"
               "'height':40}}"));
    T(fake_run(&world, "screenshot", "{}"));
    T(fake_run(&world, "visual-find-image", "{'localPath':'icon.png'}"));
    T_SAYS("'count':1");
    static const char *const bad[] = { "../icon.png", "/etc/passwd",
                                       "none.png" };
    for (size_t i = 0; i < 3; i++) {
        char arguments[100];
        snprintf(arguments, sizeof(arguments), "{'localPath':'%s'}", bad[i]);
        T(!fake_run(&world, "visual-find-image", arguments));
    }
}

T_CASE(requests_are_checked) {
    static const char *const bad[] = {
        "{}",
        "{'name':'a','localPath':'b.png'}",
        "{'screenshotId':'s1'}",
        "{'name':'a','within':{'x':0,'y':0,'width':9,'height':9},"
        "'elementIndex':0}",
        "{'region':{'x':0,'y':0,'width':2000,'height':9}}",
    };
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        T(!fake_run(&world, "visual-find-image", bad[i]));
        T_INT(world.err.code, SQ_ERR_ARGUMENT);
        T(world.err.hint[0]);
    }
    T(!fake_run(&world, "remember",
                "{'name':' a','region':{'x':205,'y':180,'width':40,"
                "'height':40}}"));
    T(!fake_run(
        &world, "remember",
        "{'name':'a','region':{'x':205,'y':180,'width':2,'height':2}}"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
    world.config.ui.template_matching_enabled = false;
    T(!fake_run(&world, "visual-find-image", "{'name':'a'}"));
    T_INT(world.err.code, SQ_ERR_UNSUPPORTED);
    T_HAS(world.err.hint, "--template-matching-enabled");
    T(!fake_run(&world, "remember", "{}"));
    T(!fake_run(&world, "forget", "{'name':'a'}"));
}

T_CASE(files_of_others_are_not_trusted) {
    struct stat st;
    T(fake_run(&world, "remember", REMEMBER));
    const char *path =
        t_text("%s/squint/images/4865617274.img", t_scratch_path("state"));
    T_INT(stat(path, &st), 0);
    T_INT(st.st_mode & 0777, 0600);
    static const char *const bad[] = { "", "{}\n", "{\"version\":1}\n",
                                       "{\"version\":1,\"name\":\"Heart\"}\nx",
                                       "\n\n\n" };
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        t_put(path, bad[i], strlen(bad[i]));
        T(!fake_run(&world, "visual-find-image", "{'name':'Heart'}"));
        T(fake_run(&world, "remember", "{}"));
    }
}
