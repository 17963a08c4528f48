/*
 * tokens: prints the cost of a picture size for each model, or the largest size
 * for a budget.
 */
#include "app/commands/command.h"

#include <stdio.h>
#include <string.h>

#include "page/page.h"
#include "config/option.h"
#include "image/measure/measure.h"
#include "image/pipeline/codec.h"
#include "image/pipeline/picture.h"
#include "json/writer.h"
#include "tools/reply.h"

#define MAX_TABLE_BYTES ((size_t)1 << 20)

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

/* One line of the answer. */
struct line {
    const struct sq_token_profile *profile;
    bool has_budget;
    bool affordable;     /* whether the budget allows any size */
    struct sq_size size; /* the given size, or the largest for the budget */
    struct sq_token_cost cost;
};

static struct line
make_line(const struct sq_token_profile *profile, struct sq_size size,
          int budget_tokens) {
    struct line line = { .profile = profile, .affordable = true, .size = size };
    if (budget_tokens) {
        line.has_budget = true;
        struct sq_err ignored = { 0 }; /* too small a budget is no error */
        line.affordable =
            sq_token_fit(profile, size, budget_tokens, &line.size, &ignored);
    }
    line.cost = sq_token_cost(profile, line.size);
    return line;
}

static bool
add_to_json(void *context, const struct line *line, struct sq_err *err) {
    struct sq_json_writer *w = context;
    (void)err; /* the writer keeps it */
    sq_json_begin_object(w);
    sq_put_text(w, "profile", line->profile->name);
    sq_put_text(w, "title", line->profile->title);
    if (line->affordable) {
        sq_put_size(w, "image", line->size);
        sq_put_size(w, "seen", line->cost.resized);
        sq_put_int(w, "tokens", line->cost.tokens);
    }
    sq_json_end_object(w);
    return true;
}

static const struct sq_column columns[] = {
    { "PROFILE", false }, { "TOKENS", true },  { "IMAGE", false },
    { "SEEN AS", false }, { "MODELS", false }, { NULL, false },
};

/* Without a budget all sizes are the given one, which the title names. */
static bool
add_size(struct sq_table *table, const struct line *line, struct sq_err *err) {
    return line->has_budget
             ? sq_table_printf(table, SQ_INK_PLAIN, err, "%dx%d",
                               line->size.width, line->size.height)
             : sq_table_add(table, SQ_INK_PLAIN, SQ_SPAN(""), err);
}

