/* squint watch: the file it replaces, what it prints, and how it ends. */
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

#include "unit/app/home.h"

static char file[600];

static void
start(const char *name) {
    home_start();
    snprintf(file, sizeof(file), "%s", t_scratch_path(name));
}

#define TRIES 50

T_FIXTURE(NULL, t_album_end);

/* The phone shows the time, so all looks must be in the same minute. */
T_CASE(file_is_written_when_the_picture_has_changed) {
    time_t minute = -1;
    for (int i = 0; i < TRIES && minute != time(NULL) / 60; i++) {
        if (i > 0) {
            t_album_end();
        }
        start("screen.png");
        minute = time(NULL) / 60;
        RUN("watch", "-o", file, "--count", "3", "--every", "50ms");
    }
    T_INT(run.status, 0);
    T_STR(run.err, "squint watch: watching demo, the demo phone: no other "
                   "device is attached\n");
    T(strncmp(run.out, "Wrote ", 6) == 0);
    run_says(run.out, "screen.png: 450x1000 pixels, ");
    T(!strchr(strstr(run.out, "pixels"), '.')); /* no decimals */
    run_says(run.out, " KB\ndemo: 1 picture in 3 captures\n");
    T_BYTES(strchr(run.out, '\n') + 1, 5, "demo:", 5);
    struct stat st;
    T(stat(file, &st) == 0 && st.st_size > 1000);
}

T_CASE(another_command_changes_the_picture) {
    start("screen.jpg");
    RUN("watch", "-o", file, "--count", "1", "--max-dimension", "500");
    run_says(run.out, "screen.jpg: 225x500 pixels, ");
    struct stat before;
    struct stat after;
    T_INT(stat(file, &before), 0);
    RUN_EXITS(0, "launch", "Login");
    RUN("watch", "-o", file, "--count", "1", "--max-dimension", "500");
    run_says(run.out, "demo: 1 picture in 1 capture\n");
    T_INT(stat(file, &after), 0);
    T(before.st_size != after.st_size);
}

T_CASE(json_is_a_line_per_picture_and_one_at_the_end) {
    start("screen.webp");
    RUN_EXITS(0, "watch", "-o", file, "--count", "1", "--json");
    T(strncmp(run.out, "{\"file\":\"", 9) == 0);
    run_says(run.out, "screen.webp\",\"image\":{\"width\":450,\"height\":1000},"
                      "\"sizeBytes\":");
    run_says(run.out,
             "}\n{\"device\":\"demo\",\"pictures\":1,\"captures\":1}\n");
    RUN_EXITS(1, "watch", "-o", file, "--count", "1", "--json", "--device",
              "absent");
    T_STR(run.err, "");
    static const char head[] = "{\"error\":{\"code\":\"DEVICE_NOT_FOUND\",";
    T(strncmp(run.out, head, sizeof(head) - 1) == 0);
    run_says(run.out, "}}\n{\"pictures\":0,\"captures\":1}\n");
}

/* A device that is absent may be attached later, so it looks again. */
T_CASE(same_error_is_reported_once) {
    start("screen.png");
    RUN_EXITS(1, "watch", "-o", file, "--count", "3", "--every", "50ms",
              "--device", "absent");
    const char *first = strstr(run.err, "squint watch: no device \"absent\"");
    T(first != NULL);
    T(first && strstr(first + 1, "squint watch: ") == NULL);
    T_STR(run.out, "0 pictures in 3 captures\n");
    T(access(file, F_OK) != 0);
}

T_CASE(secure_screen_is_an_error) {
    start("screen.png");
    RUN_EXITS(0, "launch", "com.squint.demo.secure", "--receipt", "none");
    RUN_EXITS(1, "watch", "-o", file, "--count", "1");
    run_says(run.err, "does not allow its screen to be captured");
}

T_CASE(wrong_arguments_are_refused) {
    start("screen.png");
    RUN("watch", "--count", "1");
    run_refused(1, "standard output is not a terminal\n  Write a file that a "
                   "viewer shows again when it changes: squint watch -o "
                   "screen.png\n");
    RUN_EXITS(2, "watch", "--json", "--count", "1");
    run_says(run.out, "{\"error\":{\"code\":\"INPUT_VALIDATION_FAILED\","
                      "\"message\":\"--json needs -o FILE\",");
    RUN("watch", "-o", "screen.txt");
    run_refused(2, "squint cannot write the format \".txt\" of screen.txt\n"
                   "  End it with .jpg, .jpeg, .webp or .png.\n");
    run_refuses(2, "watch -o -", "the file name - has no extension");
    RUN("watch", "-o", file, "--every", "49ms");
    run_refused(2, "--every must be a time, not 49ms\n  Give a time such as "
                   "500ms, 2s or 1m; at least 50 ms, at most a day.");
    RUN("watch", "-o", file, "--every", "2d");
    run_refused(2, "--every must be a time, not 2d\n");
    RUN_EXITS(1, "watch", "-o", file, "--every", "1d", "--count", "1",
              "--device", "none");
    run_says(run.err, "squint watch: no device \"none\"");
    RUN("watch", "-o", file, "--every", "soon");
    run_refused(2, "--every must be a time, not soon");
    RUN("watch", "-o", file, "now");
    run_refused(2, "squint watch: takes options only, not the word \"now\"\n");
    RUN("watch", "-o", t_scratch_path("none/screen.png"), "--count", "1");
    run_refused(1, "screen.png");
}

static void *
stop_it(void *context) {
    for (int i = 0; i < T_PATIENCE_MS / 10 && access(file, F_OK) != 0; i++) {
        usleep(10000);
    }
    kill(getpid(), SIGTERM);
    return NULL;
}

T_CASE(signal_ends_it_with_status_0) {
    pthread_t other;
    start("screen.png");
    T_INT(pthread_create(&other, NULL, stop_it, NULL), 0);
    RUN("watch", "--every", "1h", "-o", file);
    pthread_join(other, NULL);
    T_INT(run.status, 0);
    run_says(run.out, "demo: 1 picture in 1 capture\n");
}
