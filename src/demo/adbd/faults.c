/* Parses and stores faults and delays. */
#include <inttypes.h>
#include <stdio.h>

#include "demo/adbd/program.h"
#include "util/minmax.h"

#define MAX_DELAY_MS 600000

enum number {
    NUMBER_NONE,
    NUMBER_OPTIONAL,
    NUMBER_REQUIRED,
};

#define KIND(id, name, number) { name, number },
static const struct {
    const char *name;
    enum number number;
} kinds[] = { SQ_ADBD_FAULT_LIST(KIND) };

/* Takes the text before the next comma, or the rest. */
static bool
take_item(struct sq_span *rest, struct sq_span *item) {
    if (rest->len == 0) {
        return false;
    }
    if (!sq_span_take_until(rest, ',', item)) {
        *item = *rest;
        *rest = (struct sq_span){ 0 };
    }
    return true;
}

/* Splits "name=value" or "name". Returns whether there is a value. */
static bool
split(struct sq_span item, struct sq_span *name, struct sq_span *value) {
    *value = item;
    if (sq_span_take_until(value, '=', name)) {
        return true;
    }
    *name = item;
    return false;
}

static bool
fail_unknown(struct sq_span name, struct sq_err *err) {
    char names[SQ_ERR_HINT_SIZE];
    size_t used = 0;
    for (int i = 0; i < SQ_ADBD_FAULTS && used < sizeof(names); i++) {
        int more = snprintf(names + used, sizeof(names) - used, "%s%s",
                            i ? ", " : "", kinds[i].name);
        used += (size_t)more;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "there is no fault \"%.*s\"",
            sq_min_int((int)name.len, 40), name.len ? name.ptr : "");
    return sq_fail_hint(err, "Choose from: %s.", names);
}

static bool
read_number(int id, struct sq_span value, struct sq_adbd_fault *out,
            struct sq_err *err) {
    uint64_t number;
    if (sq_span_is(value, "off")) {
        *out = (struct sq_adbd_fault){ 0 };
        return true;
    }
    if (kinds[id].number == NUMBER_NONE) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the fault %s takes no number",
                       kinds[id].name);
    }
    if (!sq_span_to_uint64(value, &number) || number > INT64_MAX
        || (id == SQ_ADBD_SLOW && number == 0)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "the fault %s needs a number",
                kinds[id].name);
        return sq_fail_hint(err, "Write %s=1000, for example; %s=off ends it.",
                            kinds[id].name, kinds[id].name);
    }
    *out = (struct sq_adbd_fault){ true, (int64_t)number };
    return true;
}

static bool
set_one(struct sq_adbd_faults *faults, struct sq_span item,
        struct sq_err *err) {
    struct sq_span name;
    struct sq_span value;
    bool has_value = split(item, &name, &value);
    int id = 0;
    if (sq_span_is(item, "none")) {
        *faults = (struct sq_adbd_faults){ 0 };
        return true;
    }
    while (id < SQ_ADBD_FAULTS && !sq_span_is(name, kinds[id].name)) {
        id++;
    }
    if (id == SQ_ADBD_FAULTS) {
        return fail_unknown(name, err);
    }
    if (has_value || kinds[id].number == NUMBER_REQUIRED) {
        return read_number(id, has_value ? value : (struct sq_span){ 0 },
                           &faults->of[id], err);
    }
    faults->of[id] = (struct sq_adbd_fault){ true, SQ_ADBD_NO_NUMBER };
    return true;
}

bool
sq_adbd_faults_set(struct sq_adbd_faults *faults, struct sq_span text,
                   struct sq_err *err) {
    struct sq_adbd_faults changed = *faults;
    struct sq_span item;
    while (take_item(&text, &item)) {
        if (!set_one(&changed, item, err)) {
            return false;
        }
    }
    *faults = changed;
    return true;
}

bool
sq_adbd_faults_list(const struct sq_adbd_faults *faults, struct sq_buf *out,
                    struct sq_err *err) {
    bool ok = true;
    for (int id = 0; ok && id < SQ_ADBD_FAULTS; id++) {
        const struct sq_adbd_fault *fault = &faults->of[id];
        if (fault->on && fault->number >= 0) {
            ok = sq_buf_printf(out, err, "%s=%" PRId64 "\n", kinds[id].name,
                               fault->number);
        } else if (fault->on) {
            ok = sq_buf_printf(out, err, "%s\n", kinds[id].name);
        }
    }
    return ok;
}

