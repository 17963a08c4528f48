/* Storing screenshots of a device: names, unchanged screens, failures. */
#include "app/commands/record.h"

#include <errno.h>
#include <unistd.h>

#include "archive/names/name.h"
#include "archive/recorded.h"
#include "support/album.h"
#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/folder.h"
#include "util/fault.h"

#define DAY "2026-01-15"
#define MORNING 1768469445 /* 2026-01-15T09:30:45Z */
#define FIRST_SEQ 517204

static struct sq_zone *zone;
static struct sq_recorder recorder;
static char name[SQ_RECORD_NAME_SIZE];

static void
start_in(const char *zone_name) {
    past_start_with_root();
    t_err = (struct sq_err){ 0 };
    T_OK(sq_zone_create(zone_name, &zone, &t_err));
    recorder = (struct sq_recorder){ .zone = zone, .seq = FIRST_SEQ };
    T_OK(sq_folder_open(t_scratch_path("a"), &recorder.folder, &t_err));
}

static void
end(void) {
    sq_folder_close(recorder.folder);
    sq_zone_destroy(zone);
    past_end();
}

static bool
take(int64_t utc) {
    const struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    T_FREED(sq_capture_finish) struct sq_capture capture = { 0 };
    t_err = (struct sq_err){ 0 };
    sq_buf_init(&capture.bytes, SQ_MAX_IMAGE_BYTES);
    return sq_device_capture(&world.device.base, NULL, &capture, &deadline,
                             &t_err)
        && sq_recorder_take(&recorder, &capture, utc, name, &t_err);
}

/* Pictures in the folder of the day, which has a list of them. */
static int
files(void) {
    const char *list = t_scratch_path("a/" DAY "/" SQ_RECORDED_LIST);
    return access(t_scratch_path("a/" DAY), F_OK) == 0
             ? t_count_entries(t_scratch_path("a/" DAY))
                   - (access(list, F_OK) == 0)
             : 0;
}

static struct sq_size
size_of(const char *file) {
    T_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    char path[300];
    snprintf(path, sizeof(path), "a/%s", file);
    past_read(path, &bytes);
    T_STR(past_kind(&bytes), "jpeg");
    struct sq_size size = past_size(&bytes);
    return size;
}

T_FIXTURE(NULL, end);

T_CASE(names_contain_time_and_size) {
    struct sq_shot shot = { 0 };
    uint8_t first = 0;
    start_in(PAST_ZONE);
    recorder.monitor = 2;
    T_OK(take(MORNING));
    T_STR(name, DAY "/" DAY "_10-30-45_+01-00_1080_2400_517204_2.jpg");
    T(sq_name_parse(sq_span_of(name + sizeof(DAY)), zone, &first, &shot));
    T_STR(sq_name_strategy_at(shot.strategy)->id, "manictime");
    T_INT(shot.utc, MORNING);
    T_INT(shot.quarters, 4);
    T_INT(shot.width, 1080);
    T_INT(shot.height, 2400);
    T_INT(shot.seq, FIRST_SEQ);
    T_INT(shot.monitor, 2);
    T_INT(shot.flags & (SQ_SHOT_FULL | SQ_SHOT_LITERAL), SQ_SHOT_FULL);
    char thumb[SQ_NAME_SIZE];
    sq_name_format(&shot, true, thumb);
    T_STR(thumb, DAY "_10-30-45_+01-00_1080_2400_517204_2.thumbnail.jpg");
    struct sq_size size = size_of(name);
    T_INT(size.width, 1080);
    T_INT(size.height, 2400);
    char path[300];
    snprintf(path, sizeof(path), DAY "/%s", thumb);
    size = size_of(path);
    T_INT(size.width, 144);
    T_INT(size.height, 320);
    T_INT(files(), 2);
}

/* Also west of Greenwich, and where clocks are half an hour apart. */
T_BARE_CASE(utc_offsets_are_those_at_the_time) {
    static const struct {
        const char *zone;
        int64_t utc;
        const char *name;
        int quarters;
    } rows[] = {
        { "UTC0", MORNING, DAY "/" DAY "_09-30-45_+00-00_", 0 },
        { "NST3:30", MORNING, DAY "/" DAY "_06-00-45_-03-30_", -14 },
        { "IST-5:30", MORNING, DAY "/" DAY "_15-00-45_+05-30_", 22 },
        { PAST_ZONE, MORNING + (int64_t)181 * 86400,
          "2026-07-15/2026-07-15_11-30-45_+02-00_", 8 },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct sq_shot shot = { 0 };
        uint8_t first = 0;
        start_in(rows[i].zone);
        T_OK(take(rows[i].utc));
        T_INT(strncmp(name, rows[i].name, strlen(rows[i].name)), 0);
        T(sq_name_parse(sq_span_of(strchr(name, '/') + 1), zone, &first,
                        &shot));
        T_INT(shot.utc, rows[i].utc);
        T_INT(shot.quarters, rows[i].quarters);
        T(!(shot.flags & SQ_SHOT_LITERAL));
        end();
    }
}

