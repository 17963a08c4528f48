/* What is tapped and filled where only the pixels show the text. */

#include "image/draw/draw.h"
#include "support/fake_device.h"
#include "support/test.h"
#include "util/limits.h"
#include "util/mem.h"
#include "vision/reader.h"

#define WIDTH 720
#define HEIGHT 500
#define FIELD (SQ_NODE_CLICKABLE | SQ_NODE_FOCUSABLE | SQ_NODE_EDITABLE)

static struct fake_world world;
static struct sq_reader *reader;
static struct sq_font *font;
static struct sq_image image;
static uint8_t *frame; /* as Android's screencap writes it */

/* A text and the left end of its base line. NULL ends a table. */
struct label {
    const char *text;
    struct sq_pt at;
};

static void
draw(const struct label *labels) {
    const uint32_t header[4] = { WIDTH, HEIGHT, 1, 1 };
    const struct sq_face face = { .size_px = 34 };
    const size_t bytes = (size_t)WIDTH * HEIGHT * SQ_PIXEL_BYTES;
    struct sq_canvas canvas = {
        .pixels = image.pixels,
        .stride = image.stride,
        .clip = { 0, 0, WIDTH, HEIGHT },
        .type = font,
    };
    sq_canvas_rect(&canvas, canvas.clip, 0xfffafafa);
    for (; labels->text; labels++) {
        T_OK(sq_canvas_text(&canvas, &face, sq_span_of(labels->text),
                            labels->at, 0xff202020, &t_err));
    }
    memcpy(frame, header, sizeof(header));
    memcpy(frame + sizeof(header), image.pixels, bytes);
    world.device.bytes = frame;
    world.device.byte_count = sizeof(header) + bytes;
}

/* Starts the reader at the first call. Returns false where it cannot read. */
static bool
start(const struct fake_node *nodes, const struct label *labels) {
    const struct sq_reader_options options = { t_made_path("../squint"), "eng",
                                               1 };
    if (!reader) {
        T_OK(sq_image_init(&image, WIDTH, HEIGHT, &sq_limits_default, &t_err)
             && sq_font_create(&font, &t_err)
             && sq_reader_create(&options, &reader, &t_err));
        frame = sq_mem_alloc(1, 16 + (size_t)WIDTH * HEIGHT * SQ_PIXEL_BYTES);
    }
    fake_world_start(&world, NULL);
    world.device.screen.size = (struct sq_size){ WIDTH, HEIGHT };
    world.device.nodes = nodes;
    world.config.ui.ocr_enabled = true;
    world.reader = reader;
    draw(labels);
    if (!fake_run(&world, "ocr", "{}")
        && world.err.code == SQ_ERR_UNSUPPORTED) {
        t_skip(world.err.message);
        return false;
    }
    return true;
}

static void
stop(void) {
    fake_world_end(&world);
}

/* Ends the reader; the last case calls it. */
static void
finish(void) {
    sq_reader_destroy(reader);
    sq_font_destroy(font);
    sq_image_finish(&image);
    sq_mem_free(frame);
}

static const char *
last_action(void) {
    int count = world.device.action_count;
    return count ? world.device.actions[count - 1] : "";
}

/* Returns where the last tap was: "tap 480,1200 x1 0ms". */
static struct sq_dev_pt
last_tap(void) {
    struct sq_span action = sq_span_of(last_action());
    int64_t x = 0;
    int64_t y = 0;
    T(sq_span_take_prefix(&action, "tap ") && sq_span_take_int64(&action, &x)
      && sq_span_take_prefix(&action, ",") && sq_span_take_int64(&action, &y));
    return (struct sq_dev_pt){ (int)x, (int)y };
}

/* Runs an operation that must fail with this code and do nothing. */
static void
expect_refusal(const char *operation, const char *arguments,
               enum sq_err_code code) {
    int before = world.device.action_count;
    if (!T(!fake_run(&world, operation, arguments))
        || !T_INT(world.err.code, code)) {
        printf("# %s %s\n", operation, arguments);
    }
    T_INT(world.device.action_count, before);
}

static const struct fake_node plain[] = {
    { 0, "android.widget.FrameLayout", .bounds = { 0, 0, WIDTH, HEIGHT } },
    { .class_name = NULL },
};

static const struct fake_node form[] = {
    { 0, "android.widget.FrameLayout", .bounds = { 0, 0, WIDTH, HEIGHT } },
    { 1, "android.widget.EditText", .bounds = { 330, 30, 700, 90 },
      .flags = FIELD },
    { 1, "android.widget.EditText", .bounds = { 330, 130, 700, 190 },
      .flags = FIELD },
    { 1, "android.widget.EditText", .bounds = { 330, 230, 700, 290 },
      .flags = FIELD },
    { .class_name = NULL },
};