bool
sq_adbd_fault_spend(struct sq_adbd_faults *faults, enum sq_adbd_fault_id id) {
    struct sq_adbd_fault *fault = &faults->of[id];
    bool was_on = fault->on && fault->number != 0;
    if (fault->on && fault->number > 0) {
        fault->number--;
    }
    if (fault->number == 0) {
        *fault = (struct sq_adbd_fault){ 0 };
    }
    return was_on;
}

/*
 * Returns whether the name is that of a program, of a program and its first
 * argument ("screencap-p"), or one that stands for many.
 */
static bool
can_be_delayed(struct sq_span name) {
    static const char *const others[] = { "shell", "program", "reaction",
                                          "pressed" };
    char program[SQ_ADBD_NAME_SIZE];
    bool can = false;
    if (name.len == 0 || name.len >= sizeof(program)) {
        return false;
    }
    for (size_t i = 0; i < SQ_COUNT(others); i++) {
        can |= sq_span_is(name, others[i]);
    }
    snprintf(program, sizeof(program), "%.*s", SQ_SPAN_ARGS(name));
    can |= sq_adbd_program_find(program) != NULL;
    program[strcspn(program, "-")] = '\0';
    return can || sq_adbd_program_find(program);
}

/* Reads milliseconds, or what a program does instead of its work. */
static bool
read_delay(struct sq_span text, struct sq_adbd_delay *out) {
    int64_t ms = sq_span_is(text, "hang") ? MAX_DELAY_MS : 0;
    *out = (struct sq_adbd_delay){
        .ending = sq_span_is(text, "fail")   ? SQ_ADBD_FAILS
                : sq_span_is(text, "silent") ? SQ_ADBD_IS_SILENT
                                             : SQ_ADBD_WORKS,
    };
    bool ok = out->ending != SQ_ADBD_WORKS || ms > 0
           || (sq_span_to_int64(text, &ms) && ms >= 0 && ms <= MAX_DELAY_MS);
    out->ms = ok ? (int)ms : 0;
    return ok;
}

bool
sq_adbd_delays_set(struct sq_adbd_delays *delays, struct sq_span text,
                   struct sq_err *err) {
    struct sq_adbd_delays changed = *delays;
    struct sq_span item;
    while (take_item(&text, &item)) {
        struct sq_span program;
        struct sq_span value;
        struct sq_adbd_delay delay;
        if (!split(item, &program, &value) || !read_delay(value, &delay)) {
            sq_fail(err, SQ_ERR_ARGUMENT, "a delay must be PROGRAM=MS");
            return sq_fail_hint(
                err, "Write screencap=40,uiautomator=1000, for example.");
        }
        int i = 0;
        while (i < changed.count
               && !sq_span_is(program, changed.of[i].program)) {
            i++;
        }
        if (i == SQ_ADBD_MAX_DELAYS) {
            return sq_fail(err, SQ_ERR_ARGUMENT, "too many delays");
        }
        if (!can_be_delayed(program)) {
            sq_fail(err, SQ_ERR_ARGUMENT, "the phone has no program \"%.*s\"",
                    sq_min_int((int)program.len, 40),
                    program.len ? program.ptr : "");
            return sq_fail_hint(err, "Write screencap=40,uiautomator=1000, for "
                                     "example; shell or program delays all, "
                                     "reaction or pressed what apps do.");
        }
        changed.of[i] = delay;
        memcpy(changed.of[i].program, program.ptr, program.len);
        changed.count += i == changed.count;
    }
    *delays = changed;
    return true;
}

const struct sq_adbd_delay *
sq_adbd_delay_of(const struct sq_adbd_delays *delays, const char *name) {
    for (int i = 0; i < delays->count; i++) {
        if (strcmp(delays->of[i].program, name) == 0) {
            return &delays->of[i];
        }
    }
    return NULL;
}

int
sq_adbd_delay_ms(const struct sq_adbd_delays *delays, const char *name,
                 int otherwise) {
    const struct sq_adbd_delay *delay = sq_adbd_delay_of(delays, name);
    return delay ? delay->ms : otherwise;
}
