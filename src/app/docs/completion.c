/*
 * completion: prints a script for a shell, which asks the program itself for
 * the words that can follow.
 */
#include <stdio.h>

#include "app/docs/docs.h"
#include "app/setup.h"
#include "json/reader.h"
#include "sys/process.h"
#include "sys/worker.h"

#define MAX_LIVE_BYTES ((size_t)4 << 20)
#define LIVE_MS 150

/*
 * Their scripts are in texts.txt. Each calls "squint completion words -- WORD
 * ...", the words after the program up to the one under the cursor. It prints
 * lines "word<tab>description", and "FILES" where a file can be named.
 */
static const char *const shells[] = { "bash", "fish", "zsh" };

static const char *
shell_at(size_t index) {
    return index < SQ_COUNT(shells) ? shells[index] : NULL;
}

/* The word under the cursor, and the flag whose value it may be. */
struct request {
    const char *word;
    struct sq_span flag;   /* empty: none */
    struct sq_span prefix; /* of the answers: "--format=" */
    int place;             /* of the word among those that are no options */
    bool is_answered;      /* nothing else can stand here */
    int argc;              /* the words before the cursor, without the verb */
    char **argv;
    struct sq_buf *out;
};

/* Words that are known only now: what an operation lists. */
static const struct live {
    const char *arg;
    const char *operation;
    const char *arguments; /* JSON */
    const char *list;      /* in its reply */
    const char *id;
    const char *text;
} lives[] = {
    { "deviceId", "devices", "{}", "devices", "id", "name" },
    { "devices.default", "devices", "{}", "devices", "id", "name" },
    { "security.allowDevices", "devices", "{}", "devices", "id", "name" },
    { "packageName", "apps", "{}", "apps", "packageName", "label" },
    { "security.allowApps", "apps", "{}", "apps", "packageName", "label" },
    { "screenshotRef", "list_screenshots", "{\"at\":\"now\",\"maxCount\":20}",
      "screenshots", "screenshotRef", "displayLocalTime" },
};

static const char *const days[] = { "today", "yesterday", "-7d", "now" };

static bool
put_word(const struct request *request, const char *before, const char *word,
         const char *text, struct sq_err *err) {
    return sq_buf_printf(request->out, err, "%.*s%s%s%s%s\n",
                         SQ_SPAN_ARGS(request->prefix), before, word,
                         text ? "\t" : "", text ? text : "");
}

/* Returns whether a text of a device can be a part of a line. */
static bool
is_printable(struct sq_span text) {
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];
        if (byte < ' ' || byte == 0x7f) {
            return false;
        }
    }
    return text.len > 0;
}

/* Appends a line for each row that an operation has listed. */
static bool
put_listed(const struct live *live, const struct sq_result *result,
           struct sq_buf *out, struct sq_err *err) {
    SQ_ARENA(arena, MAX_LIVE_BYTES);
    const struct sq_json *reply = NULL;
    bool ok = result->count > 0 && result->blocks[0].kind == SQ_BLOCK_TEXT
           && sq_json_parse(sq_buf_span(&result->blocks[0].data), &arena,
                            &reply, err);
    const struct sq_json *list = ok ? sq_json_get(reply, live->list) : NULL;
    for (const struct sq_json *item = sq_json_first(list); ok && item;
         item = sq_json_next(item)) {
        struct sq_span word = sq_json_text_of(item, live->id);
        struct sq_span text = sq_json_text_of(item, live->text);
        ok = !is_printable(word)
          || sq_buf_printf(out, err, "%.*s%s%.*s\n", SQ_SPAN_ARGS(word),
                           is_printable(text) ? "\t" : "",
                           is_printable(text) ? (int)text.len : 0, text.ptr);
    }
    return ok;
}

/*
 * squint completion live NUMBER -- WORDS: lists the words of that row. Options
 * among the words count. Nothing is started for it: no adb server, browser or
 * session of a farm.
 */
static bool
list_live(int argc, char **argv, struct sq_buf *out, struct sq_err *err) {
    static const struct sq_accepted accepted = { NULL, ~0U, 0 };
    struct sq_setup setup = { 0 };
    int64_t number;
    int count = argc - 3;
    SQ_ARENA(arena, MAX_LIVE_BYTES);
    const struct sq_json *arguments = NULL;
    SQ_FREED(sq_result_finish) struct sq_result result = { 0 };
    if (count < 0 || !sq_span_to_int64(sq_span_of(argv[1]), &number)
        || number < 0 || number >= (int64_t)SQ_COUNT(lives)) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "this is for completion itself");
    }
    const struct live *live = &lives[number];
    bool ok = sq_setup_take_flags(&setup, &accepted, &count, argv + 3, err);
    setup.only_lists = true;
    ok = ok && sq_setup_start(&setup, err)
      && sq_json_parse(sq_span_of(live->arguments), &arena, &arguments, err)
      && sq_host_run(setup.host, live->operation, arguments, NULL, &result, err)
      && put_listed(live, &result, out, err);
    sq_setup_finish(&setup);
    return ok;
}

