/* Chooses the device for a call, and manages device lists. */
#include <stdio.h>
#include <string.h>

#include "device/kinds.h"
#include "util/mem.h"
#include "util/span.h"

#define NAMES_SIZE 160

bool
sq_device_list_add(struct sq_device_list *list,
                   const struct sq_device_info *info, struct sq_err *err) {
    if (list->count == SQ_MAX_DEVICES) {
        return sq_fail(err, SQ_ERR_LIMIT, "more than %d devices",
                       SQ_MAX_DEVICES);
    }
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 4;
        struct sq_device_info *items =
            sq_mem_resize(list->items, capacity * sizeof(*items));
        if (!items) {
            return sq_fail_nomem(err);
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = *info;
    return true;
}

void
sq_device_list_finish(struct sq_device_list *list) {
    sq_mem_free(list->items);
    sq_mem_free(list->problems);
    *list = (struct sq_device_list){ 0 };
}

void
sq_device_id_fold(const char *id, char out[SQ_DEVICE_ID_SIZE]) {
    snprintf(out, SQ_DEVICE_ID_SIZE, "%s", id);
    for (const struct sq_device_kind *kind = sq_device_kinds; kind->name;
         kind++) {
        if (kind->fold_id) {
            kind->fold_id(out);
        }
    }
}

bool
sq_device_how_to_attach(const char *id, char out[SQ_ATTACH_SIZE]) {
    for (const struct sq_device_kind *kind = sq_device_kinds; kind->name;
         kind++) {
        if (kind->how_to_attach && kind->how_to_attach(id, out)) {
            return true;
        }
    }
    return false;
}

bool
sq_device_id_equal(const char *a, const char *b) {
    char folded_a[SQ_DEVICE_ID_SIZE];
    char folded_b[SQ_DEVICE_ID_SIZE];
    sq_device_id_fold(a, folded_a);
    sq_device_id_fold(b, folded_b);
    return strlen(a) == strlen(b) && strcmp(folded_a, folded_b) == 0;
}

static const struct sq_device_kind *
kind_of(const struct sq_device_info *info) {
    const struct sq_device_kind *kind = sq_device_kinds;
    while (kind->name && strcmp(kind->name, info->kind) != 0) {
        kind++;
    }
    return kind;
}

static bool
is_demo(const struct sq_device_info *info) {
    return kind_of(info)->is_demo;
}

static bool
is_usable(const struct sq_device_info *info) {
    return info->state == SQ_DEVICE_ONLINE;
}

/* Joins the ids of all devices, or only of usable ones that are not demos. */
static void
join_ids(const struct sq_device_list *list, bool only_real,
         char names[NAMES_SIZE]) {
    size_t used = 0;
    size_t left_out = 0;
    const size_t reserve = sizeof(" and 999 more");
    names[0] = '\0';
    for (size_t i = 0; i < list->count; i++) {
        const struct sq_device_info *info = &list->items[i];
        if (only_real
            && (is_demo(info) || kind_of(info)->by_name_only
                || !is_usable(info))) {
            continue;
        }
        size_t need = strlen(info->id) + (used ? 2 : 0);
        if (used + need + reserve > NAMES_SIZE) {
            left_out++;
            continue;
        }
        snprintf(names + used, NAMES_SIZE - used, "%s%s", used ? ", " : "",
                 info->id);
        used += need;
    }
    if (left_out) {
        snprintf(names + used, NAMES_SIZE - used, " and %zu more", left_out);
    }
}

static bool
choose_named(const struct sq_device_list *list, const char *id,
             const struct sq_device_info **out, struct sq_err *err) {
    char names[NAMES_SIZE];
    for (size_t i = 0; i < list->count; i++) {
        const struct sq_device_info *info = &list->items[i];
        if (!sq_device_id_equal(info->id, id)) {
            continue;
        }
        if (!is_usable(info)) {
            sq_fail_quoting(err, SQ_ERR_DEVICE_OFFLINE, "device %s is %s%s%s",
                            id, sq_device_state_name(info->state),
                            info->why[0] ? ": " : "", info->why);
            return sq_fail_hint(err, "%s",
                                info->hint[0] ? info->hint
                                              : "Connect it again, or use "
                                                "another device.");
        }
        *out = info;
        return true;
    }
    join_ids(list, false, names);
    if (list->problem_count == 0) {
        char remark[SQ_NEAREST_REMARK_SIZE];
        /* Writes "; did you mean ID?" if a device has a similar id, or else "".
         */
        struct sq_nearest search;
        sq_nearest_begin(&search, sq_span_of(id));
        for (size_t i = 0; i < list->count; i++) {
            sq_nearest_try(&search, list->items[i].id);
        }
        sq_nearest_remark(&search, remark);
        sq_fail(err, SQ_ERR_DEVICE_NOT_FOUND, "no device \"%.*s\"%s",
                SQ_DEVICE_ID_SIZE, id, remark);
    } else {
        const struct sq_device_problem *problem = &list->problems[0];
        sq_fail_quoting(err, SQ_ERR_DEVICE_NOT_FOUND, "no device \"%.*s\"",
                        SQ_DEVICE_ID_SIZE, id);
        sq_fail_in(err, "%s: %s", problem->kind, problem->err.message);
        if (problem->err.hint[0]) {
            return sq_fail_hint(err, "%s", problem->err.hint);
        }
    }
    char how[SQ_ATTACH_SIZE];
    bool is_known = sq_device_how_to_attach(id, how);
    return sq_fail_hint(err, "%s%sKnown devices: %s.", is_known ? how : "",
                        is_known ? ". " : "", names[0] ? names : "none");
}

/* Returns whether the device counts as attached although it is unusable. */
static bool
blocks_demo(const struct sq_device_info *info) {
    return !is_usable(info) && !is_demo(info) && !info->is_stopped;
}

/* Adds a hint, and how to use the demo phone instead. Returns false. */
static bool
hint_or_demo(const char *hint, struct sq_err *err) {
    size_t len = strlen(hint);
    bool is_open = len > 0 && hint[len - 1] != '.';
    return sq_fail_hint(
        err,
        "%.400s%s If you mean the demo phone, set $deviceId to \"" SQ_DEMO_ID
        "\".",
        hint, is_open ? "." : "");
}

/* Reports the unusable devices with their reasons, and the first one's hint. */
static bool
fail_blocking_device(const struct sq_device_list *list,
                     const struct sq_device_info *first, struct sq_err *err) {
    size_t others = 0;
    char more[64] = "";
    for (const struct sq_device_info *info = first + 1;
         info < list->items + list->count; info++) {
        others += blocks_demo(info);
    }
    if (others) {
        snprintf(more, sizeof(more), ", and %zu more cannot be used", others);
    }
    sq_fail_quoting(err, SQ_ERR_NO_DEVICES,
                    "no usable device: %s is %s%s%.120s%s", first->id,
                    sq_device_state_name(first->state),
                    first->why[0] ? ": " : "", first->why, more);
    return hint_or_demo(first->hint[0] ? first->hint : "Connect it again.",
                        err);
}

static bool
fail_none(const struct sq_device_list *list, struct sq_err *err) {
    sq_fail(err, SQ_ERR_NO_DEVICES, "no usable device");
    for (size_t i = 0; i < list->count; i++) {
        const struct sq_device_info *info = &list->items[i];
        if (info->hint[0]) {
            return sq_fail_hint(err, "%s (%s): %s", info->id,
                                sq_device_state_name(info->state), info->hint);
        }
    }
    return sq_fail_hint(err, "Connect a device, or use the device "
                             "\"" SQ_DEMO_ID "\".");
}

/*
 * Fails if a failed listing may hide the intended device: of any kind if a demo
 * was chosen, else of the chosen device's own kind. A program that is not
 * installed, and a server that is new, hide none.
 */
static bool
check_problems(const struct sq_device_list *list,
               const struct sq_device_info *chosen, struct sq_err *err) {
    for (size_t i = 0; i < list->problem_count; i++) {
        const struct sq_device_problem *problem = &list->problems[i];
        const struct sq_err *why = &problem->err;
        if (why->code != SQ_ERR_NOT_FOUND && why->code != SQ_ERR_NO_DEVICES
            && (is_demo(chosen) || strcmp(problem->kind, chosen->kind) == 0)) {
            sq_fail_quoting(err, why->code, "cannot list %s devices: %s",
                            problem->kind, why->message);
            return hint_or_demo(why->hint[0] ? why->hint : "Try again.", err);
        }
    }
    return true;
}

static const struct sq_device_info *
find_blocking_device(const struct sq_device_list *list) {
    const struct sq_device_info *found = NULL;
    for (size_t i = 0; i < list->count && !found; i++) {
        found = blocks_demo(&list->items[i]) ? &list->items[i] : NULL;
    }
    return found;
}

static bool
choose_only(const struct sq_device_list *list,
            const struct sq_device_info **out, bool *by_default,
            struct sq_err *err) {
    const struct sq_device_info *real = NULL;
    const struct sq_device_info *demo = NULL;
    int real_count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct sq_device_info *info = &list->items[i];
        if (!is_usable(info) || kind_of(info)->by_name_only) {
            continue;
        }
        if (is_demo(info)) {
            demo = demo ? demo : info;
        } else {
            real = info;
            real_count++;
        }
    }
    if (real_count > 1) {
        char names[NAMES_SIZE];
        join_ids(list, true, names);
        sq_fail(err, SQ_ERR_MULTIPLE_DEVICES,
                "%d devices are attached, and $deviceId is missing",
                real_count);
        return sq_fail_hint(err, "Set $deviceId to one of: %s.", names);
    }
    const struct sq_device_info *blocking = find_blocking_device(list);
    if (!real && !demo) {
        return blocking ? fail_blocking_device(list, blocking, err)
                        : fail_none(list, err);
    }
    if (!check_problems(list, real ? real : demo, err)) {
        return false;
    }
    if (!real && blocking) {
        return fail_blocking_device(list, blocking, err);
    }
    *out = real ? real : demo;
    *by_default = !real;
    return true;
}

bool
sq_devices_choose(const struct sq_device_list *list, const char *id,
                  const struct sq_device_info **out, bool *demo_by_default,
                  struct sq_err *err) {
    bool by_default = false;
    bool ok = id && id[0] ? choose_named(list, id, out, err)
                          : choose_only(list, out, &by_default, err);
    if (ok && demo_by_default) {
        *demo_by_default = by_default;
    }
    return ok;
}
