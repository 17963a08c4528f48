/*
 * What leaves the program: pictures of all operations, live and past, inline
 * and as files, at every size.
 */
#include "redact/redact.h"

#include "image/pipeline/codec.h"
#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"
#include "tools/archive/archived_shot.h"
#include "tools/table.h"
#include "vision/reader.h"

#define DAY "2026-01-15"

static struct sq_redactor redactor;
static struct sq_shot_filter filter;
static struct sq_reader *reader;
static char ref[PAST_REF_SIZE];

static int64_t
fixed_clock(void *context) {
    return (int64_t)1700000000 * 1000000000;
}

/* A demo phone and an archive with one shot, under the rules of the config. */
static void
start(void) {
    const struct past_shot shot = { .time = DAY "_10-30-45" };
    const struct sq_devices_options options = {
        .demo = { .now_ns = fixed_clock },
    };
    past_start_with_root();
    past_put(&shot);
    sq_devices_destroy(world.devices);
    T_OK(sq_devices_create(NULL, &options, &world.devices, &t_err));
    past_ref(DAY, DAY, 0, ref);
}

static void
apply_rules(void) {
    T_OK(sq_redactor_init(&redactor, &world.config, reader, &t_err));
    filter = (struct sq_shot_filter){ world.past, &redactor };
    world.redactor = &redactor;
    sq_archive_set_filter(world.past->archive, sq_shot_filter_apply, &filter);
}

static void
stop(void) {
    world.redactor = NULL;
    past_end();
    sq_redactor_finish(&redactor);
    sq_reader_destroy(reader);
    reader = NULL;
}

/* Runs an operation; $ in the arguments stands for the value. */
static bool
run(const char *operation, const char *arguments, const char *value) {
    const char *mark = strchr(arguments, '$');
    int before = mark ? (int)(mark - arguments) : (int)strlen(arguments);
    const char *text = t_text("%.*s%s%s", before, arguments, mark ? value : "",
                              mark ? mark + 1 : "");
    return T_OK(past_run(operation, text));
}

/* Returns how many pixels have a colour, as no hidden part has. */
static long
count_coloured(const uint8_t *bytes, size_t len) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    long count = 0;
    if (!T_OK(
            sq_image_decode(bytes, len, &sq_limits_default, &image, &t_err))) {
        return -1;
    }
    for (int y = 0; y < image.height; y++) {
        for (int x = 0; x < image.width; x++) {
            const uint8_t *p = sq_image_row(&image, y) + x * SQ_PIXEL_BYTES;
            int high = p[0] > p[1] ? p[0] : p[1];
            int low = p[0] < p[1] ? p[0] : p[1];
            high = p[2] > high ? p[2] : high;
            low = p[2] < low ? p[2] : low;
            count += high - low > 24;
        }
    }
    return count;
}

/* Counts the coloured pixels of all pictures of the last answer. */
static long
coloured_in_answer(int *pictures) {
    long count = 0;
    *pictures = 0;
    for (int i = 0; i < world.result.count; i++) {
        const struct sq_block *block = &world.result.blocks[i];
        if (block->kind == SQ_BLOCK_IMAGE) {
            ++*pictures;
            count += count_coloured(block->data.data, block->data.len);
        }
    }
    const char *saved = world.result.saved_path;
    saved = saved[0] ? saved : past_text("path");
    FILE *file = saved[0] ? fopen(saved, "rb") : NULL;
    if (file) {
        static uint8_t bytes[8 << 20];
        size_t len = fread(bytes, 1, sizeof(bytes), file);
        fclose(file);
        ++*pictures;
        count += count_coloured(bytes, len);
    }
    return count;
}

