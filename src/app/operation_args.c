/* Matches the words of a command line with the arguments of an operation. */
#include "app/flags.h"

#include <ctype.h>
#include <stdio.h>

#include "app/commands/operation.h"
#include "tools/operations.h"
#include "tools/run.h"
#include "tools/table.h"

#define MAX_USAGE_BYTES 512
#define MAX_QUOTED_BYTES 100
#define REGION_SIDES 4

/* The arguments of one alternative of sq_tool.words. */
struct form {
    struct sq_flag at[SQ_MAX_FLAG_WORDS];
    bool is_optional[SQ_MAX_FLAG_WORDS];
    int count;
    int required; /* the optional ones come last */
};

/* The option --region of operations that have four arguments instead. */
struct region_args {
    struct sq_opt_text region;
};

static const struct sq_arg region_table[] = {
    SQ_TEXT(region_args, region, "region", 0, "", .placeholder = "X,Y,W,H",
            .help = "only this part, in the units of --coordinate-units"),
    SQ_ARGS_END,
};

bool
sq_operation_args_init(struct sq_operation_args *args,
                       const struct sq_tool *tool, struct sq_err *err) {
    const struct sq_arg *output = sq_operation_output_args(tool);
    const struct sq_arg *tables[] = { tool->args,
                                      tool->region ? region_table : NULL,
                                      sq_tool_common_args(tool), output };
    size_t count = 0;
    args->tool = tool;
    for (size_t i = 0; i < SQ_COUNT(tables); i++) {
        for (const struct sq_arg *arg = tables[i]; arg && arg->name; arg++) {
            if (count + 1 == SQ_MAX_OPERATION_ARGS) {
                return sq_fail(err, SQ_ERR_LIMIT, "too many arguments");
            }
            args->table[count++] = *arg;
            if (arg == output && arg->letter == 'o') {
                args->table[count - 1].text = sq_operation_output_text(tool);
            }
        }
    }
    args->table[count] = (struct sq_arg)SQ_ARGS_END;
    return true;
}

/* Takes the next name of a list that is separated by spaces. */
static bool
take_name(struct sq_span *rest, struct sq_span *name) {
    *rest = sq_span_trim(*rest);
    if (rest->len == 0) {
        return false;
    }
    if (!sq_span_take_until(rest, ' ', name)) {
        *name = *rest;
        rest->len = 0;
    }
    return true;
}

/* Takes the next alternative. Returns false after the last. */
static bool
take_form(const struct sq_operation_args *args, struct sq_span *rest,
          struct form *out) {
    struct sq_span words;
    struct sq_span name;
    if (rest->len == 0) {
        return false;
    }
    if (!sq_span_take_until(rest, '|', &words)) {
        words = *rest;
        rest->len = 0;
    }
    *out = (struct form){ .count = 0 };
    while (out->count < SQ_MAX_FLAG_WORDS && take_name(&words, &name)) {
        bool is_optional = sq_span_ends_with(name, "?");
        struct sq_flag *flag = &out->at[out->count];
        name.len -= is_optional;
        if (!sq_flag_find(args->table, name, flag)) {
            return false; /* a test looks up all names */
        }
        flag->is_word = true;
        flag->is_needed = !is_optional;
        out->required += !is_optional;
        out->is_optional[out->count++] = is_optional;
    }
    return true;
}

static bool
is_number(const struct sq_arg *arg) {
    return arg->type == SQ_ARG_INT || arg->type == SQ_ARG_NUMBER;
}

static bool
is_numeric(const char *word) {
    double ignored;
    return sq_span_to_double(sq_span_of(word), &ignored);
}

/*
 * Returns whether the words can be the values of a form. A number is not taken
 * as text where another form has a number in that place: "tap 5" lacks y.
 */