/*
 * Writes what list_live lists in another process, which is ended in time for an
 * answer within a fifth of a second, whatever a device does. Problems mean no
 * words.
 */
static bool
put_live(struct request *request, size_t number, struct sq_err *err) {
    enum { OWN = 5, MOST = 64 };
    char program[SQ_PATH_SIZE];
    char digits[24];
    const char *argv[OWN + MOST + 1] = { program, "completion", "live", digits,
                                         "--" };
    struct sq_err ignored = { 0 };
    request->is_answered = true;
    snprintf(digits, sizeof(digits), "%zu", number);
    for (int i = 0; i < request->argc && i < MOST; i++) {
        argv[OWN + i] = request->argv[i];
    }
    const struct sq_process process = {
        .argv = argv,
        .max_output = MAX_LIVE_BYTES,
        .max_errors = MAX_LIVE_BYTES,
    };
    const struct sq_deadline deadline = sq_deadline_in(LIVE_MS, NULL);
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    if (!sq_worker_program(program, &ignored)
        || !sq_process_run(&process, &deadline, &end, &ignored)
        || end.status != 0) {
        return true;
    }
    struct sq_span rest = sq_buf_span(&end.output);
    struct sq_span line;
    bool ok = true;
    while (ok && sq_span_take_line(&rest, &line)) {
        ok = sq_buf_printf(request->out, err, "%.*s%.*s\n",
                           SQ_SPAN_ARGS(request->prefix), SQ_SPAN_ARGS(line));
    }
    return ok;
}

/* Writes the values that an argument can have. */
static bool
put_values(struct request *request, const struct sq_verb_flag *flag,
           struct sq_err *err) {
    const char *value;
    const struct sq_arg *arg = flag->arg;
    bool ok = !flag->is_path || sq_buf_printf(request->out, err, "FILES\n");
    for (size_t i = 0; ok && (value = sq_verb_choice_at(flag, i)); i++) {
        ok = put_word(request, "", value, NULL, err);
    }
    for (size_t i = 0; ok && arg && i < SQ_COUNT(lives); i++) {
        if (strcmp(lives[i].arg, arg->name) == 0) {
            ok = put_live(request, i, err);
        }
    }
    bool is_day =
        arg && arg->placeholder && strcmp(arg->placeholder, "WHEN") == 0;
    for (size_t i = 0; ok && is_day && i < SQ_COUNT(days); i++) {
        ok = put_word(request, "", days[i], NULL, err);
    }
    return ok;
}

static bool
put_flag(void *context, const struct sq_verb_flag *flag, struct sq_err *err) {
    const char letter[] = { flag->letter, '\0' };
    return put_word(context, "--", flag->name, flag->text, err)
        && (!flag->letter || put_word(context, "-", letter, flag->text, err))
        && (!flag->has_no
            || put_word(context, "--no-", flag->name, flag->text, err));
}

static bool
visit(const struct sq_verb *verb, sq_verb_visit *put, void *context,
      struct sq_err *err) {
    return sq_verb_flags(verb, put, context, err)
        && sq_verb_config_flags(verb, put, context, err);
}

/* Searches the flag that a word names: "--device", "-s". */
struct search {
    struct sq_span word;
    struct sq_verb_flag found; /* name is "": not found */
    struct sq_arg arg;         /* a copy of its argument */
};

static bool
compare(void *context, const struct sq_verb_flag *flag, struct sq_err *err) {
    struct search *search = context;
    const char letter[] = { '-', flag->letter, '\0' };
    struct sq_span name = search->word;
    (void)err;
    if ((flag->letter && sq_span_is(name, letter))
        || (sq_span_take_prefix(&name, "--") && sq_span_is(name, flag->name))) {
        search->found = *flag;
        if (flag->arg) {
            search->arg = *flag->arg;
            search->found.arg = &search->arg;
        }
        return false;
    }
    return true;
}

/* Returns whether the verb has that flag, and it takes a value. */
static bool
takes_value(const struct sq_verb *verb, struct sq_span word,
            struct search *search) {
    *search = (struct search){ .word = word };
    visit(verb, compare, search, NULL);
    return search->found.name[0] && search->found.value;
}

