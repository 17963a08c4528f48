/* find with a text recogniser that never answers, on a simulated clock. */
#include <unistd.h>

#include "support/fake_device.h"
#include "support/scratch.h"
#include "support/test.h"
#include "support/text_page.h"
#include "sys/clock.h"
#include "util/fault.h"
#include "vision/reader.h"

#define NS_PER_S ((int64_t)1000000000)

/* The worker reads there how it has to behave. */
#define MODE_FILE "mode"

/* Reading may take that long, all other system calls the rest. */
#define TEXT_S 6
#define ALL_S 9

static struct fake_world world;

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

T_CASE(a_tier_that_takes_too_long_is_left) {
    const struct sq_reader_options options = { t_made_path("bad-worker"),
                                               MODE_FILE, 1 };
    const struct sq_deadline patience = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_reader *reader = NULL;
    struct sq_buf picture;
    t_scratch_start();
    T_INT(chdir(t_scratch()), 0);
    t_put(t_scratch_path(MODE_FILE), "never", 5);
    t_text_line_write("Order 123456 open", &picture);
    T_OK(sq_reader_create(&options, &reader, &t_err));
    fake_world_start(&world, NULL);
    world.device.screen.size = (struct sq_size){ 600, 200 };
    world.device.bytes = picture.data;
    world.device.byte_count = picture.len;
    world.config.ui.ocr_enabled = true;
    world.reader = reader;
    if (!t_skips_reading(sq_reader_start(reader, &patience, &t_err), &t_err)) {
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
    sq_reader_destroy(reader);
    sq_buf_finish(&picture);
    t_scratch_end();
}
