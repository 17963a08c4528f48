/* Calls what a kind of device can do besides showing its screen. */
#include "device/device_hand.h"

#include "device/device.h"

static const char *const hand_words[SQ_HAND_VERBS] = {
    [SQ_HAND_OPEN] = "open a URL",
    [SQ_HAND_START] = "start an activity or pass extras",
    [SQ_HAND_INSTALL] = "install apps",
    [SQ_HAND_UNINSTALL] = "uninstall apps",
    [SQ_HAND_PERMISSION] = "change permissions",
    [SQ_HAND_RESET] = "delete the data of apps",
    [SQ_HAND_ROTATE] = "be rotated",
    [SQ_HAND_APPEARANCE] = "change their appearance",
    [SQ_HAND_LOCATION] = "be given a location",
    [SQ_HAND_SHADE] = "open their notifications",
    [SQ_HAND_COPY] = "set their clipboard",
    [SQ_HAND_WAKE] = "be woken",
    [SQ_HAND_CLEAR_FIELD] = "clear a text field",
    [SQ_HAND_HIDE_KEYBOARD] = "hide their keyboard",
    [SQ_HAND_GESTURE] = "be touched with several fingers",
    [SQ_HAND_RECORD] = "record a video",
};

static const char *const reading_words[SQ_READING_VERBS] = {
    [SQ_READ_INFO] = "describe themselves",
    [SQ_READ_LOGS] = "show their log",
    [SQ_READ_NOTIFICATIONS] = "list their notifications",
    [SQ_READ_CLIPBOARD] = "read their clipboard",
    [SQ_READ_VIDEO] = "record a video",
};

/* What iOS simulators cannot do; Android devices can do everything. */
static const bool only_android_acts[SQ_HAND_VERBS] = {
    [SQ_HAND_RESET] = true,   [SQ_HAND_ROTATE] = true,
    [SQ_HAND_SHADE] = true,   [SQ_HAND_WAKE] = true,
    [SQ_HAND_GESTURE] = true, [SQ_HAND_HIDE_KEYBOARD] = true,
};

static const bool only_android_reads[SQ_READING_VERBS] = {
    [SQ_READ_NOTIFICATIONS] = true,
};

static const char *
who_can(bool only_android) {
    return only_android ? "Android devices can."
                        : "Android devices and iOS simulators can.";
}

static bool
fail_unsupported(const struct sq_device *device, const char *what,
                 const char *instead, struct sq_err *err) {
    sq_fail(err, SQ_ERR_UNSUPPORTED, "%s devices cannot %s", device->ops->kind,
            what);
    return sq_fail_hint(err, "Nothing was done. %s", instead);
}

bool
sq_device_can(const struct sq_device *device, enum sq_hand_verb verb,
              struct sq_err *err) {
    const struct sq_hand_ops *ops = device->ops->hand;
    if (ops && ops->act[verb]) {
        return true;
    }
    const char *instead = ops ? ops->instead[verb] : NULL;
    return fail_unsupported(
        device, hand_words[verb],
        instead ? instead : who_can(only_android_acts[verb]), err);
}

bool
sq_device_hand(struct sq_device *device, const struct sq_hand *hand,
               const struct sq_deadline *deadline, struct sq_err *err) {
    if (!sq_device_can(device, hand->verb, err)) {
        return false;
    }
    bool ok = device->ops->hand->act[hand->verb](device, hand, deadline, err);
    sq_device_changed(device);
    return ok;
}

#define MAX_READING_BYTES ((size_t)96 << 20)

bool
sq_device_read(struct sq_device *device,
               const struct sq_reading_request *request, struct sq_reading *out,
               const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_hand_ops *ops = device->ops->hand;
    if (!ops || !ops->read[request->verb]) {
        return fail_unsupported(device, reading_words[request->verb],
                                who_can(only_android_reads[request->verb]),
                                err);
    }
    sq_arena_init(&out->arena, MAX_READING_BYTES);
    return ops->read[request->verb](device, request, out, deadline, err);
}

void
sq_reading_finish(struct sq_reading *reading) {
    sq_arena_finish(&reading->arena);
    *reading = (struct sq_reading){ 0 };
}

bool
sq_reading_add(struct sq_reading *reading, const char *name,
               struct sq_span value, bool is_number, struct sq_err *err) {
    if (value.len == 0 || reading->fact_count == SQ_MAX_FACTS) {
        return true;
    }
    struct sq_fact fact = { name, value, is_number };
    if (!sq_arena_keep(&reading->arena, &fact.value, err)) {
        return false;
    }
    reading->facts[reading->fact_count++] = fact;
    return true;
}
