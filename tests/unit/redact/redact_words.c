/*
 * Text in pixels is read before parts of the picture are hidden, and answers
 * leave out and count what is hidden.
 */

#include "redact/redact.h"
#include "support/past_world.h"
#include "support/test.h"
#include "support/text_page.h"

static struct sq_redactor redactor;
static bool has_reader;

static int64_t
fixed_clock(void *context) {
    return (int64_t)1700000000 * 1000000000;
}

static bool
run(const char *operation, const char *arguments) {
    return T_OK(past_run(operation, arguments));
}

static void
start_reader(void) {
    const struct sq_reader_options options = { t_made_path("../squint"), "eng",
                                               2 };
    T_OK(sq_reader_create(&options, &world.reader, &t_err));
}

/* A small demo phone that shows an app, whose text was read without rules. */
static void
start(const char *launch) {
    const struct sq_devices_options options = {
        .demo = { .now_ns = fixed_clock,
                  .width = 540,
                  .height = 1200,
                  .density = 1.5 },
    };
    past_start();
    sq_devices_destroy(world.devices);
    T_OK(sq_devices_create(NULL, &options, &world.devices, &t_err));
    start_reader();
    world.config.ui.template_matching_enabled = true;
    run("launch", launch);
    has_reader =
        !t_skips_reading(past_run("ocr", "{'deviceId':'demo'}"), &t_err);
}

static void
stop(void) {
    struct sq_reader *reader = world.reader;
    world.redactor = NULL;
    world.reader = NULL;
    past_end();
    sq_redactor_finish(&redactor);
    sq_reader_destroy(reader);
}

/* Every answer that is made of text in the pixels, none with what is hidden. */
static const struct {
    const char *operation;
    const char *arguments;
    bool has_rest; /* it also has text that is not hidden */
} readings[] = {
    { "ocr", "{'deviceId':'demo'}", true },
    { "dump", "{'deviceId':'demo','vision':true}", true },
    { "visual-find-text", "{'deviceId':'demo','text':'Welcome'}", true },
    { "visual-find-text", "{'deviceId':'demo','text':'example.com'}", false },
    { "visual-find-text", "{'deviceId':'demo','text':'jane@example.co'}",
      false },
    { "find",
      "{'deviceId':'demo','selector':{'text':'jane@example.org'},"
      "'maxTier':'ocr'}",
      false },
    { "wait", "{'deviceId':'demo','text':'jane@examples','timeoutMs':0}",
      false },
    { "screenshot", "{'deviceId':'demo','marks':true,'vision':true}", false },
    { "remember",
      "{'deviceId':'demo','name':'x','region':"
      "{'x':10,'y':10,'width':60,'height':60}}",
      false },
};

/* A message appears, of which a rule hides the end. */
static void
receipts_count_hidden_texts(void) {
    run("tap", "{'deviceId':'demo','selector':{'text':'Forgot password?'},"
               "'receipt':'full'}");
    if (!T_HAS(world.json, "\"now\":[\"+ Any password will do on a "
                           "[redacted]\"]")) {
        printf("# %.900s\n", world.json);
    }
    T_LACKS(world.json, "demo phone");
}

/*
 * The reader has read the lines before there were rules, so that it takes them
 * from its memory.
 */
