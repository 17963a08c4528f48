/*
 * Measures the archive: makes a tree of files with names of screenshots and
 * lists it. Each command prints one line of JSON for archive.py.
 *
 *   bench-archive make DIR FILES     a tree of that many names
 *   bench-archive parse              one name, in nanoseconds
 *   bench-archive day DIR            one day, first and again
 *   bench-archive list DIR DAYS      list that many days, and end
 *   bench-archive scan DIR           read everything, without an index
 *   bench-archive choose SEGMENTS    choose shots by this number of activities
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive_private.h"
#include "archive/sampling/sampling.h"
#include "sys/clock.h"
#include "util/span.h"
#include "util/time_text.h"

#define SHOTS_PER_DAY 1000 /* each a picture and a thumbnail */
#define SECONDS_APART 80
#define DAY_S 86400
#define FIRST_DAY 18262 /* 2020-01-01 */
#define NAMES 100000
#define ROUNDS 200
#define TIMEOUT_MS 600000
#define CHOOSE_SHOTS 10000

static int
complain(const char *what, const struct sq_err *err) {
    fprintf(stderr, "bench-archive: %s: %s\n", what,
            err ? err->message : strerror(errno));
    return 1;
}

static struct sq_shot
nth_shot(int64_t day, int number) {
    int64_t second = day * DAY_S + 600 + (int64_t)number * SECONDS_APART;
    return (struct sq_shot){
        .utc = (uint32_t)second,
        .seq = (uint32_t)(day * SHOTS_PER_DAY + number) * 7919U % 1000000U,
        .width = 3840,
        .height = 2160,
        .monitor = (uint8_t)(number % 2),
        .flags = SQ_SHOT_FULL | 1 << SQ_SHOT_SPELLING_SHIFT,
    };
}

/* A picture of one pixel: the part of a file that a list reads is complete. */
static const uint8_t picture[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d,
    0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01,
    0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00, 0x00, 0x00,
    0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x60, 0x00, 0x00, 0x00,
    0x02, 0x00, 0x01, 0xe5, 0x27, 0xde, 0xfc, 0x00, 0x00, 0x00, 0x00, 0x49,
    0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
};

/* Older than recent: files that were just written are checked each time. */
static bool
make_file(int folder, const char *name) {
    const struct timespec old[2] = { { .tv_sec = FIRST_DAY * DAY_S },
                                     { .tv_sec = FIRST_DAY * DAY_S } };
    int fd =
        openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok = fd >= 0
           && write(fd, picture, sizeof(picture)) == (ssize_t)sizeof(picture)
           && futimens(fd, old) == 0;
    return fd >= 0 && close(fd) == 0 && ok;
}

