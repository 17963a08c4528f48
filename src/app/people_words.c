/* Replaces names of the protocol by those of the command line. */
#include "app/people_words.h"

#include <string.h>

#include "app/flags.h"
#include "tools/run.h"
#include "tools/table.h"

struct phrase {
    const char *client;
    const char *person;
};

/* Phrases for a client, and those for a person. */
static const struct phrase phrases[] = {
    { "Set confirm: true if the person wants this",
      "Add --confirm if you want this" },
    { "set deviceId to \"demo\"", "add --device demo" },
    { "Call rtfm for the list of operations",
      "squint help lists the commands" },
    { "no such screenshotRef", "no such past screenshot" },
    { "x and y, or elementIndex, selector or cell",
      "X and Y, or TEXT, or --cell" },
    { "x and y, elementIndex, selector or cell", "X and Y, TEXT or --cell" },
    { "run find and take one by elementIndex",
      "run squint find and take one by X and Y" },
    { "cell of the last contact_sheet, or hit of the last ",
      "--cell of the last squint sheet, or --hit of the last " },
    { "Call ", "Run " },
    { "Give scale, degrees or to, or several of them; only fingers",
      "Give --scale, --degrees or --to, or several of them; only --fingers" },
    { "Give dark, fontScale, density or locale",
      "Give --dark, --font-scale, --density or --locale" },
    { "Give the text to type; key presses",
      "Give the TEXT to type; squint key presses" },
    { "text is missing", "TEXT is missing" },
    { "name is not the name of a key", "KEY is not the name of a key" },
    { "run find or dump", "run squint find or squint dump" },
    { "run dump or find", "run squint dump or squint find" },
    { "Run dump or find", "Run squint dump or squint find" },
    { "Run find ", "Run squint find " },
    { "Take one of the alternatives in details by x and y",
      "Tap one of these with squint tap X Y" },
    { "Take one of the alternatives in details by", "Tap one of these by" },
    { "dump and find may still list its elements. Otherwise leave this screen "
      "with key back",
      "squint dump and squint find may still list its elements. Otherwise "
      "leave this screen with squint key back" },
    { "There are no pixels to read: list its elements with dump, without "
      "vision",
      "There are no pixels to read: squint dump lists its elements" },
    { "elements match the selector equally", "elements match equally" },
    { "with a looser selector, such as textContains, or take a screenshot and "
      "use x and y",
      "--text-contains and a part of the text, or take a screenshot and give X "
      "and Y" },
    { "Name the field by selector",
      "Name the field with --selector.text and its label" },
    { "the middle of the fingers, or a selector",
      "the middle of the fingers, or the TEXT of an element" },
    { "a sheet needs startDate and endDate, query, or refs",
      "a sheet needs a day, a period or references" },
    { "For one day, give its date as startDate.",
      "For example: squint sheet yesterday" },
    { "a sheet shows a period or refs, not both",
      "a sheet shows a day or a period, or --refs, not both" },
    { "Leave refs or the dates out", "Leave --refs or the day out" },
    { "screenshotRef is missing", "REF is missing" },
    { "give screenshotRef", "give REF" },
    { "Give screenshotRef", "Give REF" },
    { "packageName is not the name of an app",
      "APP is not the name of an app" },
    { "and confirm is not true", "and --confirm was not given" },
    { "The window lies before", "This is before" },
    { "Ask for a later window", "Ask for a later time" },
    { "none in this window. Try a wider one",
      "none in this period. Try a longer one" },
    { "Keep one with remember: name and region",
      "Keep one: squint remember NAME --region X,Y,W,H" },
    { "Give one of: region (with screenshotId for an earlier picture), "
      "elementIndex, the name of a remembered picture, localPath",
      "Give --region X,Y,W,H, or the NAME of a remembered picture" },
    { "startDate: \"", "\"" },
    { "endDate: \"", "\"" },
    { "url has no scheme", "URL has no scheme" },
    { "text has no letters", "TEXT has no letters" },
    { "x is missing", "X is missing" },
    { "y is missing", "Y is missing" },
    { "width is missing", "WIDTH is missing" },
    { "height is missing", "HEIGHT is missing" },
    { "Give x, y, width and height in percent",
      "Give X Y WIDTH HEIGHT in percent" },
    { "raw and size cannot", "--raw and --size cannot" },
    { "raw and maxDimension", "--raw and --max-dimension" },
    { "raw and budgetTokens", "--raw and --budget-tokens" },
    { "size and maxDimension", "--size and --max-dimension" },
    { "size and budgetTokens", "--size and --budget-tokens" },
    { "region and displayId", "--region and --display-id" },
    { "marks and displayId", "--marks and --display-id" },
    { "quality and the format png", "--quality and the format png" },
    { "Leave format out", "Leave --format out" },
    { "passes filterLevel:", "passes --filter-level:" },
    { "passes interactiveOnly:", "passes --interactive-only:" },
    { "selector is empty",
      "--selector.ignore-case is given, but not which element" },
    { "Give at least one of text, textContains, resourceId, className, "
      "contentDesc, nearestTo",
      "Name the element, for example with --selector.text and its label" },
    { "Leave selector out", "Leave --selector.text out" },
    { "leave guard out", "leave --guard out" },
    { "look needs a receipt, but receipt is none",
      "--look needs a receipt, but --receipt is none" },
    { "leave look out", "leave --look out" },
    { "cursor needs startDate", "--cursor needs --start-date" },
    { "cannot be used with cursor", "cannot be used with --cursor" },
    { "Leave out cursor", "Leave out --cursor" },
    { "leave out columns", "leave out --columns" },
    { "refs[", "--refs[" },
    { "from: the ", "--from: the " },
    { "to: the ", "--to: the " },
    { "Give region as well", "Add --region" },
    { "Give screenshotId: ", "Add --screenshot-id " },
    { "Give one of within, elementIndex, selector",
      "Give --within or --selector.text, not both" },
    { "only one of screenshotRef, cell and hit",
      "only one of REF, --cell and --hit" },
    { "Search without app", "Search without --app" },
    { "text is empty", "TEXT is empty" },
};