/* Every operation that gives a picture, with arguments that make it do so. */
static const struct way {
    const char *operation;
    const char *arguments; /* $: the reference */
} ways[] = {
    { "screenshot", "{'deviceId':'demo'}" },
    { "crop_screenshot",
      "{'screenshotRef':'s1','x':0,'y':0,'width':50,'height':50}" },
    { "screenshot", "{'deviceId':'demo','raw':true,'format':'png'}" },
    { "screenshot", "{'deviceId':'demo','size':'thumb'}" },
    { "screenshot", "{'deviceId':'demo','inline':false}" },
    { "screenshot", "{'deviceId':'demo','elements':true}" },
    { "screenshot",
      "{'deviceId':'demo','screenshotId':'s1','region':{'x':0,'y':0,"
      "'width':200,'height':300}}" },
    { "visual-snapshot", "{'deviceId':'demo'}" },
    { "find", "{'deviceId':'demo','selector':{'text':'no such text'}}" },
    { "get_screenshot", "{'screenshotRef':'$'}" },
    { "get_screenshot", "{'screenshotRef':'$','full':'inline'}" },
    { "crop_screenshot",
      "{'screenshotRef':'$','x':0,'y':0,'width':50,'height':50}" },
    { "contact_sheet", "{'refs':['$']}" },
    { "save_screenshot", "{'screenshotRef':'$'}" },
    { "launch", "{'deviceId':'demo','packageName':'com.squint.demo.settings',"
                "'look':true,'receipt':'full'}" },
    { "scroll", "{'deviceId':'demo','direction':'down','look':true,"
                "'receipt':'full'}" },
    { "swipe",
      "{'deviceId':'demo','from':{'x':500,'y':800},'to':{'x':500,'y':2000},"
      "'deviceSpace':true,'look':true,'receipt':'full'}" },
    { "key", "{'deviceId':'demo','name':'home','look':true,'receipt':'full'}" },
    { "tap", "{'deviceId':'demo','selector':{'text':'Login'},'look':true,"
             "'receipt':'full'}" },
    { "input", "{'deviceId':'demo','selector':{'resourceId':'username'},"
               "'text':'jane','look':true,'receipt':'full'}" },
    { "stop", "{'deviceId':'demo','packageName':'com.squint.demo.login',"
              "'look':true,'receipt':'full'}" },
    { "open", "{'deviceId':'demo','url':'https://shop.squint.example/',"
              "'look':true,'receipt':'full'}" },
    { "reset", "{'deviceId':'demo','packageName':'com.squint.demo.shop',"
               "'confirm':true,'look':true,'receipt':'full'}" },
};
#define WAYS (SQ_COUNT(ways))

/*
 * Operations that the demo phone lacks, or that do not change its screen. Their
 * receipts take pictures in the same way as those above.
 */
static const char *const untried[] = {
    "steps",    "rotate",    "permission",    "appearance",
    "location", "clipboard", "notifications", "wake",
    "video",    "install",   "uninstall",     "pinch",
};

static bool
is_tried(const char *operation) {
    bool found = false;
    for (size_t i = 0; i < WAYS; i++) {
        found = found || strcmp(ways[i].operation, operation) == 0;
    }
    for (size_t i = 0; i < SQ_COUNT(untried); i++) {
        found = found || strcmp(untried[i], operation) == 0;
    }
    return found;
}

T_FIXTURE(start, stop);

T_BARE_CASE(every_operation_with_pictures_is_tried) {
    const struct sq_tool *tool;
    for (size_t i = 0; (tool = sq_tools_at(i)); i++) {
        if (tool->flags & SQ_TOOL_IMAGE && !T(is_tried(tool->name))) {
            printf("# %s may return a picture: add it to `ways`\n", tool->name);
        }
    }
}

/* With everything hidden, no picture has any of the screen's colours. */
T_BARE_CASE(all_pictures_are_hidden) {
    static const char *const all[] = { "0 0 100 100" };
    for (int is_hidden = 0; is_hidden < 2; is_hidden++) {
        start();
        char folder[600];
        snprintf(folder, sizeof(folder), "%s", t_scratch_path("saved"));
        world.past->save_folder = folder;
        if (is_hidden) {
            world.config.redact.regions = (struct sq_strings){ all, 1 };
            apply_rules();
        }
        for (size_t i = 0; i < WAYS; i++) {
            int pictures;
            run(ways[i].operation, ways[i].arguments, ref);
            long coloured = coloured_in_answer(&pictures);
            bool is_right =
                T(pictures > 0) && T(is_hidden ? coloured == 0 : coloured > 0);
            /* A live picture is cropped from what was hidden before. */
            bool is_live = strstr(ways[i].arguments, "'screenshotRef':'s1'");
            is_right = (is_live || !is_hidden
                        || T(past_has("redacted")
                             || strstr(world.json, "\"redacted\":")))
                    && is_right;
            if (!is_right) {
                printf("# %s %s: %ld coloured pixels in %d pictures: %.200s\n",
                       ways[i].operation, ways[i].arguments, coloured, pictures,
                       world.json);
            }
        }
        stop();
    }
}

/* Types a password; the login app starts with an empty form each time. */
static void
type_password(const char *password) {
    run("stop",
        "{'deviceId':'demo','packageName':'com.squint.demo.login',"
        "'receipt':'none'}",
        "");
    run("launch",
        "{'deviceId':'demo','packageName':'com.squint.demo.login',"
        "'receipt':'none'}",
        "");
    run("input",
        "{'deviceId':'demo','selector':{'resourceId':'password'},"
        "'text':'$','receipt':'none'}",
        password);
}

