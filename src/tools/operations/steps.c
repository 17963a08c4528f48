/* steps: runs several operations in one call. */
#include <stdio.h>

#include "json/reader.h"
#include "tool/policy.h"
#include "tools/offer.h"
#include "tools/operations.h"
#include "tools/run.h"
#include "tools/table.h"
#include "util/utf8.h"

#define MAX_STEPS 20

struct steps_args {
    struct sq_opt_texts steps;
    struct sq_opt_bool elements;
};

static const struct sq_arg table[] = {
    SQ_LIST(steps_args, steps, "steps", 0, "", .required = true,
            .takes_objects = true, .max = MAX_STEPS, .placeholder = "JSON",
            .help = "a JSON array of calls, each with its operation"),
    SQ_BOOL(steps_args, elements, "elements", "List interactive elements",
            .help = "list the elements after the last step"),
    SQ_ARGS_END,
};

/* The steps that were done, as JSON. */
struct progress {
    struct sq_buf json;
    int done;
    bool has_untrusted; /* in an answer of a step */
    bool is_shown; /* there is a picture of the screen after the last action */
    bool is_disturbed; /* another client acted between two of its looks */
};

static bool
fail_step(struct sq_err *err, const char *message) {
    sq_fail(err, SQ_ERR_ARGUMENT, "%s", message);
    return sq_fail_hint(
        err,
        SQ_SAY("Example: {\"steps\": [{\"operation\": \"tap\", \"x\": 9, "
               "\"y\": 9}, {\"operation\": \"key\", \"name\": \"back\"}]}",
               "For example: squint steps '[{\"operation\": \"tap\", \"x\": 9, "
               "\"y\": 9}, {\"operation\": \"key\", \"name\": \"back\"}]'"));
}

/* Finds the operation of a step, which must use the same device. */
static bool
find_operation(const struct sq_call *call, const struct sq_json *step,
               const struct sq_tool **out, struct sq_err *err) {
    struct sq_span name = sq_json_text_of(step, "operation");
    sq_span_take_prefix(&name, "ui_"); /* the name of its own tool */
    const struct sq_tool *tool = sq_tools_find(name);
    if (!sq_json_is(step, SQ_JSON_OBJECT) || name.len == 0) {
        return fail_step(err, "a step has no operation");
    }
    if (!tool) {
        return sq_fail_unknown_operation(name, SQ_ERR_ARGUMENT, err);
    }
    if (tool == call->tool || !(tool->flags & SQ_TOOL_NEEDS_DEVICE)
        || tool->flags & SQ_TOOL_HEAVY) {
        return fail_step(err, "this operation cannot be a step");
    }
    if (sq_json_get(step, "deviceId") || sq_json_get(step, "udid")) {
        return fail_step(err, "a step has its own deviceId; all steps use the "
                              "device of the call");
    }
    *out = tool;
    if (sq_policy_asks(call->config, tool) != SQ_ASKS_NOBODY) {
        return fail_step(err, "this operation must be confirmed; call it "
                              "alone");
    }
    return sq_tool_is_offered(sq_offer_to(call), tool)
        || sq_fail_not_offered(sq_offer_to(call), tool, err);
}

/* Checks all steps before the first is done. */
static bool
check_steps(struct sq_call *call, const struct sq_json *steps,
            struct sq_err *err) {
    struct sq_call inner = *call;
    size_t count = sq_json_count(steps);
    int number = 1;
    if (count == 0 || count > MAX_STEPS) {
        sq_fail(err, SQ_ERR_ARGUMENT, "steps has %zu steps", count);
        return sq_fail_hint(err, "Give 1 to %d steps.", MAX_STEPS);
    }
    for (const struct sq_json *step = sq_json_first(steps); step;
         step = sq_json_next(step)) {
        if (!find_operation(call, step, &inner.tool, err)
            || !sq_tools_check_step(&inner, step, err)) {
            sq_fail_in(err, "step %d; nothing was done", number);
            return false;
        }
        number++;
    }
    return true;
}

/*
 * Returns why the next step must not follow, or NULL: its receipt does not show
 * the expected effect.
 */
