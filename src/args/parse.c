/* Parses the value of an argument from text. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "args/arg.h"

#define MAX_STRINGS 256
#define MAX_MEMBERS 8

/* `given` is the first member of every optional value. */
_Static_assert(offsetof(struct sq_opt_bool, given) == 0
                   && offsetof(struct sq_opt_int, given) == 0
                   && offsetof(struct sq_opt_double, given) == 0
                   && offsetof(struct sq_opt_text, given) == 0
                   && offsetof(struct sq_opt_texts, given) == 0,
               "sq_arg_is_given reads it");

static bool
fail_text(const struct sq_arg *arg, struct sq_span text,
          const struct sq_arg_source *source, struct sq_err *err) {
    char quoted[SQ_ARG_QUOTED_SIZE];
    char remark[SQ_NEAREST_REMARK_SIZE];
    char actual[SQ_ARG_QUOTED_SIZE + SQ_NEAREST_REMARK_SIZE];
    const char *choice;
    struct sq_nearest nearest;
    sq_nearest_begin(&nearest, text);
    for (size_t i = 0; (choice = sq_arg_choice_at(arg, i)); i++) {
        sq_nearest_try(&nearest, choice);
    }
    sq_arg_quote(text, quoted);
    sq_nearest_remark(&nearest, remark);
    snprintf(actual, sizeof(actual), "%s%s", quoted, remark);
    return sq_arg_fail(arg, source->name, actual, err);
}

static bool
parse_bool(const struct sq_arg *arg, struct sq_span text,
           const struct sq_arg_source *source, void *field,
           struct sq_err *err) {
    static const char *const words[][2] = {
        { "false", "true" }, { "no", "yes" }, { "off", "on" }, { "0", "1" }
    };
    size_t count = source->is_json ? 1 : SQ_COUNT(words);
    for (size_t i = 0; i < count; i++) {
        bool value = sq_span_is_word(text, words[i][1]);
        if (!value && !sq_span_is_word(text, words[i][0])) {
            continue;
        }
        if (arg->is_plain) {
            *(bool *)field = value;
        } else {
            *(struct sq_opt_bool *)field = (struct sq_opt_bool){ true, value };
        }
        return true;
    }
    return fail_text(arg, text, source, err);
}

static void
store_int(const struct sq_arg *arg, int value, void *field) {
    if (arg->is_plain) {
        *(int *)field = value;
    } else {
        *(struct sq_opt_int *)field = (struct sq_opt_int){ true, value };
    }
}

static bool
parse_int(const struct sq_arg *arg, struct sq_span text,
          const struct sq_arg_source *source, void *field, struct sq_err *err) {
    int64_t value;
    if (arg->word && sq_span_is_word(text, arg->word)) {
        store_int(arg, SQ_ARG_OTHER, field);
        return true;
    }
    bool is_int = source->is_json ? sq_span_to_exact_int64(text, &value)
                                  : sq_span_to_int64(text, &value);
    if (!is_int || (double)value < arg->min || (double)value > arg->max) {
        return fail_text(arg, text, source, err);
    }
    store_int(arg, (int)value, field);
    return true;
}

static bool
parse_number(const struct sq_arg *arg, struct sq_span text,
             const struct sq_arg_source *source, void *field,
             struct sq_err *err) {
    double value;
    if (!sq_span_to_double(text, &value) || !isfinite(value) || value < arg->min
        || value > arg->max) {
        return fail_text(arg, text, source, err);
    }
    if (arg->is_plain) {
        *(double *)field = value;
    } else {
        *(struct sq_opt_double *)field = (struct sq_opt_double){ true, value };
    }
    return true;
}

static bool
parse_choice(const struct sq_arg *arg, struct sq_span text,
             const struct sq_arg_source *source, void *field,
             struct sq_err *err) {
    const char *choice;
    for (size_t i = 0; (choice = sq_arg_choice_at(arg, i)); i++) {
        if (sq_span_is(text, choice)
            || (source->is_json && sq_span_is_word(text, choice))) {
            store_int(arg, (int)i, field);
            return true;
        }
    }
    if (arg->takes_any && source->is_json) {
        store_int(arg, SQ_ARG_OTHER, field);
        return true;
    }
    return fail_text(arg, text, source, err);
}

static bool
has_control(struct sq_span text) {
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];
        if (byte < 0x20 || byte == 0x7f) {
            return true;
        }
    }
    return false;
}

static bool
fail_control(const struct sq_arg_source *source, struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT, "%s contains a control character",
            source->name);
    return sq_fail_hint(err,
                        "Give %s without line ends, tabs and other "
                        "control characters.",
                        source->name);
}

static bool
parse_text(const struct sq_arg *arg, struct sq_span text,
           const struct sq_arg_source *source, void *field,
           struct sq_err *err) {
    if (arg->is_plain && text.len == 0) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is empty", source->name);
        return sq_fail_hint(err, "Give a text, or leave %s out.", source->name);
    }
    if (arg->is_printable && has_control(text)) {
        return fail_control(source, err);
    }
    if (arg->max_bytes && text.len > arg->max_bytes) {
        return fail_text(arg, text, source, err);
    }
    if (!arg->is_plain) {
        *(struct sq_opt_text *)field = (struct sq_opt_text){ true, text };
        return true;
    }
    const char *copy =
        source->arena ? sq_arena_strdup(source->arena, text, err) : text.ptr;
    if (!copy) {
        return false;
    }
    *(const char **)field = copy;
    return true;
}

/* Splits at commas. Returns the number of items, or most + 1 if there are more.
 */