/* All names of a day are one file, which saves space. */
static bool
make_day(const char *path, int64_t day, int shots) {
    char place[SQ_TIME_TEXT_SIZE];
    char folder[4200];
    char first[SQ_NAME_SIZE] = "";
    char name[SQ_NAME_SIZE];
    sq_date_format(sq_date_from_days(day), place);
    snprintf(folder, sizeof(folder), "%s/%s", path, place);
    int fd = mkdir(folder, 0700) == 0
               ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
               : -1;
    bool ok = fd >= 0;
    for (int i = 0; ok && i < shots; i++) {
        struct sq_shot shot = nth_shot(day, i);
        for (int thumbnail = 0; ok && thumbnail < 2; thumbnail++) {
            sq_name_format(&shot, thumbnail, name);
            ok = first[0] ? linkat(fd, first, fd, name, 0) == 0
                          : make_file(fd, name);
            if (!first[0]) {
                memcpy(first, name, sizeof(first));
            }
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    return ok;
}

static int
make(char *const words[]) {
    int64_t files;
    int64_t days = 0;
    if (!sq_span_to_int64(sq_span_of(words[1]), &files)
        || (mkdir(words[0], 0700) != 0 && errno != EEXIST)) {
        return complain(words[0], NULL);
    }
    for (int64_t left = files / 2; left > 0; left -= SHOTS_PER_DAY, days++) {
        int shots = left < SHOTS_PER_DAY ? (int)left : SHOTS_PER_DAY;
        if (!make_day(words[0], FIRST_DAY + days, shots)) {
            return complain(words[0], NULL);
        }
    }
    printf("{\"days\":%lld}\n", (long long)days);
    return 0;
}

static int
parse(char *const words[]) {
    static char names[NAMES][64];
    int64_t best = INT64_MAX;
    uint64_t sum = 0;
    (void)words;
    for (int i = 0; i < NAMES; i++) {
        char name[SQ_NAME_SIZE];
        struct sq_shot shot =
            nth_shot(FIRST_DAY + i / SHOTS_PER_DAY, i % SHOTS_PER_DAY);
        sq_name_format(&shot, i % 2, name);
        snprintf(names[i], sizeof(names[i]), "%.63s", name);
    }
    for (int round = 0; round < 20; round++) {
        uint8_t first = 0;
        int64_t start = sq_clock_cpu_ns();
        for (int i = 0; i < NAMES; i++) {
            struct sq_shot shot;
            if (sq_name_parse(sq_span_of(names[i]), NULL, &first, &shot)) {
                sum += shot.seq;
            }
        }
        int64_t took = sq_clock_cpu_ns() - start;
        best = took < best ? took : best;
    }
    printf("{\"ns\":%.1f,\"sum\":%llu}\n", (double)best / NAMES,
           (unsigned long long)sum);
    return 0;
}

static bool
open_archive(const char *path, struct sq_archive **out, struct sq_err *err) {
    const struct sq_archive_root root = { .path = path,
                                          .permission = SQ_ARCHIVE_FULL };
    const struct sq_archive_options options = { .roots = &root,
                                                .root_count = 1 };
    return sq_archive_create(&options, out, err);
}

/* Lists `days` days from the tenth on; *took is the time in nanoseconds. */
static bool
list_days(struct sq_archive *archive, int64_t days, int64_t *took,
          size_t *count, struct sq_err *err) {
    struct sq_archive_listing listing = { 0 };
    struct sq_deadline deadline = sq_deadline_in(TIMEOUT_MS, NULL);
    const struct sq_archive_window window = {
        .from_utc = (int64_t)(FIRST_DAY + 10) * DAY_S,
        .to_utc = (FIRST_DAY + 10 + days) * DAY_S,
        .monitor = SQ_ARCHIVE_ANY,
        .root = SQ_ARCHIVE_ANY,
    };
    int64_t start = sq_clock_monotonic_ns();
    bool ok = sq_archive_list(archive, &window, &deadline, &listing, err);
    *took = sq_clock_monotonic_ns() - start;
    *count = listing.shots.count;
    sq_archive_listing_finish(&listing);
    return ok;
}

static int
compare(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static int
day(char *const words[]) {
    struct sq_archive *archive;
    struct sq_err err = { 0 };
    size_t shots;
    int64_t first;
    int64_t again[ROUNDS];
    if (!open_archive(words[0], &archive, &err)
        || !list_days(archive, 1, &first, &shots, &err)) {
        return complain(words[0], &err);
    }
    for (int i = 0; i < ROUNDS; i++) {
        if (!list_days(archive, 1, &again[i], &shots, &err)) {
            return complain(words[0], &err);
        }
    }
    sq_archive_destroy(archive);
    qsort(again, ROUNDS, sizeof(again[0]), compare);
    printf("{\"shots\":%zu,\"firstUs\":%.1f,\"warmUs\":%.1f,\"bestUs\":%.1f}\n",
           shots, (double)first / 1e3, (double)again[ROUNDS / 2] / 1e3,
           (double)again[0] / 1e3);
    return 0;
}

static int
list(char *const words[]) {
    struct sq_archive *archive;
    struct sq_err err = { 0 };
    int64_t days;
    int64_t took;
    size_t shots;
    if (!sq_span_to_int64(sq_span_of(words[1]), &days)
        || !open_archive(words[0], &archive, &err)
        || !list_days(archive, days, &took, &shots, &err)) {
        return complain(words[0], &err);
    }
    sq_archive_destroy(archive);
    printf("{\"shots\":%zu}\n", shots);
    return 0;
}

static int
scan(char *const words[]) {
    struct sq_archive *archive;
    struct sq_archive_totals totals;
    struct sq_err err = { 0 };
    struct sq_deadline deadline = sq_deadline_in(TIMEOUT_MS, NULL);
    int64_t start = sq_clock_monotonic_ns();
    if (!open_archive(words[0], &archive, &err)
        || !sq_archive_scan(archive, 0, NULL, &deadline, &totals, &err)) {
        return complain(words[0], &err);
    }
    int64_t took = sq_clock_monotonic_ns() - start;
    const struct sq_day_cache *cache = &archive->roots[0].cache;
    size_t bytes = cache->bytes + cache->capacity * sizeof(*cache->slots);
    sq_archive_destroy(archive);
    printf("{\"ms\":%.1f,\"shots\":%llu,\"folders\":%u,\"bytes\":%zu}\n",
           (double)took / 1e6, (unsigned long long)totals.shots, totals.folders,
           bytes);
    return 0;
}

/* Makes one shot per minute and the given number of activities; chooses. */
static int
choose(char *const words[]) {
    static struct sq_shot shots[CHOOSE_SHOTS];
    static struct sq_segment segments[CHOOSE_SHOTS];
    int64_t count;
    int64_t best = INT64_MAX;
    struct sq_err err = { 0 };
    struct sq_choice choice = { 0 };
    if (!sq_span_to_int64(sq_span_of(words[0]), &count) || count < 1
        || count > CHOOSE_SHOTS) {
        return complain(words[0], NULL);
    }
    for (int i = 0; i < CHOOSE_SHOTS; i++) {
        shots[i] = nth_shot(FIRST_DAY, 0);
        shots[i].utc += (uint32_t)i * 60;
    }
    int64_t start = shots[0].utc;
    int64_t each = CHOOSE_SHOTS * (int64_t)60 / count;
    for (int64_t i = 0; i < count; i++) {
        segments[i] =
            (struct sq_segment){ start + i * each, start + (i + 1) * each,
                                 (uint32_t)(i % 7) };
    }
    const struct sq_choose_request ask = {
        .shots = { shots, CHOOSE_SHOTS },
        .window = { start, start + CHOOSE_SHOTS * (int64_t)60 },
        .max_count = (size_t)count,
        .interval_s = SQ_INTERVAL_AUTO,
        .settle_s = SQ_SETTLE_S,
        .segments = segments,
        .segment_count = (size_t)count,
    };
    for (int i = 0; i < ROUNDS; i++) {
        struct sq_arena arena;
        sq_arena_init(&arena, (size_t)64 << 20);
        int64_t began = sq_clock_cpu_ns();
        bool ok = sq_choose(&ask, &arena, &choice, &err);
        int64_t took = sq_clock_cpu_ns() - began;
        sq_arena_finish(&arena);
        if (!ok) {
            return complain("choose", &err);
        }
        best = took < best ? took : best;
    }
    printf("{\"us\":%.1f,\"picks\":%zu}\n", (double)best / 1e3, choice.count);
    return 0;
}

static const struct command {
    const char *name;
    int words;
    int (*run)(char *const words[]);
} commands[] = {
    { "make", 2, make }, { "parse", 0, parse }, { "day", 1, day },
    { "list", 2, list }, { "scan", 1, scan },   { "choose", 1, choose },
};

int
main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (argc == commands[i].words + 2
            && strcmp(argv[1], commands[i].name) == 0) {
            return commands[i].run(argv + 2);
        }
    }
    fprintf(stderr, "bench-archive: see the head of bench_archive.c\n");
    return 2;
}
