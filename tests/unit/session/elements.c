#include "session/session.h"

#include <pthread.h>

#include "support/test.h"
#include "util/arena.h"

#define ROUNDS 2000

static struct sq_session *session;
static struct sq_arena arena;
/* The state that is stored with lists; a test may change it between two. */
static struct sq_tree_stamp stamp;

static void
start(void) {
    const struct sq_session_options options = { .max_dimension = 1000 };
    T_OK(sq_session_create(&options, &session, &t_err));
    sq_arena_init(&arena, (size_t)1 << 20);
    stamp = (struct sq_tree_stamp){
        .view = 5,
        .size = { 1080, 2400 },
        .app = "com.app",
        .at_ns = 1000,
    };
}

static void
stop(void) {
    sq_session_destroy(session);
    sq_arena_finish(&arena);
}

static struct sq_element
element(int index, const char *label, struct sq_dev_rect bounds) {
    return (struct sq_element){
        .index = index,
        .label = sq_span_of(label),
        .type = SQ_SPAN("Button"),
        .resource_id = SQ_SPAN("com.app:id/x"),
        .bounds = bounds,
        .flags = SQ_NODE_CLICKABLE,
    };
}

static bool
set(const char *device, const struct sq_element *list, size_t count,
    struct sq_err *err) {
    return sq_session_set_on_screen(session, device, &stamp, list, count, err)
        && sq_session_set_elements(session, device, 0, list, count, err);
}

T_FIXTURE(start, stop);

T_CASE(elements_are_copied) {
    struct sq_element got;
    char label[] = "Log in";
    const struct sq_element list[] = {
        element(0, label, (struct sq_dev_rect){ 0, 0, 10, 10 }),
    };
    T_OK(set("a", list, 1, &t_err));
    memset(label, 'x', sizeof(label) - 1);
    T_OK(sq_session_element(session, "a", 0, &arena, &got, &t_err));
    T(sq_span_is(got.label, "Log in"));
    T(sq_span_is(got.type, "Button"));
    T(sq_span_is(got.resource_id, "com.app:id/x"));
    T_INT(got.bounds.right, 10);
    T_INT(got.flags, SQ_NODE_CLICKABLE);
}

T_CASE(missing_list_is_stale_and_bad_index_gives_the_length) {
    struct sq_element got = { .index = 7 };
    const struct sq_element list[] = {
        element(0, "One", (struct sq_dev_rect){ 0, 0, 10, 10 }),
    };
    T_FAILS(sq_session_element(session, "a", 0, &arena, &got, &t_err),
            SQ_ERR_STALE_ELEMENT);
    T_OK(set("a", list, 1, &t_err));
    T_FAILS(sq_session_element(session, "a", 1, &arena, &got, &t_err),
            SQ_ERR_ARGUMENT);
    T_HAS(t_err.message, "1 elements");
    T_INT(got.index, 7);
    T_FAILS(sq_session_element(session, "b", 0, &arena, &got, &t_err),
            SQ_ERR_STALE_ELEMENT);
}

T_CASE(new_list_replaces_the_old_one) {
    struct sq_element got;
    const struct sq_element two[] = {
        element(0, "One", (struct sq_dev_rect){ 0, 0, 10, 10 }),
        element(1, "Two", (struct sq_dev_rect){ 0, 10, 10, 20 }),
    };
    T_OK(set("a", two, 2, &t_err));
    T_OK(set("a", NULL, 0, &t_err));
    T_FAILS(sq_session_element(session, "a", 0, &arena, &got, &t_err),
            SQ_ERR_ARGUMENT);
}

static int
index_at(const struct sq_tree_stamp *now, int x, int y) {
    struct sq_elements on_screen = { .is_known = false };
    const struct sq_dev_pt point = { x, y };
    sq_session_on_screen(session, "a", now, &arena, &on_screen);
    const struct sq_element *found =
        sq_element_at(on_screen.items, on_screen.count, point);
    return found ? found->index : -1;
}

