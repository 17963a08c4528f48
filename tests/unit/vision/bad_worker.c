/* The reader of texts with workers that misbehave. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"
#include "support/text_page.h"
#include "vision/reader.h"

/* The worker reads there how it has to behave. */
#define MODE_FILE "mode"

static const struct sq_rect page_area = { 0, 0, 1080, 1000 };

static struct sq_reader *
create(void) {
    const struct sq_reader_options options = { t_made_path("bad-worker"),
                                               MODE_FILE, 2 };
    struct sq_reader *reader = NULL;
    struct sq_err err = { 0 };
    T_OK(sq_reader_create(&options, &reader, &err), &err);
    return reader;
}

static void
set_mode(const char *mode) {
    t_put(t_scratch_path(MODE_FILE), mode, strlen(mode));
}

/* Reads a page with a worker that behaves in that way from its next start. */
static bool
read_badly(struct sq_reader *reader, const char *mode, int timeout_ms,
           struct sq_text *text, struct sq_err *err) {
    static unsigned seed = 20;
    struct t_text_page page;
    const struct sq_read_plan plan = { .area = page_area };
    struct sq_deadline deadline = sq_deadline_in(timeout_ms, NULL);
    int pids[8];
    int count = sq_reader_pids(reader, pids, 8);
    set_mode(mode);
    for (int i = 0; i < count; i++) {
        siginfo_t info;
        kill(pids[i], SIGKILL);
        waitid(P_PID, (id_t)pids[i], &info, WEXITED | WNOWAIT);
    }
    t_text_page_draw(seed++, &page);
    *err = (struct sq_err){ 0 };
    bool ok = sq_reader_read(reader, &page.image, &plan, &deadline, text, err);
    t_text_page_finish(&page);
    return ok;
}

/* Whatever a worker does, the reader goes on, and a good one is used again. */
static void
bad_workers_make_lines_unreadable(void) {
    static const struct {
        const char *mode;
        bool is_read;
    } modes[] = {
        { "garbage", false }, { "well", true },   { "noise", false },
        { "late", true },     { "crash", false },
#ifndef __SANITIZE_ADDRESS__ /* which allows no limit of memory */
        { "large", false },
#endif
        { "well", true },
    };
    char folder[600];
    struct sq_err err = { 0 };
    t_scratch_start();
    struct sq_reader *reader = create();
    snprintf(folder, sizeof(folder), "%s", t_scratch());
    T_INT(chdir(folder), 0);
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        struct sq_text text = { 0 };
        T_OK(read_badly(reader, modes[i].mode, T_PATIENCE_MS, &text, &err),
             &err);
        T(text.count > 3);
        bool is_right = T_INT(text.recognised > 0, modes[i].is_read)
                     && T_INT(text.unreadable > 0, !modes[i].is_read);
        if (!is_right) {
            printf("# %s\n", modes[i].mode);
        }
        sq_text_finish(&text);
    }
    sq_reader_destroy(reader);
    t_scratch_end();
}

static void
a_worker_that_hangs_ends_with_the_time(void) {
    struct sq_err err = { 0 };
    struct sq_text text = { 0 };
    int pids[8];
    t_scratch_start();
    struct sq_reader *reader = create();
    T_INT(chdir(t_scratch()), 0);
    /* Started first, so that only the answer is awaited. */
    T_OK(read_badly(reader, "well", T_PATIENCE_MS, &text, &err), &err);
    sq_text_finish(&text);
    T(!read_badly(reader, "never", 2000, &text, &err));
    T_INT(err.code, SQ_ERR_TIMEOUT);
    T_INT(sq_reader_pids(reader, pids, 8), 0);
    sq_text_finish(&text);
    T_OK(read_badly(reader, "well", T_PATIENCE_MS, &text, &err), &err);
    T(text.recognised > 0);
    sq_text_finish(&text);
    sq_reader_destroy(reader);
    t_scratch_end();
}

T_MAIN(T_CASE(bad_workers_make_lines_unreadable),
       T_CASE(a_worker_that_hangs_ends_with_the_time))