static const char *
doubt_of(const struct sq_json *receipt) {
    bool verified = true;
    bool has_reason = sq_json_get(receipt, "reason") != NULL;
    if (sq_json_bool(sq_json_get(receipt, "verified"), &verified) && !verified
        && !has_reason) {
        return "its effect was not seen";
    }
    bool has_looked = sq_json_get(receipt, "settled")
                   || sq_json_get(receipt, "lookedAfterMs");
    if (has_looked && !sq_json_get(receipt, "changed")) {
        return "the screen has turned or changed its size";
    }
    return NULL;
}

/* Moves the pictures of a step to the whole result. */
static bool
take_pictures(struct sq_call *call, struct sq_result *from,
              struct sq_err *err) {
    bool ok = true;
    for (int i = 0; ok && i < from->count; i++) {
        struct sq_block *block = &from->blocks[i];
        struct sq_block *moved;
        if (block->kind == SQ_BLOCK_TEXT) {
            continue;
        }
        ok = sq_result_add(call->result, block->kind, block->data.max, &moved,
                           err);
        if (ok) {
            *moved = *block;
            block->data = (struct sq_buf){ 0 };
        }
    }
    return ok;
}

/* Returns what a step acted on, in a word or a few; may be empty. */
static struct sq_span
object_of(const struct sq_json *receipt) {
    static const char *const places[][2] = { { "element", "label" },
                                             { "field", "label" },
                                             { "field", "hint" } };
    struct sq_span text = { 0 };
    for (size_t i = 0; !text.len && i < SQ_COUNT(places); i++) {
        text =
            sq_json_text_of(sq_json_get(receipt, places[i][0]), places[i][1]);
    }
    if (!text.len) {
        sq_json_string(sq_json_first(receipt), &text);
    }
    return text;
}

/* Appends a step as a line: "tap Sign in". */
static bool
put_line(const struct sq_call *call, const struct sq_json *receipt,
         struct sq_buf *json, struct sq_err *err) {
    const struct sq_json *changed = sq_json_get(receipt, "changed");
    struct sq_span object = object_of(receipt);
    struct sq_json_writer w;
    char line[SQ_MAX_UNTRUSTED_BYTES + 80];
    snprintf(line, sizeof(line), "%s%s%.*s%s", call->tool->name,
             object.len ? " " : "",
             SQ_SPAN_ARGS(sq_utf8_shorten(object, SQ_MAX_UNTRUSTED_BYTES)),
             sq_json_is(changed, SQ_JSON_NULL) ? ": nothing changed" : "");
    sq_reply_writer_init(call, &w, json);
    sq_json_put_clean(&w, sq_span_of(line));
    return sq_json_writer_done(&w, err);
}

/*
 * Appends the reply of a step and finds out whether the next may follow. In
 * short replies only the last one is whole, and one that tells of a change that
 * no other answer will.
 */
static bool
take_reply(struct sq_call *call, const struct sq_result *from,
           struct progress *progress, const char **doubt, struct sq_err *err) {
    const struct sq_json *receipt = NULL;
    struct sq_span text = SQ_SPAN("{}");
    for (int i = 0; i < from->count; i++) {
        if (from->blocks[i].kind == SQ_BLOCK_TEXT) {
            text = sq_buf_span(&from->blocks[i].data);
        }
    }
    progress->done++;
    if (!sq_arena_keep(call->arena, &text, err)
        || !sq_buf_printf(&progress->json, err, "%s",
                          progress->json.len > 0 ? "," : "")
        || !sq_json_parse(text, call->arena, &receipt, err)) {
        return false;
    }
    *doubt = doubt_of(receipt);
    progress->has_untrusted =
        progress->has_untrusted || sq_json_get(receipt, "untrusted");
    bool is_line = call->is_short && !*doubt && from->count == 1
                && call->tool->flags & SQ_TOOL_ACTS
                && sq_json_next(call->arguments)
                && !sq_json_get(receipt, "sinceLastAction")
                && !sq_json_get(receipt, "targetChanged");
    return is_line ? put_line(call, receipt, &progress->json, err)
                   : sq_buf_append(&progress->json, text.ptr, text.len, err);
}

/* Waits until a step may act. */
static bool
await_permission(struct sq_call *call, const struct sq_tool *tool,
                 const struct sq_json *step, int done, struct sq_err *err) {
    return !call->before_step || !(tool->flags & SQ_TOOL_ACTS)
        || call->before_step(call, tool, step, done == 0, err);
}

/*
 * Lets other clients use the device before the next step. Returns in *doubt why
 * a step that acts must not follow, if one of them acted.
 */
