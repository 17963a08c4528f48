/* forget: removes a remembered picture. */
#include "tools/operations.h"
#include "tools/screen/image_source.h"
#include "tools/screen/remembered.h"

struct forget_args {
    struct sq_opt_text name;
};

static const struct sq_arg forget_args[] = {
    SQ_TEXT(forget_args, name, "name", SQ_REMEMBERED_NAME_BYTES,
            "Of a remembered picture", .required = true,
            .help = "the remembered picture to remove"),
    SQ_ARGS_END,
};

static bool
forget_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct forget_args *args = raw_args;
    struct sq_reply reply;
    if (!sq_image_search_enabled(call, err)
        || !sq_remembered_remove(args->name.value, call->arena, err)
        || !sq_reply_start(call, &reply, err)) {
        return false;
    }
    sq_put_clean(&reply.w, "forgotten", args->name.value);
    return sq_reply_end(call, &reply, err);
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    struct sq_span name = sq_json_text_of(people->reply, "forgotten");
    return sq_page_printf(&people->page, SQ_INK_STRONG, err, "Forgotten: ")
        && sq_page_put(&people->page, SQ_INK_PLAIN, name, err)
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n");
}

const struct sq_tool sq_tool_forget = {
    .name = "forget",
    .words = "name",
    .title = "Remove a remembered picture",
    .text = "Undo @remember.",
    .manual =
        "Removes the picture that was remembered under `name`. Fails if there "
        "is none; `@remember` without arguments lists them.",
    .flags = SQ_TOOL_BY_TEMPLATES | SQ_TOOL_BRIEF | SQ_TOOL_ACTS | SQ_TOOL_FILES
           | SQ_TOOL_DESTRUCTIVE,
    SQ_ARGS(forget_args, forget_args),
    .output = "forgotten:text",
    .people = { .about = "Remove a picture that squint remember has kept.",
                .examples = { "forget cart" },
                .show = show },
    .uses = SQ_USE_TEMPLATES,
    .synonyms = "forget",
    .example = "\"name\": \"cart\"",
    .run = forget_run,
};
