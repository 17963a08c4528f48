#include "fault/runner.h"

#include <fcntl.h>
#include <unistd.h>

#include "app/app.h"
#include "fault/isolate.h"
#include "fault/scenarios.h"
#include "image/pipeline/codec.h"
#include "support/scratch.h"
#include "support/test.h"
#include "support/text_page.h"
#include "sys/deadline.h"
#include "sys/file.h"
#include "sys/path.h"
#include "vision/reader.h"
#include "vision/reader.h"

#define MAX_SCENARIOS 100
#define MAX_WORD 200
#define MAX_POINTS 100000 /* per mode; more means an endless loop */
#define MAX_RESULT_BYTES ((size_t)16 << 20)

static const char old_text[] = "what was there before";
static const char stdout_name[] = "stdout.log";

/* One scenario and its results without a fault. */
struct trial {
    const struct scenario *scenario;
    struct fault_progress *progress;
    fault_live_blocks *live_blocks;
    struct sq_buf output;
    struct sq_buf stdout_bytes;
    int files;
    int open_files;
};

static const struct fault_mode *all_modes;
static size_t all_mode_count;
static fault_live_blocks *count_live_blocks;

/* Run the program once, with or without a fault; returns its exit status. */
static int
run_program(const struct scenario *scenario, const struct fault_mode *mode,
            long nth, long *reached) {
    char words[SCENARIO_MAX_ARGS + 1][MAX_WORD] = { "squint" };
    char *argv[SCENARIO_MAX_ARGS + 2] = { words[0] };
    int argc = 1;
    while (argc <= SCENARIO_MAX_ARGS && scenario->args[argc - 1]) {
        const char *word = scenario->args[argc - 1];
        snprintf(words[argc], sizeof(words[argc]), "%s",
                 word[0] == '$' ? getenv(word + 1) : word);
        argv[argc] = words[argc];
        argc++;
    }
    const char *input = scenario->input ? scenario->input : "/dev/null";
    fflush(stdout);
    int saved_in = fault_redirect(STDIN_FILENO, input, O_RDONLY);
    int saved_out = fault_redirect(STDOUT_FILENO, stdout_name,
                                   O_WRONLY | O_CREAT | O_TRUNC);
    int saved_err = fault_redirect(STDERR_FILENO, fault_stderr_name,
                                   O_WRONLY | O_CREAT | O_TRUNC);
    if (mode) {
        mode->arm(mode, nth);
    }
    int status = sq_app_main(argc, argv);
    if (mode) {
        *reached = mode->disarm(mode);
    }
    fflush(stdout);
    fflush(stderr);
    fault_restore(STDERR_FILENO, saved_err);
    fault_restore(STDOUT_FILENO, saved_out);
    fault_restore(STDIN_FILENO, saved_in);
    return status;
}

static int
run_undisturbed(const struct scenario *scenario) {
    return run_program(scenario, NULL, 0, NULL);
}

/* Lists the past screenshots and takes the reference of the first. */
static bool
find_ref(void) {
    static const struct scenario list = {
        .args = { "list", "2026-01-15", "--archive", "shots", "--activity",
                  "none", "--json" },
    };
    static const char key[] = "\"screenshotRef\":\"";
    T_FREED(sq_buf_finish) struct sq_buf text = { 0 };
    if (!T_INT(run_undisturbed(&list), 0)
        || !T_OK(sq_file_read(stdout_name, MAX_RESULT_BYTES, &text, &t_err)
                 && sq_buf_append(&text, "", 1, &t_err))) {
        return false;
    }
    char *ref = strstr((char *)text.data, key);
    if (T(ref != NULL)) {
        ref += strlen(key);
        ref[strcspn(ref, "\"")] = '\0';
        setenv(SCENARIO_REF, ref, 1);
    }
    return ref != NULL;
}

static bool
make_index(void) {
    static const struct scenario index = {
        .args = { "archive", "index", "--archive", "shots" },
    };
    return T_INT(run_undisturbed(&index), 0);
}

static bool
load(const char *path, struct sq_buf *out) {
    return !path || T_OK(sq_file_read(path, MAX_RESULT_BYTES, out, &t_err));
}

static void
put_old_output(const struct scenario *scenario) {
    if (scenario->output) {
        t_put(scenario->output, old_text, sizeof(old_text));
    }
}

static void
finish_trial(struct trial *trial) {
    sq_buf_finish(&trial->output);
    sq_buf_finish(&trial->stdout_bytes);
}

