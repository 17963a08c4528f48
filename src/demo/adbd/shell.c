/* Runs shell scripts on the phone. */
#include "demo/adbd/shell.h"

#include <stdio.h>
#include <string.h>

#include "demo/adbd/program.h"
#include "demo/adbd/shell_parse.h"
#include "util/mem.h"

#define MAX_ARENA_BYTES ((size_t)16 << 20)
#define MAX_OUTPUT_BYTES SQ_ADBD_MAX_FILE_BYTES
#define MAX_WORDS 16384
#define STEP_MS 20 /* of a program that goes on */
#define NS_PER_MS 1000000
#define NOT_FOUND 127
#define NAME "/system/bin/sh: "

struct sq_adbd_shell {
    struct sq_adbd_phone *phone;
    struct sq_arena arena; /* holds the script and its words */
    struct sq_adbd_store variables;
    const struct sq_sh_step *step;       /* the current one; NULL: done */
    const struct sq_sh_command *command; /* NULL: not started */
    const char **argv; /* of the command; NULL: not expanded */
    int argc;
    int64_t due_ns;
    int64_t ends_ns;      /* of "timeout"; 0: none */
    uint64_t next_event;  /* of a logcat that follows */
    int programs;         /* started so far; 0: not even the shell itself */
    struct sq_buf piped;  /* output of the previous command */
    struct sq_span input; /* stdin of the script */
    struct sq_buf out;
    struct sq_buf errors;
    char syntax_error[SQ_ERR_MESSAGE_SIZE]; /* syntax error; empty: none */
    int status;
    bool exited;
    bool is_control;
};

bool
sq_adbd_shell_create(struct sq_adbd_phone *phone, struct sq_adbd_shell **out,
                     struct sq_err *err) {
    struct sq_adbd_shell *shell = sq_mem_zalloc(1, sizeof(*shell));
    if (!shell) {
        return sq_fail_nomem(err);
    }
    shell->phone = phone;
    sq_arena_init(&shell->arena, MAX_ARENA_BYTES);
    sq_buf_init(&shell->piped, MAX_OUTPUT_BYTES);
    sq_buf_init(&shell->out, MAX_OUTPUT_BYTES);
    sq_buf_init(&shell->errors, MAX_OUTPUT_BYTES);
    *out = shell;
    return true;
}

void
sq_adbd_shell_destroy(struct sq_adbd_shell *shell) {
    if (shell) {
        sq_buf_finish(&shell->errors);
        sq_buf_finish(&shell->out);
        sq_buf_finish(&shell->piped);
        sq_adbd_store_finish(&shell->variables);
        sq_arena_finish(&shell->arena);
        sq_mem_free(shell);
    }
}

static bool
print_error(const struct sq_adbd_sink *sink, struct sq_err *err,
            const char *what) {
    char line[SQ_ERR_MESSAGE_SIZE + sizeof(NAME) + 1];
    snprintf(line, sizeof(line), NAME "%s\n", what);
    return sink->write(sink->context, 2, sq_span_of(line), err);
}

bool
sq_adbd_shell_start(struct sq_adbd_shell *shell, struct sq_span script,
                    struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct sq_sh_step *first = NULL;
    sq_arena_reset(&shell->arena);
    shell->command = NULL;
    shell->argv = NULL;
    shell->step = NULL;
    char *kept = sq_arena_strdup(&shell->arena, script, err);
    if (!kept) {
        return false;
    }
    struct sq_span text = { kept, script.len };
    if (sq_sh_parse(text, &shell->arena, &first, &local_err)) {
        shell->step = first;
        return true;
    }
    if (local_err.code != SQ_ERR_FORMAT) {
        return sq_fail(err, local_err.code, "%s", local_err.message);
    }
    shell->status = 1;
    snprintf(shell->syntax_error, sizeof(shell->syntax_error), "%s",
             local_err.message);
    return true;
}