static bool
take_turns(struct sq_call *call, const struct sq_tool *step,
           struct progress *progress, const char **doubt, struct sq_err *err) {
    const uint64_t change = call->device->change;
    if (progress->done > 0 && !sq_tools_take_turns(call, err)) {
        return false;
    }
    progress->is_disturbed =
        progress->is_disturbed || call->device->change != change;
    if (progress->is_disturbed && step->flags & SQ_TOOL_ACTS) {
        *doubt = "another client acted on this device between two steps: look "
                 "at the screen, then do the rest";
    }
    return true;
}

/* Notes whether a picture shows the screen as the step left it. */
static void
note_picture(const struct sq_tool *tool, const struct sq_result *result,
             struct progress *progress) {
    bool has_picture = false;
    for (int i = 0; i < result->count; i++) {
        has_picture = has_picture || result->blocks[i].kind == SQ_BLOCK_IMAGE;
    }
    progress->is_shown =
        has_picture || (progress->is_shown && !(tool->flags & SQ_TOOL_ACTS));
}

/* A step may have given the device to others and got it again. */
static void
take_device(struct sq_call *call, const struct sq_call *inner,
            struct progress *progress) {
    call->device = inner->device;
    call->busy_ns = inner->busy_ns;
    call->other_acted = call->other_acted || inner->other_acted;
    call->other_may_react = call->other_may_react || inner->other_may_react;
    call->late_change = (struct sq_img_rects){ 0 }; /* the step reported it */
    progress->is_disturbed = progress->is_disturbed || inner->other_acted;
    call->result->device_ns += inner->result->device_ns;
}

static bool
run_step(struct sq_call *call, const struct sq_json *step,
         struct progress *progress, const char **doubt, struct sq_err *err) {
    SQ_FREED(sq_result_finish) struct sq_result result = { 0 };
    const struct sq_tool *tool;
    const int number = progress->done;
    if (!find_operation(call, step, &tool, err)
        || !await_permission(call, tool, step, progress->done, err)
        || !take_turns(call, tool, progress, doubt, err)) {
        return false;
    }
    if (*doubt) {
        return true;
    }
    struct sq_call inner = *call;
    inner.tool = tool;
    inner.result = &result;
    inner.arguments = step;
    inner.other_acted = false;
    inner.other_may_react = false;
    inner.demo_by_default = false; /* the whole answer says it */
    bool ok =
        sq_result_reserve(&result, err) && sq_tools_run_step(&inner, step, err);
    take_device(call, &inner, progress);
    ok = ok && take_reply(&inner, &result, progress, doubt, err)
      && take_pictures(call, &result, err);
    call->result->harmless_texts |= (result.harmless_texts & 1) << number;
    note_picture(tool, &result, progress);
    return ok;
}

/*
 * Adds a picture of the screen for a caller that wants one. The steps are done:
 * a failure leaves it out.
 */
static void
show_screen(struct sq_call *call, const struct progress *progress) {
    SQ_FREED(sq_result_finish) struct sq_result result = { 0 };
    const struct sq_json *none;
    struct sq_call inner = *call;
    if (!call->needs_picture || progress->is_shown
        || !sq_json_parse(SQ_SPAN("{}"), call->arena, &none, NULL)) {
        return;
    }
    inner.tool = &sq_tool_screenshot;
    inner.result = &result;
    inner.arguments = none;
    (void)(sq_tools_run_step(&inner, none, NULL)
           && take_pictures(call, &result, NULL));
}

/* Writes a text, a number or a list of texts of another answer. */
static void
put_clean_value(struct sq_json_writer *w, const struct sq_json *value) {
    struct sq_span text;
    if (sq_json_string(value, &text)) {
        sq_json_put_clean(w, text);
    } else if (sq_json_is(value, SQ_JSON_ARRAY)) {
        sq_json_begin_array(w);
        for (const struct sq_json *at = sq_json_first(value); at;
             at = sq_json_next(at)) {
            put_clean_value(w, at);
        }
        sq_json_end_array(w);
    } else {
        sq_json_put_value(w, value);
    }
}

/*
 * Lists the elements of the screen after the last step, as its answer of dump.
 * A failure is a note in their place.
 */