static bool
accepts(const struct form *form, const struct form *first,
        const struct sq_flags *flags) {
    if (flags->word_count < form->required || flags->word_count > form->count) {
        return false;
    }
    for (int i = 0; i < flags->word_count; i++) {
        bool is_given = is_numeric(flags->words[i]);
        bool wants_number = is_number(form->at[i].arg);
        bool may_be_number = i < first->count && is_number(first->at[i].arg);
        if (wants_number ? !is_given : is_given && may_be_number) {
            return false;
        }
    }
    return true;
}

/* Writes the name of a value in capitals: "TEXT", "FROM-X". */
static void
placeholder_of(const struct sq_flag *flag, char out[SQ_FLAG_FULL_SIZE]) {
    if (flag->arg->placeholder) {
        snprintf(out, SQ_FLAG_FULL_SIZE, "%s", flag->arg->placeholder);
        return;
    }
    bool is_outer = flag->group && !flag->group->is_open;
    char name[SQ_FLAG_FULL_SIZE];
    sq_flag_full_name(is_outer ? flag->group : NULL, flag->arg, name);
    snprintf(out, SQ_FLAG_FULL_SIZE, "%s", name + 2);
    for (char *at = out; *at; at++) {
        *at = *at == '.' ? '-' : (char)toupper((unsigned char)*at);
    }
}

static bool
fail_usage(const struct sq_operation_args *args, struct sq_err *err) {
    SQ_BUF(usage, MAX_USAGE_BYTES);
    if (sq_operation_args_usage(args, &usage, NULL)) {
        sq_fail_hint(err, "Usage: squint %s %.*s", sq_tool_verb(args->tool),
                     SQ_SPAN_ARGS(sq_buf_span(&usage)));
    }
    return false;
}

/* Writes the words as one text in quotes: "Sign in". */
static bool
quote_words(const struct sq_flags *flags, struct sq_buf *out) {
    bool ok = sq_buf_printf(out, NULL, "\"");
    for (int i = 0; ok && i < flags->word_count; i++) {
        ok = sq_buf_printf(out, NULL, "%s%s", i ? " " : "", flags->words[i]);
    }
    return ok && sq_buf_append(out, "\"", 2, NULL);
}

/* Returns whether the words may be one text whose quotes were forgotten. */
static bool
may_be_text(const struct sq_operation_args *args,
            const struct sq_flags *flags) {
    struct sq_span rest = sq_span_of(args->tool->words);
    struct form form;
    bool takes_text = false;
    while (!takes_text && take_form(args, &rest, &form)) {
        char name[SQ_FLAG_FULL_SIZE];
        placeholder_of(&form.at[0], name);
        takes_text = form.count == 1
                  && (strcmp(name, "TEXT") == 0 || strcmp(name, "APP") == 0);
    }
    return takes_text && flags->word_count > 1 && !is_numeric(flags->words[0]);
}

/* Returns the index of the first word that the form cannot take. */
static int
find_wrong(const struct form *form, const struct sq_flags *flags) {
    int at = 0;
    while (at < flags->word_count && at < form->count
           && (!is_number(form->at[at].arg) || is_numeric(flags->words[at]))) {
        at++;
    }
    return at;
}

/* Says which word is wrong or missing, by the first form of the operation. */
static bool
fail_words(const struct sq_operation_args *args, const struct form *first,
           const struct sq_flags *flags, struct sq_err *err) {
    char name[SQ_FLAG_FULL_SIZE] = "";
    char word[SQ_ARG_QUOTED_SIZE] = "";
    int at = find_wrong(first, flags);
    if (at < flags->word_count) {
        sq_arg_quote(sq_span_of(flags->words[at]), word);
    }
    if (at < first->count) {
        placeholder_of(&first->at[at], name);
    }
    if (!args->tool->words) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s takes options only, not the word %s",
                sq_tool_verb(args->tool), word);
        return fail_usage(args, err);
    }
    if (at == flags->word_count) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is missing", name);
        return fail_usage(args, err);
    }
    if (at < first->count) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s must be a number, not %s", name,
                word);
    } else {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is one word too many", word);
    }
    /* The hint is the usage, or for "squint tap Sign in" to use quotes. */
    SQ_BUF(text, MAX_QUOTED_BYTES);
    if (may_be_text(args, flags) && quote_words(flags, &text)) {
        sq_fail_hint(err, "Quote a text that contains spaces: squint %s %s",
                     sq_tool_verb(args->tool), (const char *)text.data);
    } else {
        fail_usage(args, err);
    }
    return false;
}