static const struct sq_element nested[] = {
    { .index = 0, .bounds = { 0, 0, 1080, 2400 } },
    { .index = 1, .bounds = { 0, 100, 1080, 200 } },
    { .index = 2, .bounds = { 100, 100, 200, 200 } },
};

T_CASE(innermost_element_at_a_point_is_found) {
    T_INT(index_at(&stamp, 199, 199), -1);
    T_OK(set("a", nested, 3, &t_err));
    T_INT(index_at(&stamp, 199, 199), 2);
    T_INT(index_at(&stamp, 200, 150), 1);
    T_INT(index_at(&stamp, 200, 200), 0);
    T_INT(index_at(&stamp, 1080, 0), -1);
}

T_CASE(overlapping_elements_are_ambiguous) {
    const struct sq_element covered[] = {
        element(0, "Row", (struct sq_dev_rect){ 0, 100, 1080, 200 }),
        element(1, "Sheet", (struct sq_dev_rect){ 0, 0, 1080, 2400 }),
    };
    T_OK(set("a", covered, 2, &t_err));
    T_INT(index_at(&stamp, 10, 150), -1);
    T_INT(index_at(&stamp, 10, 250), 1);
}

/* An element that is not in the list covers a part of it. */
T_CASE(covered_element_is_not_named) {
    struct sq_element row =
        element(0, "Row", (struct sq_dev_rect){ 0, 100, 1080, 200 });
    row.is_covered = true;
    T_OK(set("a", &row, 1, &t_err));
    T_INT(index_at(&stamp, 10, 150), -1);
}

/* One way in which a screen can differ from the one that was listed. */
static bool
holds_with(struct sq_tree_stamp now) {
    return index_at(&now, 10, 150) == 1;
}

T_CASE(list_is_valid_only_for_its_screen) {
    struct sq_tree_stamp now = stamp;
    T_OK(set("a", nested, 3, &t_err));
    now.at_ns += (int64_t)60 * 1000000000;
    T(holds_with(now));
    now.at_ns++;
    T(!holds_with(now));
    now = stamp;
    now.view++;
    T(!holds_with(now));
    now = stamp;
    now.rotation = 1;
    T(!holds_with(now));
    now = stamp;
    now.size.width--;
    T(!holds_with(now));
    now = stamp;
    now.size.height--;
    T(!holds_with(now));
    now = stamp;
    now.app[0] = 'x';
    T(!holds_with(now));
    T(holds_with(stamp));
}

/* The list of a client may lack what is on the screen, and the other way. */
T_CASE(latest_list_is_not_what_is_on_the_screen) {
    struct sq_element got;
    T_OK(sq_session_set_on_screen(session, "a", &stamp, nested, 3, &t_err));
    T(!sq_session_element(session, "a", 1, &arena, &got, &t_err));
    T_OK(sq_session_set_elements(session, "a", 9, nested, 1, &t_err));
    T(holds_with(stamp));
    T_OK(sq_session_set_on_screen(session, "a", &stamp, NULL, 0, &t_err));
    T(!holds_with(stamp));
    T_OK(sq_session_element(session, "a", 0, &arena, &got, &t_err));
    sq_session_forget_device(session, "a");
    T(!holds_with(stamp));
}

T_CASE(index_of_an_element_is_found) {
    const struct sq_element list[] = {
        element(3, "One", (struct sq_dev_rect){ 0, 0, 10, 10 }),
        element(4, "Two", (struct sq_dev_rect){ 0, 0, 10, 10 }),
    };
    struct sq_element wanted = list[1];
    T_INT(sq_session_index_of(session, "a", &wanted), -1);
    T_OK(set("a", list, 2, &t_err));
    T_INT(sq_session_index_of(session, "a", &wanted), 4);
    wanted.bounds.right++;
    T_INT(sq_session_index_of(session, "a", &wanted), -1);
}

