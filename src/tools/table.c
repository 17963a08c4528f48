/* Lists all operations and tools. */
#include "tools/table.h"

#include <stdio.h>

#include "tools/operations.h"

#define ROW(name) &sq_tool_##name,

const struct sq_tool *const sq_tools[] = { SQ_OPERATIONS(ROW) NULL };

const struct sq_tool *const sq_archive_tools[] = { SQ_ARCHIVE_OPERATIONS(ROW)
                                                       NULL };

bool
sq_tool_is_own(const struct sq_tool *tool) {
    return tool->flags & SQ_TOOL_BY_ARCHIVE;
}

const struct sq_tool *
sq_tools_at(size_t index) {
    for (size_t i = 0; sq_tools[i]; i++) {
        if (index-- == 0) {
            return sq_tools[i];
        }
    }
    for (size_t i = 0; sq_archive_tools[i]; i++) {
        if (index-- == 0) {
            return sq_archive_tools[i];
        }
    }
    return NULL;
}

const char *
sq_tool_verb(const struct sq_tool *tool) {
    return tool->verb ? tool->verb : tool->name;
}

unsigned
sq_tool_uses(const struct sq_tool *tool) {
    bool has_device = tool->flags & SQ_TOOL_NEEDS_DEVICE;
    return SQ_USE_CALLS | (has_device ? SQ_USE_DEVICES : 0) | tool->uses;
}

const struct sq_tool *
sq_tools_find(struct sq_span name) {
    const struct sq_tool *tool;
    for (size_t i = 0; (tool = sq_tools_at(i)); i++) {
        if (sq_name_matches(name, tool->name)) {
            return tool;
        }
    }
    return NULL;
}

const struct sq_tool *
sq_tools_find_verb(struct sq_span verb) {
    const struct sq_tool *tool;
    for (size_t i = 0; (tool = sq_tools_at(i)); i++) {
        if (sq_span_is(verb, sq_tool_verb(tool))) {
            return tool;
        }
    }
    return NULL;
}

bool
sq_tools_may_type(struct sq_span operation, struct sq_span argument) {
    static const char *const common[] = { "operation", "deviceId", "udid",
                                          "toolName" };
    for (size_t i = 0; i < SQ_COUNT(common); i++) {
        if (sq_span_is(argument, common[i])) {
            return false;
        }
    }
    sq_span_take_prefix(&operation, "ui_");
    const struct sq_tool *tool = sq_tools_find(operation);
    return !tool || !sq_args_find(tool->args, argument)
        || (tool->typed && sq_span_is(argument, tool->typed));
}

#define NAME_SIZE 64

/* Names that mean no operation, or one of two. */
static const struct sq_synonym others[] = {
    { "press", "key, or squint tap",
      SQ_UI_CALL("tap", ", \"x\": 200, \"y\": 500") " for a point, " SQ_UI_CALL(
          "key", ", \"name\": \"back\"") " for a key" },
    { "ls", "list", SQ_UI_CALL("dump", "") },
    { "ui squint", "--help",
      SQ_UI_CALL("screenshot", "") "; rtfm lists the other operations" },
    { "rtfm help manual docs documentation guide usage", "rtfm", "rtfm {}" },
    { 0 },
};

static char
folded(char byte) {
    return byte == '_' ? '-' : sq_ascii_lower(byte);
}

bool
sq_name_matches(struct sq_span word, const char *name) {
    size_t i = 0;
    while (i < word.len && name[i] && folded(word.ptr[i]) == folded(name[i])) {
        i++;
    }
    return i == word.len && name[i] == '\0';
}

static bool
is_upper(char byte) {
    return byte >= 'A' && byte <= 'Z';
}

static bool
is_separator(char byte) {
    return memchr("_-. :/", byte, 6) != NULL;
}

