/* squint doctor: findings, exit status, and that it changes nothing. */
#include "app/commands/doctor.h"

#include <sys/stat.h>

#include "support/fake_adb.h"
#include "unit/app/run.h"
#include "util/mem.h"

/* The configuration of this machine is not used. */
static void
start(void) {
    t_scratch_start();
    setenv("XDG_CONFIG_HOME", t_scratch(), 1);
    unsetenv("SQUINT_CONFIG");
    unsetenv("REPLICANT_CONFIG");
}

/* Formats a number with commas, such as "1,996". */
static long
figure(const char *text) {
    long number = 0;
    for (; *text == ',' || (*text >= '0' && *text <= '9'); text++) {
        number = *text == ',' ? number : 10 * number + (*text - '0');
    }
    return number;
}

T_FIXTURE(start, t_scratch_end);

/* The figure was counted with o200k itself (make bench). */
T_CASE(page_has_the_same_token_counts) {
    static const char row[] = "| list of tools, o200k tokens | ";
    static char readme[1 << 16];
    char path[600];
    const char *source = getenv("SQUINT_SOURCE");
    snprintf(path, sizeof(path), "%s/docs/figures.md", source ? source : ".");
    run_slurp(path, readme, sizeof(readme));
    RUN("doctor");
    const char *told = strstr(run.out, " KB, about ");
    const char *stated = strstr(readme, row);
    if (T(told != NULL) && T(stated != NULL)) {
        T(strstr(told, " o200k tokens\n") != NULL);
        long doctor = figure(told + strlen(" KB, about "));
        long counted = figure(stated + strlen(row));
        if (!T(labs(doctor - counted) * 20 <= counted)) {
            printf("# doctor says %ld, figures.md %ld: run make bench and "
                   "state its figure\n",
                   doctor, counted);
        }
    }
}

T_CASE(healthy_setup_is_usable) {
    RUN_EXITS(0, "doctor");
    T_STR(run.err, "");
    run_says(run.out, "ok     build          version " SQ_VERSION);
    run_says(run.out, "ok     processor      ");
    run_says(
        run.out,
        "ok     configuration  there is no file, so the defaults are used\n");
    run_says(run.out, "ok     output         pictures are saved in "
                      ".squint/screenshots\n");
    run_says(run.out, "ok     model          tokens are counted as for claude");
    run_says(run.out,
             "ok     device         demo: squint demo phone, online\n");
    run_says(run.out, "ok     screenshot     the demo phone in ");
    run_says(run.out, ": 450x1000, ");
    run_says(run.out, "note   android        switched off: ");
    run_says(run.out, "   ios            xcrun");
    run_says(run.out, "ok     tools          2 for a client; their list has ");
    run_says(run.out, "\nsquint can be used.\n");
}

/* Names the missing tools for simulators, and how to install them. */
T_BARE_CASE(missing_part_of_the_ios_tools_is_explained) {
    static const char xcrun[] = "#!/bin/sh\necho '{\"devices\":{}}'\n";
    char saved[4096];
    char path[4500];
    const char *before = getenv("PATH");
    snprintf(saved, sizeof(saved), "%s", before ? before : "");
    start();
    t_put(t_scratch_path("xcrun"), xcrun, sizeof(xcrun) - 1);
    T_INT(chmod(t_scratch_path("xcrun"), 0700), 0);
    snprintf(path, sizeof(path), "%s:/usr/bin:/bin", t_scratch());
    setenv("PATH", path, 1);
    RUN("doctor");
    setenv("PATH", saved, 1);
    T_INT(run.status, 0);
    run_says(run.out, "ok     ios            xcrun: ");
    run_says(run.out, "note   ios            idb is not on PATH: simulators "
                      "can be looked at, but not touched\n");
    run_says(run.out, "brew install idb-companion");
    t_scratch_end();
}

T_CASE(findings_as_json) {
    RUN_EXITS(0, "doctor", "--json");
    const struct sq_json *report;
    T_ARENA(arena, (size_t)1 << 20);
    T_OK(sq_json_parse((struct sq_span){ run.out, run.out_len }, &arena,
                       &report, &t_err));
    bool usable = false;
    T(sq_json_bool(sq_json_get(report, "usable"), &usable) && usable);
    T(sq_json_count(sq_json_get(report, "findings")) >= 9);
}

T_CASE(configuration_errors_are_reported) {
    static const char config[] = "ui:\n  maxImageDimenson: 500\n";
    const char *file = t_scratch_path("config.yaml");
    t_put(file, config, sizeof(config) - 1);
    RUN_EXITS(1, "doctor", "--config", file);
    run_says(run.out, "ok     configuration  from ");
    run_says(run.out, "wrong  configuration  ");
    run_says(run.out, "maxImageDimenson");
    run_says(run.out, "\n1 thing is wrong.\n");
    RUN_EXITS(1, "doctor", "--json", "--config", file);
    run_says(run.out, "\"usable\":false");
}

/* The default file exists, so it must not be called missing. */
T_BARE_CASE(unusable_configuration_file_is_not_called_missing) {
    static const char config[] = "ui: {\n";
    static const char *const wrong[] = { "config.yaml:2:1: ",
                                         "config.yaml is a folder" };
    for (int i = 0; i < 2; i++) {
        start();
        T_INT(mkdir(t_scratch_path("squint"), 0700), 0);
        const char *file = t_scratch_path("squint/config.yaml");
        if (i == 0) {
            t_put(file, config, sizeof(config) - 1);
        } else {
            T_INT(mkdir(file, 0700), 0);
        }
        RUN_EXITS(1, "doctor");
        T(strstr(run.out, "there is no file") == NULL);
        run_says(run.out, "wrong  configuration  ");
        run_says(run.out, wrong[i]);
        T_INT(remove(t_scratch_path("squint/config.yaml")), 0);
        T_INT(remove(t_scratch_path("squint")), 0);
        t_scratch_end();
    }
    start();
    RUN_EXITS(1, "doctor", "--config", t_scratch_path("none.yaml"));
    T(strstr(run.out, "there is no file") == NULL);
    run_says(run.out, "named by --config, does not exist");
    t_scratch_end();
}