static size_t
split(struct sq_span text, struct sq_span *items, size_t most) {
    size_t count = 0;
    bool is_last = false;
    while (!is_last && count <= most) {
        struct sq_span item;
        is_last = !sq_span_take_until(&text, ',', &item);
        if (count < most) {
            items[count] = is_last ? text : item;
        }
        count++;
    }
    return count;
}

static bool
parse_object(const struct sq_arg *arg, struct sq_span text,
             const struct sq_arg_source *source, void *field,
             struct sq_err *err) {
    struct sq_span items[MAX_MEMBERS];
    size_t count = sq_args_count(arg->members);
    assert(count <= MAX_MEMBERS);
    bool ok = split(text, items, count) == count;
    for (size_t i = 0; ok && i < count; i++) {
        ok = sq_arg_parse(&arg->members[i], items[i], source, field, NULL);
    }
    if (!ok) {
        /* Fails for an object that was given as text. */
        char names[SQ_ERR_HINT_SIZE / 4] = "";
        char quoted[SQ_ARG_QUOTED_SIZE];
        size_t used = 0;
        for (const struct sq_arg *member = arg->members;
             member->name && used < sizeof(names); member++) {
            int len = snprintf(names + used, sizeof(names) - used, "%s%s",
                               used ? "," : "", member->name);
            used += (size_t)len;
        }
        sq_arg_quote(text, quoted);
        sq_fail(err, SQ_ERR_ARGUMENT, "%s must be %s, not %s", source->name,
                names, quoted);
        bool is_point = sq_args_count(arg->members) == 2;
        return sq_fail_hint(err, "Give %s, for example 0,120%s.", names,
                            is_point ? "" : ",400,300");
    }
    *(bool *)field = true;
    return true;
}

static bool
store_strings(const struct sq_arg *arg, const struct sq_span *items,
              size_t count, const struct sq_arg_source *source, void *field,
              struct sq_err *err) {
    const char **copies = NULL;
    if (count > 0) {
        copies = sq_arena_alloc(source->arena, count, sizeof(*copies), err);
        if (!copies) {
            return false;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (arg->is_printable && has_control(items[i])) {
            return fail_control(source, err);
        }
        if (items[i].len == 0
            || (arg->max_bytes && items[i].len > arg->max_bytes)) {
            return fail_text(arg, items[i], source, err);
        }
        copies[i] = sq_arena_strdup(source->arena, items[i], err);
        if (!copies[i]) {
            return false;
        }
    }
    *(struct sq_strings *)field = (struct sq_strings){ copies, count };
    return true;
}

/* Returns the bytes of a text in braces; 1 if they are not closed. */
static size_t
braces_of(struct sq_span text) {
    bool is_quoted = false;
    int depth = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        i += c == '\\';
        is_quoted ^= c == '"';
        depth += is_quoted ? 0 : (c == '{') - (c == '}');
        if (depth == 0) {
            return i + 1;
        }
    }
    return 1;
}

/* Takes an item of a list; commas in braces are part of it, as in JSON. */
static struct sq_span
take_item(struct sq_span *rest) {
    size_t len = 0;
    while (len < rest->len && rest->ptr[len] != ',') {
        const struct sq_span left = { rest->ptr + len, rest->len - len };
        len += *left.ptr == '{'                 ? braces_of(left)
             : sq_span_starts_with(left, "\\{") ? 2
                                                : 1;
    }
    struct sq_span item = { rest->ptr, len };
    len += len < rest->len;
    *rest = (struct sq_span){ rest->ptr + len, rest->len - len };
    return sq_span_trim(item);
}

/* Parses a plain list; spaces around items and empty items do not count. */
static bool
parse_list(const struct sq_arg *arg, struct sq_span text,
           const struct sq_arg_source *source, void *field,
           struct sq_err *err) {
    struct sq_span items[MAX_STRINGS];
    size_t count = 0;
    assert(arg->is_plain);
    while (text.len > 0) {
        struct sq_span item = take_item(&text);
        if (item.len > 0 && count == MAX_STRINGS) {
            return sq_fail(err, SQ_ERR_ARGUMENT, "%s has more than %d items",
                           source->name, MAX_STRINGS);
        }
        if (item.len > 0) {
            items[count++] = item;
        }
    }
    return store_strings(arg, items, count, source, field, err);
}

typedef bool parse_function(const struct sq_arg *arg, struct sq_span text,
                            const struct sq_arg_source *source, void *field,
                            struct sq_err *err);

bool
sq_arg_parse(const struct sq_arg *arg, struct sq_span text,
             const struct sq_arg_source *source, void *args,
             struct sq_err *err) {
    static parse_function *const parse[] = {
        [SQ_ARG_BOOL] = parse_bool,     [SQ_ARG_INT] = parse_int,
        [SQ_ARG_NUMBER] = parse_number, [SQ_ARG_TEXT] = parse_text,
        [SQ_ARG_CHOICE] = parse_choice, [SQ_ARG_OBJECT] = parse_object,
        [SQ_ARG_LIST] = parse_list,
    };
    bool is_text = arg->type == SQ_ARG_TEXT;
    return parse[arg->type](
        arg, source->is_json && !is_text ? sq_span_trim(text) : text, source,
        (char *)args + arg->offset, err);
}

bool
sq_arg_store_list(const struct sq_arg *arg, const struct sq_span *items,
                  size_t count, const struct sq_arg_source *source, void *args,
                  struct sq_err *err) {
    if (count > MAX_STRINGS) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "%s has more than %d items",
                       source->name, MAX_STRINGS);
    }
    return store_strings(arg, items, count, source, (char *)args + arg->offset,
                         err);
}