static const char *
value_of(struct sq_adbd_shell *shell, struct sq_span name, char number[16]) {
    char plain[SQ_ADBD_STORE_NAME_SIZE];
    if (sq_span_is(name, "?") || sq_span_is(name, "$")) {
        snprintf(number, 16, "%d", name.ptr[0] == '?' ? shell->status : 4242);
        return number;
    }
    snprintf(plain, sizeof(plain), "%.*s", SQ_SPAN_ARGS(name));
    const char *value = sq_adbd_store_get(&shell->variables, plain);
    return value ? value : "";
}

/* The words that one word of the script expands to. */
struct expansion {
    struct sq_adbd_shell *shell;
    struct sq_buf text;
    bool started; /* a word exists, even if empty */
    const char **words;
    int count;
};

static bool
end_word(struct expansion *into, struct sq_err *err) {
    if (!into->started) {
        return true;
    }
    char *word = into->count == MAX_WORDS
                   ? NULL
                   : sq_arena_strdup(&into->shell->arena,
                                     sq_buf_span(&into->text), err);
    if (!word) {
        return into->count < MAX_WORDS
            || sq_fail(err, SQ_ERR_LIMIT, "too many words");
    }
    into->words[into->count++] = word;
    into->started = false;
    sq_buf_clear(&into->text);
    return true;
}

/* Outside quotes a value is split at its spaces. */
static bool
add_split(struct expansion *into, const char *value, struct sq_err *err) {
    bool ok = true;
    for (; ok && *value; value++) {
        if (strchr(" \t\n", *value)) {
            ok = end_word(into, err);
        } else {
            ok = sq_buf_append(&into->text, value, 1, err);
            into->started = true;
        }
    }
    return ok;
}

static bool
expand_word(struct expansion *into, const struct sq_sh_word *word, bool whole,
            struct sq_err *err) {
    bool ok = true;
    into->started = word->quoted || whole;
    for (const struct sq_sh_part *part = word->parts; ok && part;
         part = part->next) {
        char number[16];
        struct sq_span text = part->text;
        if (part->is_variable) {
            text = sq_span_of(value_of(into->shell, part->text, number));
        }
        if (part->is_variable && !part->quoted && !whole) {
            ok = add_split(into, text.ptr, err);
        } else {
            ok = sq_buf_append(&into->text, text.ptr, text.len, err);
            into->started = into->started || text.len > 0;
        }
    }
    return ok && end_word(into, err);
}

/* Expands a word to one string, for assignments and file names. */
static bool
expand_whole(struct sq_adbd_shell *shell, const struct sq_sh_word *word,
             const char **out, struct sq_err *err) {
    struct expansion into = { .shell = shell, .words = out };
    sq_buf_init(&into.text, MAX_ARENA_BYTES);
    bool ok = expand_word(&into, word, true, err);
    sq_buf_finish(&into.text);
    return ok;
}

static bool
expand_command(struct sq_adbd_shell *shell, struct sq_err *err) {
    struct expansion into = { .shell = shell };
    size_t size = sizeof(*into.words);
    into.words = sq_mem_alloc(MAX_WORDS + 1, size);
    if (!into.words) {
        return sq_fail_nomem(err);
    }
    sq_buf_init(&into.text, MAX_ARENA_BYTES);
    bool ok = true;
    for (const struct sq_sh_word *word = shell->command->words; ok && word;
         word = word->next) {
        ok = expand_word(&into, word, false, err);
    }
    const char **argv =
        ok ? sq_arena_alloc(&shell->arena, (size_t)into.count + 1, size, err)
           : NULL;
    if (argv) {
        memcpy(argv, into.words, (size_t)into.count * size);
        argv[into.count] = NULL;
        shell->argv = argv;
        shell->argc = into.count;
    }
    sq_buf_finish(&into.text);
    sq_mem_free(into.words);
    return argv != NULL;
}

static bool
assign(struct sq_adbd_shell *shell, struct sq_err *err) {
    for (const struct sq_sh_assignment *one = shell->command->assignments; one;
         one = one->next) {
        char name[SQ_ADBD_STORE_NAME_SIZE];
        const char *value;
        snprintf(name, sizeof(name), "%.*s", SQ_SPAN_ARGS(one->name));
        if (!expand_whole(shell, one->value, &value, err)
            || !sq_adbd_store_set(&shell->variables, name, value, err)) {
            return false;
        }
    }
    return true;
}

