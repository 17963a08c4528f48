#include "tools/screen/screen_picture.h"

#include <errno.h>
#include <unistd.h>

#include "image/draw/draw.h"
#include "image/pipeline/codec.h"
#include "image/png/png.h"
#include "support/fake_device.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/file.h"
#include "util/base64.h"
#include "util/fault.h"

static struct fake_world world;

static void
start(void) {
    t_scratch_start();
    fake_world_start(&world, t_scratch());
    world.device.screen.size = (struct sq_size){ 108, 240 };
}

static void
stop(void) {
    fake_world_end(&world);
    t_scratch_end();
}

static bool
shoot(const char *arguments) {
    return fake_run(&world, "screenshot", arguments);
}

/* The size of the answer as it is sent, without the protocol's frame. */
static size_t
reply_bytes(void) {
    size_t bytes = 0;
    for (int i = 0; i < world.result.count; i++) {
        const struct sq_block *block = &world.result.blocks[i];
        bytes += block->kind == SQ_BLOCK_IMAGE
                   ? sq_base64_encoded_len(block->data.len)
                   : block->data.len;
    }
    return bytes;
}

static bool
has_frame(void) {
    struct sq_frame frame = { 0 };
    sq_session_frame(world.session, FAKE_ID, (struct sq_span){ 0 },
                     &world.device.screen, &frame, NULL);
    return frame.id[0] != '\0';
}

T_FIXTURE(start, stop);

T_CASE(no_side_above_2000_unless_requested) {
    world.device.screen.size = (struct sq_size){ 1440, 3120 };
    T(shoot("{'maxDimension':3000}"));
    T(strstr(world.json, "\"height\":2000}") != NULL);
    T(strstr(world.json, "\"note\":\"Limited to 2000 pixels") != NULL);
    T(shoot("{'budgetTokens':100000}"));
    T(strstr(world.json, "\"image\":{\"width\":1440") == NULL);
    T(shoot("{'size':'full'}"));
    T(strstr(world.json, "\"image\":{\"width\":1440,\"height\":3120}") != NULL);
    T(strstr(world.json, "\"note\"") == NULL);
}

/* Makes the device show a desktop with small text. */
static void
show_small_text(struct sq_buf *png) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_font *font;
    struct sq_rows *rows;
    T_OK(sq_image_init(&image, 1920, 1080, &sq_limits_default, &t_err));
    T_OK(sq_font_create(&font, &t_err));
    struct sq_canvas canvas = {
        image.pixels, image.stride, { 0, 0, image.width, image.height }, font
    };
    sq_canvas_rect(&canvas, canvas.clip, SQ_RGB(0xffffff));
    for (int y = 30; y < 1000; y += 30) {
        T_OK(sq_canvas_text(&canvas, &(struct sq_face){ 13, false },
                            SQ_SPAN("Delivery of the parcel is expected"),
                            (struct sq_pt){ 20, y }, SQ_RGB(0), &t_err));
    }
    sq_buf_init(png, SQ_MAX_IMAGE_BYTES);
    T_OK(sq_rows_from_image(&image, &rows, &t_err));
    T_OK(sq_png_encode(rows, png, &t_err));
    sq_rows_destroy(rows);
    sq_font_destroy(font);
    world.device.screen.size = (struct sq_size){ 1920, 1080 };
    world.device.bytes = png->data;
    world.device.byte_count = png->len;
}

T_CASE(auto_shows_small_text_as_large_as_it_needs) {
    T_FREED(sq_buf_finish) struct sq_buf png = { 0 };
    show_small_text(&png);
    T(shoot("{}"));
    T_HAS(world.json, "\"image\":{\"width\":1000,");
    T(shoot("{'maxDimension':'auto'}"));
    T_HAS(world.json, "\"image\":{\"width\":1329,\"height\":748}");
    T(shoot("{'maxDimension':'auto','budgetTokens':800}"));
    T_LACKS(world.json, "\"image\":{\"width\":1329,");
    T(has_frame());
    T(!shoot("{'maxDimension':'auto','raw':true}"));
    T(shoot("{'maxDimension':'auto','region':"
            "{'x':0,'y':0,'width':100,'height':50}}"));
    T_HAS(world.json, "\"region\"");
    world.config.ui.max_image_dimension = SQ_ARG_OTHER;
    T(shoot("{}")); /* a phone */
    T_HAS(world.json, "\"image\":{\"width\":1000,");
    world.device.ops.has_mouse = true;
    T(shoot("{}"));
    T_HAS(world.json, "\"image\":{\"width\":1329,\"height\":748}");
    T(shoot("{'maxDimension':700}"));
    T_HAS(world.json, "\"image\":{\"width\":700,");
    T(shoot("{'marks':true}"));
    T_HAS(world.json, "\"image\":{\"width\":1329,\"height\":748}");
}

