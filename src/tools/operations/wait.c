/* wait: waits until the screen has settled, or until an element appears. */
#include "sys/clock.h"
#include "tool/people.h"
#include "tools/elements/listing.h"
#include "tools/operations.h"
#include "tools/reply.h"
#include "tools/run.h"
#include "tools/screen/late_change.h"
#include "tools/screen/pixel_search.h"
#include "tools/screen/watch.h"
#include "util/minmax.h"

#define DEFAULT_TIMEOUT_MS 5000
#define MAX_TIMEOUT_MS 60000
#define DEFAULT_STABLE_MS 300
/* The last look may take this much longer. */
#define LOOK_MS 15000
#define MIN_PATIENCE_MS 1000
#define FIND_INTERVAL_MS 200 /* between two reads of the tree */
#define NS_PER_MS 1000000

/*
 * The device watches by itself only for a rest of up to this time: others do
 * not get it meanwhile.
 */
#define MAX_WATCH_MS 500

struct wait_args {
    struct sq_opt_text text;
    struct sq_selector selector;
    struct sq_opt_int stable_ms;
    struct sq_opt_int timeout_ms;
};

static const struct sq_arg wait_args[] = {
    SQ_TEXT(wait_args, text, "text", 1024, "wait: until this text appears",
            .help = "wait until a label contains this"),
    SQ_SELECTOR(wait_args, selector),
    SQ_INT(wait_args, stable_ms, "stableMs", 0, 10000, "At rest this long",
           .help = "milliseconds that the screen must stay the same",
           .initial = "300", .is_rare = true),
    SQ_INT(wait_args, timeout_ms, "timeoutMs", 0, MAX_TIMEOUT_MS, "",
           .help = "milliseconds to wait at most", .initial = "5000"),
    SQ_ARGS_END,
};

static int
ms_since(int64_t start_ns) {
    return (int)((sq_clock_monotonic_ns() - start_ns) / NS_PER_MS);
}

static int
timeout_of(const struct wait_args *args) {
    return args->timeout_ms.given ? args->timeout_ms.value : DEFAULT_TIMEOUT_MS;
}

/* A part of the device that needs longer for an answer hangs. */
static int
patience_of(const struct wait_args *args) {
    return sq_max_int(timeout_of(args), MIN_PATIENCE_MS);
}

static int
smallest(int a, int b, int c) {
    int least = a < b ? a : b;
    return least < c ? least : c;
}

/* One wait until the screen settles. */
struct rest {
    struct sq_call *call;
    struct sq_watch watch;
    int64_t start_ns;
    int64_t quiet_ns; /* time since which all captures are equal */
    int capture_ms;   /* duration of a capture */
    int quiet_ms;     /* requested quiet time */
    int timeout_ms;
    bool settled;
};

static void
report(void *context) {
    const struct rest *rest = context;
    struct sq_call *call = rest->call;
    if (call->progress) {
        call->progress(call, ms_since(rest->start_ns), rest->timeout_ms,
                       "waiting");
    }
}

/*
 * Gives the device to other clients for some time. If one of them acts, the
 * quiet time begins again.
 */
static bool
pause_rest(struct sq_call *call, struct rest *rest, int ms,
           struct sq_err *err) {
    const uint64_t change = call->device->change;
    if (!sq_tools_pause(call, ms, err)) {
        return false;
    }
    if (call->device->change != change) {
        rest->quiet_ns = sq_clock_monotonic_ns();
    }
    return true;
}

/*
 * Sleeps until the next capture: when the quiet time would be reached, and
 * early enough to finish before the timeout. *more is true if that is possible,
 * or for the first capture, without which there is nothing to compare.
 */
static bool
nap(struct sq_call *call, struct rest *rest, bool *more, struct sq_err *err) {
    /* Comparing the first and last capture takes about as long as a capture. */
    int left = rest->timeout_ms - 2 * rest->capture_ms;
    int until_quiet = rest->quiet_ms - ms_since(rest->quiet_ns);
    int nap_ms = smallest(SQ_WATCH_POLL_MS, until_quiet > 0 ? until_quiet : 1,
                          left - ms_since(rest->start_ns));
    /* At least 1 ms: time must pass, however fast a capture is. */
    if (!pause_rest(call, rest, nap_ms > 1 ? nap_ms : 1, err)) {
        return false;
    }
    int waited = ms_since(rest->start_ns);
    *more =
        waited <= left || (!rest->watch.has_after && waited < rest->timeout_ms);
    return true;
}

