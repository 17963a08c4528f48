#include "vision/reader.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "support/scratch.h"
#include "support/test.h"
#include "support/text_page.h"
#include "vision/recogniser.h"
#include "vision/text_search.h"

static const struct sq_rect page_area = { 0, 0, 1080, 1000 };

static struct sq_reader *
create(const char *program, const char *language) {
    const struct sq_reader_options options = { program, language, 2 };
    struct sq_reader *reader = NULL;
    struct sq_err err = { 0 };
    T_OK(sq_reader_create(&options, &reader, &err), &err);
    return reader;
}

/*
 * Marks the case skipped if reading failed because this machine lacks
 * Tesseract, its data or seccomp. Returns whether it did.
 */
static bool
skips(bool ok, const struct sq_err *err) {
    bool is_unsupported = !ok && err->code == SQ_ERR_UNSUPPORTED;
    if (is_unsupported) {
        T(err->hint[0]);
        t_skip(err->message);
    }
    return is_unsupported;
}

/* Reads a page; marks the case skipped if this machine cannot read. */
static bool
read_page(struct sq_reader *reader, const struct sq_image *image,
          struct sq_text *text) {
    const struct sq_read_plan plan = { .area = page_area };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_err err = { 0 };
    bool ok = sq_reader_read(reader, image, &plan, &deadline, text, &err);
    return !skips(ok, &err) && T_OK(ok, &err);
}

static bool
has_word(const struct sq_text *text, const struct t_page_word *word) {
    for (int i = 0; i < text->count; i++) {
        const struct sq_words_of_line *words = &text->lines[i].words;
        for (int k = 0; k < words->count; k++) {
            struct sq_rect box = words->items[k].box;
            if (sq_span_is(words->items[k].text, word->text)
                && sq_rect_contains(word->box, (box.left + box.right) / 2,
                                    (box.top + box.bottom) / 2)) {
                return true;
            }
        }
    }
    return false;
}

static int
count_words(const struct sq_text *text) {
    int count = 0;
    for (int i = 0; i < text->count; i++) {
        count += text->lines[i].words.count;
    }
    return count;
}

static void
drawn_pages_are_read(void) {
    struct sq_reader *reader = create(t_made_path("../squint"), "eng");
    int words = 0;
    int exact = 0;
    int reported = 0;
    for (unsigned seed = 1; seed <= 2; seed++) {
        struct t_text_page page;
        struct sq_text text = { 0 };
        t_text_page_draw(seed, &page);
        if (read_page(reader, &page.image, &text)) {
            for (int i = 0; i < page.count; i++) {
                exact += has_word(&text, &page.words[i]);
            }
            words += page.count;
            reported += count_words(&text);
        }
        sq_text_finish(&text);
        t_text_page_finish(&page);
    }
    T(exact * 100 >= words * 95);
    T(reported * 100 <= words * 106);
    sq_reader_destroy(reader);
}

static void
known_lines_are_not_read_again(void) {
    struct sq_reader *reader = create(t_made_path("../squint"), "eng");
    struct t_text_page page;
    struct sq_text first = { 0 };
    struct sq_text second = { 0 };
    t_text_page_draw(4, &page);
    if (read_page(reader, &page.image, &first)
        && read_page(reader, &page.image, &second)) {
        T(first.recognised > 3);
        T_INT(second.recognised, 0);
        T(second.known >= first.recognised);
        T_INT(count_words(&first), count_words(&second));
        /* Scrolled: the same lines at other places. */
        memmove(page.image.pixels, sq_image_row(&page.image, 101),
                page.image.stride * 899);
        memset(sq_image_row(&page.image, 899), 255, page.image.stride * 101);
        sq_text_finish(&second);
        read_page(reader, &page.image, &second);
        T(second.recognised * 10 <= first.recognised * 4);
    }
    sq_text_finish(&first);
    sq_text_finish(&second);
    t_text_page_finish(&page);
    sq_reader_destroy(reader);
}