T_CASE(answers_leave_hidden_text_out_and_count_it) {
    static const char *const presets[] = { "emails" };
    static const char *const patterns[] = { "Sign.in", "demo.phone" };
    start("{'deviceId':'demo','packageName':'com.squint.demo.login'}");
    run("input", "{'deviceId':'demo','selector':{'resourceId':'username'},"
                 "'text':'jane@example.com','receipt':'none'}");
    T(!has_reader
      || (run("ocr", "{'deviceId':'demo'}") && T_HAS(world.json, "example")
          && T_HAS(world.json, "Sign in")));
    world.config.redact.presets = (struct sq_strings){ presets, 1 };
    world.config.redact.patterns = (struct sq_strings){ patterns, 2 };
    T_OK(sq_redactor_init(&redactor, &world.config, world.reader, &t_err));
    world.redactor = &redactor;
    size_t count = has_reader ? SQ_COUNT(readings) : 0;
    for (size_t i = 0; i < count; i++) {
        run(readings[i].operation, readings[i].arguments);
        bool is_right = T_LACKS(world.json, "example.com")
                     && T_LACKS(world.json, "Sign in")
                     && T_LACKS(world.json, "#404040")
                     && T(strstr(world.json, "\"redacted\":") != NULL
                          || strstr(world.json, "\"remembered\"") != NULL)
                     && T(!readings[i].has_rest
                          || strstr(world.json, "Welcome") != NULL);
        if (!is_right) {
            printf("# %s: %.600s\n", readings[i].operation, world.json);
        }
    }
    if (has_reader) {
        receipts_count_hidden_texts();
        T(!past_run("tap", "{'deviceId':'demo','selector':{'text':'jane@'}}"));
        T_HAS(t_err.message, "of the screen are hidden");
    }
    stop();
}

/* Where no element helps: a word beside a box is read, the box is no shape. */
T_CASE(words_beside_a_box_are_read_as_they_are) {
    static const char *const patterns[] = { "PO-[0-9]{6}" };
    T_FREED(sq_buf_finish) struct sq_buf picture = { 0 };
    past_start();
    start_reader();
    t_text_line_write("Order PO-123456 open", &picture);
    world.device.screen.size = (struct sq_size){ 600, 200 };
    world.device.bytes = picture.data;
    world.device.byte_count = picture.len;
    world.config.redact.patterns = (struct sq_strings){ patterns, 1 };
    T_OK(sq_redactor_init(&redactor, &world.config, world.reader, &t_err));
    world.redactor = &redactor;
    if (!t_skips_reading(past_run("ocr", "{}"), &t_err)) {
        T_HAS(world.json, "\"lines\":[\"Order\",\"open\"],\"redacted\":1");
        run("visual-find-text", "{'text':'Order open'}");
        T_HAS(world.json, "\"count\":0");
        run("find", "{'selector':{'textContains':'PO-12345'},'maxTier':'ocr'}");
        T_HAS(world.json, "\"ocr\":\"no such text\"},\"redacted\":1");
        run("dump", "{'vision':true}");
        T_HAS(world.json, "ocr open\"],\"count\":2");
    }
    stop();
}

T_CASE(a_text_and_its_element_are_one_hidden_place) {
    static const char *const patterns[] = { "PO-[0-9]{6}" };
    static const struct fake_node nodes[] = {
        { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 600, 200 } },
        { 1, "android.widget.TextView", .text = "PO-123456",
          .desc = "PO-123456", .bounds = { 0, 20, 600, 180 } },
        { .class_name = NULL },
    };
    T_FREED(sq_buf_finish) struct sq_buf picture = { 0 };
    past_start();
    start_reader();
    t_text_line_write("Order PO-123456 open", &picture);
    world.device.screen.size = (struct sq_size){ 600, 200 };
    world.device.nodes = nodes;
    world.device.bytes = picture.data;
    world.device.byte_count = picture.len;
    world.config.redact.patterns = (struct sq_strings){ patterns, 1 };
    world.config.redact.passwords = SQ_REDACT_ALWAYS;
    T_OK(sq_redactor_init(&redactor, &world.config, world.reader, &t_err));
    world.redactor = &redactor;
    if (!t_skips_reading(past_run("ocr", "{}"), &t_err)) {
        T_HAS(world.json, "\"redacted\":1");
    }
    stop();
}