/* Where a larger picture costs the same, it is the default. */
T_CASE(a_profile_may_choose_the_size) {
    world.device.screen.size = (struct sq_size){ 1080, 2400 };
    while (strcmp(sq_token_profile_at((size_t)world.config.model.profile)->name,
                  "gemini-3")) {
        world.config.model.profile++;
    }
    T(shoot("{}"));
    T_HAS(world.json, "\"image\":{\"width\":900,\"height\":2000}");
    T_LACKS(world.json, "\"note\"");
    world.config.ui.max_image_dimension = 1000;
    T(shoot("{}"));
    T_HAS(world.json, "\"image\":{\"width\":450,\"height\":1000}");
}

/* The only file that an operation has left in the folder. */
static void
read_only_file(struct sq_buf *bytes) {
    const char *at = strstr(world.json, "\"path\":\"");
    char path[500] = "";
    T_INT(t_count_entries(t_scratch()), 1);
    if (T(at != NULL)) {
        at += strlen("\"path\":\"");
        snprintf(path, sizeof(path), "%.*s", (int)strcspn(at, "\""), at);
    }
    sq_buf_init(bytes, SQ_MAX_IMAGE_BYTES);
    T_OK(sq_file_read(path, SQ_MAX_IMAGE_BYTES, bytes, &t_err));
}

T_CASE(files_have_the_requested_size) {
    T_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    struct sq_size size = { 0 };
    world.device.screen.size = (struct sq_size){ 1440, 3120 };
    T(shoot("{'inline':false,'maxDimension':3000}"));
    T(strstr(world.json, "\"note\"") == NULL);
    T(strstr(world.json, "\"height\":3000}") != NULL);
    read_only_file(&bytes);
    T_OK(sq_codec_size(bytes.data, bytes.len, &size, &t_err));
    T_INT(size.height, 3000);
}

T_CASE(no_reply_exceeds_the_limit) {
    world.device.noisy = true;
    world.device.screen.size = (struct sq_size){ 900, 1600 };
    world.config.limits.max_result_bytes = 200 * 1024;
    T(shoot("{'maxDimension':1600,'quality':95}"));
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
    T(reply_bytes() <= 200 * 1024);
    T(strstr(world.json, "Reduced to stay below the reply limit.") != NULL);
    T(has_frame());
    T(shoot("{'format':'png'}"));
    T_STR(world.result.blocks[0].mime_type, "image/jpeg");
    T(strstr(world.json, "sent as JPEG") != NULL);
    T(reply_bytes() <= 200 * 1024);
}

/* With --read-only nothing can be linked, so even a raw picture is scaled. */
T_CASE(only_an_unscaled_picture_is_called_raw) {
    world.device.noisy = true;
    world.device.screen.size = (struct sq_size){ 900, 1600 };
    T(shoot("{'raw':true,'format':'png'}"));
    T(strstr(world.json, "no scaling applied") != NULL);
    world.config.limits.max_result_bytes = 100 * 1024;
    world.config.tools.read_only = true;
    T(shoot("{'raw':true,'format':'png'}"));
    T(strstr(world.json, "Reduced to stay below the reply limit.") != NULL);
    T(strstr(world.json, "\"width\":900,\"height\":1600},\"image\"") != NULL);
    T(strstr(world.json, "\"image\":{\"width\":900,") == NULL);
    T(strstr(world.json, "no scaling applied") == NULL);
}

T_CASE(picture_that_cannot_shrink_becomes_a_link) {
    world.device.noisy = true;
    world.device.screen.size = (struct sq_size){ 900, 1600 };
    world.config.limits.max_result_bytes = 100 * 1024;
    T(shoot("{'raw':true}"));
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 0);
    T_INT(fake_blocks(&world, SQ_BLOCK_LINK), 1);
    const struct sq_block *link = &world.result.blocks[0];
    T(fake_matches(link->uri, "squint://screenshot/<*>.jpg"));
    T(link->size > 100 * 1024);
    T(strstr(world.json, "\"mode\":\"link\"") != NULL);
    T(strstr(world.json, "\"image\":{\"width\":900,\"height\":1600}") != NULL);
    T_INT(t_count_entries(t_scratch()), 1);
    T_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    const char *mime = NULL;
    struct sq_span ref = sq_span_of(link->uri);
    T(sq_span_take_prefix(&ref, SQ_OUTPUT_URI));
    T_OK(sq_output_file_read(&world.config, ref, &bytes, &mime, &t_err));
    T_INT(bytes.len, link->size);
    T_STR(mime, "image/jpeg");
}