T_CASE(unwritable_folder_is_reported) {
    t_put(t_scratch_path("file"), "", 0);
    RUN_EXITS(1, "doctor", "--output-directory", t_scratch_path("file/below"));
    run_says(run.out, "wrong  output         ");
    run_says(run.out, "file/below cannot be written to\n");
    run_says(run.out, "Name a folder that can: output.directory");
}

/* No adb server is listening, and no adb is installed to start one. */
T_CASE(missing_adb_is_not_an_error) {
    char *before = getenv("PATH");
    char saved[4096];
    snprintf(saved, sizeof(saved), "%s", before ? before : "");
    const char *folder = t_scratch_path("bin");
    T_INT(mkdir(folder, 0700), 0);
    setenv("PATH", folder, 1);
    RUN_EXITS(0, "doctor", "--adb-server", "tcp:127.0.0.1:1");
    run_says(run.out, "note   android        adb was not found");
    run_says(run.out, "no adb server answers at tcp:127.0.0.1:1");
    run_says(run.out, "nstall");
    t_put(t_scratch_path("bin/adb"), "#!/bin/sh\nexit 1\n", 17);
    T_INT(chmod(t_scratch_path("bin/adb"), 0700), 0);
    RUN_EXITS(1, "doctor", "--adb-server", "tcp:127.0.0.1:1");
    run_says(run.out, "bin/adb\n");
    run_says(run.out, "wrong  android        adb could not start its server");
    setenv("PATH", saved, 1);
    t_remove_folder(folder);
}

#define PIXELS (8 * 16)

static void
answer_phone(void *context, const char *command, struct fake_output *output) {
    if (strstr(command, "screencap")) {
        static const char head[16] = { 8, 0, 0, 0, 16, 0, 0, 0, 1 };
        memcpy(output->out, head, sizeof(head));
        memset(output->out + sizeof(head), 0x7f, (size_t)PIXELS * 4);
        output->out_len = sizeof(head) + (size_t)PIXELS * 4;
    } else if (strstr(command, "wm size")) {
        fake_print(output, "Physical size: 8x16\nPhysical density: 320\n");
    }
}

T_CASE(attached_phone_is_checked) {
    static struct fake_adb fake;
    char address[64];
    fake_adb_start(&fake);
    fake.command = answer_phone;
    snprintf(address, sizeof(address), "tcp:127.0.0.1:%d", fake.port);
    RUN_EXITS(0, "doctor", "--adb-server", address);
    run_says(run.out, "Test Phone (sdk_phone), online\n");
    run_says(run.out, "answers: version 1.0.41\n");
    run_says(run.out, FAKE_ADB_SERIAL ": raw frames ");
    run_says(run.out, "raw frames are used\n");
    run_says(run.out, "log of events not found, count of frames not found\n");
    fake.devices = "";
    fake.refusal = "device offline";
    RUN_EXITS(0, "doctor", "--adb-server", address);
    fake_adb_stop(&fake);
}

T_CASE(no_files_are_changed) {
    char before[4096];
    T(getcwd(before, sizeof(before)) != NULL);
    T_INT(chdir(t_scratch()), 0);
    RUN_EXITS(0, "doctor");
    T_INT(t_count_entries(t_scratch()), 0);
    T_INT(chdir(before), 0);
}

T_CASE(wrong_arguments_are_refused) {
    RUN("doctor", "--nonsense");
    run_refused(2, "squint doctor: unknown option \"--nonsense\"");
    RUN("doctor", "please");
    run_refused(2,
                "squint doctor: takes options only, not the word \"please\"\n"
                "  Usage: squint doctor [options]");
}

/* If there are more findings than fit, the report says it is truncated. */
T_CASE(many_warnings_are_truncated) {
    char config[4096];
    size_t used = 0;
    for (int i = 0; i < 100; i++) {
        used += (size_t)snprintf(config + used, sizeof(config) - used,
                                 "nonsense%d: 1\n", i);
    }
    const char *file = t_scratch_path("config.yaml");
    t_put(file, config, used);
    RUN_EXITS(1, "doctor", "--config", file);
    run_says(run.out, "ok     tools          ");
}

static bool
examine(void *context, struct sq_err *err) {
    const struct sq_setup *setup = context;
    struct sq_findings *findings = sq_mem_zalloc(1, sizeof(*findings));
    if (!findings) {
        return sq_fail_nomem(err);
    }
    T_BUF(out, (size_t)1 << 20);
    bool ok = sq_doctor_examine(setup, findings, err)
           && sq_findings_text(findings, &(struct sq_page){ .out = &out }, err)
           && sq_findings_json(findings, &out, err);
    sq_mem_free(findings);
    return ok;
}

T_CASE(out_of_memory_is_reported) {
    T_FREED(sq_setup_finish) struct sq_setup setup = { 0 };
    int argc = 0;
    char *argv[] = { NULL };
    const struct sq_accepted accepted = { .uses = SQ_USE_ALL };
    T_OK(sq_setup_init(&setup, &accepted, &argc, argv, &t_err));
    T(t_alloc_torture(examine, &setup) > 20);
}