static struct sq_buf
picture_of(const char *arguments) {
    struct sq_buf copy;
    sq_buf_init(&copy, SQ_MAX_IMAGE_BYTES);
    run("screenshot", arguments, "");
    const struct sq_buf *data = &world.result.blocks[0].data;
    T_OK(sq_buf_append(&copy, data->data, data->len, &t_err));
    return copy;
}

static bool
are_equal(const char *arguments, const char *first, const char *second) {
    type_password(first);
    T_FREED(sq_buf_finish) struct sq_buf a = picture_of(arguments);
    T(!world.redactor || past_number("redacted") == 1);
    type_password(second);
    T_FREED(sq_buf_finish) struct sq_buf b = picture_of(arguments);
    return a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
}

/* Not even their length can be seen, at full size or scaled down. */
T_CASE(pictures_of_different_passwords_are_equal) {
    static const char *const sizes[] = {
        "{'deviceId':'demo','raw':true,'format':'png'}",
        "{'deviceId':'demo','format':'png'}",
        "{'deviceId':'demo','size':'thumb','format':'png'}",
    };
    for (size_t i = 0; i < SQ_COUNT(sizes); i++) {
        T(!are_equal(sizes[i], "abc", "correct horse battery"));
    }
    apply_rules();
    for (size_t i = 0; i < SQ_COUNT(sizes); i++) {
        T(are_equal(sizes[i], "abc", "correct horse battery"));
    }
    run("dump", "{'deviceId':'demo'}", "");
    T_LACKS(world.json, "correct");
}

/* Numbers, boxes and cells are drawn on what is left. */
T_CASE(marks_do_not_show_what_is_hidden) {
    static const char *const drawn[] = {
        "{'deviceId':'demo','marks':true,'format':'png'}",
        "{'deviceId':'demo','grid':true,'format':'png'}",
    };
    apply_rules();
    for (size_t i = 0; i < 2; i++) {
        T(are_equal(drawn[i], "abc", "correct horse battery"));
        T_LACKS(world.json, "correct");
    }
    world.redactor = NULL;
    for (size_t i = 0; i < 2; i++) {
        T(!are_equal(drawn[i], "abc", "correct horse battery"));
    }
}

/* The elements are read for every picture, and without them there is none. */
T_BARE_CASE(with_always_there_is_no_picture_without_elements) {
    static const struct fake_node nodes[] = {
        { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 1080, 2400 } },
        { 1, "android.widget.EditText", .text = "hunter2",
          .bounds = { 60, 600, 1020, 760 },
          .flags = SQ_NODE_EDITABLE | SQ_NODE_PASSWORD },
        { .class_name = NULL },
    };
    fake_world_start(&world, NULL);
    world.config.redact.passwords = SQ_REDACT_ALWAYS;
    T_OK(sq_redactor_init(&redactor, &world.config, NULL, &t_err));
    world.redactor = &redactor;
    world.device.nodes = nodes;
    T_OK(past_run("screenshot", "{}"));
    T_HAS(world.json, "\"redacted\":1");
    T_INT(world.device.trees, 1);
    world.device.tree_fails = SQ_ERR_TIMEOUT;
    T(!past_run("screenshot", "{}"));
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 0);
    T_HAS(t_err.message, "redact.passwords is always");
    /* As on a screen that keeps changing. */
    world.device.tree_fails = SQ_ERR_UNSUPPORTED;
    T(!past_run("screenshot", "{}"));
    redactor.passwords = SQ_REDACT_KNOWN;
    T_OK(past_run("screenshot", "{}"));
    world.redactor = NULL;
    fake_world_end(&world);
    sq_redactor_finish(&redactor);
}

/* An empty field shows its hint. */
T_CASE(empty_password_fields_are_not_hidden) {
    apply_rules();
    run("launch", "{'deviceId':'demo','packageName':'com.squint.demo.login'}",
        "");
    run("screenshot", "{'deviceId':'demo'}", "");
    T(!past_has("redacted"));
}

/* Reads all text of a picture; false without Tesseract. */
static bool
read_all(const struct sq_buf *picture, struct sq_buf *out) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_text_finish) struct sq_text text = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    T_OK(sq_image_decode(picture->data, picture->len, &sq_limits_default,
                         &image, &t_err));
    const struct sq_read_plan plan = { .area = { 0, 0, image.width,
                                                 image.height } };
    bool ok = sq_reader_read(reader, &image, &plan, &deadline, &text, &t_err);
    if (!ok && t_err.code == SQ_ERR_UNSUPPORTED) {
        t_skip(t_err.message);
    } else {
        T_OK(ok);
    }
    for (int i = 0; ok && i < text.count; i++) {
        for (int k = 0; k < text.lines[i].words.count; k++) {
            struct sq_span word = text.lines[i].words.items[k].text;
            sq_buf_append(out, word.ptr, word.len, &t_err);
            sq_buf_append(out, " ", 1, &t_err);
        }
    }
    sq_buf_append(out, "", 1, &t_err);
    return ok;
}

