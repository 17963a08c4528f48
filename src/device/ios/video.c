/*
 * Records the screen of a simulator with `simctl io recordVideo`, which runs
 * until it is interrupted and then completes its file.
 */
#include "device/ios/simulator.h"
#include "sys/file.h"

#define MAX_VIDEO_BYTES ((size_t)64 << 20)
#define READY_MS 5000
#define GRACE_MS 15000

bool
sq_simulator_record(struct sq_device *device, const struct sq_hand *hand,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_simulator *simulator = sq_simulator_of(device);
    if (simulator->recording) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION, "a video is being recorded");
        return sq_fail_hint(err, "Stop it first.");
    }
    if (!sq_temp_make(&simulator->video, "video.mp4", err)) {
        return false;
    }
    const char *const argv[] = {
        simulator->xcrun,
        "simctl",
        "io",
        device->info.id,
        "recordVideo",
        "--codec=h264",
        "--force",
        simulator->video.file,
        NULL,
    };
    const struct sq_running_plan plan = {
        .argv = argv,
        .ready = "Recording started",
        .ready_ms = READY_MS,
        .limit_ms = hand->number * 1000,
        .grace_ms = GRACE_MS,
    };
    if (sq_running_start(&plan, &simulator->recording, deadline, err)) {
        return true;
    }
    sq_temp_remove(&simulator->video);
    return sq_fail_in(err, "simctl io recordVideo");
}

bool
sq_simulator_read_video(struct sq_device *device,
                        const struct sq_reading_request *request,
                        struct sq_reading *out,
                        const struct sq_deadline *deadline,
                        struct sq_err *err) {
    struct sq_simulator *simulator = sq_simulator_of(device);
    (void)request;
    (void)deadline;
    if (!simulator->recording) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION, "no video is being recorded");
        return sq_fail_hint(err, "Start one first: record is start.");
    }
    SQ_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    bool ok = (sq_running_stop(simulator->recording, err)
               || sq_fail_in(err, "simctl io recordVideo"))
           && sq_file_read(simulator->video.file, MAX_VIDEO_BYTES, &bytes, err)
           && (bytes.len > 0
               || sq_fail(err, SQ_ERR_IO, "simctl wrote an empty video"));
    out->text = sq_buf_span(&bytes);
    out->has_text = ok;
    ok = ok && sq_arena_keep(&out->arena, &out->text, err);
    simulator->recording = NULL;
    sq_temp_remove(&simulator->video);
    return ok;
}

void
sq_simulator_end_recording(struct sq_simulator *simulator) {
    sq_running_destroy(simulator->recording);
    simulator->recording = NULL;
    sq_temp_remove(&simulator->video);
}