static bool
is_picture(const char *path) {
    T_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    return sq_file_read(path, MAX_RESULT_BYTES, &bytes, &t_err)
        && sq_image_decode(bytes.data, bytes.len, &sq_limits_default, &image,
                           &t_err);
}

/* Whether a file has these last bytes. */
static bool
ends_with(const char *path, const char *end) {
    T_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    size_t count = strlen(end);
    return sq_file_read(path, MAX_RESULT_BYTES, &bytes, &t_err)
        && bytes.len > count
        && memcmp(bytes.data + bytes.len - count, end, count) == 0;
}

static bool
is_done(const struct trial *trial) {
    const struct scenario *scenario = trial->scenario;
    return scenario->varies
             ? is_picture(scenario->output)
             : t_holds(scenario->output, trial->output.data, trial->output.len);
}

static bool
is_printed(const struct trial *trial) {
    return trial->scenario->varies
             ? ends_with(stdout_name, "\n")
             : t_holds(stdout_name, trial->stdout_bytes.data,
                       trial->stdout_bytes.len);
}

/* A page is complete or does not exist; its folder is removed with it. */
static void
judge_page(struct trial *trial, bool succeeded) {
    const char *page = trial->scenario->page;
    if (!page) {
        return;
    }
    bool is_there = access(page, F_OK) == 0;
    bool is_whole = is_there && strstr(page, ".html")
                      ? ends_with(page, "</html>\n")
                      : is_there && is_picture(page);
    if (is_there ? !is_whole : succeeded) {
        fault_complain(trial->progress, "%s is not whole", page);
    }
    char folder[64];
    snprintf(folder, sizeof(folder), "%.*s", (int)(strchr(page, '/') - page),
             page);
    if (access(folder, F_OK) == 0) {
        t_remove_folder(folder);
    }
}

static void
judge_success(struct trial *trial) {
    if (trial->scenario->output && !is_done(trial)) {
        fault_complain(trial->progress, "succeeded, but the file is wrong");
    }
    if (!is_printed(trial)) {
        fault_complain(trial->progress,
                       "succeeded, but the text printed is wrong");
    }
}

static void
judge_failure(struct trial *trial, int status, bool had_old) {
    const char *output = trial->scenario->output;
    if (status == 0) {
        fault_complain(trial->progress,
                       "exit status 0, although nothing was done");
    }
    /* After the work is done, printing the result can still fail. */
    if (!output || (is_done(trial) && !is_printed(trial))) {
        return;
    }
    if (had_old && !t_holds(output, old_text, sizeof(old_text))) {
        fault_complain(trial->progress, "failed, but changed the old file");
    }
    if (!had_old && access(output, F_OK) == 0) {
        fault_complain(trial->progress, "failed, but left a file");
    }
}

/* Runs the program without a fault. */
static bool
start_trial(struct trial *trial) {
    const struct scenario *scenario = trial->scenario;
    fault_begin_point(trial->progress, "%s, undisturbed", scenario->name);
    /* Once so that libraries initialise, once to record the results. */
    int status = run_undisturbed(scenario);
    judge_page(trial, status == scenario->status);
    status = run_undisturbed(scenario);
    if (status != scenario->status) {
        fault_complain(trial->progress, "exit status %d, not %d", status,
                       scenario->status);
        return false;
    }
    bool ok = scenario->fails || scenario->varies
           || (load(scenario->output, &trial->output)
               && load(stdout_name, &trial->stdout_bytes));
    put_old_output(scenario);
    judge_page(trial, true);
    trial->files = t_count_entries(".");
    trial->open_files = t_count_open_files();
    return ok;
}

/* Nothing may be left: no file, no descriptor, no memory. */
static void
judge_remains(struct trial *trial) {
    put_old_output(trial->scenario); /* so that it is always counted */
    int files = t_count_entries(".");
    if (files != trial->files) {
        fault_complain(trial->progress, "%d files are there, not %d", files,
                       trial->files);
        trial->files = files;
    }
    int open_files = t_count_open_files();
    if (open_files != trial->open_files) {
        fault_complain(trial->progress, "%d descriptors are open, not %d",
                       open_files, trial->open_files);
        trial->open_files = open_files;
    }
    fault_check_leaks(trial->progress);
}