T_CASE(unchanged_screens_are_skipped) {
    start_in(PAST_ZONE);
    T_OK(take(MORNING));
    T(name[0] != '\0');
    T_OK(take(MORNING + 60));
    T_STR(name, "");
    T_OK(take(MORNING + 120));
    T_INT(recorder.kept, 1);
    T_INT(recorder.skipped, 2);
    T_INT(recorder.seq, FIRST_SEQ + 1);
    T_INT(files(), 2);

    world.device.colour ^= 0x404040;
    T_OK(take(MORNING + 180));
    T_STR(name, DAY "/" DAY "_10-33-45_+01-00_1080_2400_517205_0.jpg");
    T_INT(recorder.kept, 2);
    T_INT(files(), 4);

    /* A screen is new again if another one was recorded in between. */
    world.device.colour ^= 0x404040;
    T_OK(take(MORNING + 240));
    T_INT(recorder.kept, 3);
}

T_CASE(two_shots_in_one_second_are_both_kept) {
    start_in(PAST_ZONE);
    T_OK(take(MORNING));
    world.device.colour ^= 0x808080;
    T_OK(take(MORNING));
    T_INT(recorder.kept, 2);
    T_INT(files(), 4);
}

T_CASE(archive_lists_recorded_shots) {
    start_in(PAST_ZONE);
    for (int i = 0; i < 3; i++) {
        world.device.colour = 0x202020U + 0x303030U * (unsigned)i;
        T_OK(take(MORNING + i * (int64_t)60));
    }
    T_OK(past_run("list_screenshots",
                  "{'startDate':'" DAY "','endDate':'" DAY "'}"));
    T_INT(past_count("screenshots"), 3);
    T_STR(past_text("screenshots.0.displayLocalTime"), DAY " 10:30:45");
    T(past_true("screenshots.2.hasThumbnail"));
    T_INT(past_number("screenshots.2.height"), 2400);
    T(!past_true("diagnostics.degraded"));
}

static bool
is_untouched(const struct sq_recorder *before) {
    return !recorder.last.known && recorder.seq == before->seq
        && recorder.kept == 0 && recorder.skipped == 0;
}

T_CASE(invalid_picture_leaves_no_file) {
    start_in(PAST_ZONE);
    const struct sq_recorder before = recorder;
    world.device.bytes = "no picture";
    world.device.byte_count = 10;
    T_FAILS(take(MORNING), SQ_ERR_FORMAT);
    T_INT(files(), 0);
    T(is_untouched(&before));
}

/* The thumbnail is written first, and removed on failure. */
T_CASE(existing_name_leaves_no_file) {
    static const char taken[] =
        "a/" DAY "/" DAY "_10-30-45_+01-00_1080_2400_517204_0.jpg";
    start_in(PAST_ZONE);
    const struct sq_recorder before = recorder;
    t_album_put_bytes(taken, "mine", 4);
    T(!take(MORNING));
    T_INT(files(), 1);
    T(t_holds(t_scratch_path(taken), "mine", 4));
    T_STR(name, "");
    T(is_untouched(&before));
    /* One second later the name is different. */
    T_OK(take(MORNING + 60));
    T_INT(files(), 3);
}

static void
empty_the_day(void) {
    if (access(t_scratch_path("a/" DAY), F_OK) == 0) {
        t_remove_folder(t_scratch_path("a/" DAY));
    }
}

T_CASE(failed_system_calls_leave_no_file) {
    static const int ways[] = { EIO, ENOSPC };
    start_in(PAST_ZONE);
    for (size_t i = 0; i < SQ_COUNT(ways); i++) {
        long failed = 0;
        bool ok = false;
        for (long nth = 1; !ok && nth < 100; nth++) {
            recorder.last.known = false;
            sq_fault_arm(SQ_FAULT_CALL,
                         (struct sq_fault_plan){ .nth = nth, .how = ways[i] });
            ok = take(MORNING);
            bool reached = sq_fault_count(SQ_FAULT_CALL) >= nth;
            sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
            T(ok || t_err.code != SQ_ERR_NONE);
            T_INT(files(), ok ? 2 : 0);
            T(ok || access(t_scratch_path("a/" DAY), F_OK) != 0);
            failed += !ok;
            if (ok && reached) { /* this call's failure did not matter; try the
                                    next */
                ok = false;
            }
            empty_the_day();
        }
        T(ok);
        T(failed >= 4);
    }
}

static bool
keep(void *context, struct sq_err *out) {
    recorder.last.known = false;
    bool ok = take(MORNING);
    *out = t_err;
    T_INT(files(), ok ? 2 : 0);
    return ok;
}

T_CASE(out_of_memory_leaves_no_file) {
    start_in(PAST_ZONE);
    world.device.screen.size = (struct sq_size){ 108, 240 };
    T(t_alloc_torture(keep, NULL) > 5);
}
