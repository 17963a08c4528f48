/* Shows people the steps of one call: each as its operation alone would be. */
#include "app/commands/people_private.h"
#include "tools/table.h"

/* One step: its reply, and how its operation is shown. */
struct step {
    const struct sq_tool *tool; /* NULL: the operation is unknown */
    const struct sq_people_view *view;
    const struct sq_json *reply;
};

/* Returns the operation that a step of the request names. */
static const struct sq_tool *
tool_of(const struct sq_json *request) {
    struct sq_span name = sq_json_text_of(request, "operation");
    sq_span_take_prefix(&name, "ui_");
    return sq_tools_find(name);
}

/* Takes the next step that was done. Returns false after the last. */
static bool
take_step(const struct sq_json **request, const struct sq_json **reply,
          struct step *out) {
    if (!*reply) {
        return false;
    }
    *out = (struct step){ .tool = tool_of(*request), .reply = *reply };
    out->view = out->tool ? sq_people_view_of(out->tool->name) : NULL;
    *request = *request ? sq_json_next(*request) : NULL;
    *reply = sq_json_next(*reply);
    return true;
}

bool
sq_steps_are_done(const struct sq_json *request, const struct sq_json *reply) {
    const struct sq_json *asked = sq_json_first(sq_json_get(request, "steps"));
    const struct sq_json *done = sq_json_first(sq_json_get(reply, "steps"));
    struct step step;
    bool ok = !sq_reply_is_true(reply, "stopped");
    while (ok && take_step(&asked, &done, &step)) {
        ok =
            !step.view || !step.view->is_done || step.view->is_done(step.reply);
    }
    return ok;
}

/* Shows a step after its number. The file is shown below all of them. */
static bool
put_step(struct sq_people *people, int number, const struct step *step,
         struct sq_err *err) {
    struct sq_people inner = *people;
    struct sq_page *page = &people->page;
    inner.reply = step->reply;
    inner.file = NULL;
    if (!sq_page_printf(page, SQ_INK_PLAIN, err, "%d. %s: ", number,
                        step->tool ? sq_tool_verb(step->tool) : "step")) {
        return false;
    }
    size_t before = page->out->len;
    return (!step->view || step->view->show(&inner, err))
        && (page->out->len > before
            || sq_page_printf(page, SQ_INK_PLAIN, err, "done\n"))
        && sq_people_put_remarks(&inner, err);
}

/* Shows the steps whose replies are in a member of the reply. */
static bool
put_steps(struct sq_people *people, const char *member, struct sq_err *err) {
    const struct sq_json *asked =
        sq_json_first(sq_json_get(people->request, "steps"));
    const struct sq_json *replies =
        sq_json_first(sq_json_get(people->reply, member));
    struct step step;
    bool ok = true;
    for (int i = 1; ok && take_step(&asked, &replies, &step); i++) {
        ok = put_step(people, i, &step, err);
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

bool
sq_show_steps(struct sq_people *people, struct sq_err *err) {
    int done = sq_json_int_of(people->reply, "done");
    bool stopped = sq_reply_is_true(people->reply, "stopped");
    return sq_page_printf(&people->page, SQ_INK_STRONG, err, "Did %d step%s",
                          done, sq_plural(done))
        && sq_page_printf(&people->page, SQ_INK_DOUBT, err, "%s\n",
                          stopped ? ", then stopped" : "")
        && put_steps(people, "steps", err)
        && sq_people_put_written(people, NULL, err);
}