/* If it does not fit as JPEG either, the requested format is kept. */
T_CASE(link_to_a_png_does_not_claim_to_be_jpeg) {
    T_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    const struct sq_codec *codec = NULL;
    world.device.noisy = true;
    world.device.screen.size = (struct sq_size){ 900, 1600 };
    world.config.limits.max_result_bytes = 100 * 1024;
    T(shoot("{'raw':true,'format':'png'}"));
    const struct sq_block *link = &world.result.blocks[0];
    T_INT(link->kind, SQ_BLOCK_LINK);
    T(fake_matches(link->uri, "squint://screenshot/<*>.png"));
    T_STR(link->mime_type, "image/png");
    T(strstr(world.json, "\"mimeType\":\"image/png\"") != NULL);
    T(strstr(world.json, "saved as a file") != NULL);
    T(strstr(world.json, "JPEG") == NULL);
    read_only_file(&bytes);
    T_INT(bytes.len, link->size);
    T_OK(sq_codec_find(bytes.data, bytes.len, &codec, &t_err));
    T_STR(codec ? codec->name : "", "png");
}

T_BARE_CASE(hostile_elements_do_not_exceed_the_reply_limit) {
    static char text[100001];
    static struct fake_node many[32];
    memset(text, '\n', sizeof(text) - 1);
    memcpy(text, "x", 1);
    memcpy(text + sizeof(text) - 2, "x", 1);
    for (int i = 0; i < 30; i++) {
        many[i] = (struct fake_node){
            i > 0,
            "a.Button",
            .text = text,
            .resource_id = text,
            .bounds = { 0, 0, 100, 200 },
            .flags = SQ_NODE_CLICKABLE,
        };
    }
    many[30] = (struct fake_node){ .class_name = NULL };
    start();
    world.device.nodes = many;
    world.config.limits.max_result_bytes = 16 * 1024;
    T(shoot("{'elements':true}"));
    T(reply_bytes() <= 16 * 1024);
    T(strstr(world.json, "\"totalCount\":30") != NULL);
    T(fake_run(&world, "find", "{'selector':{'className':'Button'}}"));
    T(reply_bytes() <= 16 * 1024);
    T(strstr(world.json, "\"truncated\":true") != NULL);
    T(fake_run(&world, "dump", "{}"));
    T(reply_bytes() <= 16 * 1024);
    T(fake_run(&world, "dump", "{'compact':false}"));
    T(reply_bytes() <= 16 * 1024);
    stop();
}

/* Some hosts start servers in folders that are not writable. */
T_CASE(files_go_to_the_state_folder_if_needed) {
    /* The first call is for the random name, the second for the folder. */
    const struct sq_fault_plan refuse = { .nth = 2, .how = EACCES };
    const struct sq_fault_plan none = { 0 };
    world.config.output.directory = "shots";
    setenv("XDG_STATE_HOME", t_scratch_path("state"), 1);
    sq_fault_arm(SQ_FAULT_CALL, refuse);
    T(shoot("{'inline':false}"));
    sq_fault_arm(SQ_FAULT_CALL, none);
    T(strstr(world.json, "/state/squint/screenshots/screenshot-") != NULL);
    T_INT(t_count_entries(t_scratch_path("state/squint/screenshots")), 1);
    unsetenv("XDG_STATE_HOME");
    char path[500] = "";
    const char *at = strstr(world.json, "\"path\":\"");
    if (T(at != NULL)) {
        at += strlen("\"path\":\"");
        snprintf(path, sizeof(path), "%.*s", (int)strcspn(at, "\""), at);
    }
    T_INT(unlink(path), 0);
    rmdir(t_scratch_path("state/squint/screenshots"));
    rmdir(t_scratch_path("state/squint"));
    rmdir(t_scratch_path("state"));
}

