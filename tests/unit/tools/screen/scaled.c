/*
 * Pictures that the device scales: they and everything after them are as if the
 * whole frame had been fetched.
 */

#include "image/pipeline/codec.h"
#include "image/pipeline/scale.h"
#include "redact/redact.h"
#include "support/fake_device.h"
#include "support/scratch.h"
#include "support/test.h"
#include "tools/screen/watch.h"
#include "util/bytes.h"

static struct fake_world world;

/* The device's frame, of which it has sent a scaled picture. */
static struct {
    bool (*capture)(struct sq_device *, const struct sq_capture_request *,
                    struct sq_capture *, const struct sq_deadline *,
                    struct sq_err *);
    struct sq_buf frame;
    uint64_t hash;
    int scaled;     /* pictures */
    int fetched;    /* parts of the frame */
    bool is_turned; /* the screen turns after each choice */
    enum sq_password_focus focus;
} kept;

/* Appends the part of a raw frame in its new size, as a raw frame. */
static bool
scale(const struct sq_buf *frame, const struct sq_scaling *how,
      struct sq_buf *out, struct sq_err *err) {
    struct sq_rows *rows = NULL;
    uint8_t header[SQ_RAW_HEADER_BYTES] = { 0 };
    sq_store_le32(header, (uint32_t)how->size.width);
    sq_store_le32(header + 4, (uint32_t)how->size.height);
    header[8] = header[12] = 1;
    bool ok =
        sq_raw_open(frame->data, frame->len, &sq_limits_default, &rows, err)
        && sq_rows_crop(rows, how->part, &rows, err)
        && sq_scale_rows(rows, how->size.width, how->size.height, how->kernel,
                         &rows, err)
        && sq_buf_append(out, header, sizeof(header), err);
    for (int y = 0; ok && y < how->size.height; y++) {
        struct sq_row row;
        ok = sq_rows_next(rows, &row, err)
          && sq_buf_append(out, row.pixels,
                           (size_t)how->size.width * SQ_PIXEL_BYTES, err);
    }
    sq_rows_destroy(rows);
    return ok;
}

static bool
capture(struct sq_device *device, const struct sq_capture_request *request,
        struct sq_capture *out, const struct sq_deadline *deadline,
        struct sq_err *err) {
    const struct sq_scaling_chooser *chooser = request->chooser;
    struct sq_screen screen = world.device.screen;
    struct sq_scaling scaling;
    if (!kept.capture(device, request, out, deadline, err)) {
        return false;
    }
    out->password_focus = kept.focus;
    if (kept.is_turned) {
        screen.size.width += 4;
    }
    if (!chooser
        || !chooser->choose(chooser->context, &screen, screen.size, &scaling)) {
        return true;
    }
    sq_buf_finish(&kept.frame);
    kept.frame = out->bytes;
    kept.hash = sq_capture_hash(&kept.frame);
    kept.scaled++;
    sq_buf_init(&out->bytes, kept.frame.max);
    out->scaled = (struct sq_scaled){ kept.hash, world.device.screen.size };
    return scale(&kept.frame, &scaling, &out->bytes, err);
}

static bool
fetch_part(struct sq_device *device, uint64_t hash,
           const struct sq_scaling *scaling, struct sq_buf *out,
           const struct sq_deadline *deadline, struct sq_err *err) {
    (void)device, (void)deadline;
    if (hash != kept.hash) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED, "it is gone");
    }
    kept.fetched++;
    return scale(&kept.frame, scaling, out, err);
}

static void
start(bool scales) {
    t_scratch_start();
    fake_world_start(&world, t_scratch());
    world.device.screen.size = (struct sq_size){ 540, 1200 };
    memset(&kept, 0, sizeof(kept));
    kept.capture = world.device.ops.capture;
    if (scales) {
        world.device.ops.capture = capture;
        world.device.ops.fetch_part = fetch_part;
    }
}

static void
stop(void) {
    sq_buf_finish(&kept.frame);
    fake_world_end(&world);
    t_scratch_end();
}

/* The last answer: its picture and its text. */
struct answer {
    struct sq_buf picture;
    char json[sizeof(world.json)];
};

static void
take_answer(struct answer *out) {
    sq_buf_init(&out->picture, (size_t)16 << 20);
    for (int i = 0; i < world.result.count; i++) {
        const struct sq_block *block = &world.result.blocks[i];
        if (block->kind == SQ_BLOCK_IMAGE) {
            T(sq_buf_append(&out->picture, block->data.data, block->data.len,
                            NULL));
        }
    }
    memcpy(out->json, world.json, sizeof(out->json));
}

/* What the last of these calls answers; a NULL operation ends them. */
struct step {
    const char *operation;
    const char *arguments;
};

static void
run(const struct step *steps, bool scales, struct answer *out) {
    start(scales);
    for (; steps->operation; steps++) {
        T(fake_run(&world, steps->operation, steps->arguments));
    }
    take_answer(out);
}