T_CASE(places_are_counted_once) {
    struct sq_redact_box items[] = {
        { .secret = { 0, 0, 100, 40 } },   { .secret = { 10, 10, 60, 30 } },
        { .secret = { 0, 0, 100, 40 } },   { .secret = { 0, 40, 100, 80 } },
        { .secret = { 80, 70, 180, 90 } }, { .secret = { 90, 5, 150, 20 } },
    };
    struct sq_redact_boxes boxes = { items, 0, 0 };
    const int places[] = { 0, 1, 1, 1, 2, 3, 4 };
    for (; boxes.count <= 6; boxes.count++) {
        T_INT(sq_redact_count_places(&boxes), places[boxes.count]);
    }
}

/* A line with words of 40 pixels, 10 apart. */
static struct sq_text
make_line(struct sq_text_line *line, struct sq_word *words, int count) {
    *line = (struct sq_text_line){ .box = { 0, 0, 50 * count - 10, 20 },
                                   .words = { words, count },
                                   .is_read = true };
    for (int i = 0; i < count; i++) {
        words[i].box = (struct sq_rect){ 50 * i, 0, 50 * i + 40, 20 };
    }
    struct sq_text text = { .lines = line, .count = 1 };
    sq_arena_init(&text.arena, 1 << 20);
    return text;
}

/*
 * A word that a secret covers in part is removed; one that only the margin of
 * the box covers remains, and is not joined to one on the other side.
 */
T_CASE(words_beside_a_hidden_one_remain) {
    struct sq_text_line line;
    struct sq_word words[] = { { .text = SQ_SPAN("Order") },
                               { .text = SQ_SPAN("PO-123456") },
                               { .text = SQ_SPAN("open") },
                               { .text = SQ_SPAN("now") } };
    struct sq_redact_box box = { .painted = { 35, -7, 105, 27 },
                                 .secret = { 50, 0, 90, 20 } };
    struct sq_redact_original original = { .boxes = { &box, 1, 1 } };
    fake_world_start(&world, NULL);
    T_OK(sq_redactor_init(&redactor, &world.config, NULL, &t_err));
    struct sq_text text = make_line(&line, words, 4);
    T_OK(sq_redact_words_in(&redactor, &original, &text, &t_err));
    T_INT(text.count, 2);
    T(sq_span_is(text.lines[0].words.items[0].text, "Order"));
    T_INT(text.lines[0].words.count, 1);
    T_INT(text.lines[0].box.right, 40);
    T(sq_span_is(text.lines[1].words.items[0].text, "open"));
    T_INT(text.lines[1].words.count, 2);
    T_INT(text.lines[1].box.left, 100);
    sq_arena_finish(&text.arena);
    box.secret.right = 101; /* also a pixel of the next word */
    text = make_line(&line, words, 4);
    words[1].text = SQ_SPAN("PO-123456");
    T_OK(sq_redact_words_in(&redactor, &original, &text, &t_err));
    T_INT(text.count, 2);
    T(sq_span_is(text.lines[1].words.items[0].text, "now"));
    sq_arena_finish(&text.arena);
    fake_world_end(&world);
    sq_redactor_finish(&redactor);
}

/* Only boxes that are painted are no shapes, also where two of them touch. */
T_CASE(painted_boxes_are_no_shapes) {
    struct sq_redact_box items[] = {
        { .painted = { 0, 0, 100, 40 } },
        { .painted = { 0, 40, 60, 80 } },
    };
    const struct sq_redact_boxes boxes = { items, 2, 2 };
    const uint8_t grey[3] = { 64, 64, 65 };
    const uint8_t blue[3] = { 64, 64, 200 };
    T(sq_redact_is_painted(&boxes, (struct sq_rect){ 0, 0, 100, 80 }, grey));
    T(sq_redact_is_painted(&boxes, (struct sq_rect){ 1, 2, 99, 39 }, grey));
    T(!sq_redact_is_painted(&boxes, (struct sq_rect){ 0, 0, 100, 40 }, blue));
    T(!sq_redact_is_painted(&boxes, (struct sq_rect){ 0, 0, 400, 200 }, grey));
    T(!sq_redact_is_painted(&boxes, (struct sq_rect){ 200, 0, 300, 40 }, grey));
}
