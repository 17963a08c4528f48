/* Which files operations write, where, and which ones are removed again. */
#include <dirent.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "support/fake_device.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/folder.h"

#define NOT_THERE "{\"selector\":{\"text\":\"not on this screen\"}}"

static struct fake_world world;
static char before[4096]; /* the working folder of the test program */

/* The working folder is the scratch folder, the output folder the default. */
static void
start(void) {
    t_scratch_start();
    fake_world_start(&world, ".squint/screenshots");
    T(getcwd(before, sizeof(before)) != NULL);
    T_INT(chdir(t_scratch()), 0);
}

static void
stop(void) {
    T_INT(chdir(before), 0);
    fake_world_end(&world);
    unsetenv("XDG_STATE_HOME");
    t_scratch_end();
}

static void
remove_own_folder(void) {
    t_remove_folder(".squint/screenshots");
    t_remove_folder(".squint");
}

T_FIXTURE(start, stop);

T_CASE(paths_are_absolute) {
    char real[4096];
    char want[8192];
    T(fake_run(&world, "find", NOT_THERE));
    T(getcwd(real, sizeof(real)) != NULL);
    snprintf(want, sizeof(want),
             "<*>\"screenshotPath\":\"%s/.squint/screenshots/auto-<*>.png\"<*>",
             real);
    T(fake_matches(world.json, want));
    T(fake_run(&world, "screenshot", "{\"inline\":false}"));
    snprintf(want, sizeof(want),
             "<*>\"path\":\"%s/.squint/screenshots/screenshot-<*>.png\"<*>",
             real);
    T(fake_matches(world.json, want));
    remove_own_folder();
}

T_CASE(our_folder_is_ignored_by_git) {
    T(fake_run(&world, "visual-snapshot", "{}"));
    T(t_holds(".squint/.gitignore", "*\n", 2));
    /* Content that the user wrote there is kept. */
    t_put(".squint/.gitignore", "!keep\n", 6);
    T(fake_run(&world, "visual-snapshot", "{}"));
    T(t_holds(".squint/.gitignore", "!keep\n", 6));
    T_INT(t_count_entries(".squint"), 2);
    remove_own_folder();
    /* Folders that the user configured are not changed. */
    world.config.output.directory = "shots";
    T(fake_run(&world, "visual-snapshot", "{}"));
    T_INT(t_count_entries("."), 1);
    T_INT(t_count_entries("shots"), 1);
    t_remove_folder("shots");
}

/*
 * Sets the times of all files of the folder to one that is older than new
 * files.
 */
static void
make_old(const char *path, time_t time) {
    const struct timespec times[2] = { { .tv_sec = time }, { .tv_sec = time } };
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (entry->d_name[0] != '.') {
            T_INT(utimensat(dirfd(dir), entry->d_name, times, 0), 0);
        }
    }
    closedir(dir);
}

static void
put_named(int number) {
    char path[200];
    snprintf(path, sizeof(path), ".squint/screenshots/auto-%032x.png", number);
    t_put(path, "x", 1);
}

T_CASE(only_the_newest_automatic_pictures_are_kept) {
    T(fake_run(&world, "visual-snapshot", "{}"));
    t_remove_folder(".squint/screenshots");
    T_INT(mkdir(".squint/screenshots", 0700), 0);
    /* Requested files, or files that are not ours. */
    T(fake_run(&world, "screenshot", "{\"inline\":false}"));
    T(fake_run(&world, "screenshot", "{\"localPath\":\"mine\"}"));
    t_put(".squint/screenshots/auto-1.png", "x", 1);
    t_put(".squint/screenshots/auto-old.png", "x", 1);
    put_named(0);
    put_named(1);
    make_old(".squint/screenshots", 1000);
    for (int i = 2; i < 2 * SQ_PRUNE_KEEP; i++) {
        put_named(i);
    }
    T_INT(t_count_entries(".squint/screenshots"), 4 + 2 * SQ_PRUNE_KEEP);
    T(fake_run(&world, "find", NOT_THERE));
    T_INT(t_count_entries(".squint/screenshots"), 4 + SQ_PRUNE_KEEP);
    T(access(".squint/screenshots/mine.png", F_OK) == 0);
    /* The file that was just named in an answer is kept. */
    const char *path = strstr(world.json, "auto-");
    char name[200];
    T(path != NULL);
    snprintf(name, sizeof(name), ".squint/screenshots/%.*s",
             (int)strcspn(path ? path : "", "\""), path ? path : "");
    T(access(name, F_OK) == 0);
    /* The oldest are removed. */
    T(access(".squint/screenshots/auto-00000000000000000000000000000000.png",
             F_OK)
      != 0);
    remove_own_folder();
}

T_BARE_CASE(links_are_not_followed) {
    static const char *const links[] = { ".squint", ".squint/screenshots" };
    for (size_t i = 0; i < SQ_COUNT(links); i++) {
        start();
        T_INT(mkdir("elsewhere", 0700), 0);
        T(i == 0 || mkdir(".squint", 0700) == 0);
        T_INT(symlink(i == 0 ? "elsewhere" : "../elsewhere", links[i]), 0);
        char state[4096];
        snprintf(state, sizeof(state), "%s/state", t_scratch());
        setenv("XDG_STATE_HOME", state, 1);
        T(fake_run(&world, "find", NOT_THERE));
        T_INT(t_count_entries("elsewhere"), 0);
        T_INT(t_count_entries("state/squint/screenshots"), 1);
        T(strstr(world.json, "/state/squint/screenshots/auto-") != NULL);
        /* Nor in a path that the user configured. */
        world.config.output.directory = t_scratch_path(".squint/screenshots");
        T(fake_run(&world, "find", NOT_THERE));
        T(strstr(world.json, "symbolic link") != NULL);
        T(strstr(world.json, "screenshotPath") == NULL);
        T_INT(world.result.blocks[0].kind, SQ_BLOCK_IMAGE);
        T_INT(t_count_entries("elsewhere"), 0);
        t_remove_folder("state/squint/screenshots");
        rmdir("state/squint");
        rmdir("state");
        unlink(links[i]);
        unlink(".squint/.gitignore");
        rmdir(".squint");
        rmdir("elsewhere");
        stop();
    }
}

T_BARE_CASE(read_only_server_writes_nothing) {
    static const struct sq_opt_bool with_picture[] = { { false, false },
                                                       { true, false } };
    for (int i = 0; i < 2; i++) {
        start();
        world.config.tools.read_only = true;
        world.config.ui.include_base64 = with_picture[i];
        T(fake_run(&world, "find", NOT_THERE));
        T(strstr(world.json, "screenshotPath") == NULL);
        T_INT(world.result.blocks[0].kind, SQ_BLOCK_IMAGE);
        T(fake_run(&world, "visual-snapshot", "{}"));
        T(strstr(world.json, "screenshotPath") == NULL);
        T_INT(world.result.blocks[0].kind, SQ_BLOCK_IMAGE);
        T(!fake_run(&world, "screenshot", "{\"inline\":false}"));
        T_INT(world.err.code, SQ_ERR_INVALID_OPERATION);
        T(!fake_run(&world, "screenshot", "{\"localPath\":\"a.png\"}"));
        T(fake_run(&world, "screenshot", "{}"));
        /* A picture that would otherwise be a link is shrunk to fit. */
        world.config.limits.max_result_bytes = 100000;
        T(fake_run(&world, "screenshot", "{\"raw\":true}"));
        T_INT(world.result.blocks[0].kind, SQ_BLOCK_IMAGE);
        T_INT(t_count_entries("."), 0);
        stop();
    }
}
