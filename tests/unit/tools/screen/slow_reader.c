/* What waits for a text recogniser that never answers, on a simulated clock. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/text_page.h"
#include "unit/tools/acting.h"
#include "vision/reader.h"

#define NS_PER_S ((int64_t)1000000000)
#define NS_PER_MS ((int64_t)1000000)

/* The worker reads there how it has to behave. */
#define MODE_FILE "mode"

/* Reading may take that long, all other system calls the rest. */
#define TEXT_S 6
#define ALL_S 9

/* Returns how long an operation takes if each system call takes a while. */
static int64_t
run_slowly(const char *operation, const char *arguments) {
    const struct sq_fault_plan plan = { .nth = 1,
                                        .from_then = true,
                                        .how = SQ_FAULT_SLOW };
    sq_clock_simulate(NS_PER_S);
    sq_fault_arm(SQ_FAULT_CALL, plan);
    bool ok = fake_run(&world, operation, arguments);
    sq_fault_disarm(SQ_FAULT_CALL);
    int64_t taken_ns = sq_clock_monotonic_ns() - NS_PER_S;
    sq_clock_simulate_end();
    T_OK(ok, &world.err);
    return taken_ns / NS_PER_S;
}

/* An action says that reading was too slow, not that there is no such text. */
static void
refuse_slowly(const char *operation, const char *arguments) {
    const struct sq_fault_plan plan = { .nth = 1,
                                        .from_then = true,
                                        .how = SQ_FAULT_SLOW };
    sq_clock_simulate(NS_PER_S);
    sq_fault_arm(SQ_FAULT_CALL, plan);
    T(!fake_run(&world, operation, arguments));
    sq_fault_disarm(SQ_FAULT_CALL);
    sq_clock_simulate_end();
    T_INT(world.err.code, SQ_ERR_ELEMENT_NOT_FOUND);
    T_HAS(world.err.message, "was not read in time");
    T_HAS(world.err.hint, "Try again");
}

static struct sq_reader *reader;
static struct sq_buf picture;
static struct sq_buf picture_after;

/* Creates a reader that never answers. Returns whether there is one. */
static bool
start_reader(void) {
    const struct sq_reader_options options = { t_made_path("bad-worker"),
                                               MODE_FILE, 1 };
    const struct sq_deadline patience = sq_deadline_in(T_PATIENCE_MS, NULL);
    t_scratch_start();
    T_INT(chdir(t_scratch()), 0);
    t_put(t_scratch_path(MODE_FILE), "never", 5);
    t_text_line_write("Order 123456 open", &picture);
    t_text_line_write("Order 123456 done", &picture_after);
    T_OK(sq_reader_create(&options, &reader, &t_err));
    return !t_skips_reading(sq_reader_start(reader, &patience, &t_err), &t_err);
}

static void
end_reader(void) {
    sq_reader_destroy(reader);
    sq_buf_finish(&picture);
    sq_buf_finish(&picture_after);
    t_scratch_end();
}

static void
show_page(const struct sq_buf *page) {
    world.device.screen.size = (struct sq_size){ 600, 200 };
    world.device.bytes = page->data;
    world.device.byte_count = page->len;
    world.config.ui.ocr_enabled = true;
    world.reader = reader;
}

T_CASE(a_tier_that_takes_too_long_is_left) {
    const bool can_read = start_reader();
    fake_world_start(&world, NULL);
    show_page(&picture);
    if (can_read) {
        int64_t taken_s = run_slowly(
            "find", "{'selector':{'text':'treasure'},'maxTier':'shape'}");
        T(fake_matches(world.json,
                       "{\"elements\":[],\"count\":0,\"tier\":\"none\","
                       "\"earlier\":{<*>,\"ocr\":\"timed out\",<*>,"
                       "\"shape\":\"no such shape\"},<*>"));
        if (!T(taken_s >= TEXT_S && taken_s <= ALL_S)) {
            printf("# %d s\n", (int)taken_s);
        }
        refuse_slowly("tap", "{'selector':{'text':'treasure'}}");
    }
    fake_world_end(&world);
    end_reader();
}

static void
show_done(struct fake_device *fake) {
    show_page(&picture_after);
}

/* Returns the simulated time until the answer to a tap, and its captures. */
static int64_t
tap(const char *arguments, int *captures) {
    show_page(&picture);
    world.device.captures = 0;
    const int64_t begun_ns = sq_clock_monotonic_ns();
    T_OK(fake_run(&world, "tap", arguments), &world.err);
    *captures = world.device.captures;
    return sq_clock_monotonic_ns() - begun_ns;
}

/* Lets time pass from a moment on, in steps, until the call has ended. */
struct time_passing {
    int64_t from_ns;
    atomic_bool has_ended;
    int steps;
};

#define STEP_MS 450
#define STEP_REAL_MS 5000 /* the call has this time to notice a step */

static void *
pass_time(void *context) {
    struct time_passing *time = context;
    const struct timespec pause = { .tv_nsec = 5 * NS_PER_MS };
    for (int ms = 0; !atomic_load(&time->has_ended); ms += 5) {
        if (sq_clock_monotonic_ns() < time->from_ns) {
            ms = -5;
        } else if (ms % STEP_REAL_MS == 0) {
            sq_clock_advance(STEP_MS * NS_PER_MS);
            time->steps++;
        }
        nanosleep(&pause, NULL);
    }
    return NULL;
}

/*
 * A default receipt gives up reading what has changed within its time, and
 * shows it instead, in the frame that it has seen.
 */
T_CASE(a_receipt_does_not_wait_for_text) {
    const bool can_read = start_reader();
    int captures[2];
    acting_start();
    on_action = show_done;
    world.device.ops.capture_is_cheap = true;
    world.is_short = true;
    if (can_read) {
        const int64_t fast_ns =
            tap("{'x':4,'y':5,'receipt':'fast'}", &captures[0]);
        struct time_passing time = { .from_ns =
                                         sq_clock_monotonic_ns() + fast_ns };
        pthread_t thread;
        T(pthread_create(&thread, NULL, pass_time, &time) == 0);
        tap("{'x':4,'y':5}", &captures[1]);
        atomic_store(&time.has_ended, true);
        pthread_join(thread, NULL);
        answer_is("<*>'changed':{<*>},'by':'picture',<*>");
        T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
        T_INT(captures[1], captures[0]);
        /* One more, if the first came before the reading. */
        if (!T(time.steps >= 1 && time.steps <= 2)) {
            printf("# %d steps\n", time.steps);
        }
    }
    acting_end();
    end_reader();
}
