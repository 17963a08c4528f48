/* Every command and option is described, with its values and its default. */
#include "app/docs/docs.h"

#include "unit/app/home.h"

static const char *verb_name;

/* Returns whether a line of help begins with an option. */
static bool
is_entry(const char *line) {
    return strncmp(line, "      --", 8) == 0
        || (strncmp(line, "  -", 3) == 0 && strncmp(line + 4, ", --", 4) == 0);
}

/* Appends a line; every run of white space becomes one space. */
static void
append(char *out, size_t size, const char *line, size_t len) {
    size_t used = strlen(out);
    for (size_t i = 0; i <= len && used + 2 < size; i++) {
        bool is_space = i == len || line[i] == ' ';
        if (!is_space || (used > 0 && out[used - 1] != ' ')) {
            out[used++] = is_space ? ' ' : line[i];
        }
    }
    out[used] = '\0';
}

/* Returns the entry of a flag in the last help, in one line; NULL: none. */
static const char *
entry_of(const struct sq_verb_flag *flag, int *count) {
    static char entry[3000];
    char start[SQ_VERB_FLAG_SIZE + 20];
    snprintf(start, sizeof(start), "--%s%s", flag->is_on ? "[no-]" : "",
             flag->name);
    bool is_inside = false;
    entry[0] = '\0';
    *count = 0;
    for (const char *line = run.out; *line;) {
        size_t len = strcspn(line, "\n");
        size_t name = strlen(start);
        if (is_entry(line) || len == 0) {
            is_inside = len > 6 + name && strncmp(line + 6, start, name) == 0
                     && line[6 + name] == ' ';
            is_inside =
                is_inside
                || (len == 6 + name && strncmp(line + 6, start, name) == 0);
            *count += is_inside;
        }
        if (is_inside && *count == 1) {
            append(entry, sizeof(entry), line, len);
        }
        line += len + (line[len] == '\n');
    }
    return *count ? entry : NULL;
}

static bool
has(const struct sq_verb_flag *flag, const char *entry, const char *part) {
    bool found = entry && strstr(entry, part);
    if (!T(found)) {
        printf("# squint %s: --%s lacks \"%s\": %s\n", verb_name, flag->name,
               part, entry ? entry : "not in the help");
    }
    return true;
}

/* The limits of a number are told; a very high one is only for safety. */
static void
has_range(const struct sq_verb_flag *flag, const char *entry) {
    const struct sq_arg *arg = flag->arg;
    if (!arg || (arg->type != SQ_ARG_INT && arg->type != SQ_ARG_NUMBER)) {
        return;
    }
    char low[SQ_JSON_NUMBER_SIZE];
    char high[SQ_JSON_NUMBER_SIZE];
    char range[200];
    sq_json_format_double(arg->min, low);
    sq_json_format_double(arg->max, high);
    snprintf(range, sizeof(range), "%s%s%s%s",
             arg->max < 1e8 ? "(" : "(at least ", low,
             arg->max < 1e8 ? " to " : "", arg->max < 1e8 ? high : "");
    has(flag, entry, range);
}

/* The help says what happens without the option. */
static void
has_default(const struct sq_verb_flag *flag, const char *entry) {
    static const char *const ways[] = { "default ", "default: ", "none: ",
                                        "unset: ", "required)" };
    for (size_t i = 0; entry && i < SQ_COUNT(ways); i++) {
        if (strstr(entry, ways[i])) {
            return;
        }
    }
    T(false);
    printf("# squint %s: --%s has no default: %s\n", verb_name, flag->name,
           entry ? entry : "not in the help");
}