static bool
compare_again(struct sq_call *call, struct rest *rest, struct sq_err *err) {
    struct sq_watch *watch = &rest->watch;
    uint64_t last = watch->has_after ? watch->after_hash : watch->before_hash;
    const int64_t begun_ns = sq_clock_monotonic_ns();
    if (!sq_watch_look(watch, call->device, &call->deadline, err)) {
        return false;
    }
    rest->capture_ms = ms_since(begun_ns);
    if (watch->after_hash != last) {
        rest->quiet_ns = sq_clock_monotonic_ns();
    }
    rest->settled = ms_since(rest->quiet_ns) >= rest->quiet_ms;
    report(rest);
    return true;
}

/*
 * Lets the device watch its screen, if it can, until it is at rest or has had
 * time for that. *more is set to whether there is time to watch again.
 */
static bool
watch_on_device(struct sq_call *call, struct rest *rest,
                enum sq_watch_outcome *outcome, bool *more,
                struct sq_err *err) {
    int waited = ms_since(rest->start_ns);
    int most = rest->quiet_ms + 2 * SQ_WATCH_POLL_MS + 3 * rest->capture_ms;
    int left = rest->timeout_ms - 2 * rest->capture_ms - waited;
    bool is_first = !rest->watch.has_after;
    const struct sq_frame_watch how = {
        .rule = {
            .poll_ms = SQ_WATCH_POLL_MS,
            .rest_ms = (uint32_t)rest->quiet_ms,
            .limit_ms = (uint32_t)sq_max_int(left < most ? left : most, 0)
                      + SQ_WATCH_POLL_MS,
        },
        .before = rest->watch.before_hash,
        .quiet_ms = is_first ? (uint32_t)sq_max_int(waited, 1) : 0,
        .progress = report,
        .context = rest,
    };
    *outcome = SQ_WATCH_IMPOSSIBLE;
    *more = left > most;
    if (waited < rest->timeout_ms && rest->quiet_ms <= MAX_WATCH_MS
        && !sq_watch_on_device(&rest->watch, call->device, &how, outcome,
                               &call->deadline, err)) {
        return false;
    }
    rest->settled = *outcome == SQ_WATCH_SETTLED;
    return true;
}

/*
 * Captures until nothing has changed for quiet_ms; a timeout is not a failure.
 */
static bool
watch_until_stable(struct sq_call *call, struct rest *rest,
                   struct sq_err *err) {
    bool more = true;
    if (!sq_watch_begin(&rest->watch, call->device, &call->deadline, err)) {
        return false;
    }
    sq_late_change_look_first(call, &rest->watch, &call->deadline);
    rest->capture_ms = ms_since(rest->start_ns);
    enum sq_watch_outcome outcome;
    do {
        if (!watch_on_device(call, rest, &outcome, &more, err)) {
            return false;
        }
        more = more && outcome == SQ_WATCH_UNSETTLED;
        if (more && !pause_rest(call, rest, 1, err)) {
            return false;
        }
    } while (more);
    while (outcome == SQ_WATCH_IMPOSSIBLE && !rest->settled) {
        if (!nap(call, rest, &more, err)) {
            return false;
        }
        if (!more) {
            return true;
        }
        if (!compare_again(call, rest, err)) {
            return false;
        }
    }
    return true;
}

/*
 * Writes the change as receipts do. Captures may have other pixels than the
 * device.
 */
static void
put_changed(const struct sq_frame *frame, const struct sq_change *change,
            struct sq_json_writer *w) {
    if (change->resized) {
        sq_put_bool(w, "resized", true);
        return;
    }
    sq_json_put_key(w, "changed");
    if (!change->any) {
        sq_json_put_null(w);
        return;
    }
    const struct sq_region *rect = &change->rect;
    const struct sq_dev_rect edges = { rect->x, rect->y, rect->x + rect->width,
                                       rect->y + rect->height };
    struct sq_view whole = sq_view_make(change->picture, frame->view.image);
    struct sq_img_rect where = { 0, 0, 0, 0 };
    sq_view_rect_to_image(&whole, edges, &where);
    sq_json_begin_object(w);
    sq_put_edges(w, where.left, where.top, where.right, where.bottom);
    sq_json_end_object(w);
}