/* Counts the words before the cursor that are no options. */
static void
count_words(const struct sq_verb *verb, struct request *request) {
    for (int i = 0; i < request->argc; i++) {
        struct search search;
        const char *word = request->argv[i];
        if (word[0] != '-' || !word[1]) {
            request->place++;
        } else if (takes_value(verb, sq_span_of(word), &search)) {
            static char long_name[] = "--device"; /* of the configuration */
            if (strcmp(search.found.name, "device") == 0) {
                request->argv[i] = long_name;
            }
            i++;
        }
    }
}

/* Writes what can stand at a place, by each form of the usage. */
static bool
put_place(const struct sq_verb *verb, struct request *request,
          struct sq_err *err) {
    struct sq_verb_flag flag;
    struct sq_arg arg;
    const char *word;
    bool ok = true;
    for (size_t i = 0;
         ok && request->place == 0 && (word = sq_verb_word_at(verb, i)); i++) {
        request->is_answered = true;
        ok = put_word(request, "", word, NULL, err);
    }
    for (int form = 0;
         ok && !request->is_answered
         && sq_verb_place(verb, form, request->place, &arg, &flag);
         form++) {
        ok = put_values(request, &flag, err);
    }
    return ok;
}

/* Writes what can follow a verb: options only where nothing else can be. */
static bool
complete_verb(const struct sq_verb *verb, struct request *request,
              struct sq_err *err) {
    struct search search;
    size_t before = request->out->len;
    if (request->flag.len > 0 && takes_value(verb, request->flag, &search)) {
        request->argc -= request->prefix.len == 0;
        count_words(verb, request);
        return put_values(request, &search.found, err);
    }
    if (request->prefix.len > 0) {
        return true;
    }
    count_words(verb, request);
    return (request->word[0] == '-' || put_place(verb, request, err))
        && (request->out->len > before || request->is_answered
            || visit(verb, put_flag, request, err));
}

/*
 * Finds the flag before the cursor; bash makes "=" a word of its own. argv
 * begins with the verb.
 */
static struct request
read_request(int argc, char **argv, struct sq_buf *out) {
    struct request request = { .word = argv[argc - 1], .out = out };
    int last = argc - 1;
    if (last > 0 && strcmp(request.word, "=") == 0) {
        request.word = "";
    } else if (last > 1 && strcmp(argv[last - 1], "=") == 0) {
        last--;
    }
    const char *equals = strchr(request.word, '=');
    if (request.word[0] == '-' && equals) {
        size_t len = (size_t)(equals - request.word);
        request.flag = (struct sq_span){ request.word, len };
        request.prefix = (struct sq_span){ request.word, len + 1 };
    } else if (last > 1 && argv[last - 1][0] == '-') {
        request.flag = sq_span_of(argv[last - 1]);
    }
    request.argc = last > 1 ? last - 1 : 0;
    request.argv = argv + 1;
    return request;
}

static bool
complete(int argc, char **argv, struct sq_buf *out, struct sq_err *err) {
    struct request request = read_request(argc, argv, out);
    struct sq_verb verb;
    bool ok = true;
    for (size_t i = 0; ok && sq_verb_at(i, &verb); i++) {
        if (argc == 1) {
            ok = put_word(&request, "", verb.name, verb.text, err);
        } else if (strcmp(verb.name, argv[0]) == 0) {
            ok = complete_verb(&verb, &request, err);
        }
    }
    return ok && (argc > 1 || sq_buf_printf(out, err, "--help\n--version\n"));
}

static bool
completion_run(int argc, char **argv, struct sq_buf *out,
               enum sq_status *status, struct sq_err *err) {
    struct sq_words words = { 0 };
    (void)status;
    if (argc > 2 && strcmp(argv[0], "words") == 0
        && strcmp(argv[1], "--") == 0) {
        return complete(argc - 2, argv + 2, out, err);
    }
    if (argc > 2 && strcmp(argv[0], "live") == 0) {
        return list_live(argc, argv, out, err);
    }
    if (!sq_command_parse(&sq_command_completion, argc, argv, NULL, &words,
                          err)) {
        return false;
    }
    char section[64];
    snprintf(section, sizeof(section), "completion %.40s", words.word[0]);
    if (sq_docs_append(section, out, err) || err->code != SQ_ERR_NONE) {
        return err->code == SQ_ERR_NONE;
    }
    return sq_command_fail_choice("shell", words.word[0], shell_at, err);
}

const struct sq_command sq_command_completion = {
    .name = "completion",
    .usage = "bash|fish|zsh",
    .summary = "print the script that lets a shell complete words",
    .min_words = 1,
    .max_words = 1,
    .is_verbatim = true,
    .word_at = shell_at,
    .run_words = completion_run,
};