/*
 * Joins "last" or "this" with the word after it, for operations that take
 * dates: squint search TEXT last month.
 */
static bool
join_periods(const struct sq_operation_args *args, struct sq_arena *arena,
             struct sq_flags *flags, struct sq_err *err) {
    const char *words = args->tool->words;
    if (!words || !strstr(words, "startDate")) {
        return true;
    }
    /* The first word of a search is the text, whatever it is. */
    for (int i = strncmp(words, "startDate", 9) != 0; i + 1 < flags->word_count;
         i++) {
        char both[64];
        if (strcmp(flags->words[i], "last") != 0
            && strcmp(flags->words[i], "this") != 0) {
            continue;
        }
        snprintf(both, sizeof(both), "%s %.50s", flags->words[i],
                 flags->words[i + 1]);
        flags->words[i] = sq_arena_strdup(arena, sq_span_of(both), err);
        if (!flags->words[i]) {
            return false;
        }
        flags->word_count--;
        memmove(&flags->words[i + 1], &flags->words[i + 2],
                (size_t)(flags->word_count - i - 1) * sizeof(flags->words[0]));
    }
    return true;
}

/*
 * Replaces what people say instead of a value: squint appearance dark, squint
 * video 10s.
 */
static bool
replace_word(const struct sq_operation_args *args, struct sq_arena *arena,
             struct sq_flags *flags, struct sq_err *err) {
    if (flags->word_count == 0) {
        return true;
    }
    const char **word = &flags->words[0];
    struct sq_span number = sq_span_of(*word);
    int64_t ignored;
    if (args->tool == &sq_tool_appearance) {
        *word = strcmp(*word, "dark") == 0  ? "on"
              : strcmp(*word, "light") == 0 ? "off"
                                            : *word;
    } else if (args->tool == &sq_tool_video && sq_span_ends_with(number, "s")) {
        number.len--;
        *word = !sq_span_to_int64(number, &ignored)
                  ? *word
                  : sq_arena_strdup(arena, number, err);
    }
    return *word != NULL;
}

/* Returns whether an option has set the argument, or says the same. */
static bool
is_given(const struct sq_flags *flags, const struct sq_flag *flag) {
    bool is_ref = strcmp(flag->arg->name, "screenshotRef") == 0;
    for (int i = 0; i < flags->count; i++) {
        if (flags->items[i].arg == flag->arg
            && flags->items[i].group == flag->group) {
            return true;
        }
    }
    return is_ref
        && (sq_flags_find(flags, "cell") || sq_flags_find(flags, "hit"));
}

/* Removes the arguments that options have set. */
static void
drop_given(const struct sq_flags *flags, struct form *form) {
    int kept = 0;
    for (int i = 0; i < form->count; i++) {
        const struct sq_flag *flag = &form->at[i];
        if (!is_given(flags, flag)) {
            form->at[kept] = *flag;
            form->is_optional[kept++] = form->is_optional[i];
        } else {
            form->required -= !form->is_optional[i];
        }
    }
    form->count = kept;
}

/*
 * Returns the first form that accepts the words; *first is the first of all.
 * With `drops`, without the arguments that options have set.
 */
static bool
choose_form(const struct sq_operation_args *args, const struct sq_flags *flags,
            bool drops, struct form *first, struct form *out) {
    struct sq_span rest =
        sq_span_of(args->tool->words ? args->tool->words : "");
    bool found = false;
    *first = (struct form){ .count = 0 };
    for (bool is_first = true; !found && take_form(args, &rest, out);
         is_first = false) {
        if (drops) {
            drop_given(flags, out);
        }
        *first = is_first ? *out : *first;
        found = accepts(out, first, flags);
    }
    return found;
}

