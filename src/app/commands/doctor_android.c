/* The checks of squint doctor for adb, its server and Android devices. */
#include <stdio.h>

#include "app/commands/doctor.h"

#include "device/adb.h"
#include "eye/programs.h"
#include "sys/file.h"

#define ABOUT "android"
#define CAPTURES 3
#define CAPTURE_MS 15000
#define SERVER_MS 5000

/* The state of one run. */
struct examination {
    struct sq_adb *adb;
    struct sq_findings *findings;
    int tried; /* devices of which pictures were taken */
};

/*
 * Adds an error as a finding. A missing device or server is not a problem,
 * because many users have no phone.
 */
static bool
note_error(struct examination *e, const char *prefix,
           const struct sq_err *other_err, struct sq_err *err) {
    enum sq_verdict verdict = other_err->code == SQ_ERR_NOT_FOUND
                                ? SQ_VERDICT_NOTE
                                : SQ_VERDICT_WRONG;
    return sq_finding_advise(sq_findings_add(e->findings, verdict, ABOUT,
                                             "%s%s", prefix,
                                             other_err->message),
                             other_err, err);
}

/* Checks the server. *reached: it can list devices. */
static bool
check_server(struct examination *e, bool *reached, struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(SERVER_MS, NULL);
    char place[SQ_ADB_PLACE_SIZE];
    struct sq_err local_err = { 0 };
    int version;
    *reached =
        sq_android_server_version(e->adb, &version, &deadline, &local_err);
    if (!*reached) {
        return note_error(e, "", &local_err, err);
    }
    sq_adb_show_address(e->adb, place);
    sq_findings_add(e->findings, SQ_VERDICT_OK, ABOUT,
                    "the adb server at %s answers: version 1.0.%d", place,
                    version);
    return true;
}

static bool
take_pictures(struct sq_device *device, struct sq_err *err) {
    bool ok = true;
    for (int i = 0; ok && i < CAPTURES; i++) {
        const struct sq_deadline deadline = sq_deadline_in(CAPTURE_MS, NULL);
        SQ_FREED(sq_capture_finish) struct sq_capture capture = { 0 };
        sq_buf_init(&capture.bytes, SQ_MAX_IMAGE_BYTES);
        ok = sq_device_capture(device, NULL, &capture, &deadline, err);
    }
    return ok;
}

static void
note_signals(struct examination *e, const char *prefix,
             struct sq_device *device) {
    const struct sq_deadline deadline = sq_deadline_in(SERVER_MS, NULL);
    char signals[SQ_FINDING_TEXT_SIZE / 2];
    sq_android_describe_signals(device, signals, sizeof(signals), &deadline);
    sq_findings_add(e->findings, SQ_VERDICT_OK, ABOUT, "%s%s", prefix, signals);
}

/* Offers the eye, which is off unless the user allows it. */
static void
offer_eye(struct examination *e) {
    if (e->tried == 0 || sq_adb_eye_use(e->adb) != SQ_EYE_OFF
        || !sq_eye_program_at(0)) {
        return;
    }
    struct sq_finding *finding =
        sq_findings_add(e->findings, SQ_VERDICT_NOTE, ABOUT,
                        "screenshots can be faster: android.eye is off");
    snprintf(finding->hint, sizeof(finding->hint),
             "Set it to auto. A small program of squint's then runs on the "
             "phone; see docs/android.md.");
}

static bool
check_device(void *context, const struct sq_device_info *info,
             struct sq_err *err) {
    struct examination *e = context;
    const struct sq_deadline deadline = sq_deadline_in(SERVER_MS, NULL);
    struct sq_device *device = NULL;
    struct sq_err local_err = { 0 };
    char prefix[SQ_DEVICE_ID_SIZE + 4];
    bool ok = true;
    if (info->state != SQ_DEVICE_ONLINE) {
        return true;
    }
    snprintf(prefix, sizeof(prefix), "%s: ", info->id);
    if (sq_android_open(e->adb, info, &device, &deadline, &local_err)
        && take_pictures(device, &local_err)) {
        char captures[SQ_ANDROID_CAPTURES_SIZE];
        sq_android_describe_captures(device, captures, sizeof(captures));
        sq_findings_add(e->findings, SQ_VERDICT_OK, ABOUT, "%s%s", prefix,
                        captures);
        note_signals(e, prefix, device);
        char why[SQ_FINDING_TEXT_SIZE / 2];
        sq_android_describe_eye(device, why, sizeof(why));
        if (why[0]) {
            sq_findings_add(e->findings, SQ_VERDICT_NOTE, ABOUT,
                            "%sandroid.eye does not work: %s", prefix, why);
        }
        e->tried++;
    } else {
        ok = note_error(e, prefix, &local_err, err);
    }
    sq_device_destroy(device);
    return ok;
}

static bool
check_devices(struct examination *e, struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(SERVER_MS, NULL);
    struct sq_err local_err = { 0 };
    return sq_android_list(e->adb, check_device, e, &deadline, &local_err)
        || note_error(e, "", &local_err, err);
}

bool
sq_doctor_android(struct sq_adb *adb, struct sq_findings *out,
                  struct sq_err *err) {
    struct examination e = { .adb = adb, .findings = out };
    bool ok = true;
    if (adb) {
        bool reached;
        char path[SQ_PATH_SIZE];
        char name[SQ_FILE_NAME_SIZE];
        if (sq_adb_find_program(e.adb, path)) {
            sq_file_name(path, false, name);
            sq_findings_add(e.findings, SQ_VERDICT_OK, ABOUT, "adb is %s",
                            name);
        } else {
            sq_findings_add(e.findings, SQ_VERDICT_NOTE, ABOUT,
                            "adb was not found");
        }
        ok = check_server(&e, &reached, err)
          && (!reached || check_devices(&e, err));
        offer_eye(&e);
    } else {
        sq_findings_add(out, SQ_VERDICT_NOTE, ABOUT,
                        "switched off: android.adbServer is off");
    }
    return ok;
}
