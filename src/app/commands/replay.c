/* replay: plays a journal against a device, or writes it for others. */
#include "app/commands/command.h"

#include <inttypes.h>
#include <stdio.h>

#include "app/interrupt.h"
#include "json/writer.h"
#include "app/print_message.h"
#include "app/replay/replay.h"
#include "sys/file.h"
#include "tools/reply.h"

struct replay_args {
    const char *device;
    struct sq_opt_int export;
    bool json;
};

static const struct sq_arg replay_options[] = {
    SQ_TEXT(replay_args, device, "device", 0,
            "device to play it on; see squint devices", .letter = 's',
            .placeholder = "ID", .initial = "the only one"),
    SQ_CHOICE(replay_args, export, "export", sq_export_names,
              "print it for a shell or for Maestro instead of playing it"),
    SQ_BOOL(replay_args, json, "json", "print the answer as JSON"),
    SQ_ARGS_END,
};

/* A journal that is being played. */
struct playing {
    struct sq_buf text;
    struct sq_replay_script script;
    bool json;
    struct sq_buf *out;
    struct sq_json_writer w;
    struct sq_err err; /* the first failure to write */
    bool has_failed;
};

/* An export uses no device, and its form is fixed. */
static bool
check_export(const struct replay_args *args, struct sq_err *err) {
    const char *useless = args->device ? "--device"
                        : args->json   ? "--json"
                                       : NULL;
    if (!args->export.given || !useless) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "%s has no effect with --export", useless);
    return sq_fail_hint(err, "Leave one of them out.");
}

/* Checks that the secrets that an action types are known. */
static bool
check_secret(const struct sq_replay_action *action, struct sq_err *err) {
    uint64_t number = sq_replay_secret_of(action);
    struct sq_span text;
    if (number == 0 || sq_replay_secret(NULL, number, &text)) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            "call %" PRIu64 " types a password, which a journal does not "
            "contain",
            action->call->number);
    return sq_fail_hint(err,
                        "Set the environment variable SQUINT_SECRET_%" PRIu64
                        " to the text to type.",
                        number);
}

static bool
check_secrets(const struct sq_replay_actions *actions, struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < actions->count; i++) {
        ok = check_secret(&actions->items[i], err);
    }
    return ok;
}

static bool
print_step(struct sq_buf *out, const struct sq_replay_step *step,
           struct sq_err *err) {
    const struct sq_replay_action *action = step->action;
    char number[32];
    snprintf(number, sizeof(number),
             action->step ? "%" PRIu64 ".%d" : "%" PRIu64, action->call->number,
             action->step);
    bool is_elsewhere = step->outcome == SQ_REPLAY_HEALED;
    bool ok =
        sq_buf_printf(out, err, "%5s  %-10s %s", number, action->tool->name,
                      is_elsewhere ? "found elsewhere"
                      : step->outcome == SQ_REPLAY_NOT_COMPARED
                          ? "done, not compared"
                          : sq_replay_outcome_name(step->outcome));
    if (ok && step->by && (is_elsewhere || strcmp(step->by, "point") == 0)) {
        ok = sq_buf_printf(out, err, ": by %s", step->by);
    }
    if (ok && step->has_moved) {
        ok = sq_buf_printf(out, err, ", moved from %d,%d to %d,%d",
                           step->from.x, step->from.y, step->to.x, step->to.y);
    }
    if (ok && step->why[0]) {
        ok = sq_buf_printf(out, err, ": %s", step->why);
    }
    return ok && sq_buf_append(out, "\n", 1, err);
}

static void
report(void *context, const struct sq_replay_step *step) {
    struct playing *playing = context;
    if (playing->json) {
        sq_replay_put_step(&playing->w, step);
    } else if (!playing->has_failed) {
        playing->has_failed = !print_step(playing->out, step, &playing->err);
    }
}

static bool
end_report(struct playing *playing, const struct sq_replay_summary *summary,
           struct sq_err *err) {
    const int *counts = summary->counts;
    if (!playing->json) {
        return (!playing->has_failed || sq_fail_with(err, &playing->err))
            && sq_buf_printf(
                   playing->out, err,
                   "%d same, %d not compared, %d found elsewhere, %d "
                   "different, %d skipped, %d not run\n",
                   counts[SQ_REPLAY_SAME], counts[SQ_REPLAY_NOT_COMPARED],
                   counts[SQ_REPLAY_HEALED], counts[SQ_REPLAY_DIFFERS],
                   counts[SQ_REPLAY_SKIPPED], summary->not_run);
    }
    struct sq_json_writer *w = &playing->w;
    sq_json_end_array(w);
    sq_replay_put_summary(w, summary);
    sq_put_bool(w, "incomplete", playing->script.journal.is_incomplete);
    return sq_json_close(w, err) && sq_buf_append(playing->out, "\n", 1, err);
}

static bool
play(struct sq_setup *setup, const struct replay_args *args,
     struct playing *playing, enum sq_status *status, struct sq_err *err) {
    struct sq_interrupt *interrupt = NULL;
    struct sq_replay_summary summary;
    if (!check_secrets(&playing->script.actions, err)
        || !sq_interrupt_create(&interrupt, err)) {
        return false;
    }
    const struct sq_replay_options options = {
        .host = setup->host,
        .journal = &playing->script.journal,
        .device = args->device,
        .cancel = sq_interrupt_cancel(interrupt),
        .report = report,
        .context = playing,
    };
    if (args->json) {
        sq_json_open(&playing->w, playing->out);
        sq_json_begin_array_of(&playing->w, "steps");
    }
    bool ok = sq_replay_run(&options, &playing->script.actions, &summary, err);
    ok = ok && end_report(playing, &summary, err);
    if (ok) {
        *status = summary.counts[SQ_REPLAY_DIFFERS] > 0
                       || playing->script.journal.is_incomplete
                    ? SQ_STATUS_FAILED
                    : SQ_STATUS_OK;
    }
    sq_interrupt_destroy(interrupt);
    return ok;
}

static bool
replay_run(const struct sq_run *run, struct sq_err *err) {
    const struct replay_args *replay = run->args;
    struct playing playing = { .out = run->out, .json = replay->json };
    bool ok = check_export(replay, err)
           && sq_file_read((run->words->word[0]), SQ_JOURNAL_MAX_BYTES,
                           &playing.text, err)
           && sq_replay_script_parse(sq_buf_span(&playing.text),
                                     &playing.script, err)
           && (replay->export.given
                   ? sq_export((enum sq_export_form)replay->export.value,
                               &playing.script, run->out, err)
                   : play(run->setup, replay, &playing, run->status, err));
    if (ok) {
        /* Says that there may have been more calls. */
        if (playing.script.journal.is_incomplete && !playing.json) {
            sq_print_message(
                "squint: the journal is incomplete: its last line is "
                "cut off, and was left out");
        }
    }
    sq_replay_script_finish(&playing.script);
    sq_buf_finish(&playing.text);
    return ok;
}

const struct sq_command sq_command_replay = {
    .name = "replay",
    .usage = "JOURNAL [options]",
    .summary = "play recorded calls against a device",
    .options = replay_options,
    .uses = SQ_USE_ALL
          & ~(unsigned)(SQ_USE_SERVES | SQ_USE_INSPECTS | SQ_USE_PAST
                        | SQ_USE_ACTIVITY | SQ_USE_SAVES),
    .min_words = 1,
    .max_words = 1,
    .run = replay_run,
};