static bool
list_elements(struct sq_call *call, struct sq_json_writer *w,
              struct sq_err *err) {
    SQ_FREED(sq_result_finish) struct sq_result result = { 0 };
    struct sq_err local_err = { 0 };
    const struct sq_json *json;
    struct sq_call inner = *call;
    inner.tool = &sq_tool_dump;
    inner.result = &result;
    bool ok = sq_json_parse(SQ_SPAN("{}"), call->arena, &inner.arguments, err)
           && sq_result_reserve(&result, err);
    if (ok && sq_tools_run_step(&inner, inner.arguments, &local_err)) {
        struct sq_span text = sq_buf_span(&result.blocks[0].data);
        ok = sq_arena_keep(call->arena, &text, err)
          && sq_json_parse(text, call->arena, &json, err);
        const struct sq_json *at = ok ? sq_json_first(json) : NULL;
        for (; at && !sq_span_is(sq_json_key(at), "untrusted")
               && !sq_span_is(sq_json_key(at), "deviceId");
             at = sq_json_next(at)) {
            sq_json_put_key_span(w, sq_json_key(at));
            put_clean_value(w, at);
        }
        w->has_untrusted = true;
    } else if (ok) {
        ok = !sq_is_fatal(local_err.code) || sq_fail_with(err, &local_err);
        sq_put_message(w, "elementsNote", &local_err);
    }
    call->device = inner.device;
    return ok;
}

/* Writes what was done before a failure, to be sent with the error. */
static void
put_details(struct sq_call *call, const struct progress *progress) {
    struct sq_buf *details = &call->result->details;
    sq_buf_finish(details);
    sq_buf_init(details, (size_t)call->config->limits.max_result_bytes);
    if (!sq_buf_printf(details, NULL, "{\"done\":[")
        || !sq_buf_append(details, progress->json.data, progress->json.len,
                          NULL)
        || !sq_buf_printf(
            details, NULL, "],\"failedStep\":%d%s}", progress->done + 1,
            progress->has_untrusted ? ",\"untrusted\":true" : "")) {
        sq_buf_clear(details);
    }
}

static bool
write_reply(struct sq_call *call, const struct progress *progress, bool lists,
            const char *doubt, struct sq_err *err) {
    size_t count = sq_json_count(sq_json_get(call->arguments, "steps"));
    struct sq_reply reply;
    if (!sq_reply_start(call, &reply, err)) {
        return false;
    }
    sq_json_begin_array_of(&reply.w, "steps");
    sq_json_put_raw(&reply.w, sq_buf_span(&progress->json));
    sq_json_end_array(&reply.w);
    reply.w.has_untrusted = progress->has_untrusted;
    sq_put_int(&reply.w, "done", progress->done);
    if ((size_t)progress->done < count) {
        sq_put_bool(&reply.w, "stopped", true);
        sq_put_text(&reply.w, "note", doubt);
    }
    return (!lists || list_elements(call, &reply.w, err))
        && sq_reply_end(call, &reply, err);
}

static bool
run_all(struct sq_call *call, const struct sq_json *steps, bool lists,
        struct progress *progress, struct sq_err *err) {
    const char *doubt = NULL;
    bool ok = true;
    for (const struct sq_json *step = sq_json_first(steps);
         ok && step && !doubt; step = sq_json_next(step)) {
        ok = run_step(call, step, progress, &doubt, err);
    }
    if (!ok) {
        put_details(call, progress);
        sq_fail_in(err, "step %d", progress->done + 1);
        return false;
    }
    show_screen(call, progress);
    return write_reply(call, progress, lists, doubt, err);
}

static bool
steps_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct sq_json *steps = sq_json_get(call->arguments, "steps");
    const struct steps_args *args = raw_args;
    struct progress progress = { 0 };
    sq_buf_init(&progress.json, (size_t)call->config->limits.max_result_bytes);
    call->lists_later = args->elements.value;
    bool ok = check_steps(call, steps, err)
           && run_all(call, steps, args->elements.value, &progress, err);
    sq_buf_finish(&progress.json);
    return ok;
}

/* Takes the next step that was done. Returns false after the last. */
static bool
take_step(const struct sq_json **request, const struct sq_json **reply,
          const struct sq_tool **tool, struct sq_people *out) {
    struct sq_span name = sq_json_text_of(*request, "operation");
    if (!*reply) {
        return false;
    }
    sq_span_take_prefix(&name, "ui_");
    *tool = sq_tools_find(name); /* NULL: the operation is unknown */
    out->reply = *reply;
    out->file = NULL; /* is shown below all of them */
    *request = *request ? sq_json_next(*request) : NULL;
    *reply = sq_json_next(*reply);
    return true;
}