/* The same for texts with and without names of arguments. */
static const struct phrase general_phrases[] = {
    { "Ask the person to start squint without --read-only",
      "Leave --read-only out" },
    { "Have the person ", "" },
    { "have the person ", "" },
    { "Ask the person to ", "" },
    { "ask the person to ", "" },
    { "if the person wants this", "if you want this" },
    { "The operation ", "squint " },
    { "the operation ", "squint " },
    { "this server is read-only", "--read-only is set" },
    { "squint://health", "squint doctor" },
    { "Start squint with --", "Add --" },
    { "in its configuration", "in the configuration" },
    { "Example: {\"steps\": [{\"operation\": \"tap\", \"x\": 9, \"y\": 9}, "
      "{\"operation\": \"key\", \"name\": \"back\"}]}",
      "For example: squint steps '[{\"operation\": \"tap\", \"x\": 9, \"y\": "
      "9}, {\"operation\": \"key\", \"name\": \"back\"}]'" },
    { "Call rtfm for the list of operations",
      "squint rtfm lists the operations" },
    { "Call rtfm ", "Run squint rtfm " },
};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool
is_word_byte(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')
        || (byte >= '0' && byte <= '9') || byte == '_' || byte == '.';
}

/* Returns the length of the word at the start; a dot at its end is not in it.
 */
static size_t
word_length(struct sq_span text) {
    size_t len = 0;
    while (len < text.len && is_word_byte(text.ptr[len])) {
        len++;
    }
    while (len > 0 && text.ptr[len - 1] == '.') {
        len--;
    }
    return len;
}

/* Returns whether a name cannot be a word of English: "maxDimension". */
static bool
has_capital_inside(struct sq_span name) {
    for (size_t i = 1; i < name.len; i++) {
        if (name.ptr[i] >= 'A' && name.ptr[i] <= 'Z' && name.ptr[i - 1] >= 'a'
            && name.ptr[i - 1] <= 'z') {
            return true;
        }
    }
    return false;
}

/* Finds an argument of that name, also in an object. */
static bool
find_in(const struct sq_arg *table, struct sq_span name, struct sq_flag *out) {
    const struct sq_arg *found = sq_args_find(table, name);
    *out = (struct sq_flag){ .arg = found };
    for (const struct sq_arg *arg = table; !out->arg && arg && arg->name;
         arg++) {
        out->arg = sq_args_find(arg->members, name);
        out->group = out->arg ? arg : NULL;
    }
    return out->arg != NULL;
}

/* Finds an argument of that name, or else one that has it as another name. */
static bool
find_argument(struct sq_span name, struct sq_flag *out) {
    const struct sq_tool *tool;
    bool found = find_in(sq_common_args, name, out);
    bool is_own = found && sq_span_is(name, out->arg->name);
    for (size_t i = 0; !is_own && (tool = sq_tools_at(i)); i++) {
        struct sq_flag flag;
        if (find_in(tool->args, name, &flag)) {
            is_own = sq_span_is(name, flag.arg->name);
            *out = is_own || !found ? flag : *out;
            found = true;
        }
    }
    return found;
}

/* The value after a name: `: true`, `: 2`, `: "back"`. */
struct value {
    size_t len; /* with the colon; 0: there is none */
    struct sq_span text;
};

static struct value
take_value(struct sq_span rest) {
    struct value value = { .len = 0 };
    struct sq_span at = rest;
    if (!sq_span_take_prefix(&at, ": ")) {
        return value;
    }
    bool is_quoted = sq_span_take_prefix(&at, "\"");
    value.text = at;
    if (is_quoted && sq_span_take_until(&at, '"', &value.text)) {
        value.len = (size_t)(at.ptr - rest.ptr);
        return value;
    }
    value.text.len = word_length(at);
    bool is_number = value.text.len > 0 && at.ptr[0] >= '0' && at.ptr[0] <= '9';
    if (is_number || sq_span_is(value.text, "true")
        || sq_span_is(value.text, "false")) {
        value.len = (size_t)(value.text.ptr - rest.ptr) + value.text.len;
    }
    return value;
}

