#include "device/kinds.h"

#include <pthread.h>
#include <stdatomic.h>

#include "support/test.h"
#include "util/mem.h"

/* A kind whose devices count their uses. */
static int opened;
static int closed;
static atomic_int listed;
static enum sq_err_code broken; /* NONE: it does not fail */

static void
close_fake(struct sq_device *device) {
    closed++;
    sq_mem_free(device);
}

static const struct sq_device_ops fake_ops = { .kind = "android",
                                               .destroy = close_fake };

static uint64_t connection;
static bool gone;

static bool
list_fake(const struct sq_devices_options *options, struct sq_device_list *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_device_info info = { .kind = "android",
                                         .id = "fake",
                                         .state = SQ_DEVICE_ONLINE,
                                         .connection = connection };
    listed++;
    if (broken) {
        return sq_fail(err, broken, "no adb server");
    }
    return gone || sq_device_list_add(out, &info, err);
}

static bool
open_fake(const struct sq_devices_options *options,
          const struct sq_device_info *info, struct sq_device **out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_device *device = sq_mem_zalloc(1, sizeof(*device));
    if (!device) {
        return sq_fail_nomem(err);
    }
    device->ops = &fake_ops;
    device->info = *info;
    opened++;
    *out = device;
    return true;
}

static bool
list_demo(const struct sq_devices_options *options, struct sq_device_list *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_device_kinds[0].list(options, out, deadline, err);
}

static bool
open_demo(const struct sq_devices_options *options,
          const struct sq_device_info *info, struct sq_device **out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_device_kinds[0].open(options, info, out, deadline, err);
}

static const struct sq_device_kind kinds[] = {
    { .name = "android", .list = list_fake, .open = open_fake },
    { .name = "demo", .is_demo = true, .list = list_demo, .open = open_demo },
    { .name = NULL },
};

static int looked_for;
static bool has_what_it_needs;

static bool
look_for_fake(void) {
    looked_for++;
    return has_what_it_needs;
}

static const struct sq_device_kind rare_kinds[] = {
    { .name = "demo", .is_demo = true, .list = list_demo, .open = open_demo },
    { .name = "android",
      .is_available = look_for_fake,
      .list = list_fake,
      .open = open_fake },
    { .name = NULL },
};

static void
expect_kind(struct sq_devices *devices, const char *id, const char *kind) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_device *device = NULL;
    if (T_OK(sq_devices_open(devices, id, &deadline, &device, NULL, &t_err))) {
        T_STR(device->info.kind, kind);
        sq_devices_release(devices, device);
    }
}

/* Every caller that names no device gets it; the others do not. */
T_CASE(default_device_is_used) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_devices_options options = { .default_id = "demo" };
    struct sq_devices *devices = NULL;
    struct sq_device *device = NULL;
    T_OK(sq_devices_create(kinds, &options, &devices, &t_err));
    expect_kind(devices, NULL, "demo");
    expect_kind(devices, "", "demo");
    expect_kind(devices, "fake", "android");
    sq_devices_destroy(devices);
    options.default_id = "gone";
    T_OK(sq_devices_create(kinds, &options, &devices, &t_err));
    T_FAILS(sq_devices_open(devices, NULL, &deadline, &device, NULL, &t_err),
            SQ_ERR_DEVICE_NOT_FOUND);
    T_HAS(t_err.message, "ANDROID_SERIAL");
    T_HAS(t_err.message, "\"gone\"");
    T_HAS(t_err.hint, "fake, demo");
    t_err = (struct sq_err){ 0 };
    T(!sq_devices_open(devices, "other", &deadline, &device, NULL, &t_err));
    T_LACKS(t_err.message, "ANDROID_SERIAL");
    expect_kind(devices, "fake", "android");
    sq_devices_destroy(devices);
}

/* A server that does not answer must not delay calls that mean a phone. */
T_CASE(kind_that_is_chosen_by_name_is_not_listed_for_others) {
    static const struct sq_device_kind named[] = {
        { .name = "demo",
          .is_demo = true,
          .list = list_demo,
          .open = open_demo },
        { .name = "android",
          .by_name_only = true,
          .list = list_fake,
          .open = open_fake },
        { .name = NULL },
    };
    const struct sq_devices_options options = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_devices *devices = NULL;
    struct sq_device_list list = { 0 };
    T_OK(sq_devices_create(named, &options, &devices, &t_err));
    listed = 0;
    expect_kind(devices, NULL, "demo");
    T_INT(listed, 0);
    expect_kind(devices, "fake", "android");
    T_OK(sq_devices_list(devices, &list, &deadline, &t_err));
    T_INT(list.count, 2);
    sq_device_list_finish(&list);
    sq_devices_destroy(devices);
}