/* The destination of stdout or stderr of a command. */
struct target {
    enum {
        TO_SINK,
        TO_PIPE,
        TO_NOWHERE,
        TO_FILE,
    } kind;
    int fd;           /* TO_SINK only */
    const char *path; /* TO_FILE only */
    bool append;
};

struct streams {
    struct target of[3]; /* indexes 1 and 2 */
    struct sq_span input;
};

static bool
same_target(const struct target *a, const struct target *b) {
    return a->kind == b->kind && (a->kind != TO_SINK || a->fd == b->fd)
        && (a->kind != TO_FILE || strcmp(a->path, b->path) == 0);
}

/* Opens a redirected file. Fails with the message that the shell prints. */
static bool
open_file(struct sq_adbd_shell *shell, struct streams *streams,
          const struct sq_sh_redirect *redirect, const char *path,
          struct sq_err *err) {
    if (redirect->kind == SQ_SH_READ) {
        const struct sq_adbd_file *file =
            sq_adbd_files_find(&shell->phone->files, path);
        bool none = strcmp(path, "/dev/null") == 0;
        streams->input =
            file ? sq_buf_span(&file->bytes) : (struct sq_span){ 0 };
        return file || none
            || sq_fail(err, SQ_ERR_NOT_FOUND,
                       "can't open %.200s: No such file or directory", path);
    }
    struct target *to = &streams->of[redirect->fd];
    bool none = strcmp(path, "/dev/null") == 0;
    *to = (struct target){ .kind = none ? TO_NOWHERE : TO_FILE,
                           .path = path,
                           .append = redirect->kind == SQ_SH_APPEND };
    struct sq_adbd_file *file;
    if (!none && !sq_adbd_files_check(path, NULL)) {
        return sq_fail(err, SQ_ERR_NOT_FOUND,
                       "can't create %.200s: Read-only file system", path);
    }
    return none
        || (to->append && sq_adbd_files_find(&shell->phone->files, path))
        || sq_adbd_files_create(
               &shell->phone->files, path,
               sq_phone_now_ns(shell->phone->demo) / 1000000000, &file, err);
}

static bool
open_streams(struct sq_adbd_shell *shell, struct streams *streams,
             struct sq_err *err) {
    bool last = !shell->command->next;
    streams->input =
        shell->piped.len > 0 ? sq_buf_span(&shell->piped) : shell->input;
    streams->of[1] =
        (struct target){ .kind = last ? TO_SINK : TO_PIPE, .fd = 1 };
    streams->of[2] = (struct target){ .kind = TO_SINK, .fd = 2 };
    for (const struct sq_sh_redirect *one = shell->command->redirects; one;
         one = one->next) {
        const char *path = NULL;
        if (one->kind == SQ_SH_COPY) {
            streams->of[one->fd] = streams->of[one->from];
        } else if (!expand_whole(shell, one->file, &path, err)
                   || !open_file(shell, streams, one, path, err)) {
            return false;
        }
    }
    return true;
}

static bool
write_to(struct sq_adbd_shell *shell, const struct target *to,
         struct sq_span bytes, const struct sq_adbd_sink *sink,
         struct sq_err *err) {
    if (bytes.len == 0 || to->kind == TO_NOWHERE) {
        return true;
    }
    if (to->kind == TO_SINK) {
        return sink->write(sink->context, to->fd, bytes, err);
    }
    if (to->kind == TO_PIPE) {
        return sq_buf_append(&shell->piped, bytes.ptr, bytes.len, err);
    }
    struct sq_err local_err = { 0 };
    struct sq_adbd_file *file =
        sq_adbd_files_find(&shell->phone->files, to->path);
    if (!file
        || sq_buf_append(&file->bytes, bytes.ptr, bytes.len, &local_err)) {
        return true;
    }
    shell->status = 1;
    return local_err.code == SQ_ERR_LIMIT
             ? print_error(sink, err, "write: No space left on device")
             : sq_fail_nomem(err);
}