/* Each in a new world, so that even the ids are equal. */
static void
compare(const struct step *steps, int scaled) {
    static struct answer whole;
    static struct answer answer;
    run(steps, false, &whole);
    stop();
    run(steps, true, &answer);
    T_INT(kept.scaled, scaled);
    stop();
    if (!T_BYTES(answer.picture.data, answer.picture.len, whole.picture.data,
                 whole.picture.len)
        || !T_STR(answer.json, whole.json)) {
        printf("# %s\n", steps[0].arguments);
    }
    sq_buf_finish(&whole.picture);
    sq_buf_finish(&answer.picture);
}

T_CASE(pictures_are_the_same) {
    static const char *const ways[] = {
        "{}",
        "{'size':'quarter'}",
        "{'budgetTokens':200}",
        "{'maxDimension':333,'format':'png'}",
        "{'maxDimension':400,'format':'auto'}",
        "{'raw':true}",
        "{'quality':20}",
        "{'grid':true}",
    };
    for (size_t i = 0; i < SQ_COUNT(ways); i++) {
        const struct step steps[] = { { "screenshot", ways[i] }, { NULL, "" } };
        compare(steps, 1);
    }
    static const struct step region[] = {
        { "screenshot", "{'maxDimension':300}" },
        { "screenshot", "{'region':{'x':10,'y':20,'width':100,'height':50},'"
                        "maxDimension':90}" },
        { NULL, "" },
    };
    compare(region, 2);
}

T_CASE(parts_of_the_frame_are_fetched) {
    static const struct step crop[] = {
        { "screenshot", "{'maxDimension':100}" },
        { "crop_screenshot", "{'screenshotRef':'s1','x':10,'y':20,'width':50,"
                             "'height':30}" },
        { NULL, "" },
    };
    compare(crop, 1);
    static struct answer answer;
    run(crop, true, &answer);
    T_INT(kept.fetched, 1);
    kept.hash = 0; /* the device has lost it */
    T(!fake_run(&world, crop[1].operation, crop[1].arguments));
    T_INT(world.err.code, SQ_ERR_UNKNOWN_SCREENSHOT);
    stop();
    sq_buf_finish(&answer.picture);
}

/* A picture of noise is too large for a reply: it is made smaller. */
T_CASE(smaller_pictures_come_from_a_whole_frame) {
    start(true);
    world.device.noisy = true;
    world.config.limits.max_result_bytes = 30000;
    T(fake_run(&world, "screenshot", "{}"));
    T_INT(kept.scaled, 1);
    T_INT(world.device.captures, 2);
    T(strstr(world.json, "Reduced to stay below the reply limit"));
    stop();
}

T_CASE(picture_for_another_screen_is_not_used) {
    static const struct step region[] = {
        { "screenshot", "{'maxDimension':300}" },
        { "screenshot", "{'region':{'x':10,'y':20,'width':100,'height':50}}" },
        { NULL, "" },
    };
    static struct answer whole;
    static struct answer answer;
    run(region, false, &whole);
    stop();
    start(true);
    T(fake_run(&world, region[0].operation, region[0].arguments));
    kept.is_turned = true;
    T(fake_run(&world, region[1].operation, region[1].arguments));
    take_answer(&answer);
    T_INT(world.device.captures, kept.scaled == 1 ? 2 : 3);
    stop();
    T_BYTES(answer.picture.data, answer.picture.len, whole.picture.data,
            whole.picture.len); /* its id may be a later one */
    sq_buf_finish(&whole.picture);
    sq_buf_finish(&answer.picture);
}

/* A password is hidden before the picture is scaled. */
T_CASE(password_is_hidden_in_a_whole_frame) {
    static const struct fake_node nodes[] = {
        { 0, "FrameLayout", NULL, NULL, NULL, NULL, { 0, 0, 540, 1200 }, 0 },
        { 1,
          "EditText",
          "secret",
          NULL,
          NULL,
          NULL,
          { 50, 100, 400, 200 },
          SQ_NODE_PASSWORD | SQ_NODE_FOCUSED },
        { 0, NULL, NULL, NULL, NULL, NULL, { 0, 0, 0, 0 }, 0 },
    };
    struct sq_redactor redactor = { 0 };
    start(true);
    world.config.redact.passwords = SQ_REDACT_FOCUSED;
    T_OK(sq_redactor_init(&redactor, &world.config, NULL, &t_err));
    world.redactor = &redactor;
    world.device.nodes = nodes;
    kept.focus = SQ_PASSWORD_NOT_FOCUSED;
    T(fake_run(&world, "screenshot", "{}"));
    T_INT(world.device.captures, 1);
    T(!strstr(world.json, "redacted"));
    kept.focus = SQ_PASSWORD_FOCUSED;
    T(fake_run(&world, "screenshot", "{}"));
    T_INT(world.device.captures, 3);
    T(strstr(world.json, "\"redacted\":1"));
    sq_redactor_finish(&redactor);
    world.redactor = NULL;
    stop();
}
