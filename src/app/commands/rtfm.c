/* rtfm: prints the manual that agents read. */
#include "app/commands/command.h"

#include <string.h>

#include "app/help.h"
#include "tools/rtfm.h"
#include "tools/synonyms.h"
#include "tools/table.h"
#include "util/nearest.h"

static const struct sq_arg rtfm_options[] = {
    SQ_ARGS_END,
};

static bool
is_command(const char *name) {
    const struct sq_command *command;
    for (size_t i = 0; (command = sq_command_at(i)); i++) {
        if (strcmp(command->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/*
 * Finds the operation that is probably meant, such as tap by "tpa" or "click".
 * Returns NULL if there is none, or if another command is more similar.
 */
static const struct sq_tool *
find_similar(const char *name) {
    const char *synonym = sq_synonym_command(sq_span_of(name));
    struct sq_nearest nearest;
    const struct sq_command *command;
    const struct sq_tool *tool;
    if (synonym) {
        return sq_tools_find_verb(
            (struct sq_span){ synonym, strcspn(synonym, " ,") });
    }
    sq_nearest_begin(&nearest, sq_span_of(name));
    for (size_t i = 0; (tool = sq_tools_at(i)); i++) {
        sq_nearest_try_as(&nearest, tool->name, sq_tool_verb(tool));
        sq_nearest_try(&nearest, sq_tool_verb(tool));
    }
    for (size_t i = 0; (command = sq_command_at(i)); i++) {
        sq_nearest_try(&nearest, command->name);
    }
    return nearest.found[0] ? sq_tools_find_verb(sq_span_of(nearest.found))
                            : NULL;
}

static bool
fail_unknown(const char *name, struct sq_err *err) {
    const struct sq_tool *tool = find_similar(name);
    sq_help_fail_unknown(name, err);
    return tool ? sq_fail_hint(err, "Did you mean squint rtfm %s?",
                               sq_tool_verb(tool))
                : false;
}

static bool
rtfm_run(const struct sq_words *words, const void *args, struct sq_buf *out,
         enum sq_status *status, struct sq_err *err) {
    (void)args;
    (void)status;
    const char *name = words->count ? words->word[0] : "";
    const struct sq_tool *tool = sq_tools_find_verb(sq_span_of(name));
    struct sq_err local_err = { 0 };
    if (sq_rtfm((struct sq_offer){ 0 }, sq_span_of(tool ? tool->name : name),
                SQ_SPAN(""), out, &local_err)) {
        return true;
    }
    if (local_err.code != SQ_ERR_NOT_FOUND) {
        return sq_fail_with(err, &local_err);
    }
    if (!is_command(name)) {
        return fail_unknown(name, err);
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "the manual for agents has no page about %s",
            name);
    return sq_fail_hint(err, "See squint help %s.", name);
}

const struct sq_command sq_command_rtfm = {
    .name = "rtfm",
    .usage = "[OPERATION]",
    .summary = "print the manual that agents read",
    .help = "The pages of the tool rtfm, as Markdown: an overview, or what "
            "one operation\ntakes and answers. For the command line, see "
            "squint help.\n\n"
            "Exit status: 0 done, 2 the command line is wrong.",
    .options = rtfm_options,
    .max_words = 1,
    .trouble = SQ_STATUS_FAILED,
    .run = rtfm_run,
};