/* Writes an argument as an option, with its value if one follows. */
static bool
put_option(const struct sq_flag *flag, const struct value *value,
           struct sq_buf *out, struct sq_err *err) {
    char name[SQ_FLAG_FULL_SIZE];
    bool has_value = value->len > 0;
    bool is_no = has_value && sq_span_is(value->text, "false");
    bool is_yes = has_value && sq_span_is(value->text, "true");
    sq_flag_full_name(flag->group, flag->arg, name);
    return sq_buf_printf(out, err, "--%s%s", is_no ? "no-" : "", name + 2)
        && (!has_value || is_no || is_yes
            || sq_buf_printf(out, err, " %.*s", SQ_SPAN_ARGS(value->text)));
}

static void
skip(struct sq_span *rest, size_t count) {
    rest->ptr += count;
    rest->len -= count;
}

/* Appends the word at the start, replaced if it is a name of the protocol. */
static bool
put_word(struct sq_span *rest, struct sq_buf *out, struct sq_err *err) {
    struct sq_flag flag;
    struct sq_span word = { rest->ptr, word_length(*rest) };
    if (word.len == 0) {
        word.len = 1;
        skip(rest, 1);
        return sq_buf_append(out, word.ptr, 1, err);
    }
    skip(rest, word.len);
    const struct sq_tool *tool =
        sq_span_contains(word, '_') ? sq_tools_find(word) : NULL;
    if (tool) {
        return sq_buf_printf(out, err, "squint %s", sq_tool_verb(tool));
    }
    const struct value value = take_value(*rest);
    if ((value.len > 0 || has_capital_inside(word))
        && find_argument(word, &flag)) {
        skip(rest, value.len);
        return put_option(&flag, &value, out, err);
    }
    return sq_buf_append(out, word.ptr, word.len, err);
}

/* Appends quoted text as it is. Returns whether there was any. */
static bool
take_quoted(struct sq_span *rest, struct sq_span *out) {
    struct sq_span at = *rest;
    struct sq_span inside;
    if (!sq_span_take_prefix(&at, "\"")
        || !sq_span_take_until(&at, '"', &inside)) {
        return false;
    }
    *out = (struct sq_span){ rest->ptr, (size_t)(at.ptr - rest->ptr) };
    *rest = at;
    return true;
}

static const char *
take_phrase_of(const struct phrase *table, size_t count, struct sq_span *rest) {
    for (size_t i = 0; i < count; i++) {
        if (sq_span_take_prefix(rest, table[i].client)) {
            return table[i].person;
        }
    }
    return NULL;
}

/* Takes a phrase of the tables; returns NULL if the text starts with none. */
static const char *
take_phrase(struct sq_span *rest, bool is_json) {
    const char *phrase =
        is_json ? NULL : take_phrase_of(phrases, COUNT(phrases), rest);
    return phrase
             ? phrase
             : take_phrase_of(general_phrases, COUNT(general_phrases), rest);
}

/* Appends the first letter of a sentence as a capital. */
static bool
put_capital(struct sq_span *rest, struct sq_buf *out, struct sq_err *err) {
    char first = rest->ptr[0];
    bool is_small = first >= 'a' && first <= 'z';
    first = is_small ? (char)(first - 'a' + 'A') : first;
    skip(rest, 1);
    return sq_buf_append(out, &first, 1, err);
}

/* Appends the first byte, or a word in which names are replaced. */
static bool
put_rest(struct sq_span *text, bool is_one_byte, struct sq_buf *out,
         struct sq_err *err) {
    if (!is_one_byte) {
        return put_word(text, out, err);
    }
    bool ok = sq_buf_append(out, text->ptr, 1, err);
    skip(text, 1);
    return ok;
}

static bool
translate(struct sq_span text, bool is_json, struct sq_buf *out,
          struct sq_err *err) {
    size_t start = out->len;
    bool ok = true;
    bool is_inside = false; /* the last byte belongs to the same word */
    while (ok && text.len > 0) {
        struct sq_span quoted;
        struct sq_span done = { (const char *)out->data + start,
                                out->len - start };
        bool is_sentence = done.len == 0 || sq_span_ends_with(done, ". ");
        const char *phrase = is_inside ? NULL : take_phrase(&text, is_json);
        if (phrase) {
            ok = sq_buf_append(out, phrase, strlen(phrase), err);
            bool is_gone = !phrase[0] && is_sentence && text.len > 0;
            ok = ok && (!is_gone || put_capital(&text, out, err));
            is_inside = is_gone;
        } else if (take_quoted(&text, &quoted)) {
            ok = sq_buf_append(out, quoted.ptr, quoted.len, err);
        } else {
            bool is_word = is_word_byte(text.ptr[0]);
            ok = put_rest(&text, is_json || (is_inside && is_word), out, err);
            is_inside = (is_json || is_inside) && is_word;
        }
    }
    return ok;
}

bool
sq_people_words(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    return translate(text, false, out, err);
}

bool
sq_people_words_of_json(struct sq_span text, struct sq_buf *out,
                        struct sq_err *err) {
    return translate(text, true, out, err);
}