T_CASE(missing_kind_is_not_searched_each_time) {
    const struct sq_devices_options options = { 0 };
    for (int round = 0; round < 2; round++) {
        struct sq_devices *devices = NULL;
        has_what_it_needs = round == 1;
        looked_for = 0;
        listed = 0;
        T_OK(sq_devices_create(rare_kinds, &options, &devices, &t_err));
        for (int i = 0; i < 5; i++) {
            expect_kind(devices, NULL, round == 1 ? "android" : "demo");
        }
        T_INT(looked_for, round == 1 ? 5 : 1);
        T_INT(listed, round == 1 ? 5 : 0);
        sq_devices_destroy(devices);
    }
}

T_CASE(missing_kind_is_searched_when_named) {
    const struct sq_devices_options options = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    for (int round = 0; round < 2; round++) {
        struct sq_devices *devices = NULL;
        has_what_it_needs = false;
        T_OK(sq_devices_create(rare_kinds, &options, &devices, &t_err));
        expect_kind(devices, NULL, "demo");
        has_what_it_needs = true;
        expect_kind(devices, NULL, "demo");
        if (round == 0) {
            T_FREED(sq_device_list_finish) struct sq_device_list list = { 0 };
            T_OK(sq_devices_list(devices, &list, &deadline, &t_err));
            T_INT(list.count, 2);
        } else {
            expect_kind(devices, "fake", "android");
        }
        expect_kind(devices, NULL, "android");
        sq_devices_destroy(devices);
    }
}

static const struct sq_device_kind slow_kinds[] = {
    { .name = "demo", .is_demo = true, .list = list_demo, .open = open_demo },
    { .name = "android",
      .keep_ms = T_PATIENCE_MS,
      .list = list_fake,
      .open = open_fake },
    { .name = NULL },
};

/* Unless no device can be chosen by it, or all are to be listed. */
T_CASE(list_that_takes_long_is_kept) {
    const struct sq_devices_options options = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_devices *devices = NULL;
    struct sq_device *device = NULL;
    struct sq_device_list list = { 0 };
    struct sq_err err = { 0 };
    listed = 0;
    T_OK(sq_devices_create(slow_kinds, &options, &devices, &err), &err);
    for (int i = 0; i < 5; i++) {
        expect_kind(devices, i % 2 ? "fake" : NULL, "android");
    }
    T_INT(listed, 1);
    gone = true;
    T_OK(sq_devices_list(devices, &list, &deadline, &err), &err);
    T_INT(list.count, 1);
    sq_device_list_finish(&list);
    T_INT(listed, 2);
    gone = false;
    expect_kind(devices, "fake", "android");
    T_INT(listed, 3);
    T(!sq_devices_open(devices, "other", &deadline, &device, NULL, &err));
    T_INT(err.code, SQ_ERR_DEVICE_NOT_FOUND);
    broken = SQ_ERR_IO; /* a failure is not kept */
    T_OK(sq_devices_list(devices, &list, &deadline, &err), &err);
    T_INT(list.problem_count, 1);
    sq_device_list_finish(&list);
    broken = SQ_ERR_NONE;
    expect_kind(devices, NULL, "android");
    sq_devices_destroy(devices);
}

T_CASE(broken_kind_hides_no_other_kind) {
    const struct sq_devices_options options = { 0 };
    struct sq_devices *devices = NULL;
    struct sq_device_list list = { 0 };
    struct sq_device *device = NULL;
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_err err = { 0 };
    bool by_default = false;
    broken = SQ_ERR_NOT_FOUND;
    T_OK(sq_devices_create(kinds, &options, &devices, &err), &err);
    T_OK(sq_devices_list(devices, &list, &deadline, &err), &err);
    T_INT(list.count, 1);
    T_STR(list.items[0].id, "demo");
    T_INT(list.problem_count, 1);
    T_STR(list.problems[0].kind, "android");
    T_STR(list.problems[0].err.message, "no adb server");
    sq_device_list_finish(&list);
    T_OK(sq_devices_open(devices, NULL, &deadline, &device, &by_default, &err),
         &err);
    T(by_default);
    sq_devices_release(devices, device);
    T(!sq_devices_open(devices, "fake", &deadline, &device, NULL, &err));
    T_INT(err.code, SQ_ERR_DEVICE_NOT_FOUND);
    T_HAS(err.message, "no adb server");
    broken = SQ_ERR_IO;
    T(!sq_devices_open(devices, NULL, &deadline, &device, NULL, &err));
    T_INT(err.code, SQ_ERR_IO);
    T_OK(sq_devices_open(devices, "demo", &deadline, &device, NULL, &err),
         &err);
    sq_devices_release(devices, device);
    sq_devices_destroy(devices);
    broken = SQ_ERR_NONE;
}

