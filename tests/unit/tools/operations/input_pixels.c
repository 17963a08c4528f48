/* input: a field without a label is named by the text beside it. */
#include <string.h>

#include "image/draw/canvas.h"
#include "image/draw/font.h"
#include "image/pipeline/rows.h"
#include "image/png/write.h"
#include "support/fake_device.h"
#include "support/test.h"
#include "util/limits.h"
#include "vision/reader.h"

#define WIDTH 1080
#define HEIGHT 900
#define FIELD (SQ_NODE_CLICKABLE | SQ_NODE_FOCUSABLE | SQ_NODE_EDITABLE)

static struct fake_world world;
static struct sq_buf screen;

static const struct fake_node form[] = {
    { 0, "android.widget.FrameLayout", .bounds = { 0, 0, WIDTH, HEIGHT } },
    { 1, "android.widget.EditText", .bounds = { 400, 180, 1020, 300 },
      .flags = FIELD },
    { 1, "android.widget.EditText", .bounds = { 400, 420, 1020, 540 },
      .flags = FIELD },
    { .class_name = NULL },
};

static const struct {
    const char *text;
    struct sq_pt at; /* of its base line */
} texts[] = { { "E-mail", { 60, 255 } }, { "Telephone", { 60, 495 } } };

/* Draws two words, each left of a box, which no element has as text. */
static void
draw_screen(void) {
    struct sq_image image = { 0 };
    struct sq_font *font = NULL;
    struct sq_rows *rows = NULL;
    struct sq_err err = { 0 };
    T_OK(sq_image_init(&image, WIDTH, HEIGHT, &sq_limits_default, &err)
             && sq_font_create(&font, &err),
         &err);
    struct sq_canvas canvas = {
        .pixels = image.pixels,
        .stride = image.stride,
        .clip = { 0, 0, WIDTH, HEIGHT },
        .type = font,
    };
    const struct sq_face face = { .size_px = 40 };
    sq_canvas_rect(&canvas, canvas.clip, 0xfffafafa);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct sq_dev_rect box = form[i + 1].bounds;
        sq_canvas_rect(
            &canvas,
            (struct sq_rect){ box.left, box.top, box.right, box.bottom },
            0xffdde4ee);
        T_OK(sq_canvas_text(&canvas, &face, sq_span_of(texts[i].text),
                            texts[i].at, 0xff202020, &err),
             &err);
    }
    sq_buf_init(&screen, SQ_MAX_IMAGE_BYTES);
    T_OK(sq_rows_from_image(&image, &rows, &err)
             && sq_png_encode(rows, &screen, &err),
         &err);
    sq_rows_destroy(rows);
    sq_font_destroy(font);
    sq_image_finish(&image);
}

static void
start(void) {
    const struct sq_reader_options options = { t_made_path("../squint"), "eng",
                                               1 };
    struct sq_err err = { 0 };
    draw_screen();
    fake_world_start(&world, NULL);
    world.device.screen.size = (struct sq_size){ WIDTH, HEIGHT };
    world.device.bytes = screen.data;
    world.device.byte_count = screen.len;
    world.device.nodes = form;
    world.config.ui.ocr_enabled = true;
    T_OK(sq_reader_create(&options, &world.reader, &err), &err);
}

static void
stop(void) {
    sq_reader_destroy(world.reader);
    fake_world_end(&world);
    sq_buf_finish(&screen);
}

static void
the_field_right_of_a_text_is_filled(void) {
    start();
    /* Input reports only that nothing matches where reading is impossible. */
    if (!fake_run(&world, "ocr", "{}")
        && world.err.code == SQ_ERR_UNSUPPORTED) {
        t_skip(world.err.message);
    } else if (T_OK(fake_run(&world, "input",
                             "{'text':'ada@example.com',"
                             "'selector':{'text':'E-mail'},'receipt':'none'}"),
                    &world.err)) {
        T_STR(world.device.actions[0], "tap 710,240 x1 0ms");
        T_STR(world.device.actions[1], "text ada@example.com");
        T_OK(fake_run(&world, "input",
                      "{'text':'4711','selector':{'text':'telephone'},"
                      "'receipt':'none'}"),
             &world.err);
        T_STR(world.device.actions[2], "tap 710,480 x1 0ms");
        T(!fake_run(&world, "input",
                    "{'text':'x','selector':{'text':'Street'},"
                    "'receipt':'none'}"));
        T_INT(world.err.code, SQ_ERR_ELEMENT_NOT_FOUND);
    }
    stop();
}

T_MAIN(T_CASE(the_field_right_of_a_text_is_filled))