T_CASE(forged_references_open_nothing) {
    static const char *const refs[] = {
        "",
        "../../etc/passwd",
        "0123456789abcdef0123456789abcdef",
        "0123456789abcdef0123456789abcdef.jpg",
        "0123456789abcdef0123456789abcdef.txt",
        "0123456789ABCDEF0123456789ABCDEF.jpg",
        "0123456789abcdef/123456789abcdef.jpg",
    };
    t_put(t_scratch_path("secret.png"), "x", 1);
    for (size_t i = 0; i < SQ_COUNT(refs); i++) {
        struct sq_buf bytes = { 0 };
        const char *mime = NULL;
        T_FAILS(sq_output_file_read(&world.config, sq_span_of(refs[i]), &bytes,
                                    &mime, &t_err),
                SQ_ERR_NOT_FOUND);
        T(mime == NULL && bytes.data == NULL);
    }
}

T_CASE(protected_screen_is_an_error) {
    world.device.secure = true;
    T(!shoot("{}"));
    T_INT(world.err.code, SQ_ERR_SECURE_SCREEN);
    T(world.err.hint[0] != '\0');
    T(!has_frame());
    T_INT(world.result.count, 0);
}

T_CASE(black_picture_is_not_sent) {
    world.device.plain = true;
    world.device.colour = 0;
    T(shoot("{}"));
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 0);
    T(strstr(world.json, "\"blank\":true") != NULL);
    T(strstr(world.json, "\"tokens\":0") != NULL);
    T(strstr(world.json, "all black") != NULL);
    T(!has_frame());
    T(shoot("{'inline':false}"));
    T_INT(t_count_entries(t_scratch()), 0);
    T_INT(sq_session_ledger(world.session).images, 0);
}

T_CASE(single_colour_is_reported) {
    world.device.plain = true;
    world.device.colour = 0xffffff;
    T(shoot("{}"));
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
    T(strstr(world.json, "single colour") != NULL);
    world.device.plain = false;
    T(shoot("{}"));
    T(strstr(world.json, "\"note\"") == NULL);
}

/* Most screens have such a part; it says nothing about the app. */
T_BARE_CASE(region_of_any_single_colour_is_sent) {
    static const uint32_t colours[] = { 0, 0xffffff };
    for (size_t i = 0; i < 2; i++) {
        start();
        world.device.plain = true;
        world.device.colour = colours[i];
        T(shoot("{'region':{'x':10,'y':10,'width':50,'height':50}}"));
        T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
        T(strstr(world.json, "This part of the screen has a single colour.")
          != NULL);
        T(strstr(world.json, "loading") == NULL);
        stop();
    }
}

T_CASE(broken_pictures_are_refused) {
    static const char *const pictures[] = {
        "",
        "screencap: Capturing failed.\n",
        "\x89PNG\r\n\x1a\n",
        "\xff\xd8\xff\xe0garbage",
    };
    T(shoot("{}"));
    struct sq_frame before;
    struct sq_frame after;
    const struct sq_span latest = { 0 };
    sq_session_frame(world.session, FAKE_ID, latest, &world.device.screen,
                     &before, NULL);
    for (size_t i = 0; i < SQ_COUNT(pictures); i++) {
        world.device.bytes = pictures[i];
        world.device.byte_count = strlen(pictures[i]);
        T(!shoot("{}"));
        T_INT(world.err.code, SQ_ERR_SCREENSHOT_FAILED);
        T(!shoot("{'region':{'x':0,'y':0,'width':9,'height':9}}"));
        T_INT(world.err.code, SQ_ERR_SCREENSHOT_FAILED);
    }
    world.device.capture_fails = SQ_ERR_DEVICE_OFFLINE;
    T(!shoot("{}"));
    T_INT(world.err.code, SQ_ERR_DEVICE_OFFLINE);
    sq_session_frame(world.session, FAKE_ID, latest, &world.device.screen,
                     &after, NULL);
    T_STR(after.id, before.id);
}

T_CASE(slow_device_ends_with_the_deadline) {
    world.config.limits.timeout_ms = 100;
    world.device.capture_takes_ms = 5000;
    T(!shoot("{}"));
    T_INT(world.err.code, SQ_ERR_TIMEOUT);
    T(!has_frame());
}

T_CASE(ledger_counts_sent_pictures) {
    T(shoot("{}"));
    T(shoot("{'inline':false}"));
    T(!shoot("{'raw':true,'size':'full'}"));
    struct sq_ledger ledger = sq_session_ledger(world.session);
    T_INT(ledger.calls, 3);
    T_INT(ledger.images, 1);
    T(ledger.image_tokens > 0);
    T(ledger.image_bytes > 0);
    T(ledger.text_bytes > 100);
}

