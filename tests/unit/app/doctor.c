/* squint doctor: findings, exit status, and that it changes nothing. */
#include "app/doctor.h"

#include <sys/stat.h>

#include "json/reader.h"
#include "run.h"
#include "util/mem.h"

/* Nothing of the machine's own configuration counts here. */
static void
start(void) {
    t_scratch_start();
    setenv("XDG_CONFIG_HOME", t_scratch(), 1);
    unsetenv("SQUINT_CONFIG");
    unsetenv("REPLICANT_CONFIG");
}

static void
a_healthy_squint_is_usable(void) {
    start();
    RUN("doctor");
    T_INT(run.status, 0);
    T_STR(run.err, "");
    run_says(run.out, "ok     build          version " SQ_VERSION);
    run_says(run.out, "ok     processor      ");
    run_says(run.out, "ok     configuration  no file, so the defaults hold\n");
    run_says(run.out, "ok     output         pictures are saved in "
                      ".squint/screenshots\n");
    run_says(run.out, "ok     model          tokens are counted as for claude");
    run_says(run.out,
             "ok     device         demo: squint demo phone, online\n");
    run_says(run.out, "ok     screenshot     the demo phone in ");
    run_says(run.out, ": 450x1000, ");
    run_says(run.out, "note   android        not built in yet; adb: ");
    run_says(run.out, "note   ios            not built in yet; xcrun: ");
    run_says(run.out, "ok     tools          2 for a client; their list is ");
    run_says(run.out, "\nsquint can be used.\n");
    t_scratch_end();
}

static void
the_findings_come_as_json(void) {
    start();
    RUN("doctor", "--json");
    T_INT(run.status, 0);
    struct sq_arena arena;
    struct sq_err err = { 0 };
    const struct sq_json *report;
    sq_arena_init(&arena, (size_t)1 << 20);
    T_OK(sq_json_parse((struct sq_span){ run.out, run.out_len }, &arena,
                       &report, &err),
         &err);
    bool usable = false;
    T(sq_json_bool(sq_json_get(report, "usable"), &usable) && usable);
    T(sq_json_count(sq_json_get(report, "findings")) >= 9);
    sq_arena_finish(&arena);
    t_scratch_end();
}

static void
a_wrong_configuration_is_told(void) {
    static const char config[] = "ui:\n  maxImageDimenson: 500\n";
    start();
    const char *file = t_scratch_path("config.yaml");
    t_put(file, config, sizeof(config) - 1);
    RUN("doctor", "--config", file);
    T_INT(run.status, 1);
    run_says(run.out, "ok     configuration  from ");
    run_says(run.out, "wrong  configuration  ");
    run_says(run.out, "maxImageDimenson");
    run_says(run.out, "\n1 thing is wrong.\n");
    RUN("doctor", "--json", "--config", file);
    T_INT(run.status, 1);
    run_says(run.out, "\"usable\":false");
    t_scratch_end();
}

static void
a_folder_that_cannot_be_written_to_is_told(void) {
    start();
    t_put(t_scratch_path("file"), "", 0);
    RUN("doctor", "--output-directory", t_scratch_path("file/below"));
    T_INT(run.status, 1);
    run_says(run.out, "wrong  output         ");
    run_says(run.out, "file/below cannot be written to\n");
    run_says(run.out, "Name a folder that can: output.directory");
    t_scratch_end();
}

static void
programs_are_looked_for_on_the_path(void) {
    start();
    char *before = getenv("PATH");
    char saved[4096];
    snprintf(saved, sizeof(saved), "%s", before ? before : "");
    const char *folder = t_scratch_path("bin");
    T_INT(mkdir(folder, 0700), 0);
    setenv("PATH", folder, 1);
    RUN("doctor");
    run_says(run.out, "adb: not on PATH\n");
    t_put(t_scratch_path("bin/adb"), "", 0);
    T_INT(chmod(t_scratch_path("bin/adb"), 0700), 0);
    RUN("doctor");
    run_says(run.out, "bin/adb\n");
    setenv("PATH", saved, 1);
    t_remove_folder(folder);
    t_scratch_end();
}

static void
nothing_is_changed(void) {
    char before[4096];
    start();
    T(getcwd(before, sizeof(before)) != NULL);
    T_INT(chdir(t_scratch()), 0);
    RUN("doctor");
    T_INT(run.status, 0);
    T_INT(t_count_entries(t_scratch()), 0);
    T_INT(chdir(before), 0);
    t_scratch_end();
}

static void
wrong_words_are_refused(void) {
    start();
    RUN("doctor", "--nonsense");
    run_refused(2, "squint doctor: unknown option \"--nonsense\"");
    RUN("doctor", "please");
    run_refused(2, "squint doctor: too many words");
    t_scratch_end();
}

/* More findings than can be told are said to be cut, not lost in memory. */
static void
many_warnings_are_cut(void) {
    start();
    char config[4096];
    size_t used = 0;
    for (int i = 0; i < 100; i++) {
        used += (size_t)snprintf(config + used, sizeof(config) - used,
                                 "nonsense%d: 1\n", i);
    }
    const char *file = t_scratch_path("config.yaml");
    t_put(file, config, used);
    RUN("doctor", "--config", file);
    T_INT(run.status, 1);
    run_says(run.out, "ok     tools          ");
    t_scratch_end();
}

static bool
examine(void *context, struct sq_err *err) {
    const struct sq_setup *setup = context;
    struct sq_findings *findings = sq_mem_zalloc(1, sizeof(*findings));
    if (!findings) {
        return sq_fail_nomem(err);
    }
    struct sq_buf out;
    sq_buf_init(&out, (size_t)1 << 20);
    bool ok = sq_doctor_examine(setup, findings, err)
           && sq_findings_text(findings, &out, err)
           && sq_findings_json(findings, &out, err);
    sq_buf_finish(&out);
    sq_mem_free(findings);
    return ok;
}

static void
examinations_survive_without_memory(void) {
    start();
    struct sq_setup setup;
    struct sq_err err = { 0 };
    int argc = 0;
    char *argv[] = { NULL };
    T_OK(sq_setup_init(&setup, &argc, argv, &err), &err);
    T(t_alloc_torture(examine, &setup) > 20);
    sq_setup_finish(&setup);
    t_scratch_end();
}

T_MAIN(T_CASE(a_healthy_squint_is_usable), T_CASE(the_findings_come_as_json),
       T_CASE(a_wrong_configuration_is_told),
       T_CASE(a_folder_that_cannot_be_written_to_is_told),
       T_CASE(programs_are_looked_for_on_the_path), T_CASE(nothing_is_changed),
       T_CASE(wrong_words_are_refused), T_CASE(many_warnings_are_cut),
       T_CASE(examinations_survive_without_memory))