T_CASE(least_recently_used_views_are_dropped) {
    char name[16];
    T(!sq_session_saw_view(session, "v0"));
    T(!sq_session_saw_view(session, ""));
    for (int i = 0; i < 50; i++) {
        snprintf(name, sizeof(name), "v%d", i);
        sq_session_note_view(session, name);
    }
    T(sq_session_saw_view(session, "v0"));
    sq_session_note_view(session, "v0");
    sq_session_note_view(session, "new");
    T(sq_session_saw_view(session, "v0"));
    T(!sq_session_saw_view(session, "v1"));
    T(sq_session_saw_view(session, "v2"));
}

static bool
replace_list(void *context, struct sq_err *err) {
    struct sq_element got;
    const struct sq_element list[] = {
        element(0, "New", (struct sq_dev_rect){ 5, 5, 6, 6 }),
    };
    bool ok = set("a", list, 1, err);
    T(sq_session_element(session, "a", 0, &arena, &got, NULL));
    T(sq_span_is(got.label, ok ? "New" : "Old"));
    return ok;
}

static bool
first_list(void *context, struct sq_err *err) {
    struct sq_element got;
    const struct sq_element list[] = {
        element(0, "New", (struct sq_dev_rect){ 5, 5, 6, 6 }),
    };
    bool ok = set("fresh", list, 1, err);
    T(sq_session_element(session, "fresh", 0, &arena, &got, NULL) == ok);
    return ok;
}

static bool
read_element(void *context, struct sq_err *err) {
    struct sq_element got;
    T_ARENA(into, 4096);
    return sq_session_element(session, "a", 0, &into, &got, err);
}

T_CASE(failed_list_changes_nothing) {
    struct sq_element got;
    const struct sq_element old[] = {
        element(0, "Old", (struct sq_dev_rect){ 0, 0, 1, 1 }),
    };
    T_OK(set("a", old, 1, &t_err));
    /* The arena allocates its block now, so that only the list can fail. */
    T(sq_session_element(session, "a", 0, &arena, &got, NULL));
    T(t_alloc_torture(replace_list, NULL) > 0);
    T(t_alloc_torture(first_list, NULL) > 1);
    T(t_alloc_torture(read_element, NULL) > 0);
}

/* Each thread always reads a consistent list and frame. */
struct worker {
    const char *device;
    const char *label;
    bool ok;
};

static void *
hammer(void *context) {
    struct worker *worker = context;
    const struct sq_screen screen = { .size = { 1080, 2400 },
                                      .rotation = 0,
                                      .density = 2.0 };
    const struct sq_ledger one = { .calls = 1 };
    const struct sq_element list[] = {
        element(0, worker->label, (struct sq_dev_rect){ 0, 0, 10, 10 }),
        element(1, worker->label, (struct sq_dev_rect){ 0, 10, 10, 20 }),
    };
    worker->ok = true;
    for (int i = 0; i < ROUNDS && worker->ok; i++) {
        struct sq_element got = { 0 };
        struct sq_frame view = { 0 };
        struct sq_frame frame = { 0 };
        T_ARENA(mine, 4096);
        worker->ok =
            sq_session_view(session, worker->device, &screen, &view, NULL)
            && set("shared", list, 2, NULL)
            && sq_session_element(session, "shared", 1, &mine, &got, NULL)
            && (sq_span_is(got.label, "left")
                || sq_span_is(got.label, "right"));
        sq_session_note_view(session, worker->label);
        sq_session_add_frame(session, &view);
        worker->ok =
            worker->ok
            && sq_session_frame(session, worker->device, sq_span_of(view.id),
                                &screen, &frame, NULL)
            && strcmp(frame.device_id, worker->device) == 0;
        sq_session_charge(session, &one);
    }
    return NULL;
}