/* Lets the nth fail; returns false if there are fewer than n. */
static bool
try_point(struct trial *trial, const struct fault_mode *mode, long nth) {
    const struct scenario *scenario = trial->scenario;
    struct fault_progress *progress = trial->progress;
    fault_begin_point(progress, "%s, %s %ld", scenario->name, mode->name, nth);
    bool had_old = nth % 2;
    if (!had_old && scenario->output) {
        unlink(scenario->output);
    }
    long reached = 0;
    long live_before = trial->live_blocks ? trial->live_blocks() : 0;
    int status = run_program(scenario, mode, nth, &reached);
    long live = trial->live_blocks ? trial->live_blocks() : 0;
    if (live != live_before) {
        fault_complain(trial->progress, "%ld blocks of memory are lost",
                       live - live_before);
    }
    bool disturbed = reached >= nth;
    if (status != scenario->status && (mode->must_succeed || !disturbed)) {
        fault_complain(trial->progress, "gave up with exit status %d", status);
    }
    bool succeeded = status == scenario->status && !scenario->fails;
    if (succeeded) {
        judge_success(trial);
    } else {
        judge_failure(trial, status, had_old);
    }
    judge_page(trial, succeeded);
    judge_remains(trial);
    progress->points += disturbed;
    return disturbed;
}

/* Tries all or some points of one mode. */
static void
run_mode(struct trial *trial, size_t index) {
    const struct fault_mode *mode = &all_modes[index];
    const struct scenario *scenario = trial->scenario;
    long step = fault_step(scenario->every);
    if (scenario->rarely && !t_tests_all()) {
        step *= scenario->rarely;
    }
    long nth = 1 + (long)index % step;
    if (scenario->calls_only && !mode->is_call) {
        return;
    }
    while (nth < MAX_POINTS && try_point(trial, mode, nth)) {
        nth += step;
    }
    if (nth >= MAX_POINTS) {
        fault_complain(trial->progress, "there is no end to it");
    }
}

static void
run_trial(struct fault_progress *progress, const void *context) {
    const struct scenario *scenario = context;
    struct trial trial = { .scenario = scenario,
                           .progress = progress,
                           .live_blocks = count_live_blocks };
    bool ok = scenario_make_samples(run_undisturbed);
    if (ok && scenario->keeps_state) {
        setenv("XDG_STATE_HOME", t_scratch_path("state"), 1);
        ok = find_ref() && (!scenario->reads_text || make_index());
    }
    ok = ok && start_trial(&trial);
    if (!ok) {
        progress->problems++;
    }
    for (size_t i = 0; ok && i < all_mode_count; i++) {
        run_mode(&trial, i);
    }
    finish_trial(&trial);
}

static bool
has_call_modes(void) {
    for (size_t i = 0; i < all_mode_count; i++) {
        if (all_modes[i].is_call) {
            return true;
        }
    }
    return false;
}

/* Marks the case skipped if not. */
static bool
can_read_text(void) {
    char program[SQ_PATH_SIZE];
    struct sq_reader_options options = { .program = program,
                                         .language = SQ_OCR_DEFAULT_LANGUAGE };
    struct sq_reader *reader = NULL;
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    bool ok = sq_path_program(program, &t_err)
           && sq_reader_create(&options, &reader, &t_err)
           && sq_reader_start(reader, &deadline, &t_err);
    sq_reader_destroy(reader);
    return !t_skips_reading(ok, &t_err);
}

/* The scenarios that these modes are for, in the order of their cases. */
static const struct scenario *chosen[MAX_SCENARIOS];

static void
run_next_case(void) {
    static size_t next;
    const struct scenario *scenario = chosen[next++];
    struct fault_progress progress = { 0 };
    if (scenario->reads_text && !can_read_text()) {
        return;
    }
    fault_isolate(scenario->name, run_trial, scenario, &progress);
    T(progress.points > 0 || scenario->fails);
}

int
fault_main(const struct fault_mode *modes, size_t mode_count,
           fault_live_blocks *live_blocks) {
    all_modes = modes;
    all_mode_count = mode_count;
    count_live_blocks = live_blocks;
    const struct scenarios table = scenario_table();
    size_t count = 0;
    for (size_t i = 0; i < table.count && count < MAX_SCENARIOS; i++) {
        if (!table.items[i].calls_only || has_call_modes()) {
            chosen[count++] = &table.items[i];
            t_add(table.items[i].name, run_next_case);
        }
    }
    return t_run();
}
