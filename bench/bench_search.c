/*
 * Measures the search in texts of past screenshots. Each command prints one
 * line of JSON for search.py.
 *
 *   bench-search fill FILE PAGES       an index with that many pages
 *   bench-search query FILE WORD...    each query, opening the index each time
 *   bench-search draw DIR PICTURES     an archive of screens of 1920x1080
 *   bench-search day DIR PICTURES SEED CHAT TEXT ALL
 *                                      an archive of one day, see search_day.py
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "archive/search/store.h"
#include "bench_search.h"
#include "sys/clock.h"

#define TIMEOUT_MS 3600000
#define ROUNDS 41

static int
complain(const struct sq_err *err) {
    fprintf(stderr, "bench-search: %s\n", err->message);
    return 1;
}

static bool
add_page(struct sq_search_store *store, struct bench_screen *screen, int number,
         struct sq_err *err) {
    static struct sq_word words[LINES * WORDS_PER_LINE];
    static struct sq_text_line lines[LINES];
    struct sq_archive_pick pick = {
        .shot = { .utc = (uint32_t)(FIRST_UTC + number * 60) },
    };
    int64_t id;
    for (int i = 0; i < LINES; i++) {
        int top = 28 * i;
        lines[i] = (struct sq_text_line){ { 40, top, 1800, top + 20 },
                                          { &words[i * WORDS_PER_LINE], 9 },
                                          true };
        for (int k = 0; k < WORDS_PER_LINE; k++) {
            words[i * WORDS_PER_LINE + k] = (struct sq_word){
                sq_span_of(screen->words[i][k]),
                { 40 + 190 * k, top, 220 + 190 * k, top + 20 },
                90,
            };
        }
    }
    snprintf(pick.full, sizeof(pick.full), "%d.jpg", number);
    const struct sq_text text = { .lines = lines, .count = LINES };
    const struct sq_search_page page = {
        .file = { .pick = &pick, .path = sq_span_of(pick.full) },
        .text = &text,
        .size = { WIDTH, HEIGHT },
        .app = SQ_SPAN("Mail"),
    };
    return sq_search_store_add(store, &page, &id, err);
}

static int
fill(const char *path, int pages) {
    struct sq_err err = { 0 };
    struct sq_search_store *store = NULL;
    struct bench_screen screen = { .state = 1 };
    struct stat st;
    const struct sq_deadline deadline = sq_deadline_in(TIMEOUT_MS, NULL);
    int64_t start = sq_clock_monotonic_ns();
    bool ok = sq_search_store_open(path, true, &deadline, &store, &err);
    for (int i = 0; ok && i < pages; i++) {
        bench_screen_advance(&screen, i);
        ok = add_page(store, &screen, i, &err);
    }
    ok = ok && sq_search_store_optimize(store, &err);
    sq_search_store_close(store);
    if (!ok || stat(path, &st) != 0) {
        return complain(&err);
    }
    printf("{\"pages\":%d,\"seconds\":%.2f,\"bytes\":%lld}\n", pages,
           (double)(sq_clock_monotonic_ns() - start) / 1e9,
           (long long)st.st_size);
    return 0;
}

static bool
search(const char *path, const char *text, size_t *count, struct sq_err *err) {
    static struct sq_search_hit hits[20];
    const struct sq_deadline deadline = sq_deadline_in(TIMEOUT_MS, NULL);
    struct sq_search_request request = { .to_utc = UINT32_MAX, .max = 20 };
    struct sq_search_store *store = NULL;
    struct sq_arena arena;
    struct sq_search_found found = { 0 };
    sq_arena_init(&arena, 1 << 20);
    bool ok =
        sq_search_query_read(sq_span_of(text), &arena, &request.query, err)
        && sq_search_store_open(path, false, &deadline, &store, err)
        && sq_search_store_find(store, &request, hits, &found, err);
    *count = found.count;
    sq_search_store_close(store);
    sq_arena_finish(&arena);
    return ok;
}

static int
compare(const void *a, const void *b) {
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

static int
query(const char *path, int count, char **texts) {
    struct sq_err err = { 0 };
    printf("[");
    for (int i = 0; i < count; i++) {
        double ms[ROUNDS];
        size_t hits = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int64_t start = sq_clock_monotonic_ns();
            if (!search(path, texts[i], &hits, &err)) {
                return complain(&err);
            }
            ms[round] = (double)(sq_clock_monotonic_ns() - start) / 1e6;
        }
        qsort(ms, ROUNDS, sizeof(ms[0]), compare);
        printf("%s{\"text\":\"%s\",\"hits\":%zu,\"medianMs\":%.2f,"
               "\"worstMs\":%.2f}",
               i ? "," : "", texts[i], hits, ms[ROUNDS / 2], ms[ROUNDS - 1]);
    }
    printf("]\n");
    return 0;
}

int
main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "fill") == 0) {
        return fill(argv[2], (int)strtod(argv[3], NULL));
    }
    if (argc >= 4 && strcmp(argv[1], "query") == 0) {
        return query(argv[2], argc - 3, argv + 3);
    }
    if (argc == 4 && strcmp(argv[1], "draw") == 0) {
        return bench_search_draw(argv[2], (int)strtod(argv[3], NULL));
    }
    if (argc == 8 && strcmp(argv[1], "day") == 0) {
        const struct bench_rates rates = { (int)strtod(argv[5], NULL),
                                           (int)strtod(argv[6], NULL),
                                           (int)strtod(argv[7], NULL) };
        return bench_search_draw_day(argv[2], (int)strtod(argv[3], NULL),
                                     (unsigned)strtod(argv[4], NULL), &rates);
    }
    fprintf(stderr, "usage: see the first lines of bench_search.c\n");
    return 2;
}