/* Types into the field of a label. Returns the tap that chose the field. */
static const char *
type_into(const char *label) {
    char arguments[160];
    snprintf(arguments, sizeof(arguments),
             "{'text':'x','selector':{'text':'%s'},'receipt':'none'}", label);
    bool ok = fake_run(&world, "input", arguments);
    int count = world.device.action_count;
    return ok && count > 1 ? world.device.actions[count - 2] : "";
}

T_FIXTURE(NULL, stop);

T_CASE(input_fills_the_field_of_the_label_that_is_equal) {
    static const struct label labels[] = {
        { "Card number", { 40, 72 } },
        { "Number", { 140, 172 } },
        { "House number", { 40, 272 } },
        { NULL, { 0, 0 } },
    };
    if (start(form, labels)) {
        T_STR(type_into("Number"), "tap 515,160 x1 0ms");
        T_STR(type_into("house number"), "tap 515,260 x1 0ms");
        T_STR(type_into("Card"), "tap 515,60 x1 0ms");
        expect_refusal("input", "{'text':'x','selector':{'text':'Street'}}",
                       SQ_ERR_ELEMENT_NOT_FOUND);
    }
}

T_CASE(input_fills_a_field_with_a_painted_value) {
    static const struct label labels[] = {
        { "Name", { 40, 72 } },    { "Ada", { 350, 72 } },
        { "Street", { 40, 172 } }, { "Main street 5", { 350, 172 } },
        { NULL, { 0, 0 } },
    };
    if (start(form, labels)) {
        T_STR(type_into("Street"), "tap 515,160 x1 0ms");
        T_STR(type_into("Name"), "tap 515,60 x1 0ms");
    }
}

T_CASE(input_refuses_equal_labels) {
    static const struct label labels[] = {
        { "New name", { 150, 72 } },
        { "Old name", { 150, 172 } },
        { "Town", { 210, 272 } },
        { NULL, { 0, 0 } },
    };
    if (start(form, labels)) {
        expect_refusal("input", "{'text':'x','selector':{'text':'name'}}",
                       SQ_ERR_AMBIGUOUS_MATCH);
        T_STR(type_into("Town"), "tap 515,260 x1 0ms");
    }
}

T_CASE(an_area_is_tapped_only_for_its_only_text) {
    static const struct fake_node dialog[] = {
        { 0, "android.widget.FrameLayout", .bounds = { 0, 0, WIDTH, HEIGHT } },
        { 1, "android.view.View", .bounds = { 60, 20, 660, 180 },
          .flags = SQ_NODE_CLICKABLE },
        { 1, "android.view.View", .bounds = { 60, 300, 660, 400 },
          .flags = SQ_NODE_CLICKABLE },
        { .class_name = NULL },
    };
    static const struct label labels[] = {
        { "Delete all?", { 100, 70 } },
        { "Yes", { 120, 150 } },
        { "No", { 500, 150 } },
        { "Sign in now", { 100, 360 } },
        { NULL, { 0, 0 } },
    };
    static const struct label signed_in[] = { { "Sign out", { 100, 360 } },
                                              { NULL, { 0, 0 } } };
    if (start(dialog, labels)) {
        T(fake_run(&world, "tap", "{'selector':{'text':'No'}}"));
        T(last_tap().x > 480 && last_tap().x < 580);
        T(fake_run(&world, "tap", "{'selector':{'text':'Yes'}}"));
        T(last_tap().x > 110 && last_tap().x < 200);
        T(fake_run(&world, "find",
                   "{'selector':{'text':'Sign in now'},'maxTier':'ocr'}"));
        T(fake_run(&world, "tap", "{'elementIndex':0}"));
        T_STR(last_action(), "tap 360,350 x1 0ms");
        draw(signed_in);
        expect_refusal("tap", "{'elementIndex':0}", SQ_ERR_STALE_ELEMENT);
    }
}

/* Lists a text, draws another one at its place, and taps what was listed. */
static bool
is_tapped_after(const char *before, const char *after, int x) {
    const struct label first[] = { { before, { 100, 100 } },
                                   { NULL, { 0, 0 } } };
    const struct label second[] = { { after, { x, 100 } }, { NULL, { 0, 0 } } };
    char arguments[160];
    draw(first);
    snprintf(arguments, sizeof(arguments),
             "{'selector':{'text':'%s'},'maxTier':'ocr'}", before);
    T(fake_run(&world, "find", arguments));
    T(strstr(world.json, "\"count\":1") != NULL);
    draw(second);
    bool is_tapped =
        fake_run(&world, "tap", "{'elementIndex':0,'receipt':'none'}");
    T(is_tapped || world.err.code == SQ_ERR_STALE_ELEMENT);
    return is_tapped;
}

