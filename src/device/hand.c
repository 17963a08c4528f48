/* Calls what a kind of device can do besides showing its screen. */
#include <stdio.h>

#include "device/kinds.h"

#define WHO_SIZE 200

#define WORDS(name, words) words,
static const char *const hand_words[] = { SQ_HAND_LIST(WORDS) };
static const char *const reading_words[] = { SQ_READING_LIST(WORDS) };

/* A verb of either table. */
struct ability {
    bool is_reading;
    int verb;
};

static bool
has(const struct sq_hand_ops *ops, struct ability ability) {
    return ops
        && (ability.is_reading ? ops->read[ability.verb] != NULL
                               : ops->act[ability.verb] != NULL);
}

static bool
check(const struct sq_device *device, struct ability ability,
      struct sq_err *err) {
    const struct sq_hand_ops *ops = device->ops->hand;
    char who[WHO_SIZE] = "No kind of device can.";
    const char *last = NULL;
    size_t used = 0;
    if (has(ops, ability)) {
        return true;
    }
    /* "Android devices, iOS simulators and browsers can.", as the tables say.
     */
    for (const struct sq_device_kind *kind = sq_device_kinds; kind->name;
         kind++) {
        if (!kind->is_demo && has(kind->hand, ability)) {
            if (last) {
                used += (size_t)snprintf(who + used, WHO_SIZE - used, "%s%s",
                                         used ? ", " : "", last);
            }
            last = kind->plural;
        }
    }
    if (last) {
        snprintf(who + used, WHO_SIZE - used, "%s%s can.", used ? " and " : "",
                 last);
    }
    sq_fail(err, SQ_ERR_UNSUPPORTED, "%s devices cannot %s", device->ops->kind,
            (ability.is_reading ? reading_words : hand_words)[ability.verb]);
    const char *instead =
        ops && !ability.is_reading ? ops->instead[ability.verb] : NULL;
    char marked[SQ_MARKED_SIZE];
    char hint[SQ_ERR_HINT_SIZE];
    snprintf(hint, sizeof(hint), "Nothing was done. %.*s",
             (int)sizeof(hint) - 20,
             instead ? sq_marked(instead, marked) : who);
    return sq_fail_hint(err, "%s", hint); /* its marks count */
}

bool
sq_device_can(const struct sq_device *device, enum sq_hand_verb verb,
              struct sq_err *err) {
    return check(device, (struct ability){ false, (int)verb }, err);
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
    if (!check(device, (struct ability){ true, (int)request->verb }, err)) {
        return false;
    }
    sq_arena_init(&out->arena, MAX_READING_BYTES);
    return device->ops->hand->read[request->verb](device, request, out,
                                                  deadline, err);
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