/* Returns whether a process has a filter of system calls and gets no rights. */
static bool
is_confined(int pid) {
    char path[64];
    char text[4096] = "";
    snprintf(path, sizeof(path), "/proc/%d/status", pid);
    FILE *file = fopen(path, "r");
    if (!file) {
        return false;
    }
    size_t len = fread(text, 1, sizeof(text) - 1, file);
    text[len] = '\0';
    fclose(file);
    return strstr(text, "\nSeccomp:\t2\n")
        && strstr(text, "\nNoNewPrivs:\t1\n");
}

static bool
all_are_read(const struct sq_text *text) {
    for (int i = 0; i < text->count; i++) {
        if (!text->lines[i].is_read) {
            return false;
        }
    }
    return true;
}

static void
killed_workers_are_started_again(void) {
    struct sq_reader *reader = create(t_made_path("../squint"), "eng");
    struct t_text_page page;
    struct sq_text text = { 0 };
    t_text_page_draw(5, &page);
    if (read_page(reader, &page.image, &text)) {
        int pids[8];
        int count = sq_reader_pids(reader, pids, 8);
        T(count > 0);
        for (int i = 0; i < count; i++) {
            T(is_confined(pids[i]));
            kill(pids[i], SIGKILL);
        }
        struct t_text_page other;
        t_text_page_draw(6, &other);
        sq_text_finish(&text);
        T(read_page(reader, &other.image, &text));
        T(text.recognised > 0);
        T_INT(text.unreadable, 0);
        T(all_are_read(&text));
        t_text_page_finish(&other);
    }
    sq_text_finish(&text);
    t_text_page_finish(&page);
    sq_reader_destroy(reader);
}

#define MODE_FILE "mode"

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
    struct sq_reader *reader = create(t_made_path("bad-worker"), MODE_FILE);
    snprintf(folder, sizeof(folder), "%s", t_scratch());
    T_INT(chdir(folder), 0);
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        struct sq_text text = { 0 };
        bool ok = read_badly(reader, modes[i].mode, T_PATIENCE_MS, &text, &err);
        if (skips(ok, &err)) {
            break;
        }
        T_OK(ok, &err);
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
    struct sq_reader *reader = create(t_made_path("bad-worker"), MODE_FILE);
    T_INT(chdir(t_scratch()), 0);
    /* Started first, so that only the answer is awaited. */
    bool ok = read_badly(reader, "well", T_PATIENCE_MS, &text, &err);
    if (!skips(ok, &err) && T_OK(ok, &err)) {
        sq_text_finish(&text);
        T(!read_badly(reader, "never", 2000, &text, &err));
        T_INT(err.code, SQ_ERR_TIMEOUT);
        T_INT(sq_reader_pids(reader, pids, 8), 0);
        sq_text_finish(&text);
        T_OK(read_badly(reader, "well", T_PATIENCE_MS, &text, &err), &err);
        T(text.recognised > 0);
    }
    sq_text_finish(&text);
    sq_reader_destroy(reader);
    t_scratch_end();
}

static bool
has_phrase(const void *context, const struct sq_text *text) {
    struct sq_text_matches matches;
    struct sq_err err = { 0 };
    return sq_match_find(text, context, &matches, &err) && matches.count;
}

static void
reading_stops_when_it_is_enough(void) {
    struct sq_reader *reader = create(t_made_path("../squint"), "eng");
    struct t_text_page page;
    struct sq_text text = { 0 };
    struct sq_arena arena;
    struct sq_phrase phrase;
    struct sq_err err = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    t_text_page_draw(1, &page);
    sq_arena_init(&arena, 100000);
    T_OK(sq_phrase_init(&phrase, sq_span_of(page.words[0].text), &arena, &err),
         &err);
    const struct sq_read_plan plan = {
        .area = page_area,
        .is_enough = has_phrase,
        .context = &phrase,
    };
    bool ok =
        sq_reader_read(reader, &page.image, &plan, &deadline, &text, &err);
    if (!skips(ok, &err) && T_OK(ok, &err)) {
        T(text.recognised < page.lines / 2);
        T(has_phrase(&phrase, &text));
    }
    sq_text_finish(&text);
    sq_arena_finish(&arena);
    t_text_page_finish(&page);
    sq_reader_destroy(reader);
}