static bool
shows(const char *arguments, const char *word, bool *has_reader) {
    T_FREED(sq_buf_finish) struct sq_buf picture = picture_of(arguments);
    T_BUF(text, 1 << 20);
    *has_reader = read_all(&picture, &text);
    return *has_reader && strstr((const char *)text.data, word);
}

static void
start_reader(void) {
    const struct sq_reader_options options = { t_made_path("../squint"), "eng",
                                               2 };
    T_OK(sq_reader_create(&options, &reader, &t_err));
}

/* An address typed into a field is hidden in pixels, texts and lists. */
T_CASE(text_rules_hide_what_a_reader_reads) {
    static const char *const presets[] = { "emails" };
    static const char *const sizes[] = {
        "{'deviceId':'demo','raw':true,'format':'png'}",
        "{'deviceId':'demo','maxDimension':1500,'format':'png'}",
    };
    bool has_reader;
    start_reader();
    run("launch", "{'deviceId':'demo','packageName':'com.squint.demo.login'}",
        "");
    run("input",
        "{'deviceId':'demo','selector':{'resourceId':'username'},"
        "'text':'jane@example.com'}",
        "");
    bool was_shown = shows(sizes[0], "example", &has_reader);
    if (!has_reader) {
        return;
    }
    T(was_shown);
    world.config.redact.presets = (struct sq_strings){ presets, 1 };
    apply_rules();
    for (size_t i = 0; i < 2; i++) {
        T(!shows(sizes[i], "example", &has_reader));
        T(past_number("redacted") >= 1);
        T(shows(sizes[i], "Welcome", &has_reader));
    }
    run("dump", "{'deviceId':'demo'}", "");
    T_LACKS(world.json, "example");
    T_HAS(world.json, "[redacted]");
}

/* A picture that cannot be examined is not shown. */
T_CASE(rules_that_cannot_be_applied_refuse_pictures) {
    static const char *const presets[] = { "emails" };
    static const char *const apps[] = { "com.bank" };
    world.config.redact.presets = (struct sq_strings){ presets, 1 };
    T(!sq_redactor_init(&redactor, &world.config, NULL, &t_err));
    T_HAS(t_err.message, "ui.ocrEnabled");
    T_HAS(t_err.hint, "--ocr-enabled");
    const struct sq_reader_options none = { "/no/such/program", "eng", 1 };
    t_err = (struct sq_err){ 0 };
    T_OK(sq_reader_create(&none, &reader, &t_err));
    apply_rules();
    T(!past_run("screenshot", "{'deviceId':'demo'}"));
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 0);
    stop();
    start();
    world.config.redact.apps = (struct sq_strings){ apps, 1 };
    apply_rules();
    /* Which app a past screenshot shows is not known without a tracker. */
    char arguments[100];
    snprintf(arguments, sizeof(arguments), "{'screenshotRef':'%s'}", ref);
    T(!past_run("get_screenshot", arguments));
    T_HAS(t_err.message, "redact.apps");
    T_OK(past_run("screenshot", "{'deviceId':'demo'}"));
}

/* The device writes it, so that nothing can be hidden. */
T_CASE(videos_are_refused_with_rules) {
    static const char *const all[] = { "0 0 100 5" };
    world.config.redact.regions = (struct sq_strings){ all, 1 };
    apply_rules();
    T(!past_run("video", "{'deviceId':'demo','record':'start'}"));
    T_HAS(t_err.message, "a video cannot be redacted");
    stop();
    start();
    apply_rules();
    T(!past_run("video", "{'deviceId':'demo','record':'start'}"));
    T_LACKS(t_err.message, "redact");
}

T_CASE(hidden_apps_have_no_pixels) {
    static const char *const apps[] = { "demo.shop" };
    int pictures;
    world.config.redact.apps = (struct sq_strings){ apps, 1 };
    apply_rules();
    run("launch", "{'deviceId':'demo','packageName':'com.squint.demo.shop'}",
        "");
    run("screenshot", "{'deviceId':'demo'}", "");
    T(coloured_in_answer(&pictures) == 0 && pictures == 1);
    T(past_number("redacted") == 1);
    run("launch", "{'deviceId':'demo','packageName':'com.squint.demo.login'}",
        "");
    run("screenshot", "{'deviceId':'demo'}", "");
    T(coloured_in_answer(&pictures) > 0);
}
