/*
 * Pictures that are encoded while the capture arrives equal those encoded
 * later.
 */

#include "support/fake_device.h"
#include "support/scratch.h"
#include "support/test.h"

static struct fake_world world;

static void
start(void) {
    t_scratch_start();
    fake_world_start(&world, t_scratch());
    world.device.screen.size = (struct sq_size){ 540, 1200 };
}

static void
stop(void) {
    fake_world_end(&world);
    t_scratch_end();
}

/* The answer of one screenshot: its picture and its text. */
struct answer {
    struct sq_buf picture;
    char json[sizeof(world.json)];
};

static bool
shoot(const char *arguments, struct answer *out) {
    sq_buf_init(&out->picture, (size_t)16 << 20);
    if (!fake_run(&world, "screenshot", arguments)) {
        return false;
    }
    const struct sq_block *block = world.result.blocks;
    for (int i = 0; i < world.result.count; i++, block++) {
        if (block->kind == SQ_BLOCK_IMAGE) {
            T_OK(sq_buf_append(&out->picture, block->data.data, block->data.len,
                               &t_err));
        }
    }
    memcpy(out->json, world.json, sizeof(out->json));
    return true;
}

/* Each in a new world, so that even the ids are equal. */
static void
compare(const char *arguments, size_t step, bool tries_twice, bool in_part) {
    static struct answer at_once;
    static struct answer coming;
    start();
    T(shoot(arguments, &at_once));
    stop();
    start();
    world.device.piece_bytes = step;
    world.device.tries_twice = tries_twice;
    world.device.observer_gets_half = in_part;
    T(shoot(arguments, &coming));
    stop();
    if (!T_BYTES(coming.picture.data, coming.picture.len, at_once.picture.data,
                 at_once.picture.len)
        || !T_STR(coming.json, at_once.json)) {
        printf("# %s, %zu bytes at a time\n", arguments, step);
    }
    sq_buf_finish(&at_once.picture);
    sq_buf_finish(&coming.picture);
}

static const char *const ways[] = {
    "{}",
    "{'size':'quarter'}",
    "{'budgetTokens':200}",
    "{'maxDimension':333,'format':'png'}",
    "{'maxDimension':400,'format':'auto'}",
    "{'raw':true}",
    "{'quality':20}",
    "{'region':{'x':10,'y':20,'width':100,'height':50}}",
};
#define WAYS (SQ_COUNT(ways))

T_CASE(any_pieces_give_the_same_picture) {
    for (size_t i = 0; i < WAYS; i++) {
        compare(ways[i], 32773, false, false);
    }
    compare(ways[0], 999, false, false);
    compare(ways[0], (size_t)64 << 20, false, false);
}

T_CASE(only_the_last_attempt_is_used) {
    for (size_t i = 0; i < WAYS; i++) {
        compare(ways[i], 50000, true, false);
    }
}

/* Such as a header that was misread at first: the complete frame decides. */
T_CASE(partly_observed_capture_is_encoded_again) {
    compare(ways[0], 50000, false, true);
    compare(ways[0], 50000, true, true);
}

T_CASE(slow_captures_are_kept) {
    struct sq_buf held;
    struct answer answer;
    start();
    world.device.piece_bytes = 40000;
    T(shoot("{}", &answer));
    sq_buf_init(&held, (size_t)64 << 20);
    T_OK(sq_session_read_frame(world.session, SQ_SPAN("s1"), &held, &t_err));
    T_INT(held.len, 16 + 540 * 1200 * 4);
    T_INT(world.device.seen, held.len);
    sq_buf_finish(&held);
    sq_buf_finish(&answer.picture);
    stop();
}

T_CASE(black_screens_are_not_sent) {
    struct answer answer;
    start();
    world.device.piece_bytes = 40000;
    world.device.plain = true;
    world.device.colour = 0;
    T(shoot("{}", &answer));
    T_INT(answer.picture.len, 0);
    T(strstr(answer.json, "\"blank\":true") != NULL);
    sq_buf_finish(&answer.picture);
    stop();
}

T_CASE(failed_capture_changes_nothing) {
    struct answer answer;
    start();
    world.device.piece_bytes = 40000;
    world.device.secure = true;
    T(!shoot("{}", &answer));
    T_INT(world.err.code, SQ_ERR_SECURE_SCREEN);
    T(!fake_run(&world, "tap", "{'x':1,'y':1,'screenshotId':'s1'}"));
    T_INT(world.err.code, SQ_ERR_UNKNOWN_SCREENSHOT);
    stop();
}

static bool
shoot_without_memory(void *context, struct sq_err *err) {
    bool ok = fake_run(&world, "screenshot", "{}");
    if (!ok) {
        *err = world.err;
    }
    return ok;
}

T_CASE(every_allocation_can_fail) {
    start();
    world.device.screen.size = (struct sq_size){ 90, 120 };
    world.device.piece_bytes = 4000;
    T(t_alloc_torture(shoot_without_memory, NULL) > 10);
    stop();
}