T_CASE(opens_a_device_once) {
    const struct sq_devices_options options = { 0 };
    struct sq_devices *devices = NULL;
    struct sq_device *first = NULL;
    struct sq_device *again = NULL;
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    bool by_default = true;
    opened = 0;
    closed = 0;
    T_OK(sq_devices_create(kinds, &options, &devices, &t_err));
    T_OK(
        sq_devices_open(devices, NULL, &deadline, &first, &by_default, &t_err));
    T(!by_default);
    T_STR(first->info.id, "fake");
    sq_devices_release(devices, first);
    T_OK(sq_devices_open(devices, "fake", &deadline, &again, NULL, &t_err));
    T(first == again);
    sq_devices_release(devices, again);
    T_INT(opened, 1);
    listed = 0;
    T_OK(sq_devices_open(devices, "demo", &deadline, &again, NULL, &t_err));
    sq_devices_release(devices, again);
    T_INT(listed, 1);
    T_OK(sq_devices_open(devices, "demo", &deadline, &again, NULL, &t_err));
    sq_devices_release(devices, again);
    T_INT(listed, 1);
    sq_devices_release(devices, NULL);
    sq_devices_destroy(devices);
    sq_devices_destroy(NULL);
    T_INT(closed, 1);
}

struct user {
    struct sq_devices *devices;
    int *inside;
    int clashes;
    int turns;
};

static void *
use(void *context) {
    struct user *user = context;
    for (int i = 0; i < 200; i++) {
        struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
        struct sq_device *device;
        if (!sq_devices_open(user->devices, "fake", &deadline, &device, NULL,
                             NULL)) {
            continue;
        }
        user->turns++;
        user->clashes += (*user->inside)++ != 0;
        user->clashes += --(*user->inside) != 0;
        sq_devices_release(user->devices, device);
    }
    return NULL;
}

/* Its old state may not apply to the device that is attached now. */
T_CASE(opens_a_reconnected_device_again) {
    const struct sq_devices_options options = { 0 };
    struct sq_devices *devices = NULL;
    opened = 0;
    closed = 0;
    T_OK(sq_devices_create(kinds, &options, &devices, &t_err));
    for (connection = 1; connection <= 2; connection++) {
        expect_kind(devices, NULL, "android");
        expect_kind(devices, "fake", "android");
        T_INT(opened, (int)connection);
        T_INT(closed, (int)connection - 1);
    }
    sq_devices_destroy(devices);
    T_INT(closed, 2);
    connection = 0;
}

/* A tap for a disconnected phone must not go to the demo phone. */
T_CASE(keeps_the_device_that_was_used) {
    const struct sq_devices_options options = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_devices *devices = NULL;
    struct sq_device *device = NULL;
    T_OK(sq_devices_create(kinds, &options, &devices, &t_err));
    gone = true;
    expect_kind(devices, NULL, "demo");
    gone = false;
    expect_kind(devices, NULL, "android");
    gone = true;
    T_FAILS(sq_devices_open(devices, NULL, &deadline, &device, NULL, &t_err),
            SQ_ERR_NO_DEVICES);
    T_STR(t_err.message, "device fake is no longer attached");
    T_HAS(t_err.hint, "\"demo\"");
    expect_kind(devices, "demo", "demo");
    gone = false;
    expect_kind(devices, NULL, "android");
    sq_devices_destroy(devices);
}