static bool
run_program(struct sq_adbd_shell *shell, const struct streams *streams,
            const struct sq_adbd_sink *sink, int64_t now_ns,
            struct sq_err *err) {
    bool is_merged = same_target(&streams->of[1], &streams->of[2])
                  || (sink->merges && streams->of[1].kind == TO_SINK
                      && streams->of[2].kind == TO_SINK);
    struct sq_adbd_call call = {
        .phone = shell->phone,
        .argv = shell->argv,
        .argc = shell->argc,
        .input = streams->input,
        .now_ns = now_ns,
        .out = &shell->out,
        .errors = is_merged ? &shell->out : &shell->errors,
    };
    call.phone->demo->locked = sq_adbd_phone_has(call.phone, SQ_ADBD_PIN);
    sq_adbd_program_fn run = sq_adbd_program_find(call.argv[0]);
    bool ok = sq_adbd_keep_argv(&call, err) && sq_adbd_keys_arrive(&call, err)
           && sq_adbd_phone_react(call.phone, err);
    ok = ok
      && (run ? sq_adbd_program_run(&call, run, err)
              : sq_adbd_print_error(&call, NOT_FOUND, err,
                                    NAME "%.200s: inaccessible or not found\n",
                                    call.argv[0]));
    shell->status = call.status;
    sq_adbd_note_events(shell->phone, now_ns);
    /* The input may point into the pipe that is filled next. */
    sq_buf_clear(&shell->piped);
    ok = ok
      && write_to(shell, &streams->of[2], sq_buf_span(&shell->errors), sink,
                  err)
      && write_to(shell, &streams->of[1], sq_buf_span(&shell->out), sink, err)
      && write_to(shell, &streams->of[1], call.large, sink, err);
    shell->exited = shell->exited || call.exits;
    shell->is_control = shell->is_control || call.is_control;
    sq_buf_clear(&shell->out);
    sq_buf_clear(&shell->errors);
    return ok;
}

static bool
run_command(struct sq_adbd_shell *shell, const struct sq_adbd_sink *sink,
            int64_t now_ns, struct sq_err *err) {
    struct streams streams;
    struct sq_err local_err = { 0 };
    if (!open_streams(shell, &streams, &local_err)) {
        if (local_err.code == SQ_ERR_NOMEM) {
            return sq_fail_nomem(err);
        }
        sq_buf_clear(&shell->piped);
        shell->status = 1;
        return print_error(sink, err, local_err.message);
    }
    if (shell->argc == 0) {
        shell->status = 0;
        sq_buf_clear(&shell->piped);
        return assign(shell, err);
    }
    return run_program(shell, &streams, sink, now_ns, err);
}

static bool
should_run(const struct sq_adbd_shell *shell, const struct sq_sh_step *step) {
    return step->when == SQ_SH_ALWAYS
        || (step->when == SQ_SH_IF_OK) == (shell->status == 0);
}

/* Moves to the next command. */
static void
next_command(struct sq_adbd_shell *shell) {
    shell->argv = NULL;
    shell->command = shell->command->next;
    if (shell->command && !shell->exited) {
        return;
    }
    if (shell->step->negated) {
        shell->status = !shell->status;
    }
    if (shell->step->background) {
        shell->status = 0;
    }
    shell->command = NULL;
    shell->step = shell->exited ? NULL : shell->step->next;
    while (shell->step && !should_run(shell, shell->step)) {
        shell->step = shell->step->next;
    }
}

/* Starts the current command. Returns how long it waits before it runs. */
static int64_t
start_ms(struct sq_adbd_shell *shell) {
    const struct sq_adbd_delays *delays = &shell->phone->delays;
    bool is_first = shell->programs == 0;
    if (shell->argc > 0 && sq_adbd_program_is_control(shell->argv[0])) {
        return 0;
    }
    shell->programs += is_first;
    int64_t ms = is_first ? sq_adbd_shell_wait_ms(delays) : 0;
    if (shell->argc > 0) {
        shell->programs += !sq_adbd_program_is_builtin(shell->argv[0]);
        ms += sq_adbd_program_wait_ms(delays, shell->argv, shell->argc);
    }
    return ms;
}