/* One operation that must change nothing when it fails. */
struct attempt {
    const char *operation;
    const char *arguments;
};

static bool
try_it(void *context, struct sq_err *err) {
    const struct attempt *attempt = context;
    struct sq_frame before;
    struct sq_frame after;
    int files = t_count_entries(t_scratch());
    int open = t_count_open_files();
    const struct sq_span latest = { 0 };
    sq_session_frame(world.session, FAKE_ID, latest, &world.device.screen,
                     &before, NULL);
    struct sq_ledger ledger = sq_session_ledger(world.session);
    bool ok = fake_run(&world, attempt->operation, attempt->arguments);
    T_INT(t_count_open_files(), open);
    if (!ok) {
        *err = world.err;
        sq_session_frame(world.session, FAKE_ID, latest, &world.device.screen,
                         &after, NULL);
        T_BYTES(&after, sizeof(after), &before, sizeof(before));
        T_INT(t_count_entries(t_scratch()), files);
        T_INT(sq_session_ledger(world.session).images, ledger.images);
        T_INT(world.result.count, 0);
    }
    return ok;
}

static const struct fake_node few[] = {
    { 0, "a.Root", .bounds = { 0, 0, 108, 240 } },
    { 1, "a.Button", .text = "OK", .bounds = { 0, 0, 50, 50 },
      .flags = SQ_NODE_CLICKABLE },
    { 1, "a.Row", .bounds = { 0, 60, 100, 90 }, .flags = SQ_NODE_CLICKABLE },
    { 2, "a.Text", .text = "Inside", .bounds = { 0, 60, 50, 90 } },
    { .class_name = NULL },
};

static const struct attempt attempts[] = {
    { "screenshot", "{}" },
    { "screenshot", "{'inline':false}" },
    { "screenshot", "{'size':'half','elements':true}" },
    { "screenshot", "{'region':{'x':9,'y':9,'width':50,'height':50}}" },
    { "screenshot", "{'elements':true,'enableCoordinateCaching':true}" },
    { "visual-snapshot", "{}" },
    { "find", "{'selector':{'text':'absent'}}" },
    { "find", "{'selector':{'text':'OK'}}" },
    { "dump", "{}" },
    { "dump", "{'compact':false}" },
    { "accessibility-check", "{}" },
    { "devices", "{}" },
    { "wait", "{'timeoutMs':0,'stableMs':0}" },
    { "wait", "{'timeoutMs':0,'text':'OK'}" },
};
#define ATTEMPTS (SQ_COUNT(attempts))

T_BARE_CASE(out_of_memory_leaves_no_partial_state) {
    for (size_t i = 0; i < ATTEMPTS; i++) {
        struct attempt attempt = attempts[i];
        start();
        world.device.nodes = few;
        T(shoot("{}"));
        if (!T(t_alloc_torture(try_it, &attempt) > 0)) {
            printf("# %s %s\n", attempt.operation, attempt.arguments);
        }
        stop();
    }
}

/* Fails every system call, one after the other. */
static void
fail_calls(const struct attempt *attempt, int how) {
    for (long nth = 1; nth < 200; nth++) {
        struct attempt once = *attempt;
        struct sq_err err = { 0 };
        const struct sq_fault_plan plan = { .nth = nth, .how = how };
        const struct sq_fault_plan none = { 0 };
        sq_fault_arm(SQ_FAULT_CALL, plan);
        bool ok = try_it(&once, &err);
        long asked = sq_fault_count(SQ_FAULT_CALL);
        sq_fault_arm(SQ_FAULT_CALL, none);
        T(ok || err.code != SQ_ERR_NONE);
        if (asked < nth) {
            T(ok);
            return;
        }
    }
    T(false);
}

T_BARE_CASE(failed_calls_leave_no_file) {
    static const struct attempt with_files[] = {
        { "screenshot", "{'inline':false}" },
        { "visual-snapshot", "{}" },
        { "find", "{'selector':{'text':'absent'}}" },
    };
    for (size_t i = 0; i < 3; i++) {
        start();
        world.device.nodes = few;
        fail_calls(&with_files[i], EIO);
        fail_calls(&with_files[i], ENOSPC);
        stop();
    }
}