static bool
is_described(void *context, const struct sq_verb_flag *flag,
             struct sq_err *err) {
    if (strcmp(flag->name, "help") == 0) {
        return true;
    }
    if (!T(flag->text && flag->text[0])) {
        printf("# squint %s: --%s has no description\n", verb_name, flag->name);
        return true;
    }
    int count;
    const char *entry = entry_of(flag, &count);
    char words[300];
    has(flag, entry, flag->text);
    const char *choice;
    for (size_t i = 0; (choice = sq_verb_choice_at(flag, i)); i++) {
        has(flag, entry, choice);
    }
    bool is_switch =
        flag->arg && flag->arg->type == SQ_ARG_BOOL && !flag->value;
    has_range(flag, entry);
    /* A switch of a command is off unless it is given. */
    if (!is_switch || flag->option) {
        has_default(flag, entry);
    }
    if (flag->initial) {
        snprintf(words, sizeof(words), "default %s)",
                 !is_switch    ? flag->initial
                 : flag->is_on ? "yes"
                               : "no");
        has(flag, entry, words);
    }
    return true;
}

T_FIXTURE(t_scratch_start, t_scratch_end);

T_CASE(every_option_is_described) {
    struct sq_verb verb;
    for (size_t i = 0; sq_verb_at(i, &verb); i++) {
        verb_name = verb.name;
        RUN_EXITS(0, "help", verb.name);
        T_STR(run.err, "");
        T(verb.text && verb.text[0]);
        T(strstr(run.out, "the person") == NULL); /* they read it themselves */
        T(strstr(run.out, "small for you") == NULL);
        T(strstr(run.out, "by selector") == NULL);
        T(sq_verb_flags(&verb, is_described, NULL, &t_err));
    }
}

/* Options as words of a command line: those listed in the help, and others. */
struct lists {
    char listed[RUN_MAX_WORDS][SQ_VERB_FLAG_SIZE + 60];
    size_t count;
    char others[RUN_MAX_WORDS][SQ_VERB_FLAG_SIZE + 4];
    size_t other_count;
};

static const char *
value_for(const struct sq_verb_flag *flag) {
    const char *choice = sq_verb_choice_at(flag, 0);
    bool is_one_word = flag->initial && !strchr(flag->initial, ' ');
    return choice                              ? choice
         : strcmp(flag->value, "X,Y,W,H") == 0 ? "1,1,1,1"
         : is_one_word                         ? flag->initial
                                               : "2";
}

/* Adds "--name=value" to one of the lists. No option is listed twice. */
static bool
sort_flag(void *context, const struct sq_verb_flag *flag, struct sq_err *err) {
    struct lists *lists = context;
    int count;
    entry_of(flag, &count);
    if (!T(count <= 1)) {
        printf("# squint %s: --%s is listed twice\n", verb_name, flag->name);
    }
    if (strcmp(flag->name, "help") == 0) {
        return true;
    }
    if (count == 0) {
        snprintf(lists->others[lists->other_count++], sizeof(lists->others[0]),
                 "--%s", flag->name);
        return T(lists->other_count < RUN_MAX_WORDS);
    }
    snprintf(lists->listed[lists->count++], sizeof(lists->listed[0]),
             "--%s%s%s", flag->name, flag->value ? "=" : "",
             flag->value ? value_for(flag) : "");
    return T(lists->count < RUN_MAX_WORDS);
}

/* Every option that the help lists is accepted: the last word is unknown. */
static void
check_listed(const struct lists *lists, bool is_config) {
    const char *words[RUN_MAX_WORDS + 1] = { verb_name };
    size_t count = 1;
    for (size_t i = 0; i < lists->count; i++) {
        words[count++] = lists->listed[i];
    }
    words[count++] = "--unlisted-option";
    words[count] = NULL;
    T(count < RUN_MAX_WORDS);
    run_words((struct run_streams){ 0 }, words);
    /* With --json the error is on standard output. */
    const char *text = run.err[0] ? run.err : run.out;
    const char *unknown = strstr(text, "unknown option");
    bool is_last = unknown && strstr(unknown, "--unlisted-option");
    /* A value of the configuration may be refused. */
    bool is_good = is_last || (is_config && !unknown);
    if (!T(is_good && !strstr(text, "has no effect"))) {
        printf("# squint %s: %s\n", verb_name, text);
    }
}