T_CASE(an_index_is_stale_if_the_text_has_changed) {
    static const struct label any[] = { { "Save", { 100, 100 } },
                                        { NULL, { 0, 0 } } };
    if (start(plain, any)) {
        T(is_tapped_after("Save", "Save", 100));
        T(is_tapped_after("Save", "Save", 104));
        T(!is_tapped_after("Save", "Saved", 100));
        T(!is_tapped_after("Delete", "Undelete", 50));
        T(!is_tapped_after("accept", "Do not accept", 0));
        T(!is_tapped_after("Pay", "Pay later", 100));
        T(!is_tapped_after("250", "-250", 88));
        T(!is_tapped_after("12", "12.5", 100));
        T(!is_tapped_after("5", "-5", 88));
    }
}

T_CASE(an_index_is_stale_in_another_row) {
    static const struct label rows[] = {
        { "Row 1", { 60, 100 } }, { "Buy", { 500, 100 } },
        { "Row 2", { 60, 200 } }, { "Buy", { 500, 200 } },
        { NULL, { 0, 0 } },
    };
    static const struct label scrolled[] = {
        { "Row 2", { 60, 100 } }, { "Buy", { 500, 100 } },
        { "Row 3", { 60, 200 } }, { "Buy", { 500, 200 } },
        { NULL, { 0, 0 } },
    };
    if (start(plain, rows)) {
        T(fake_run(&world, "find",
                   "{'selector':{'text':'Buy'},'limit':9,'maxTier':'ocr'}"));
        T(strstr(world.json, "\"count\":2") != NULL);
        T(fake_run(&world, "tap", "{'elementIndex':1}"));
        draw(scrolled);
        expect_refusal("tap", "{'elementIndex':1}", SQ_ERR_STALE_ELEMENT);
        /* The same rows and texts elsewhere: what is at its place decides. */
        T(fake_run(&world, "dump", "{'vision':true}"));
        T(fake_run(&world, "tap", "{'elementIndex':3}"));
        draw(rows);
        expect_refusal("tap", "{'elementIndex':3}", SQ_ERR_STALE_ELEMENT);
    }
}

T_CASE(whole_lines_come_first) {
    static const struct label labels[] = {
        { "Do not delete this", { 40, 60 } },
        { "DELETE", { 40, 160 } },
        { "Sign in with mail", { 40, 260 } },
        { "Buy", { 40, 360 } },
        { "Buy", { 500, 360 } },
        { NULL, { 0, 0 } },
    };
    if (start(plain, labels)) {
        T(fake_run(&world, "find",
                   "{'selector':{'text':'Delete'},'limit':9,"
                   "'maxTier':'ocr'}"));
        T(fake_matches(world.json,
                       "{\"elements\":[{\"index\":0,\"text\":\"DELETE\","
                       "\"className\":<*>{\"index\":1,\"text\":\"delete\","
                       "\"line\":\"Do not delete this\",<*>\"count\":2,"
                       "\"tier\":<*>"));
        T(fake_run(&world, "tap", "{'selector':{'text':'delete'}}"));
        T(last_tap().y > 120 && last_tap().y < 180);
        /* A part of a line is tapped if it is the only one. */
        T(fake_run(&world, "tap", "{'selector':{'text':'Sign in'}}"));
        T(last_tap().y > 220 && last_tap().y < 280);
        expect_refusal("tap", "{'selector':{'text':'Buy'}}",
                       SQ_ERR_AMBIGUOUS_MATCH);
    }
}

/* Draws labels, and a disc of 60 pixels beside them. */
static void
draw_with_disc(const struct label *labels) {
    draw(labels);
    sq_draw_disc(&image, 600, 400, 60, 0,
                 (struct sq_paint){ 0xd0, 0x20, 0x20, 1 });
    memcpy(frame + 16, image.pixels, (size_t)WIDTH * HEIGHT * SQ_PIXEL_BYTES);
}

