/* Describes the values of an option and parses them from text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config/option.h"
#include "json/number.h"
#include "util/utf8.h"

#define MAX_TEXT_BYTES 1024
#define MAX_ITEM_BYTES 1024
#define MAX_ITEMS 256
#define SHOWN_BYTES (SQ_CONFIG_SHOWN_SIZE - sizeof("..."))

static void
expected_choice(const struct sq_config_option *option,
                char out[SQ_CONFIG_EXPECTED_SIZE]) {
    size_t used = (size_t)snprintf(out, SQ_CONFIG_EXPECTED_SIZE, "one of");
    const char *word;
    for (size_t i = 0; (word = option->choice_at(i)); i++) {
        int more = snprintf(out + used, SQ_CONFIG_EXPECTED_SIZE - used, "%s %s",
                            i ? "," : "", word);
        used += (size_t)more;
        if (used >= SQ_CONFIG_EXPECTED_SIZE) {
            break;
        }
    }
}

void
sq_config_expected(const struct sq_config_option *option,
                   char out[SQ_CONFIG_EXPECTED_SIZE]) {
    static const char *const words[] = {
        [SQ_CONFIG_BOOL] = "true or false",
        [SQ_CONFIG_TRI] = "true or false",
        [SQ_CONFIG_INT] = "a whole number",
        [SQ_CONFIG_NUMBER] = "a number",
        [SQ_CONFIG_CHOICE] = "",
        [SQ_CONFIG_TEXT] = "a text",
        [SQ_CONFIG_LIST] = "a list of texts",
    };
    char low[SQ_JSON_NUMBER_SIZE];
    char high[SQ_JSON_NUMBER_SIZE];
    if (option->type == SQ_CONFIG_CHOICE) {
        expected_choice(option, out);
    } else if (option->max > option->min) {
        sq_json_format_double(option->min, low);
        sq_json_format_double(option->max, high);
        snprintf(out, SQ_CONFIG_EXPECTED_SIZE, "%s from %s to %s",
                 words[option->type], low, high);
    } else {
        snprintf(out, SQ_CONFIG_EXPECTED_SIZE, "%s", words[option->type]);
    }
}

void
sq_config_show(struct sq_span text, char out[SQ_CONFIG_SHOWN_SIZE]) {
    size_t used = 0;
    while (text.len > 0) {
        uint32_t code = 0;
        size_t len = sq_utf8_decode(text, &code);
        bool is_shown = len && code >= 0x20 && (code < 0x7f || code > 0x9f);
        len = len ? len : 1;
        if (used + len > SHOWN_BYTES) {
            snprintf(out + used, sizeof("..."), "...");
            return;
        }
        if (is_shown) {
            memcpy(out + used, text.ptr, len);
            used += len;
        } else {
            out[used++] = '?';
        }
        text = (struct sq_span){ text.ptr + len, text.len - len };
    }
    out[used] = '\0';
}

static bool
fail_expected(const struct sq_config_option *option, struct sq_span text,
              struct sq_err *err) {
    char expected[SQ_CONFIG_EXPECTED_SIZE];
    char shown[SQ_CONFIG_SHOWN_SIZE];
    sq_config_expected(option, expected);
    sq_config_show(text, shown);
    return sq_fail(err, SQ_ERR_ARGUMENT, "\"%s\" is not %s", shown, expected);
}

static bool
to_bool(struct sq_span text, bool *out) {
    static const char *const words[][2] = {
        { "false", "true" }, { "no", "yes" }, { "off", "on" }, { "0", "1" }
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        for (int value = 0; value < 2; value++) {
            if (sq_span_is_word(text, words[i][value])) {
                *out = value == 1;
                return true;
            }
        }
    }
    return false;
}

static bool
store_bool(const struct sq_config_option *option, struct sq_span text,
           struct sq_arena *arena, void *field, struct sq_err *err) {
    (void)arena;
    return to_bool(text, field) || fail_expected(option, text, err);
}

static bool
store_tri(const struct sq_config_option *option, struct sq_span text,
          struct sq_arena *arena, void *field, struct sq_err *err) {
    (void)arena;
    bool value;
    if (!to_bool(text, &value)) {
        return fail_expected(option, text, err);
    }
    *(enum sq_tri *)field = value ? SQ_TRI_TRUE : SQ_TRI_FALSE;
    return true;
}

static bool
store_int(const struct sq_config_option *option, struct sq_span text,
          struct sq_arena *arena, void *field, struct sq_err *err) {
    (void)arena;
    int64_t value;
    if (!sq_span_to_int64(text, &value) || (double)value < option->min
        || (double)value > option->max) {
        return fail_expected(option, text, err);
    }
    *(int *)field = (int)value;
    return true;
}

static bool
store_number(const struct sq_config_option *option, struct sq_span text,
             struct sq_arena *arena, void *field, struct sq_err *err) {
    (void)arena;
    double value;
    if (!sq_span_to_double(text, &value) || !isfinite(value)
        || value < option->min || value > option->max) {
        return fail_expected(option, text, err);
    }
    *(double *)field = value;
    return true;
}

static bool
store_choice(const struct sq_config_option *option, struct sq_span text,
             struct sq_arena *arena, void *field, struct sq_err *err) {
    (void)arena;
    const char *word;
    for (size_t i = 0; (word = option->choice_at(i)); i++) {
        if (sq_span_is(text, word)) {
            *(int *)field = (int)i;
            return true;
        }
    }
    return fail_expected(option, text, err);
}

/*
 * Returns whether a text is not empty, not too long and free of characters that
 * no path or name has.
 */