/* A script may have an empty variable: find "" must not mean any element. */
static bool
fail_empty(const struct sq_operation_args *args, const struct sq_flag *flag,
           struct sq_err *err) {
    char name[SQ_FLAG_FULL_SIZE];
    placeholder_of(flag, name);
    sq_fail(err, SQ_ERR_ARGUMENT, "%s is empty", name);
    return fail_usage(args, err);
}

/* Adds the words as values of the first form that accepts them. */
static bool
add_words(const struct sq_operation_args *args, struct sq_flags *flags,
          struct sq_err *err) {
    struct form first;
    struct form whole; /* the first form with all its arguments */
    struct form form;
    if (flags->word_count == 0) {
        return true;
    }
    if (!choose_form(args, flags, true, &first, &form)
        && !choose_form(args, flags, false, &whole, &form)) {
        bool has_rest = first.count > 0 && flags->word_count < first.count;
        return fail_words(args, has_rest ? &first : &whole, flags, err);
    }
    bool ok = true;
    for (int i = 0; ok && i < flags->word_count; i++) {
        form.at[i].value = flags->words[i];
        ok = (flags->words[i][0] || fail_empty(args, &form.at[i], err))
          && sq_flags_add(flags, &form.at[i], err);
    }
    flags->word_count = 0;
    return ok;
}

static int
count_commas(struct sq_span text) {
    int count = 0;
    struct sq_span ignored;
    while (sq_span_take_until(&text, ',', &ignored)) {
        count++;
    }
    return count;
}

/* Replaces --region by the arguments that it sets. */
static bool
expand_region(const struct sq_operation_args *args, struct sq_arena *arena,
              struct sq_flags *flags, struct sq_err *err) {
    const struct sq_flag *given = sq_flags_find(flags, "region");
    if (!args->tool->region || !given) {
        return true;
    }
    struct sq_span values = sq_span_of(given->value);
    struct sq_span names = sq_span_of(args->tool->region);
    if (count_commas(values) != REGION_SIDES - 1) {
        char quoted[SQ_ARG_QUOTED_SIZE];
        sq_arg_quote(values, quoted);
        sq_fail(err, SQ_ERR_ARGUMENT, "--region must be X,Y,W,H, not %s",
                quoted);
        return sq_fail_hint(err, "Give four numbers, such as 0,50,100,25.");
    }
    const struct sq_flag last = flags->items[--flags->count];
    flags->items[given - flags->items] = last;
    bool ok = true;
    struct sq_span name;
    for (int i = 0; ok && i < REGION_SIDES && take_name(&names, &name); i++) {
        struct sq_span value = values;
        struct sq_flag side = { 0 };
        sq_span_take_until(&values, ',', &value);
        ok = sq_flag_find(args->table, name, &side);
        side.value = ok ? sq_arena_strdup(arena, value, err) : NULL;
        ok = side.value && sq_flags_add(flags, &side, err);
    }
    return ok;
}

/* Checks a value by storing it in memory that is not used again. */
static bool
check_value(const struct sq_flag *flag, char *scratch, struct sq_err *err) {
    char name[SQ_FLAG_FULL_SIZE];
    if (flag->arg->type == SQ_ARG_LIST
        || (flag->arg->type == SQ_ARG_OBJECT && flag->arg->is_open)) {
        return true;
    }
    if (flag->is_word) {
        placeholder_of(flag, name);
    } else {
        sq_flag_full_name(flag->group, flag->arg, name);
    }
    const struct sq_arg_source source = { .name = name, .is_json = true };
    size_t offset = flag->group ? flag->group->offset : 0;
    bool ok = sq_arg_parse(flag->arg, sq_span_of(sq_flag_text(flag)), &source,
                           scratch + offset, err);
    char *otherwise = ok || !err || !flag->is_needed
                        ? NULL
                        : strstr(err->hint, ", or leave ");
    if (otherwise) {
        snprintf(otherwise, 2, ".");
    }
    return ok;
}