/* Each operation must choose the text at the top, or the disc below. */
static void
expect_disc(bool is_text) {
    static const char *const selectors[] = { "text", "textContains" };
    for (size_t i = 0; i < 2; i++) {
        char arguments[160];
        const char *source =
            is_text ? "\"source\":\"ocr\"" : "\"source\":\"shape\"";
        snprintf(arguments, sizeof(arguments),
                 "{'selector':{'%s':'disc'},'maxTier':'shape'}", selectors[i]);
        T(fake_run(&world, "find", arguments));
        T(strstr(world.json, source) != NULL);
        snprintf(arguments, sizeof(arguments),
                 "{'selector':{'%s':'disc'},'timeoutMs':0}", selectors[i]);
        T(fake_run(&world, "wait", arguments));
        T(strstr(world.json, source) != NULL);
        snprintf(arguments, sizeof(arguments),
                 "{'selector':{'%s':'disc'},'receipt':'none'}", selectors[i]);
        T_OK(fake_run(&world, "tap", arguments), &world.err);
        T(is_text ? last_tap().y < 180 : last_tap().y > 340);
        snprintf(arguments, sizeof(arguments),
                 "{'selector':{'%s':'disc'},'text':'x','receipt':'none'}",
                 selectors[i]);
        T_OK(fake_run(&world, "input", arguments), &world.err);
        struct sq_span action =
            sq_span_of(world.device.actions[world.device.action_count - 2]);
        T(sq_span_take_prefix(&action, is_text ? "tap 7" : "tap 600,"));
    }
}

T_CASE(shapes_come_after_lines_and_before_parts) {
    static const struct label line[] = { { "Disc", { 40, 60 } },
                                         { NULL, { 0, 0 } } };
    static const struct label part[] = { { "Insert disc", { 40, 60 } },
                                         { NULL, { 0, 0 } } };
    static const struct label none[] = { { "Play", { 40, 60 } },
                                         { NULL, { 0, 0 } } };
    if (start(plain, line)) {
        draw_with_disc(line);
        expect_disc(true);
        draw_with_disc(part);
        expect_disc(false);
        draw_with_disc(none);
        expect_disc(false);
        /* The text of wait is text. */
        T(fake_run(&world, "wait", "{'text':'disc','timeoutMs':0}"));
        T(strstr(world.json, "\"found\":false") != NULL);
    }
}

T_CASE(find_says_when_it_stopped_reading) {
    static const struct label labels[] = {
        { "Order 1", { 40, 60 } },
        { "Order 2", { 40, 160 } },
        { "Order 1", { 40, 260 } },
        { NULL, { 0, 0 } },
    };
    char text[300] = "";
    char arguments[400];
    if (start(plain, labels)) {
        T(fake_run(&world, "find",
                   "{'selector':{'text':'Order 1'},'maxTier':'ocr'}"));
        T(fake_matches(world.json, "<*>\"count\":1,\"more\":\"not searched\","
                                   "\"tier\":\"ocr\",<*>"));
        T(fake_run(&world, "find",
                   "{'selector':{'text':'Order 1'},'limit':9,"
                   "'maxTier':'ocr'}"));
        T(fake_matches(world.json, "<*>\"count\":2,\"tier\":\"ocr\",<*>"));
        memset(text, 'x', sizeof(text) - 1);
        snprintf(arguments, sizeof(arguments),
                 "{'selector':{'text':'%s'},'maxTier':'ocr'}", text);
        T(fake_run(&world, "find", arguments));
        T(strstr(world.json, "longer than 256 bytes") != NULL);
    }
}

T_BARE_CASE(numbers_name_texts_of_two_lines) {
    static const struct label labels[] = {
        { "Accept the terms", { 40, 60 } },
        { "of service", { 40, 100 } },
        { NULL, { 0, 0 } },
    };
    static const uint8_t key[SQ_SESSION_KEY_BYTES] = { 1 };
    const struct sq_session_options options = { .max_dimension = 800,
                                                .key = key };
    struct sq_session *own = NULL;
    if (start(plain, labels)) {
        T_OK(sq_session_create(&options, &own, &t_err));
        struct sq_session *usual = world.session;
        world.session = own;
        T(fake_run(&world, "find",
                   "{'selector':{'text':'terms of service'},"
                   "'maxTier':'ocr'}"));
        struct sq_span reply = sq_span_of(world.json);
        int64_t index = 0;
        char arguments[80];
        T(sq_span_take_prefix(&reply, "{\"elements\":[{\"index\":")
          && sq_span_take_int64(&reply, &index));
        snprintf(arguments, sizeof(arguments), "{'elementIndex':%d}",
                 (int)index);
        T_OK(fake_run(&world, "tap", arguments), &world.err);
        world.session = usual;
        sq_session_destroy(own);
    }
    stop();
    finish();
}