/*
 * Compares the first and the last capture. *is_known is false if the device had
 * one of them and has it no longer, because another client used it.
 */
static bool
compare(struct sq_call *call, struct rest *rest, struct sq_change *change,
        bool *is_known, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    *is_known = sq_watch_compare(&rest->watch, call->device, NULL, change,
                                 &call->deadline, &local_err);
    return *is_known || local_err.code == SQ_ERR_UNSUPPORTED
        || sq_fail_with(err, &local_err);
}

static bool
wait_until_stable(struct sq_call *call, const struct wait_args *args,
                  struct sq_err *err) {
    struct rest rest = {
        .call = call,
        .start_ns = sq_clock_monotonic_ns(),
        .quiet_ns = sq_clock_monotonic_ns(),
        .quiet_ms =
            args->stable_ms.given ? args->stable_ms.value : DEFAULT_STABLE_MS,
        .timeout_ms = timeout_of(args),
    };
    struct sq_change change = { 0 };
    bool is_known;
    struct sq_frame frame;
    struct sq_reply reply;
    bool ok = watch_until_stable(call, &rest, err)
           && sq_session_view(call->session, call->device->info.id,
                              sq_watch_screen(&rest.watch), &frame, err)
           && compare(call, &rest, &change, &is_known, err)
           && sq_reply_start(call, &reply, err);
    if (ok) {
        sq_put_bool(&reply.w, "settled", rest.settled);
        sq_put_int(&reply.w, "waitedMs", ms_since(rest.start_ns));
        if (is_known) {
            put_changed(&frame, &change, &reply.w);
        }
        sq_put_frame(&reply.w, &frame);
        ok = sq_reply_end(call, &reply, err);
    }
    if (ok) {
        sq_session_add_frame(call->session, &frame);
        sq_late_change_remember(call, &rest.watch);
    }
    sq_watch_finish(&rest.watch);
    return ok;
}

/* The found element, with the tree it points into. */
struct sighting {
    struct sq_tree tree;
    struct sq_tree_state state; /* of the latest attempt to read the tree */
    struct sq_frame frame;
    struct sq_listing list;
    int redacted;  /* hidden parts of the pixels */
    bool is_text;  /* wanted is text, which "disc" and "box" may be too */
    bool may_look; /* the pixels can be searched */
};

/* Looks for the text in the pixels; lines that did not change cost little. */
static bool
find_in_pixels(struct sq_call *call, const struct sq_selector *selector,
               struct sighting *sighting, struct sq_selection *selection,
               struct sq_err *err) {
    struct sq_look look = {
        .call = call,
        .tree = &sighting->tree,
        .is_strict = true,
    };
    bool ok = sighting->is_text
                ? sq_look_select_text(&look, selector, 1, selection, err)
                : sq_look_select(&look, selector, 1, selection, err);
    sighting->redacted = look.screen.redacted;
    sq_look_finish(&look);
    return ok;
}

static bool
fail_unread(const struct sq_tree_state *state, struct sq_err *err) {
    sq_tree_fail(state, SQ_ERR_UNSUPPORTED, "", state->text, err);
    return sq_fail_hint(err, "Wait until the screen is at rest instead: "
                             "wait without text and selector.");
}

/* Returns whether neither elements nor pixels could be searched. */
static bool
is_blind(const struct sighting *sighting) {
    return sighting->state.outcome != SQ_TREE_READ && !sighting->may_look;
}

/*
 * Takes a picture. Android does not read the elements of a screen that kept
 * changing again until it has seen another picture.
 */
static void
notice_picture(struct sq_call *call) {
    struct sq_watch watch = { .needs_pixels = true };
    /* The next read reports a device that has disappeared. */
    if (sq_watch_begin(&watch, call->device, &call->deadline, NULL)) {
        sq_late_change_look_first(call, &watch, &call->deadline);
    }
    sq_watch_finish(&watch);
}