static bool
is_decent(struct sq_span text, size_t max_bytes) {
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];
        if (byte < 0x20 || byte == 0x7f) {
            return false;
        }
    }
    return text.len > 0 && text.len <= max_bytes;
}

static bool
store_text(const struct sq_config_option *option, struct sq_span text,
           struct sq_arena *arena, void *field, struct sq_err *err) {
    if (!is_decent(text, MAX_TEXT_BYTES)) {
        return fail_expected(option, text, err);
    }
    const char *copy = arena ? sq_arena_strdup(arena, text, err) : text.ptr;
    if (!copy) {
        return false;
    }
    *(const char **)field = copy;
    return true;
}

/* Fills the list from spans. Needs an arena if there are items. */
static bool
store_items(const struct sq_config_option *option, const struct sq_span *items,
            size_t count, struct sq_arena *arena, void *field,
            struct sq_err *err) {
    const char **copies = NULL;
    if (count > 0) {
        copies = sq_arena_alloc(arena, count, sizeof(*copies), err);
        if (!copies) {
            return false;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_decent(items[i], MAX_ITEM_BYTES)) {
            return fail_expected(option, items[i], err);
        }
        copies[i] = sq_arena_strdup(arena, items[i], err);
        if (!copies[i]) {
            return false;
        }
    }
    *(struct sq_config_list *)field = (struct sq_config_list){ copies, count };
    return true;
}

static bool
store_list(const struct sq_config_option *option, struct sq_span text,
           struct sq_arena *arena, void *field, struct sq_err *err) {
    struct sq_span items[MAX_ITEMS];
    struct sq_span rest = text;
    size_t count = 0;
    bool is_last = false;
    while (!is_last) {
        struct sq_span item;
        is_last = !sq_span_take_until(&rest, ',', &item);
        item = sq_span_trim(is_last ? rest : item);
        if (item.len > 0 && count == MAX_ITEMS) {
            return fail_expected(option, text, err);
        }
        if (item.len > 0) {
            items[count++] = item;
        }
    }
    return store_items(option, items, count, arena, field, err);
}

static bool (*const store[])(const struct sq_config_option *, struct sq_span,
                             struct sq_arena *, void *, struct sq_err *) = {
    [SQ_CONFIG_BOOL] = store_bool,     [SQ_CONFIG_TRI] = store_tri,
    [SQ_CONFIG_INT] = store_int,       [SQ_CONFIG_NUMBER] = store_number,
    [SQ_CONFIG_CHOICE] = store_choice, [SQ_CONFIG_TEXT] = store_text,
    [SQ_CONFIG_LIST] = store_list,
};

bool
sq_config_store(const struct sq_config_option *option, struct sq_span text,
                struct sq_arena *arena, struct sq_config *config,
                struct sq_err *err) {
    return store[option->type](option, text, arena,
                               (char *)config + option->offset, err);
}

bool
sq_config_store_list(const struct sq_config_option *option,
                     const struct sq_span *items, size_t count,
                     struct sq_arena *arena, struct sq_config *config,
                     struct sq_err *err) {
    if (count > MAX_ITEMS) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "more than %d items", MAX_ITEMS);
    }
    return store_items(option, items, count, arena,
                       (char *)config + option->offset, err);
}