static void
likely_lines_are_read_first(void) {
    struct sq_reader *reader = create(t_made_path("../squint"), "eng");
    struct t_text_page page;
    struct sq_text text = { 0 };
    struct sq_arena arena;
    struct sq_text_search search;
    struct sq_err err = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    t_text_page_draw(1, &page);
    const char *wanted = page.words[page.count - 1].text;
    sq_arena_init(&arena, 100000);
    T_OK(sq_text_search_init(&search, sq_span_of(wanted), 1, &arena, &err),
         &err);
    struct sq_read_plan plan = sq_text_search_plan(&search);
    plan.area = page_area;
    bool ok =
        sq_reader_read(reader, &page.image, &plan, &deadline, &text, &err);
    if (!skips(ok, &err) && T_OK(ok, &err)) {
        /* From top to bottom it would be the last line. */
        T(text.recognised * 2 < page.lines);
        T(has_phrase(&search.phrase, &text));
    }
    sq_text_finish(&text);
    sq_arena_finish(&arena);
    t_text_page_finish(&page);
    sq_reader_destroy(reader);
}

static void
missing_programs_and_languages_are_errors(void) {
    static const struct {
        const char *program; /* NULL: squint */
        const char *language;
        enum sq_err_code code;
    } cases[] = {
        { "/nonexistent/squint", "eng", SQ_ERR_IO },
        { "/bin/true", "eng", SQ_ERR_IO },
        { NULL, "no_such_language", SQ_ERR_UNSUPPORTED },
    };
    struct t_text_page page;
    t_text_page_draw(1, &page);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct sq_read_plan plan = { .area = page_area };
        struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
        struct sq_text text = { 0 };
        struct sq_err err = { 0 };
        struct sq_reader *reader = create(
            cases[i].program ? cases[i].program : t_made_path("../squint"),
            cases[i].language);
        T(!sq_reader_read(reader, &page.image, &plan, &deadline, &text, &err));
        T_INT(err.code, cases[i].code);
        T(err.hint[0] || cases[i].code == SQ_ERR_IO);
        sq_reader_destroy(reader);
    }
    t_text_page_finish(&page);
}

#if defined(__linux__)
/* As qemu-user and kernels without seccomp. */
static bool
hide_seccomp(void) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                 offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_GET_SECCOMP, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };
    return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) < 0
        || (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

/* In a thread of its own, because a filter stays. */
static void *
read_without_seccomp(void *context) {
    struct sq_err err = { 0 };
    struct sq_text text = { 0 };
    int pids[8];
    T(hide_seccomp());
    T(!read_badly(context, "well", T_PATIENCE_MS, &text, &err));
    T_INT(err.code, SQ_ERR_UNSUPPORTED);
    T(strstr(err.message, "it has no seccomp") != NULL);
    T(strstr(err.hint, "kernel with seccomp") != NULL);
    T_INT(sq_reader_pids(context, pids, 8), 0);
    sq_text_finish(&text);
    return NULL;
}

static void
nothing_is_read_unconfined(void) {
    pthread_t thread;
    t_scratch_start();
    struct sq_reader *reader = create(t_made_path("bad-worker"), MODE_FILE);
    T_INT(chdir(t_scratch()), 0);
    T_INT(pthread_create(&thread, NULL, read_without_seccomp, reader), 0);
    pthread_join(thread, NULL);
    sq_reader_destroy(reader);
    t_scratch_end();
}
#else
static void
nothing_is_read_unconfined(void) {
    t_skip("other systems have no seccomp");
}
#endif

static void
names_with_slashes_are_no_languages(void) {
    T(sq_recogniser_is_language("chi_sim"));
    T(!sq_recogniser_is_language("../eng"));
    T(!sq_recogniser_is_language(""));
}

T_MAIN(T_CASE(drawn_pages_are_read), T_CASE(known_lines_are_not_read_again),
       T_CASE(killed_workers_are_started_again),
       T_CASE(bad_workers_make_lines_unreadable),
       T_CASE(a_worker_that_hangs_ends_with_the_time),
       T_CASE(reading_stops_when_it_is_enough),
       T_CASE(likely_lines_are_read_first),
       T_CASE(missing_programs_and_languages_are_errors),
       T_CASE(nothing_is_read_unconfined),
       T_CASE(names_with_slashes_are_no_languages))
