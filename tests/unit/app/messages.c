/* The marks of all messages (util/err.h, tools/offer.h) name what exists. */
#include "app/print_message.h"

#include <ctype.h>
#include <dirent.h>

#include "config/option.h"
#include "support/test.h"
#include "tools/run.h"
#include "tools/table.h"

#define MAX_FILE ((size_t)1 << 20)

static int marks_seen;
static int options_seen;

static size_t
length_of_name(const char *text, const char *others) {
    size_t len = 0;
    while (isalnum((unsigned char)text[len])
           || (text[len] && strchr(others, text[len])
               && isalnum((unsigned char)text[len + 1]))) {
        len++;
    }
    return len;
}

static bool
is_argument(const struct sq_arg *table, struct sq_span name) {
    bool found = sq_args_find(table, name) != NULL;
    for (; !found && table && table->name; table++) {
        found = sq_args_find(table->members, name) != NULL;
    }
    return found;
}

static bool
is_known_argument(struct sq_span name) {
    const struct sq_tool *tool;
    bool found = is_argument(sq_common_args, name)
              || (sq_span_contains(name, '_') && sq_tools_find(name));
    for (size_t i = 0; !found && (tool = sq_tools_at(i)); i++) {
        found = is_argument(tool->args, name);
    }
    return found;
}

/* Returns whether an option of the command line has this name. */
static bool
is_known_option(struct sq_span flag) {
    char word[80];
    char want[90];
    const struct sq_tool *tool;
    static const char *const others[] = { "read-only", "archive", "manictime" };
    snprintf(word, sizeof(word), "%.*s", SQ_SPAN_ARGS(flag));
    bool found = sq_config_option_by_flag(flag) != NULL;
    for (size_t i = 0; i < SQ_COUNT(others); i++) {
        found = found || strcmp(others[i], word) == 0;
    }
    snprintf(want, sizeof(want), "--%s", word);
    for (size_t i = 0; !found && (tool = sq_tools_at(i)); i++) {
        for (const struct sq_arg *arg = tool->args; arg && arg->name; arg++) {
            char got[SQ_MARKED_SIZE];
            char mark[80];
            snprintf(mark, sizeof(mark), "$%s", arg->name);
            found = found || strcmp(sq_marked(mark, got), want) == 0;
            for (const struct sq_arg *member = arg->members;
                 member && member->name; member++) {
                char whole[180];
                snprintf(mark, sizeof(mark), "$%s", member->name);
                snprintf(whole, sizeof(whole), "--%s.%s", arg->name,
                         sq_marked(mark, got) + 2);
                found = found || strcmp(whole, want) == 0
                     || strcmp(sq_marked(mark, got), want) == 0;
            }
        }
    }
    return found;
}

/* Checks the person's words of "${client|person}" for options. */
static void
check_options(const char *file, const char *text) {
    const char *from = text + strcspn(text, "|}\"");
    const char *end = from + strcspn(from, "}");
    for (; from < end; from++) {
        size_t len =
            strncmp(from, "--", 2) == 0 ? length_of_name(from + 2, "-.") : 0;
        if (len > 0) {
            options_seen++;
            if (!T(is_known_option((struct sq_span){ from + 2, len }))) {
                printf("# %s: --%.*s is no option\n", file, (int)len, from + 2);
            }
            from += len;
        }
    }
}

/* Checks the marks of a string literal; returns its end. */
static const char *
check_literal(const char *file, const char *at) {
    for (; *at && *at != '"' && *at != '\n'; at++) {
        size_t len = *at == '$' ? length_of_name(at + 1, "_.") : 0;
        if (at[0] == '$' && at[1] == '{') {
            check_options(file, at);
        } else if (len > 1) { /* "$p" is a variable of a shell */
            marks_seen++;
            if (!T(is_known_argument((struct sq_span){ at + 1, len }))) {
                printf("# %s: $%.*s is no argument or tool\n", file, (int)len,
                       at + 1);
            }
        }
        at += *at == '\\' && at[1];
    }
    return at;
}

static void
check_file(const char *path) {
    static char text[MAX_FILE];
    FILE *file = fopen(path, "rb");
    if (!T(file != NULL)) {
        return;
    }
    size_t len = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[len] = '\0';
    for (const char *at = text; *at; at++) {
        if (strncmp(at, "/*", 2) == 0) {
            const char *end = strstr(at, "*/");
            at = end ? end : at + strlen(at) - 1;
        } else if (*at == '\'' && at[1]) {
            at += at[1] == '\\' ? 3 : 2;
        } else if (*at == '"') {
            at = check_literal(path, at + 1);
        }
    }
}

static void
check_folder(const char *folder) {
    struct dirent *entry;
    DIR *dir = opendir(folder);
    if (!T(dir != NULL)) {
        return;
    }
    while ((entry = readdir(dir))) {
        char path[512];
        size_t len = strlen(entry->d_name);
        snprintf(path, sizeof(path), "%s/%.200s", folder, entry->d_name);
        if (entry->d_name[0] == '.') {
            continue;
        }
        if (!strchr(entry->d_name, '.') && isalpha(entry->d_name[0])
            && islower((unsigned char)entry->d_name[0])) {
            check_folder(path);
        } else if (len > 2 && strcmp(entry->d_name + len - 2, ".c") == 0) {
            check_file(path);
        }
    }
    closedir(dir);
}

/* A mark with an unknown name would be printed as it is. */
T_CASE(every_mark_names_an_argument) {
    static const char *const rooms[] = { "archive", "device", "redact",
                                         "session", "tool",   "tools" };
    sq_print_for(SQ_FOR_COMMANDS);
    for (size_t i = 0; i < SQ_COUNT(rooms); i++) {
        char folder[512];
        const char *root = getenv("SQUINT_SOURCE");
        snprintf(folder, sizeof(folder), "%s/src/%s", root ? root : ".",
                 rooms[i]);
        check_folder(folder);
    }
    sq_print_for(SQ_FOR_CLIENTS);
    T(marks_seen > 100);
    T(options_seen > 5);
}

/* The same message for a client, a person, and a person who wrote JSON. */
T_CASE(names_are_those_of_the_reader) {
    static const char text[] = "Give $maxDimension: 5, $resourceId or "
                               "$list_screenshots.";
    char out[SQ_MARKED_SIZE];
    sq_print_for(SQ_FOR_COMMANDS);
    T_STR(sq_marked(text, out), "Give --max-dimension 5, "
                                "--selector.resource-id or squint list.");
    T_STR(sq_marked("$deviceId $inline: false", out), "--device --no-inline");
    sq_print_for(SQ_FOR_JSON);
    T(sq_reader_is_person());
    T_STR(sq_marked(text, out), "Give maxDimension: 5, resourceId or "
                                "list_screenshots.");
    sq_print_for(SQ_FOR_CLIENTS);
    T(!sq_reader_is_person());
    T_STR(sq_marked(text, out), "Give maxDimension: 5, resourceId or "
                                "list_screenshots.");
}