T_CASE(one_call_at_a_time_uses_a_device) {
    const struct sq_devices_options options = { 0 };
    struct sq_devices *devices = NULL;
    pthread_t threads[3];
    struct user users[3];
    int inside = 0;
    T_OK(sq_devices_create(kinds, &options, &devices, &t_err));
    for (int i = 0; i < 3; i++) {
        users[i] = (struct user){ .devices = devices, .inside = &inside };
        T_INT(pthread_create(&threads[i], NULL, use, &users[i]), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        T_INT(users[i].turns, 200);
        T_INT(users[i].clashes, 0);
    }
    sq_devices_destroy(devices);
}

T_CASE(waiting_for_a_device_ends_with_the_deadline) {
    const struct sq_devices_options options = { 0 };
    struct sq_devices *devices = NULL;
    struct sq_device *held = NULL;
    struct sq_device *other = NULL;
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    T_OK(sq_devices_create(kinds, &options, &devices, &t_err));
    T_OK(sq_devices_open(devices, "fake", &deadline, &held, NULL, &t_err));
    struct sq_deadline soon = sq_deadline_in(30, NULL);
    T_FAILS(sq_devices_open(devices, "fake", &soon, &other, NULL, &t_err),
            SQ_ERR_TIMEOUT);
    T_HAS(t_err.message, "fake");
    T_HAS(t_err.hint, "one after the other");
    T_OK(sq_devices_open(devices, "demo", &deadline, &other, NULL, &t_err));
    sq_devices_release(devices, other);
    sq_devices_release(devices, held);
    sq_devices_destroy(devices);
}

/* The default device is also named by others: one queue for both. */
T_CASE(named_and_unnamed_calls_share_a_queue) {
    const struct sq_devices_options options = { 0 };
    struct sq_devices *devices = NULL;
    struct sq_ticket *unnamed = NULL;
    struct sq_device *device = NULL;
    struct sq_device *other = NULL;
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    T_OK(sq_devices_create(kinds, &options, &devices, &t_err));
    T_OK(sq_devices_queue(devices, NULL, 0, &unnamed, &t_err));
    struct sq_deadline soon = sq_deadline_in(30, NULL);
    T_FAILS(sq_devices_open(devices, "fake", &soon, &other, NULL, &t_err),
            SQ_ERR_TIMEOUT);
    T_OK(sq_devices_open_in_turn(devices, unnamed, &deadline, &device, NULL,
                                 &t_err));
    T_STR(device->info.id, "fake");
    soon = sq_deadline_in(30, NULL);
    T(!sq_devices_open(devices, "fake", &soon, &other, NULL, &t_err));
    T_OK(sq_devices_open(devices, "demo", &deadline, &other, NULL, &t_err));
    sq_devices_release(devices, other);
    sq_ticket_leave(unnamed);
    T_OK(sq_devices_open(devices, "fake", &deadline, &other, NULL, &t_err));
    sq_devices_release(devices, other);
    sq_devices_destroy(devices);
}

static bool
open_all(void *context, struct sq_err *err) {
    const struct sq_devices_options options = { 0 };
    struct sq_devices *devices = NULL;
    struct sq_device_list list = { 0 };
    struct sq_device *device = NULL;
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    bool ok = sq_devices_create(kinds, &options, &devices, err)
           && sq_devices_list(devices, &list, &deadline, err);
    sq_device_list_finish(&list);
    ok = ok && sq_devices_open(devices, NULL, &deadline, &device, NULL, err);
    if (ok) {
        sq_devices_release(devices, device);
        ok = sq_devices_open(devices, "demo", &deadline, &device, NULL, err);
    }
    if (ok) {
        sq_devices_release(devices, device);
    }
    sq_devices_destroy(devices);
    return ok;
}

/* Otherwise two calls could use one simulator at the same time. */
T_CASE(udid_has_one_queue_in_any_case) {
    static const char *const ids[] = { "9f2c6d1a-3b47-4e0d-8a55-1c0ffee0d0d0",
                                       "9F2C6D1A-3b47-4E0D-8A55-1C0FFEE0D0D0",
                                       "Emulator-5554" };
    static const char *const names[] = { "9F2C6D1A-3B47-4E0D-8A55-1C0FFEE0D0D0",
                                         "9F2C6D1A-3B47-4E0D-8A55-1C0FFEE0D0D0",
                                         "Emulator-5554" };
    const struct sq_devices_options options = { 0 };
    struct sq_devices *devices = NULL;
    T_OK(sq_devices_create(kinds, &options, &devices, &t_err));
    for (size_t i = 0; i < SQ_COUNT(ids); i++) {
        struct sq_ticket *turn = NULL;
        T_OK(sq_devices_queue(devices, ids[i], 0, &turn, &t_err));
        T_STR(sq_ticket_name(turn), names[i]);
        sq_ticket_leave(turn);
    }
    sq_devices_destroy(devices);
}

T_CASE(out_of_memory_is_reported) {
    T(t_alloc_torture(open_all, NULL) > 8);
    broken = SQ_ERR_NOT_FOUND;
    T(t_alloc_torture(open_all, NULL) > 8);
    broken = SQ_ERR_NONE;
}
