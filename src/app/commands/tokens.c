/*
 * tokens: prints the cost of a picture size for each model, or the largest size
 * for a budget.
 */
#include "app/commands/command.h"

#include <stdio.h>

#include "config/option.h"
#include "image/measure/tokens.h"
#include "json/writer.h"

struct tokens_args {
    int budget_tokens;
    struct sq_opt_int profile; /* index for sq_token_profile_at */
    bool json;
};

static const struct sq_arg tokens_options[] = {
    SQ_INT(tokens_args, budget_tokens, "budgetTokens", 1, 1000000,
           "the largest size of that shape for N tokens"),
    { .name = "profile",
      SQ_CHOICE_FIELD(tokens_args, profile),
      .choice_at = sq_config_profile_at,
      .placeholder = "NAME",
      .text = "only this model profile" },
    SQ_BOOL(tokens_args, json, "json", "print the table as JSON"),
    SQ_ARGS_END,
};

/* One line of the answer. */
struct line {
    const struct sq_token_profile *profile;
    bool affordable;     /* whether the budget allows any size */
    struct sq_size size; /* the given size, or the largest for the budget */
    struct sq_token_cost cost;
};

static struct line
make_line(const struct sq_token_profile *profile, struct sq_size size,
          int budget_tokens) {
    struct line line = { .profile = profile, .affordable = true, .size = size };
    if (budget_tokens) {
        struct sq_err ignored = { 0 }; /* too small a budget is no error */
        line.affordable =
            sq_token_fit(profile, size, budget_tokens, &line.size, &ignored);
    }
    line.cost = sq_token_cost(profile, line.size);
    return line;
}

static void
line_json(const struct line *line, struct sq_json_writer *w) {
    sq_json_begin_object(w);
    sq_json_put_key(w, "profile");
    sq_json_put_string(w, sq_span_of(line->profile->name));
    sq_json_put_key(w, "title");
    sq_json_put_string(w, sq_span_of(line->profile->title));
    if (line->affordable) {
        sq_command_put_size(w, "image", line->size);
        sq_command_put_size(w, "seen", line->cost.resized);
        sq_json_put_key(w, "tokens");
        sq_json_put_int(w, line->cost.tokens);
    }
    sq_json_end_object(w);
}

static bool
line_text(const struct line *line, struct sq_buf *out, struct sq_err *err) {
    if (!line->affordable) {
        return sq_buf_printf(out, err, "%-15s %7s  %-12s %-12s %s\n",
                             line->profile->name, "-", "nothing", "-",
                             line->profile->title);
    }
    char size[32];
    char seen[32];
    snprintf(size, sizeof(size), "%dx%d", line->size.width, line->size.height);
    snprintf(seen, sizeof(seen), "%dx%d", line->cost.resized.width,
             line->cost.resized.height);
    return sq_buf_printf(out, err, "%-15s %7d  %-12s %-12s %s\n",
                         line->profile->name, line->cost.tokens, size, seen,
                         line->profile->title);
}

static bool
read_side(const char *word, const char *what, int *out, struct sq_err *err) {
    int64_t value;
    if (!sq_span_to_int64(sq_span_of(word), &value) || value < 1
        || value > 65535) {
        return sq_fail(
            err, SQ_ERR_ARGUMENT,
            "the %s must be a whole number from 1 to 65535, not \"%s\"", what,
            word);
    }
    *out = (int)value;
    return true;
}

static bool
tokens_run(const struct sq_words *words, const void *raw_args,
           struct sq_buf *out, enum sq_status *status, struct sq_err *err) {
    (void)status;
    const struct tokens_args *args = raw_args;
    struct sq_size size;
    if (!read_side(words->word[0], "width", &size.width, err)
        || !read_side(words->word[1], "height", &size.height, err)) {
        return false;
    }
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    bool ok = true;
    if (args->json) {
        sq_json_begin_array(&w);
    } else {
        ok = sq_buf_printf(out, err, "%-15s %7s  %-12s %-12s %s\n", "PROFILE",
                           "TOKENS", "IMAGE", "SEEN AS", "MODELS");
    }
    const struct sq_token_profile *profile;
    for (size_t i = 0; ok && (profile = sq_token_profile_at(i)); i++) {
        if (args->profile.given && i != (size_t)args->profile.value) {
            continue;
        }
        struct line line = make_line(profile, size, args->budget_tokens);
        if (args->json) {
            line_json(&line, &w);
        } else {
            ok = line_text(&line, out, err);
        }
    }
    if (args->json) {
        sq_json_end_array(&w);
        ok = sq_json_writer_done(&w, err) && sq_buf_append(out, "\n", 1, err);
    }
    return ok;
}

const struct sq_command sq_command_tokens = {
    .name = "tokens",
    .usage = "WIDTH HEIGHT [options]",
    .summary = "say what a picture of that size costs each model",
    .help = "Prints, for each way models count, the tokens of a picture and "
            "the size the\nprovider shrinks it to before counting. With "
            "--budget-tokens: the largest size\nof the same shape that the "
            "budget buys.\n\nExit status: 0 done, 2 the command line is wrong.",
    .options = tokens_options,
    .args_size = sizeof(struct tokens_args),
    .min_words = 2,
    .max_words = 2,
    .trouble = SQ_STATUS_FAILED,
    .run = tokens_run,
};
