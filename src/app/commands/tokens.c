/*
 * tokens: prints the cost of a picture size for each model, or the largest size
 * for a budget.
 */
#include "app/commands/command.h"

#include <stdio.h>

#include "image/pipeline/picture.h"
#include "tools/reply.h"

struct tokens_args {
    int budget_tokens;
    struct sq_opt_int profile; /* index for sq_token_profile_at */
    bool json;
    struct sq_opt_int color;
};

static const struct sq_arg tokens_options[] = {
    SQ_INT(tokens_args, budget_tokens, "budgetTokens", 1, 1000000,
           "the largest size of that shape for N tokens"),
    { .name = "profile",
      SQ_CHOICE_FIELD(tokens_args, profile),
      .choice_at = sq_config_profile_at,
      .placeholder = "NAME",
      .text = "only this model profile; none: all" },
    SQ_BOOL(tokens_args, json, "json", "print the table as JSON"),
    SQ_COLOR_ROW(tokens_args),
    SQ_ARGS_END,
};

/* Writes what the size, or the largest for the budget, costs a model. */
static void
put_cost(struct sq_json_writer *w, const struct sq_token_profile *profile,
         struct sq_size size, int budget_tokens) {
    /* Too small a budget is no error. */
    bool is_affordable =
        !budget_tokens
        || sq_token_fit(profile, size, budget_tokens, &size, NULL);
    sq_json_begin_object(w);
    sq_put_text(w, "profile", profile->name);
    sq_put_text(w, "title", profile->title);
    if (is_affordable) {
        const struct sq_token_cost cost = sq_token_cost(profile, size);
        sq_put_size(w, "image", size);
        sq_put_size(w, "seen", cost.resized);
        sq_put_int(w, "tokens", cost.tokens);
    }
    sq_json_end_object(w);
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

/* Reads "1080x2400". Returns false if the word has another form. */
static bool
split_size(const char *word, char width[32], char height[32]) {
    size_t digits = strspn(word, "0123456789");
    const char *rest = word + digits + 1;
    bool is_size = digits > 0 && digits < 32
                && (word[digits] == 'x' || word[digits] == 'X') && rest[0]
                && strlen(rest) < 32
                && strspn(rest, "0123456789") == strlen(rest);
    if (is_size) {
        snprintf(width, 32, "%.*s", (int)digits, word);
        snprintf(height, 32, "%s", rest);
    }
    return is_size;
}

/* Gets the size of a picture file. */
static bool
measure_file(const char *path, struct sq_size *out, struct sq_err *err) {
    const struct sq_picture_opts opts = { .max_dimension = 16 };
    struct sq_picture_info info;
    SQ_BUF(source, SQ_MAX_IMAGE_BYTES);
    SQ_BUF(picture, SQ_MAX_IMAGE_BYTES);
    bool ok = sq_command_read(path, &source, err);
    if (ok && !sq_head_size(source.data, source.len, out)) {
        ok = sq_picture_make(source.data, source.len, &opts, &sq_limits_default,
                             &picture, &info, err)
          || sq_command_fail_in(path, err);
        *out = ok ? info.source : (struct sq_size){ 0, 0 };
    }
    return ok;
}

static bool
is_number(const char *word) {
    int64_t ignored;
    return sq_span_to_int64(sq_span_of(word), &ignored);
}

/* Returns whether a word is rather a mistyped size than a file. */
static bool
resembles_size(const char *word) {
    static const char *const signs[] = { "x", "X", "*", "\xc3\x97" };
    const char *rest = word + strspn(word, "0123456789");
    if (strpbrk(word, "./")) {
        return false;
    }
    for (size_t i = 0; i < SQ_COUNT(signs); i++) {
        if (rest > word && strncmp(rest, signs[i], strlen(signs[i])) == 0) {
            return true;
        }
    }
    return false;
}

static bool
read_file_size(const char *word, struct sq_size *out, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    char quoted[SQ_ARG_QUOTED_SIZE];
    if (measure_file(word, out, &local_err)) {
        return true;
    }
    if (local_err.code != SQ_ERR_NOT_FOUND || !resembles_size(word)) {
        return sq_fail_with(err, &local_err);
    }
    sq_arg_quote(sq_span_of(word), quoted);
    sq_fail(err, SQ_ERR_ARGUMENT, "%s is neither a size nor a file", quoted);
    return sq_fail_hint(err, "Write WIDTHxHEIGHT, such as 1080x2400.");
}

/* Reads the size from the words: two sides, "1080x2400", or a file. */
static bool
read_size(const struct sq_words *words, struct sq_size *out,
          struct sq_err *err) {
    char width[32];
    char height[32];
    bool is_size = split_size(words->word[0], width, height);
    bool is_side = is_number(words->word[0]);
    if (words->count == 2
        && (is_size || (!is_side && !is_number(words->word[1])))) {
        return sq_command_fail_word(&sq_command_tokens, words->word[1], err);
    }
    if (words->count == 2) {
        return read_side(words->word[0], "width", &out->width, err)
            && read_side(words->word[1], "height", &out->height, err);
    }
    if (is_size) {
        return read_side(width, "width", &out->width, err)
            && read_side(height, "height", &out->height, err);
    }
    if (is_side) {
        sq_fail(err, SQ_ERR_ARGUMENT, "the ${height|HEIGHT} is missing");
        return sq_fail_hint(err, "Write squint tokens %s HEIGHT.",
                            words->word[0]);
    }
    return read_file_size(words->word[0], out, err);
}

static bool
tokens_run(const struct sq_run *run, struct sq_err *err) {
    const struct tokens_args *args = run->args;
    const struct sq_token_profile *profile;
    struct sq_size size;
    if (!read_size(run->words, &size, err)) {
        return false;
    }
    sq_json_begin_array(run->w);
    for (size_t i = 0; (profile = sq_token_profile_at(i)); i++) {
        if (!args->profile.given || i == (size_t)args->profile.value) {
            put_cost(run->w, profile, size, args->budget_tokens);
        }
    }
    sq_json_end_array(run->w);

    return args->json
        || (args->budget_tokens
                ? sq_page_printf(run->page, SQ_INK_STRONG, err,
                                 "The largest picture shaped like %dx%d for "
                                 "%d token%s\n",
                                 size.width, size.height, args->budget_tokens,
                                 sq_plural(args->budget_tokens))
                : sq_page_printf(run->page, SQ_INK_STRONG, err,
                                 "What a picture of %dx%d pixels costs\n",
                                 size.width, size.height));
}

/* Without a budget all sizes are the given one, which the title names. */
static bool
tokens_show(struct sq_people *people, const struct sq_run *run,
            struct sq_err *err) {
    const struct tokens_args *args = run->args;
    const struct sq_member_column columns[] = {
        { "PROFILE", "profile", SQ_INK_STRONG, false },
        { "TOKENS", "tokens", SQ_INK_STRONG, true },
        { "IMAGE", args->budget_tokens ? "image" : "", SQ_INK_PLAIN, false },
        { "SEEN AS", "seen", SQ_INK_PLAIN, false },
        { "MODELS", "title", SQ_INK_FAINT, false },
        { 0 },
    };
    if (!sq_people_put_table(people, people->reply, columns, err)) {
        return false;
    }
    /* Names the models for which the budget buys no picture at all. */
    const char *before = "Not enough for any picture: ";
    bool ok = true;
    for (const struct sq_json *row = sq_json_first(people->reply); ok && row;
         row = sq_json_next(row)) {
        if (!sq_json_get(row, "tokens")) {
            ok = sq_page_printf(&people->page, SQ_INK_DOUBT, err, "%s%.*s",
                                before,
                                SQ_SPAN_ARGS(sq_json_text_of(row, "profile")));
            before = ", ";
        }
    }
    return ok
        && (before[0] != ',' || sq_buf_append(people->page.out, "\n", 1, err));
}

const struct sq_command sq_command_tokens = {
    .name = "tokens",
    .usage = "WIDTHxHEIGHT | WIDTH HEIGHT | FILE [options]",
    .summary = "say what a picture of that size costs each model",
    .options = tokens_options,
    .min_words = 1,
    .max_words = 2,
    .run = tokens_run,
    .show = tokens_show,
};