/* Prepares the next command and decides when it is due. */
static bool
prepare(struct sq_adbd_shell *shell, int64_t now_ns, struct sq_err *err) {
    shell->command = shell->command ? shell->command : shell->step->first;
    if (shell->argv) {
        return true;
    }
    if (!expand_command(shell, err)) {
        return false;
    }
    if (shell->argc > 1 && strcmp(shell->argv[0], "exec") == 0) {
        shell->argv++;
        shell->argc--;
    }
    int64_t seconds;
    shell->ends_ns = 0;
    if (shell->argc > 2 && strcmp(shell->argv[0], "timeout") == 0
        && sq_span_to_int64(sq_span_of(shell->argv[1]), &seconds)) {
        shell->ends_ns = now_ns + seconds * 1000 * NS_PER_MS;
        shell->argv += 2;
        shell->argc -= 2;
    }
    if (shell->argc > 0
        && sq_adbd_program_ending(&shell->phone->delays, shell->argv,
                                  shell->argc)
               == SQ_ADBD_WORKS) {
        sq_adbd_record_begin(shell->phone, shell->argv, shell->argc, now_ns);
    }
    shell->due_ns = now_ns + start_ms(shell) * NS_PER_MS;
    return true;
}

/*
 * Sets *goes_on if the program runs until it is ended, and writes what it has
 * printed so far.
 */
static bool
continue_program(struct sq_adbd_shell *shell, const struct sq_adbd_sink *sink,
                 int64_t now_ns, bool *goes_on, struct sq_err *err) {
    bool follows = sq_adbd_follows_events(shell->argv, shell->argc)
                && (shell->ends_ns == 0 || now_ns < shell->ends_ns);
    *goes_on =
        follows || sq_adbd_is_recording(shell->phone, shell->argv, now_ns);
    bool ok = !follows
           || (sq_adbd_print_events(shell->phone, &shell->next_event, now_ns,
                                    &shell->out, err)
               && (shell->out.len == 0
                   || sink->write(sink->context, 1, sq_buf_span(&shell->out),
                                  err)));
    sq_buf_clear(&shell->out);
    return ok;
}

bool
sq_adbd_shell_advance(struct sq_adbd_shell *shell, int64_t now_ns,
                      const struct sq_adbd_sink *sink, int64_t *wake_ns,
                      struct sq_err *err) {
    *wake_ns = INT64_MAX;
    if (shell->syntax_error[0]) {
        bool printed = print_error(sink, err, shell->syntax_error);
        shell->syntax_error[0] = '\0';
        return printed;
    }
    while (shell->step) {
        if (!prepare(shell, now_ns, err)) {
            return false;
        }
        bool goes_on = false;
        if (shell->due_ns <= now_ns && shell->argc > 0
            && !continue_program(shell, sink, now_ns, &goes_on, err)) {
            return false;
        }
        if (goes_on) {
            shell->due_ns = now_ns + STEP_MS * NS_PER_MS;
        }
        if (shell->due_ns > now_ns) {
            *wake_ns = shell->due_ns;
            return true;
        }
        if (!run_command(shell, sink, now_ns, err)) {
            return false;
        }
        next_command(shell);
    }
    return true;
}

void
sq_adbd_shell_set_input(struct sq_adbd_shell *shell, struct sq_span input) {
    shell->input = input;
}

bool
sq_adbd_shell_is_done(const struct sq_adbd_shell *shell) {
    return !shell->step && !shell->syntax_error[0];
}

bool
sq_adbd_shell_has_exited(const struct sq_adbd_shell *shell) {
    return shell->exited;
}

bool
sq_adbd_shell_is_control(const struct sq_adbd_shell *shell) {
    return shell->is_control;
}

int
sq_adbd_shell_programs(const struct sq_adbd_shell *shell) {
    return shell->programs;
}

int
sq_adbd_shell_status(const struct sq_adbd_shell *shell) {
    return shell->status;
}