static bool
find_once(struct sq_call *call, const struct sq_selector *selector,
          struct sighting *sighting, struct sq_err *err) {
    struct sq_screen screen;
    struct sq_selection selection;
    sighting->may_look = sighting->is_text ? call->reader != NULL
                                           : sq_look_may_select(call, selector);
    sq_tree_finish(&sighting->tree);
    if (!sq_tree_fetch(call, &sighting->tree, &sighting->state, err)) {
        return false;
    }
    if (is_blind(sighting)) {
        return (sighting->state.outcome == SQ_TREE_MISSING
                && call->device->ops->tree)
            || fail_unread(&sighting->state, err);
    }
    return sq_select(&sighting->tree, selector, call->arena, &selection, err)
        && (selection.count > 0 || !sighting->may_look
            || find_in_pixels(call, selector, sighting, &selection, err))
        && (selection.count == 0
            || (sq_device_screen(call->device, &screen, &call->deadline, err)
                && sq_session_view(call->session, call->device->info.id,
                                   &screen, &sighting->frame, err)
                && sq_listing_of(&selection, &sighting->frame.view, call->arena,
                                 &sighting->list, err)));
}

static bool
find_repeatedly(struct sq_call *call, const struct wait_args *args,
                struct sighting *sighting, struct sq_err *err) {
    const int64_t start = sq_clock_monotonic_ns();
    struct sq_selector selector = args->selector;
    if (args->text.given) {
        selector.text_contains = args->text;
    }
    while (find_once(call, &selector, sighting, err)) {
        int waited = ms_since(start);
        if (sighting->list.count > 0) {
            return true;
        }
        if (waited >= timeout_of(args)) {
            return !is_blind(sighting) || fail_unread(&sighting->state, err);
        }
        if (is_blind(sighting)) {
            notice_picture(call);
            waited = ms_since(start);
        }
        if (call->progress) {
            call->progress(call, waited, timeout_of(args), "waiting");
        }
        int left = sq_max_int(timeout_of(args) - waited, 0);
        if (!sq_tools_pause(
                call, left < FIND_INTERVAL_MS ? left : FIND_INTERVAL_MS, err)) {
            return false;
        }
        /* What was read may have changed. */
        sq_device_begin(call->device, patience_of(args));
    }
    return false;
}

static bool
wait_until_found(struct sq_call *call, const struct wait_args *args,
                 struct sq_err *err) {
    const int64_t start = sq_clock_monotonic_ns();
    struct sighting sighting = { .is_text = args->text.given };
    struct sq_reply reply;
    bool ok = find_repeatedly(call, args, &sighting, err)
           && sq_reply_start(call, &reply, err);
    bool found = sighting.list.count > 0;
    if (ok) {
        sq_put_bool(&reply.w, "found", found);
        sq_put_int(&reply.w, "waitedMs", ms_since(start));
        if (found) {
            sq_json_put_key(&reply.w, "element");
            sq_listing_number(call, &sighting.list);
            sq_listed_put(call, &sighting.list.items[0], &reply.w);
            sq_put_int(&reply.w, "count", (int64_t)sighting.list.count);
            sq_put_frame(&reply.w, &sighting.frame);
        } else {
            sq_put_text(&reply.w, "hint",
                        "It did not appear in time. Take a screenshot.");
            sq_put_redacted(&reply.w, sighting.redacted);
        }
        ok = sq_reply_end(call, &reply, err)
          && (!found || sq_listing_remember(call, &sighting.list, 0, err));
    }
    if (ok && found) {
        sq_session_add_frame(call->session, &sighting.frame);
    }
    sq_tree_finish(&sighting.tree);
    return ok;
}

/* Refuses a text that every label contains. */
static bool
check(const void *raw_args, struct sq_err *err) {
    const struct wait_args *args = raw_args;
    const struct sq_opt_text *const texts[] = { &args->text,
                                                &args->selector.text,
                                                &args->selector.text_contains };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (texts[i]->given && !sq_span_trim(texts[i]->value).len) {
            sq_fail(err, SQ_ERR_ARGUMENT, "there is no text to find");
            return sq_fail_hint(err, "Give a text, or leave it out to wait "
                                     "until the screen is at rest.");
        }
    }
    return sq_selector_check(&args->selector, err);
}

static bool
wait_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct wait_args *args = raw_args;
    call->deadline =
        sq_deadline_within(&call->deadline, timeout_of(args) + LOOK_MS);
    sq_device_begin(call->device, patience_of(args));
    if (args->text.given || args->selector.given) {
        return wait_until_found(call, args, err);
    }
    return wait_until_stable(call, args, err);
}