T_CASE(concurrent_use_is_consistent) {
    struct worker workers[2] = { { "a", "left", false },
                                 { "b", "right", false } };
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        T_INT(pthread_create(&threads[i], NULL, hammer, &workers[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        T_INT(pthread_join(threads[i], NULL), 0);
        T(workers[i].ok);
    }
    T_INT(sq_session_ledger(session).calls, 2 * ROUNDS);
}

static struct sq_session *
open_stateless(uint8_t first_byte) {
    struct sq_session *out = NULL;
    const uint8_t key[SQ_SESSION_KEY_BYTES] = { first_byte };
    const struct sq_session_options options = { .key = key };
    T_OK(sq_session_create(&options, &out, &t_err));
    return out;
}

T_BARE_CASE(number_names_an_element_without_a_list) {
    struct sq_session *one = open_stateless(1);
    struct sq_session *same_key = open_stateless(1);
    struct sq_session *other_key = open_stateless(2);
    const struct sq_dev_rect bounds = { 10, 20, 30, 40 };
    const struct sq_element ok = element(0, "OK", bounds);
    const struct sq_element moved =
        element(0, "OK", (struct sq_dev_rect){ 10, 21, 30, 40 });
    const struct sq_element renamed = element(0, "No", bounds);
    int number = sq_session_element_number(one, "phone", &ok);
    T(!sq_session_keeps_lists(one));
    T(number >= 100000000 && number <= SQ_MAX_ELEMENT_INDEX);
    T(sq_session_is_element_number(one, number));
    T(!sq_session_is_element_number(one, 99999999));
    T(sq_session_has_element_number(same_key, "phone", &ok, number));
    T(!sq_session_has_element_number(other_key, "phone", &ok, number));
    T(!sq_session_has_element_number(one, "tablet", &ok, number));
    T(!sq_session_has_element_number(one, "phone", &moved, number));
    T(!sq_session_has_element_number(one, "phone", &renamed, number));
    T_INT(sq_session_index_of(same_key, "phone", &ok), number);
    sq_session_destroy(one);
    sq_session_destroy(same_key);
    sq_session_destroy(other_key);
}

T_BARE_CASE(number_ignores_a_label_from_the_pixels) {
    struct sq_session *one = open_stateless(1);
    const struct sq_dev_rect bounds = { 10, 20, 30, 40 };
    struct sq_element named = element(0, "E-mail", bounds);
    const struct sq_element unlabelled = element(0, "", bounds);
    named.flags |= SQ_NODE_NAMED;
    int number = sq_session_element_number(one, "phone", &named);
    T(sq_session_has_element_number(one, "phone", &unlabelled, number));
    T(!sq_session_is_seen_number(number));
    named.flags |= SQ_NODE_READ;
    number = sq_session_element_number(one, "phone", &named);
    T(sq_session_is_seen_number(number));
    T(sq_session_has_element_number(one, "phone", &named, number));
    T(!sq_session_has_element_number(one, "phone", &unlabelled, number));
    /* An equal text of another row of a list is another element. */
    named.row = SQ_SPAN("Row 2 E-mail");
    T(!sq_session_has_element_number(one, "phone", &named, number));
    sq_session_destroy(one);
}

T_CASE(session_with_lists_has_no_numbers) {
    T(sq_session_keeps_lists(session));
    T(!sq_session_is_element_number(session, 100000000));
}

T_BARE_CASE(missing_list_of_a_stateless_client_is_explained) {
    struct sq_session *one = open_stateless(1);
    struct sq_element got;
    sq_arena_init(&arena, (size_t)1 << 20);
    T_FAILS(sq_session_element(one, "phone", 2, &arena, &got, &t_err),
            SQ_ERR_STALE_ELEMENT);
    T_HAS(t_err.message, "elementIndex 2");
    T_HAS(t_err.message, "no lists are kept");
    T_HAS(t_err.hint, "nine digits");
    sq_arena_finish(&arena);
    sq_session_destroy(one);
}
