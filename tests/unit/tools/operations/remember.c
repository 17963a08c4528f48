/* remember and visual-find-image with parts of earlier pictures, and text. */

#include "support/album.h"
#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"
#include "support/text_page.h"
#include "vision/reader.h"

#define DAY "2026-01-15"

static struct sq_buf picture;
static bool has_reader;

/* A screen of 600x200 with one line of text. */
static void
start(const char *text) {
    const struct sq_reader_options options = { t_made_path("../squint"), "eng",
                                               1 };
    past_start();
    T_OK(sq_reader_create(&options, &world.reader, &t_err));
    t_text_line_write(text, &picture);
    world.device.screen.size = (struct sq_size){ 600, 200 };
    world.device.bytes = picture.data;
    world.device.byte_count = picture.len;
    world.config.ui.template_matching_enabled = true;
    has_reader = !t_skips_reading(past_run("ocr", "{}"), &t_err);
}

static void
stop(void) {
    struct sq_reader *reader = world.reader;
    world.reader = NULL;
    past_end();
    sq_reader_destroy(reader);
    sq_buf_finish(&picture);
}

static bool
run(const char *operation, const char *arguments) {
    return T_OK(past_run(operation, arguments));
}

/* Another app is in front by now, and shows nothing. */
T_CASE(earlier_pictures_have_text_beside) {
    start("Order 123456 open");
    run("screenshot", "{}");
    world.device.bytes = NULL;
    snprintf(world.device.screen.app, sizeof(world.device.screen.app),
             "com.example.other");
    run("remember", "{'name':'number','screenshotId':'s2','region':{'x':120,"
                    "'y':70,'width':90,'height':50}}");
    T(past_number("remembered.0.density") == 2.625);
    T_STR(past_text("remembered.0.app"), "com.example.app");
    if (has_reader) {
        T_STR(past_text("remembered.0.beside"), "Order 123456 open");
    }
    stop();
}

/* Of a past screenshot only the pixels are known; 512 columns were shown. */
T_CASE(past_screenshots_have_text_beside) {
    char arguments[200];
    char ref[PAST_REF_SIZE];
    start("Order 123456 open");
    past_add_root("a");
    t_album_put_bytes("a/Screenshot 2026-01-15 103045.png", picture.data,
                      picture.len);
    past_open();
    past_ref(DAY, DAY, 0, ref);
    past_run_on("get_screenshot", ref, "");
    snprintf(arguments, sizeof(arguments),
             "{'name':'number','screenshotRef':'%s','region':{'x':120,'y':70,"
             "'width':90,'height':50}}",
             ref);
    run("remember", arguments);
    T(!past_has("remembered.0.density"));
    T(!past_has("remembered.0.app"));
    if (has_reader) {
        T_STR(past_text("remembered.0.beside"), "Order 123456 open");
    }
    snprintf(arguments, sizeof(arguments),
             "{'screenshotRef':'%s','region':{'x':120,'y':70,'width':90,"
             "'height':50}}",
             ref);
    run("visual-find-image", arguments);
    T_INT(past_count("hits"), 1);
    T_INT(past_number("hits.0.centerX"), 193);
    T_INT(past_number("hits.0.centerY"), 111);
    T_STR(past_text("hits.0.tier"), "exact");
    stop();
}