static const struct sq_out output[] = {
    { "settled", SQ_OUT_BOOL, false, NULL },
    { "found", SQ_OUT_BOOL, false, NULL },
    { "waitedMs", SQ_OUT_INT, true, NULL },
    { "resized", SQ_OUT_BOOL, false, NULL },
    { "changed", SQ_OUT_OBJECT_OR_NULL, false, NULL },
    { "element", SQ_OUT_OBJECT, false, NULL },
    { "count", SQ_OUT_INT, false, NULL },
    { "coordinateSpace", SQ_OUT_TEXT, false, NULL },
    { "screenshotId", SQ_OUT_TEXT, false, NULL },
    { "redacted", SQ_OUT_INT, false, NULL },
    { "untrusted", SQ_OUT_BOOL, false, NULL },
    { "hint", SQ_OUT_TEXT, false, NULL },
    SQ_OUT_END,
};

static bool
has_waited(const struct sq_people *people) {
    return sq_reply_is_true(people->reply, "found")
        || sq_reply_is_true(people->reply, "settled");
}

#define LEAST_TENTH_MS 100 /* less would be "0.0 s" */

/* Prints " 2.5 s" or " 10 ms". */
static bool
put_duration(struct sq_page *page, enum sq_ink ink, int ms,
             struct sq_err *err) {
    return ms < LEAST_TENTH_MS
             ? sq_page_printf(page, ink, err, " %d ms", ms)
             : sq_page_printf(page, ink, err, " %.1f s", ms / 1000.0);
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    /* By whether it waited for a text, and whether it succeeded. */
    static const char *const outcomes[2][2] = {
        { "The screen kept changing for", "The screen is still after" },
        { "It did not appear within", "It appeared after" },
    };
    struct sq_page *page = &people->page;
    bool done = has_waited(people);
    bool for_text = sq_json_get(people->reply, "found") != NULL;
    enum sq_ink ink = done ? SQ_INK_STRONG : SQ_INK_DOUBT;
    int waited_ms = sq_json_int_of(people->reply, "waitedMs");
    int limit_ms = sq_json_int_of(people->request, "timeoutMs");
    int shown_ms = for_text && !done && limit_ms > 0 ? limit_ms : waited_ms;
    return sq_page_printf(page, ink, err, "%s", outcomes[for_text][done])
        && put_duration(page, ink, shown_ms, err)
        && sq_people_end_line(people, err)
        && sq_people_put_element(people, sq_json_get(people->reply, "element"),
                                 err);
}

const struct sq_tool sq_tool_wait = {
    .name = "wait",
    .title = "Wait for the screen",
    .text = "Until the screen is at rest, or text or selector appears.",
    .manual =
        "Without `text` and `selector`: until two pictures in a row, "
        "`stableMs` apart, are the same. Answers `settled`, `waitedMs`, and "
        "what has changed since the start: the rectangle `changed` in the "
        "pixels of `screenshotId`, or null.\n\n"
        "With `text` (part of a label) or `selector`: until an element "
        "matches; with `ui.ocrEnabled` also until the pixels show that text, "
        "apart from characters that recognisers confuse, such as 0 and O. A "
        "`selector` may name shapes, as for `@find`; `text` is always text. "
        "Answers `found` and `element`, whose `index` can be used as "
        "`elementIndex`.\n\n"
        "Other clients may use the device between two looks. If one of them "
        "acts, the answer has `otherClientActed: true`, and the time at rest "
        "begins again.\n\n"
        "After `timeoutMs` (5000) the answer is `settled: false` or `found: "
        "false`; this is not an error. If the elements cannot be read at that "
        "time, it is one.",
    .flags = SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_IDEMPOTENT | SQ_TOOL_LONG,
    .args = wait_args,
    .args_size = sizeof(struct wait_args),
    .words = "text?",
    .timeout_ms = MAX_TIMEOUT_MS + LOOK_MS,
    .output = output,
    .check = check,
    .people = { .about =
                    "Wait until TEXT is on the screen; without TEXT, until the "
                    "screen is at rest.",
                .counts_ms = true,
                .examples = { "wait Welcome" },
                .show = show,
                .is_done = has_waited },
    .uses = SQ_USES_LOOKS | SQ_USES_FINDS,
    .synonyms = "wait sleep wait-for wait-until delay pause wait-for-element "
                "wait-for-text",
    .example = "\"text\": \"Welcome\", \"timeoutMs\": 5000",
    .run = wait_run,
};