/*
 * Fails because an argument is missing. The error names it as the usage does:
 * "TEXT" for the selector of find, "--name" if it has no place.
 */
static bool
fail_missing(const struct sq_operation_args *args, const struct sq_arg *arg,
             struct sq_err *err) {
    struct sq_span rest =
        sq_span_of(args->tool->words ? args->tool->words : "");
    char name[SQ_FLAG_FULL_SIZE];
    struct form form;
    sq_flag_full_name(NULL, arg, name);
    if (take_form(args, &rest, &form)) {
        for (int i = form.count - 1; i >= 0; i--) {
            if (form.at[i].arg == arg || form.at[i].group == arg) {
                placeholder_of(&form.at[i], name);
            }
        }
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "%s is missing", name);
    return fail_usage(args, err);
}

static bool
is_set(const struct sq_arg *arg, const struct sq_flags *flags) {
    for (int i = 0; i < flags->count; i++) {
        if (flags->items[i].arg == arg || flags->items[i].group == arg) {
            return true;
        }
    }
    return false;
}

/* Checks types, ranges and that nothing is missing. */
static bool
check(const struct sq_operation_args *args, struct sq_arena *arena,
      const struct sq_flags *flags, struct sq_err *err) {
    size_t size = args->tool->args_size;
    const size_t least = 512; /* the structs of the other tables */
    size = size < least ? least : size;
    char *scratch = sq_arena_alloc(arena, 1, size, err);
    bool ok = scratch != NULL;
    for (int i = 0; ok && i < flags->count; i++) {
        memset(scratch, 0, size);
        ok = check_value(&flags->items[i], scratch, err);
    }
    for (const struct sq_arg *arg = args->table; ok && arg->name; arg++) {
        if (arg->required && !is_set(arg, flags)) {
            return fail_missing(args, arg, err);
        }
    }
    return ok;
}

bool
sq_operation_args_parse(const struct sq_operation_args *args, int argc,
                        char *const *argv, struct sq_arena *arena,
                        struct sq_flags *out, struct sq_err *err) {
    const struct sq_accepted accepted = { args->table, sq_tool_uses(args->tool),
                                          0 };

    return sq_flags_parse(&accepted, argc, argv, out, err)
        && join_periods(args, arena, out, err)
        && replace_word(args, arena, out, err) && add_words(args, out, err)
        && expand_region(args, arena, out, err) && check(args, arena, out, err);
}

bool
sq_operation_args_usage(const struct sq_operation_args *args,
                        struct sq_buf *out, struct sq_err *err) {
    struct sq_span rest =
        sq_span_of(args->tool->words ? args->tool->words : "");
    struct form form;
    bool ok = true;
    for (bool is_first = true; ok && take_form(args, &rest, &form);
         is_first = false) {
        ok = is_first || sq_buf_printf(out, err, "| ");
        for (int i = 0; ok && i < form.count; i++) {
            char name[SQ_FLAG_FULL_SIZE];
            bool is_optional = form.is_optional[i];
            placeholder_of(&form.at[i], name);
            ok = sq_buf_printf(out, err, "%s%s%s ", is_optional ? "[" : "",
                               name, is_optional ? "]" : "");
        }
    }
    return ok && sq_buf_printf(out, err, "[options]");
}

bool
sq_operation_args_at(const struct sq_operation_args *args, int form, int place,
                     struct sq_arg *out) {
    struct sq_span rest =
        sq_span_of(args->tool->words ? args->tool->words : "");
    struct form found;
    *out = (struct sq_arg)SQ_ARGS_END;
    for (int i = 0; i <= form; i++) {
        if (!take_form(args, &rest, &found)) {
            return false;
        }
    }
    if (place < found.count) {
        *out = *found.at[place].arg;
    }
    return true;
}
