/* wait: waits until the screen has settled, or until an element appears. */
#include "sys/clock.h"
#include "tools/elements/listing.h"
#include "tools/operations.h"
#include "tools/run.h"
#include "tools/screen/late_change.h"
#include "tools/screen/pixel_search.h"
#include "tools/screen/rest.h"
#include "tools/screen/watch.h"
#include "tools/screen/word_change.h"
#include "util/minmax.h"

#define DEFAULT_TIMEOUT_MS 5000
#define MAX_TIMEOUT_MS 60000
#define DEFAULT_STABLE_MS 300
/* The last look may take this much longer. */
#define LOOK_MS 15000
#define MIN_PATIENCE_MS 1000
#define FIND_INTERVAL_MS 200 /* between two reads of the tree */
#define NS_PER_MS 1000000

struct wait_args {
    struct sq_opt_text text;
    struct sq_selector selector;
    struct sq_selector until;
    struct sq_opt_int stable_ms;
    struct sq_opt_int timeout_ms;
};

static const struct sq_arg wait_args[] = {
    SQ_TEXT(wait_args, text, "text", 1024, "wait: until this text appears",
            .help = "wait until a label contains this"),
    SQ_SELECTOR(wait_args, selector),
    SQ_OBJECT(wait_args, until, "until", sq_selector, sq_selector_args,
              SQ_UNTIL_TEXT, .is_open = true, .placeholder = "WORD",
              .help =
                  "change: until the screen changes; gone: until the text or "
                  "selector is not there"),
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

/* Returns whether `until` is this one word. */
static bool
waits_until(const struct wait_args *args, const char *word) {
    return args->until.text.given && sq_span_is(args->until.text.value, word);
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

/* Writes the change as receipts do. */
static void
put_changed(const struct sq_frame *frame, const struct sq_change *change,
            struct sq_json_writer *w) {
    if (change->resized) {
        sq_put_bool(w, "resized", true);
        return;
    }
    const struct sq_img_rects where =
        sq_areas_place(&change->where, change->picture, frame->view.image);
    sq_put_changed(w, &where, NULL);
}

/*
 * Compares the first and the last capture. *is_known is false if the device had
 * one of them and has it no longer, because another client used it.
 */
static bool
compare(struct sq_call *call, struct sq_rest_wait *rest,
        struct sq_change *change, bool *is_known, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    *is_known = sq_watch_compare(&rest->watch, call->device, NULL, change,
                                 &call->deadline, &local_err);
    return *is_known || local_err.code == SQ_ERR_UNSUPPORTED
        || sq_fail_with(err, &local_err);
}

/* Writes what has changed in words, where elements are cheap. */
static void
put_words(struct sq_call *call, const struct sq_rest_wait *rest,
          struct sq_json_writer *w) {
    struct sq_elements now = { .is_known = false };
    struct sq_word_change words = { 0 };
    if (rest->elements.is_known && sq_may_name(call, &rest->watch.before.screen)
        && sq_may_name(call, sq_watch_screen(&rest->watch))) {
        sq_elements_read_if_cheap(call, &now);
    }
    if (now.is_known
        && sq_word_change_compare(call, &rest->elements, &now, &words)
        && words.count > 0) {
        sq_word_change_put(call, &words, w);
    }
}

static bool
wait_until_stable(struct sq_call *call, const struct wait_args *args,
                  struct sq_err *err) {
    struct sq_rest_wait rest = {
        .call = call,
        .start_ns = sq_clock_monotonic_ns(),
        .quiet_ns = sq_clock_monotonic_ns(),
        .quiet_ms =
            args->stable_ms.given ? args->stable_ms.value : DEFAULT_STABLE_MS,
        .timeout_ms = timeout_of(args),
        .needs_change = waits_until(args, "change"),
    };
    struct sq_change change = { 0 };
    bool is_known;
    struct sq_frame frame;
    struct sq_reply reply;
    bool ok = sq_rest_await(call, &rest, err)
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
        if (is_known && change.any) {
            put_words(call, &rest, &reply.w);
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
    SQ_FREED(sq_watch_finish) struct sq_watch watch = { .needs_pixels = true };
    /* The next read reports a device that has disappeared. */
    if (sq_watch_begin(&watch, call->device, &call->deadline, NULL)) {
        sq_late_change_look_first(call, &watch, &call->deadline);
    }
}

static bool
find_once(struct sq_call *call, const struct sq_selector *selector,
          struct sighting *sighting, struct sq_err *err) {
    struct sq_screen screen;
    struct sq_selection selection;
    sighting->list = (struct sq_listing){ 0 };
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
    const bool until_gone = waits_until(args, "gone");
    struct sq_selector selector = args->until.given && !until_gone
                                    ? sq_selector_until(&args->until)
                                    : args->selector;
    if (args->text.given) {
        selector.text_contains = args->text;
    }
    while (find_once(call, &selector, sighting, err)) {
        int waited = ms_since(start);
        if (until_gone ? sighting->list.count == 0 && !is_blind(sighting)
                       : sighting->list.count > 0) {
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
        if (waits_until(args, "gone")) {
            sq_put_bool(&reply.w, "gone", !found);
        } else {
            sq_put_bool(&reply.w, "found", found);
        }
        sq_put_int(&reply.w, "waitedMs", ms_since(start));
        if (found) {
            sq_json_put_key(&reply.w, "element");
            sq_listing_number(call, &sighting.list);
            sq_listed_put(call, &sighting.list.items[0], &reply.w);
            sq_put_int(&reply.w, "count", (int64_t)sighting.list.count);
            sq_put_frame(&reply.w, &sighting.frame);
        } else {
            if (!waits_until(args, "gone")) {
                sq_put_text(&reply.w, "hint",
                            "It did not appear in time. Take a screenshot.");
            }
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

static bool
check(const void *raw_args, struct sq_err *err) {
    const struct wait_args *args = raw_args;
    const struct sq_selector text = { .text = args->text };
    bool has_target = args->text.given || args->selector.given;
    if (waits_until(args, "gone") && !has_target) {
        return sq_fail_argument(err, "until gone does not say what goes",
                                "Give $text or $selector.");
    }
    if (args->until.given && !waits_until(args, "gone") && has_target) {
        return sq_fail_conflict("$until",
                                args->text.given ? "$text" : "$selector", err);
    }
    return sq_selector_check(&text, err)
        && sq_selector_check(&args->selector, err)
        && sq_selector_check(&args->until, err);
}

static bool
wait_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct wait_args *args = raw_args;
    call->deadline =
        sq_deadline_within(&call->deadline, timeout_of(args) + LOOK_MS);
    sq_device_begin(call->device, patience_of(args));
    if (args->text.given || args->selector.given
        || (args->until.given && !waits_until(args, "change"))) {
        return wait_until_found(call, args, err);
    }
    return wait_until_stable(call, args, err);
}

/* What a wait was for, by its answer. */
enum wish {
    FOR_REST,
    FOR_TEXT,
    FOR_CHANGE,
    FOR_END,
};

static enum wish
wish_of(const struct sq_people *people) {
    return sq_json_get(people->reply, "found")   ? FOR_TEXT
         : sq_json_get(people->reply, "gone")    ? FOR_END
         : sq_json_get(people->request, "until") ? FOR_CHANGE
                                                 : FOR_REST;
}

static bool
has_waited(const struct sq_people *people) {
    static const char *const members[] = { "settled", "found", NULL, "gone" };
    enum wish wish = wish_of(people);
    return wish == FOR_CHANGE
             ? !sq_json_is(sq_json_get(people->reply, "changed"), SQ_JSON_NULL)
             : sq_json_bool_of(people->reply, members[wish]);
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
    /* By what it waited for, and whether that came. */
    static const char *const outcomes[][2] = {
        { "The screen kept changing for", "The screen is still after" },
        { "It did not appear within", "It appeared after" },
        { "Nothing changed within", "The screen changed after" },
        { "It is still there after", "It is gone after" },
    };
    struct sq_page *page = &people->page;
    bool done = has_waited(people);
    enum wish wish = wish_of(people);
    enum sq_ink ink = done ? SQ_INK_STRONG : SQ_INK_DOUBT;
    int waited_ms = sq_json_int_of(people->reply, "waitedMs");
    int limit_ms = sq_json_int_of(people->request, "timeoutMs");
    int shown_ms =
        wish != FOR_REST && !done && limit_ms > 0 ? limit_ms : waited_ms;
    return sq_page_printf(page, ink, err, "%s", outcomes[wish][done])
        && put_duration(page, ink, shown_ms, err)
        && sq_people_end_line(people, err)
        && sq_people_put_found(people, sq_json_get(people->reply, "element"), 1,
                               err);
}

const struct sq_tool sq_tool_wait = {
    .name = "wait",
    .title = "Wait for the screen",
    .text = "Until the screen is at rest, or text or selector appears.",
    .manual =
        "Without `text` and `selector`: until two pictures in a row, "
        "`stableMs` apart, are the same. Answers `settled`, `waitedMs`, and "
        "what has `changed` since the start, as in receipts: in the pixels of "
        "`screenshotId`, and in words (`now`) where elements are cheap.\n\n"
        "With `text` (part of a label) or `selector`: until an element "
        "matches; with `ui.ocrEnabled` also until the pixels show that text, "
        "apart from characters that recognisers confuse, such as 0 and O. A "
        "`selector` may name shapes, as for `@find`; `text` is always text. "
        "Answers `found` and `element`, whose `index` can be used as "
        "`elementIndex`.\n\n`until` with a text or a selector does the same; "
        "a part of a label is enough. `until: \"change\"`: until the screen "
        "has changed and is at rest again; a change since your last answer "
        "counts (`sinceLastAction`). `until: \"gone\"` with `text` or "
        "`selector`: until no element matches, and the pixels do not show it "
        "if they are read. Answers `gone`.\n\nOther clients may use the "
        "device between two looks. If one of them acts, the answer has "
        "`otherClientActed: true`, and the time at rest begins again.\n\n"
        "After `timeoutMs` (5000) the answer is `settled: false` or `found: "
        "false`; this is not an error. If the elements cannot be read at that "
        "time, it is one.",
    .flags = SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_IDEMPOTENT | SQ_TOOL_LONG,
    SQ_ARGS(wait_args, wait_args),
    .words = "text?",
    .timeout_ms = MAX_TIMEOUT_MS + LOOK_MS,
    .output =
        "settled?:bool found?:bool gone?:bool waitedMs:int resized?:bool "
        "changed?:objectsOrNull now?:texts more?:text by?:text "
        "element?:object count?:int coordinateSpace?:text screenshotId?:text "
        "redacted?:int untrusted?:bool hint?:text",
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