static bool
are_done(const struct sq_people *people) {
    const struct sq_json *asked =
        sq_json_first(sq_json_get(people->request, "steps"));
    const struct sq_json *done =
        sq_json_first(sq_json_get(people->reply, "steps"));
    const struct sq_tool *tool;
    struct sq_people step = *people;
    bool ok = !sq_json_bool_of(people->reply, "stopped");
    while (ok && take_step(&asked, &done, &tool, &step)) {
        ok = !tool || sq_people_is_done(tool, &step);
    }
    return ok;
}

/* Shows the steps whose replies are in a member of the reply. */
static bool
put_steps(struct sq_people *people, const char *member, struct sq_err *err) {
    const struct sq_json *asked =
        sq_json_first(sq_json_get(people->request, "steps"));
    const struct sq_json *replies =
        sq_json_first(sq_json_get(people->reply, member));
    const struct sq_tool *tool;
    struct sq_people step = *people;
    bool ok = true;
    for (int i = 1; ok && take_step(&asked, &replies, &tool, &step); i++) {
        ok = sq_page_printf(&people->page, SQ_INK_PLAIN, err, "%d. %s: ", i,
                            tool ? sq_tool_verb(tool) : "step")
          && sq_people_show_part(tool, &step, err);
    }
    return ok;
}

bool
sq_people_show_done_steps(struct sq_people *people, struct sq_err *err) {
    int done = (int)sq_json_count(sq_json_get(people->reply, "done"));
    return done == 0
        || (sq_page_printf(&people->page, SQ_INK_STRONG, err,
                           "Did %d step%s before that\n", done, sq_plural(done))
            && put_steps(people, "done", err));
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    int done = sq_json_int_of(people->reply, "done");
    bool stopped = sq_json_bool_of(people->reply, "stopped");
    return sq_page_printf(&people->page, SQ_INK_STRONG, err, "Did %d step%s",
                          done, sq_plural(done))
        && sq_page_printf(&people->page, SQ_INK_DOUBT, err, "%s\n",
                          stopped ? ", then stopped" : "")
        && put_steps(people, "steps", err)
        && sq_people_put_written(people, NULL, err);
}

const struct sq_tool sq_tool_steps = {
    .name = "steps",
    .title = "Do several things",
    .text = "Run several operations in one call.",
    .manual =
        "Runs up to 20 operations in order, all on the device of the call, "
        "and returns their answers in `steps`. Their operations and arguments "
        "are checked before the first is done. It stops after a step whose "
        "receipt is `verified: false` or that turned the screen (`stopped`, "
        "`note`), and fails at the first step that fails; the error then has "
        "`done`, the answers of the steps before, and `failedStep`. Steps may "
        "use selectors, coordinates of earlier pictures, and `wait`. Other "
        "clients may use the device between two steps, and while a step "
        "waits; if one of them acted, it stops before the next step that acts "
        "(`otherClientActed`). `elements: true` lists the elements once, "
        "after the last step. In short replies an action before the last step "
        "is one line.",
    .manual_example =
        "\"steps\": [{\"operation\": \"launch\", \"packageName\": \"Login\"}, "
        "{\"operation\": \"input\", \"text\": \"Ada\", \"selector\": "
        "{\"text\": \"Username\"}}]",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_DESTRUCTIVE | SQ_TOOL_ACTION,
    SQ_ARGS(table, steps_args),
    .words = "steps",
    .timeout_ms = 180000,
    .people = { .about = "Run several operations in order, given as JSON.",
                .examples = { "steps '[{\"operation\":\"wake\"}]'" },
                .show = show,
                .is_done = are_done },
    .uses = SQ_USES_ACTS | SQ_USE_SECRETS | SQ_USES_FINDS | SQ_USE_FALLBACK
          | SQ_USE_SNAPSHOT | SQ_USE_OUTPUT | SQ_USE_URLS | SQ_USE_INSTALLS,
    .synonyms = "steps batch run-steps sequence execute-steps multi",
    .example = "\"steps\": [{\"operation\": \"tap\", \"x\": 200, \"y\": 500}]",
    .run = steps_run,
};