/* Writes a name in our notation: "mcp__x__takeShot" as "mcp-x-take-shot". */
static void
normalise(struct sq_span name, char out[NAME_SIZE]) {
    size_t len = 0;
    for (size_t i = 0; i < name.len && len + 2 < NAME_SIZE; i++) {
        bool begins_word =
            i > 0 && is_upper(name.ptr[i]) && !is_upper(name.ptr[i - 1]);
        if ((begins_word || is_separator(name.ptr[i])) && len > 0
            && out[len - 1] != '-') {
            out[len++] = '-';
        }
        if (!is_separator(name.ptr[i])) {
            out[len++] = sq_ascii_lower(name.ptr[i]);
        }
    }
    out[len] = '\0';
}

/* Returns whether words that are separated by spaces contain this one. */
static bool
has_word(const char *words, struct sq_span name) {
    while (words && *words) {
        const struct sq_span word = { words, strcspn(words, " ") };
        if (sq_span_equal(word, name)) {
            return true;
        }
        words += word.len + (words[word.len] == ' ');
    }
    return false;
}

static const struct sq_synonym *
find_in(const struct sq_synonym *list, struct sq_span name) {
    for (; list && list->words; list++) {
        if (has_word(list->words, name)) {
            return list;
        }
    }
    return NULL;
}

/* Finds a name; its own row has only the words, and is not the command. */
static struct sq_synonym
find_exactly(const char *name, const struct sq_tool **tool) {
    const struct sq_span word = sq_span_of(name);
    const struct sq_synonym *found = NULL;
    for (size_t i = 0; !found && (*tool = sq_tools_at(i)); i++) {
        if (has_word((*tool)->synonyms, word)) {
            return (struct sq_synonym){ .words = (*tool)->synonyms };
        }
        found = find_in((*tool)->other_names, word);
    }
    found = found ? found : find_in(others, word);
    return found ? *found : (struct sq_synonym){ 0 };
}

/* Finds a name, also with the prefixes that clients and servers add. */
static struct sq_synonym
find(struct sq_span word, const struct sq_tool **tool) {
    static const char *const prefixes[] = {
        "mcp-",     "functions-", "squint-",    "ui-",     "mobile-",
        "android-", "ios-",       "phone-",     "device-", "screen-",
        "browser-", "computer-",  "simulator-",
    };
    char name[NAME_SIZE];
    normalise(word, name);
    const char *at = name;
    struct sq_synonym found = find_exactly(at, tool);
    for (size_t i = 0;
         !found.words && i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        size_t len = strlen(prefixes[i]);
        if (strncmp(at, prefixes[i], len) == 0) {
            at += len;
            found = find_exactly(at, tool);
        }
    }
    return found;
}

static void
hint_call(const struct sq_tool *tool, const char *call, struct sq_err *err) {
    const char *example = !call && tool->example ? tool->example : "";
    if (call) {
        char hint[SQ_ERR_HINT_SIZE];
        snprintf(hint, sizeof(hint), "Use %s.", call);
        sq_fail_hint(err, "%s", hint); /* its marks count */
    } else if (sq_tool_is_own(tool)) {
        sq_fail_hint(err, "Use @%s {%s}.", tool->name, example);
    } else {
        sq_fail_hint(err, "Use ui {\"operation\": \"@%s\"%s%s}.", tool->name,
                     example[0] ? ", " : "", example);
    }
}

bool
sq_hint_argument(const struct sq_tool *tool, struct sq_span argument,
                 struct sq_err *err) {
    const struct sq_synonym *found = find_in(tool->other_arguments, argument);
    if (found) {
        hint_call(tool, found->call, err);
    }
    return found != NULL;
}

bool
sq_hint_synonym(struct sq_span word, struct sq_err *err) {
    const struct sq_tool *tool;
    const struct sq_synonym found = find(word, &tool);
    if (found.words) {
        hint_call(tool, found.call, err);
    }
    return found.words != NULL;
}

const char *
sq_synonym_command(struct sq_span word) {
    const struct sq_tool *tool;
    const struct sq_synonym found = find(word, &tool);
    return found.command || !tool ? found.command : sq_tool_verb(tool);
}