/* An option that the help does not list is refused. */
static void
check_others(const struct lists *lists) {
    for (size_t i = 0; i < lists->other_count; i++) {
        RUN(verb_name, lists->others[i], "1");
        if (!T(run.status == 2
               && (strstr(run.err, "unknown option")
                   || strstr(run.err, "has no effect in this command")))) {
            printf("# squint %s %s: %s\n", verb_name, lists->others[i],
                   run.err);
        }
    }
}

static bool
count_taken(void *context, const struct sq_verb_flag *flag,
            struct sq_err *err) {
    size_t *count = context;
    ++*count;
    return true;
}

T_BARE_CASE(a_command_takes_the_options_that_it_lists) {
    static struct lists own;
    static struct lists config;
    struct sq_verb verb;
    home_start();
    for (size_t i = 0; sq_verb_at(i, &verb); i++) {
        own = (struct lists){ 0 };
        config = (struct lists){ 0 };
        size_t taken = 0;
        verb_name = verb.name;
        RUN("help", verb.name);
        T(sq_verb_flags(&verb, sort_flag, &own, &t_err));
        T_INT(own.other_count, 0);
        T(verb.command || verb.uses); /* each operation has a row */
        if (verb.uses) {
            T(sq_verb_config_flags(NULL, sort_flag, &config, &t_err));
            T(sq_verb_config_flags(&verb, count_taken, &taken, &t_err));
            T(taken > 1 && config.count >= taken);
            check_listed(&config, true);
            check_others(&config);
        }
        check_listed(&own, false);
    }
    t_album_end();
}

T_CASE(configuration_is_described) {
    verb_name = "serve";
    RUN("help", "serve");
    T(sq_verb_config_flags(NULL, is_described, NULL, &t_err));
}

/* A thing has one name, and its value is written in one way. */
static bool
has_usual_name(void *context, const struct sq_verb_flag *flag,
               struct sq_err *err) {
    static const char *const others[] = {
        "device-id",      "max-image-dimension",
        "crop-x",         "crop-width",
        "region.x",       "package-name",
        "screenshot-ref", "output-file",
        "no-color",       "colour",
        "max-count",      "output-path",
    };
    static const char *const usual[][2] = {
        { "device", "ID" },
        { "max-dimension", "N" },
        { "region", "X,Y,W,H" },
    };
    bool ok = true;
    for (size_t i = 0; i < SQ_COUNT(others); i++) {
        ok = ok && strcmp(flag->name, others[i]) != 0;
    }
    for (size_t i = 0; i < SQ_COUNT(usual); i++) {
        ok = ok
          && (strcmp(flag->name, usual[i][0]) != 0 || !flag->value
              || strcmp(flag->value, usual[i][1]) == 0);
    }
    if (!T(ok)) {
        printf("# squint %s: --%s %s\n", verb_name, flag->name,
               flag->value ? flag->value : "");
    }
    return true;
}

T_BARE_CASE(a_thing_has_one_name) {
    struct sq_verb verb;
    for (size_t i = 0; sq_verb_at(i, &verb); i++) {
        verb_name = verb.name;
        T(sq_verb_flags(&verb, has_usual_name, NULL, &t_err));
    }
    T(sq_verb_config_flags(NULL, has_usual_name, NULL, &t_err));
}

T_CASE(help_is_narrow) {
    struct sq_verb verb;
    for (size_t i = 0; sq_verb_at(i, &verb); i++) {
        RUN(verb.name, "--help");
        for (const char *line = run.out; *line;) {
            size_t length = strcspn(line, "\n");
            if (!T(length <= 80)) {
                printf("# squint %s: %.*s\n", verb.name, (int)length, line);
            }
            line += length + (line[length] == '\n');
        }
    }
}