static bool
add_to_table(void *context, const struct line *line, struct sq_err *err) {
    struct sq_table *table = context;
    if (!sq_table_printf(table, SQ_INK_STRONG, err, "%s",
                         line->profile->name)) {
        return false;
    }
    bool ok = line->affordable
                ? sq_table_printf(table, SQ_INK_STRONG, err, "%d",
                                  line->cost.tokens)
                      && add_size(table, line, err)
                      && sq_table_printf(table, SQ_INK_PLAIN, err, "%dx%d",
                                         line->cost.resized.width,
                                         line->cost.resized.height)
                : sq_table_printf(table, SQ_INK_DOUBT, err, "-")
                      && sq_table_printf(table, SQ_INK_DOUBT, err, "nothing")
                      && sq_table_printf(table, SQ_INK_DOUBT, err, "-");
    return ok
        && sq_table_printf(table, SQ_INK_FAINT, err, "%s",
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
    struct sq_buf source;
    struct sq_buf picture;
    sq_buf_init(&source, SQ_MAX_IMAGE_BYTES);
    sq_buf_init(&picture, SQ_MAX_IMAGE_BYTES);
    bool ok = sq_command_read(path, &source, err);
    if (ok && !sq_head_size(source.data, source.len, out)) {
        ok = sq_picture_make(source.data, source.len, &opts, &sq_limits_default,
                             &picture, &info, err)
          || sq_command_fail_in(path, err);
        *out = ok ? info.source : (struct sq_size){ 0, 0 };
    }
    sq_buf_finish(&picture);
    sq_buf_finish(&source);
    return ok;
}

static bool
is_number(const char *word) {
    int64_t ignored;
    return sq_span_to_int64(sq_span_of(word), &ignored);
}

static bool
fail_second(const char *word, struct sq_err *err) {
    char quoted[SQ_ARG_QUOTED_SIZE];
    sq_arg_quote(sq_span_of(word), quoted);
    sq_fail(err, SQ_ERR_ARGUMENT, "%s is one word too many", quoted);
    return sq_fail_hint(err, "Usage: squint tokens %s",
                        sq_command_tokens.usage);
}

/* Returns whether a word is rather a mistyped size than a file. */
static bool
resembles_size(const char *word) {
    static const char *const signs[] = { "x", "X", "*", "\xc3\x97" };
    const char *rest = word + strspn(word, "0123456789");
    if (strpbrk(word, "./")) {
        return false;
    }
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
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
        return fail_second(words->word[1], err);
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

/* Calls add for the line of every profile that was asked for. */
static bool
for_each_line(const struct tokens_args *args, struct sq_size size,
              bool (*add)(void *context, const struct line *line,
                          struct sq_err *err),
              void *context, struct sq_err *err) {
    const struct sq_token_profile *profile;
    bool ok = true;
    for (size_t i = 0; ok && (profile = sq_token_profile_at(i)); i++) {
        if (!args->profile.given || i == (size_t)args->profile.value) {
            struct line line = make_line(profile, size, args->budget_tokens);
            ok = add(context, &line, err);
        }
    }
    return ok;
}

static bool
report_json(const struct tokens_args *args, struct sq_size size,
            struct sq_buf *out, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_array(&w);
    bool ok = for_each_line(args, size, add_to_json, &w, err);
    sq_json_end_array(&w);
    return ok && sq_json_writer_done(&w, err)
        && sq_buf_append(out, "\n", 1, err);
}

static bool
report_table(const struct tokens_args *args, struct sq_size size,
             struct sq_buf *out, struct sq_err *err) {
    struct sq_page page = { out, sq_paper_of_output(args->color) };
    struct sq_arena arena;
    sq_arena_init(&arena, MAX_TABLE_BYTES);
    struct sq_table table = { .arena = &arena,
                              .columns = columns,
                              .whole = "PROFILE" };
    bool ok =
        (args->budget_tokens
             ? sq_page_printf(&page, SQ_INK_STRONG, err,
                              "The largest picture shaped like %dx%d for "
                              "%d token%s\n",
                              size.width, size.height, args->budget_tokens,
                              args->budget_tokens == 1 ? "" : "s")
             : sq_page_printf(&page, SQ_INK_STRONG, err,
                              "What a picture of %dx%d pixels costs\n",
                              size.width, size.height))
        && for_each_line(args, size, add_to_table, &table, err)
        && sq_table_print(&table, &page, err);
    sq_arena_finish(&arena);
    return ok;
}

static bool
tokens_run(const struct sq_run *run, struct sq_err *err) {
    const struct tokens_args *args = run->args;
    struct sq_size size;
    return read_size(run->words, &size, err)
        && (args->json ? report_json(args, size, run->out, err)
                       : report_table(args, size, run->out, err));
}

const struct sq_command sq_command_tokens = {
    .name = "tokens",
    .usage = "WIDTHxHEIGHT | WIDTH HEIGHT | FILE [options]",
    .summary = "say what a picture of that size costs each model",
    .help = "  squint tokens 1080x2400\n"
            "  squint tokens screen.png\n\n"
            "Prints, for each way models count, the tokens of a picture and "
            "the size the\nprovider shrinks it to before counting. With "
            "--budget-tokens: the largest size\nof the same shape that the "
            "budget buys.\n\nExit status: 0 done, 1 the file cannot be read, 2 "
            "the command line is wrong.",
    .options = tokens_options,
    .args_size = sizeof(struct tokens_args),
    .min_words = 1,
    .max_words = 2,
    .trouble = SQ_STATUS_FAILED,
    .prints_page = true,
    .run = tokens_run,
};
