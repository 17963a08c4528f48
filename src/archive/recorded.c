#include "archive/recorded.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/archive_private.h"
#include "sys/call.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "util/mem.h"

#define NS_PER_S 1000000000
#define DAY_S 86400
#define MAX_LIST_BYTES ((size_t)32 << 20) /* a shot per second */
#define STEM_SIZE 128
/* Some file systems store times in units of two seconds. */
#define TIME_UNIT_S 2

/* The picture of a shot, then its thumbnail. */
enum { FILES = 2 };
static const char *const endings[FILES] = { ".jpg", ".thumbnail.jpg" };

struct shot {
    struct {
        int64_t size;
        int64_t time;
    } files[FILES]; /* when they were recorded */
    char stem[STEM_SIZE];
};

static void
name_file(const struct shot *shot, int file, char out[SQ_FOLDER_NAME_SIZE]) {
    snprintf(out, SQ_FOLDER_NAME_SIZE, "%s%s", shot->stem, endings[file]);
}

static bool
look_at_files(int day, struct shot *shot) {
    for (int i = 0; i < FILES; i++) {
        char name[SQ_FOLDER_NAME_SIZE];
        struct stat st;
        name_file(shot, i, name);
        if (sq_call_lstatat(day, name, &st) < 0) {
            return false;
        }
        shot->files[i].size = (int64_t)st.st_size;
        shot->files[i].time = sq_file_mtime_ns(&st) / NS_PER_S;
    }
    return true;
}

/* Adds a line; if only a part of it was written, the next one is still read. */
static bool
add_line(int day, const struct shot *shot, struct sq_err *err) {
    char line[STEM_SIZE + 96];
    struct stat st;
    bool is_new = sq_call_lstatat(day, SQ_RECORDED_LIST, &st) < 0;
    if (is_new ? errno != ENOENT : !S_ISREG(st.st_mode)) {
        return sq_file_fail(SQ_RECORDED_LIST, true, is_new ? errno : EINVAL,
                            err);
    }
    int list = sq_call_openat(day, SQ_RECORDED_LIST,
                              O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW
                                  | O_NONBLOCK | O_CLOEXEC,
                              0600);
    if (list < 0) {
        return sq_file_fail(SQ_RECORDED_LIST, true, errno, err);
    }
    int len = snprintf(line, sizeof(line),
                       "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %s\n",
                       shot->files[0].size, shot->files[0].time,
                       shot->files[1].size, shot->files[1].time, shot->stem);
    bool ok =
        sq_append_file_write(list, SQ_RECORDED_LIST, line, (size_t)len, err);
    if (!ok && is_new) {
        (void)sq_call_unlinkat(day, SQ_RECORDED_LIST);
    } else if (!ok) {
        (void)sq_call_write(list, "\n", 1);
    }
    sq_append_file_close(list);
    return ok;
}

bool
sq_recorded_add(int folder, const char *stem, struct sq_err *err) {
    struct shot shot = { 0 };
    char day_name[SQ_RECORDED_DAY_SIZE];
    snprintf(day_name, sizeof(day_name), "%s", stem);
    snprintf(shot.stem, sizeof(shot.stem), "%s", sq_path_base(stem));
    int day = sq_open_folder_beneath(folder, day_name);
    if (day < 0) {
        return sq_file_fail(day_name, true, errno, err);
    }
    bool ok = look_at_files(day, &shot)
                ? add_line(day, &shot, err)
                : sq_file_fail(shot.stem, false, errno, err);
    sq_call_close(day);
    return ok;
}

/* The folders that are named like days; a link to a folder is none of them. */
struct days {
    char (*names)[SQ_RECORDED_DAY_SIZE];
    size_t count;
    size_t room;
    bool is_full; /* no memory for more */
};

static bool
is_day(struct sq_span name) {
    static const char pattern[] = "0000-00-00";
    bool is = name.len == sizeof(pattern) - 1;
    for (size_t i = 0; is && i < name.len; i++) {
        is = pattern[i] == '-' ? name.ptr[i] == '-' : sq_is_digit(name.ptr[i]);
    }
    return is;
}

static void
add_day(void *context, int folder, struct sq_span name) {
    struct days *days = context;
    struct stat st;
    if (!is_day(name) || days->is_full
        || sq_call_lstatat(folder, name.ptr, &st) < 0 || !S_ISDIR(st.st_mode)) {
        return;
    }
    days->is_full = !sq_mem_grow(&days->names, &days->room, days->count + 1,
                                 sizeof(*days->names));
    if (!days->is_full) {
        snprintf(days->names[days->count++], SQ_RECORDED_DAY_SIZE, "%.*s",
                 SQ_SPAN_ARGS(name));
    }
}

static int
compare_days(const void *a, const void *b) {
    return memcmp(a, b, SQ_RECORDED_DAY_SIZE);
}

static bool
list_days(int folder, struct days *days, struct sq_err *err) {
    sq_folder_visit(folder, add_day, days);
    if (days->is_full) {
        return sq_fail_nomem(err);
    }
    if (days->count > 0) {
        qsort(days->names, days->count, sizeof(*days->names), compare_days);
    }
    return true;
}

/* Reads a line; returns false for anything that sq_recorded_add did not write.
 */
static bool
read_line(struct sq_span line, struct shot *out) {
    for (int i = 0; i < FILES; i++) {
        if (!sq_span_take_int64(&line, &out->files[i].size)
            || !sq_span_take_prefix(&line, " ")
            || !sq_span_take_int64(&line, &out->files[i].time)
            || !sq_span_take_prefix(&line, " ")) {
            return false;
        }
    }
    snprintf(out->stem, sizeof(out->stem), "%.*s", SQ_SPAN_ARGS(line));
    return line.len < sizeof(out->stem) && !sq_span_contains(line, '/')
        && sq_folder_check_name(line, NULL);
}

struct pruning {
    const struct sq_recorded_limits *limits;
    struct sq_recorded_result *result;
    int64_t young_bytes; /* of recorded shots that are not too old */
    bool only_counts;    /* these bytes, in the first round */
    const char *day_name;
    int day;
    bool is_left; /* a shot stays in the day's folder */
};

static bool
remove_shot(struct pruning *pruning, const struct shot *shot) {
    for (int i = 0; i < FILES; i++) {
        char name[SQ_FOLDER_NAME_SIZE];
        name_file(shot, i, name);
        if (!pruning->limits->is_rehearsal
            && sq_call_unlinkat(pruning->day, name) < 0 && errno != ENOENT) {
            pruning->result->failed++;
            pruning->result->failure = errno;
            return false;
        }
    }
    return true;
}

/* What is there of a shot. */
struct stock {
    int64_t bytes;
    int gone;        /* files */
    bool is_changed; /* a file may not be the one that was recorded */
};

static struct stock
take_stock(int day, const struct shot *shot) {
    struct stock stock = { 0 };
    for (int i = 0; i < FILES; i++) {
        char name[SQ_FOLDER_NAME_SIZE];
        struct stat st;
        name_file(shot, i, name);
        if (sq_call_lstatat(day, name, &st) < 0) {
            stock.gone += errno == ENOENT;
            stock.is_changed = stock.is_changed || errno != ENOENT;
            continue;
        }
        int64_t later = sq_file_mtime_ns(&st) / NS_PER_S - shot->files[i].time;
        if (S_ISREG(st.st_mode) && st.st_size == shot->files[i].size
            && later >= -TIME_UNIT_S && later <= TIME_UNIT_S) {
            stock.bytes += shot->files[i].size;
        } else {
            stock.is_changed = true;
        }
    }
    return stock;
}

/* Counts a shot, and removes it if it is beyond the limits. */
static void
decide(struct pruning *pruning, const struct shot *shot) {
    const struct sq_recorded_limits *limits = pruning->limits;
    struct sq_recorded_result *result = pruning->result;
    const struct stock stock = take_stock(pruning->day, shot);
    if (stock.gone == FILES) {
        return;
    }
    bool is_old = limits->max_age_s > 0
               && shot->files[0].time < limits->now - limits->max_age_s;
    if (pruning->only_counts) {
        pruning->young_bytes += is_old || stock.is_changed ? 0 : stock.bytes;
        return;
    }
    bool is_beyond =
        is_old
        || (limits->max_bytes > 0 && pruning->young_bytes > limits->max_bytes);
    if (!stock.is_changed && is_beyond && remove_shot(pruning, shot)) {
        result->removed++;
        result->removed_bytes += stock.bytes;
        pruning->young_bytes -= is_old ? 0 : stock.bytes;
        char *from = result->from[0] ? result->to : result->from;
        memcpy(from, pruning->day_name, SQ_RECORDED_DAY_SIZE);
        memcpy(result->to, pruning->day_name, SQ_RECORDED_DAY_SIZE);
        return;
    }
    pruning->is_left = true;
    result->kept++;
    result->kept_bytes += stock.bytes;
    result->changed += stock.is_changed;
}

/*
 * Removes the list of a day without shots, and its folder if it is empty then.
 * Not of the last days: a shot may be added now.
 */
static void
finish_day(const struct pruning *pruning, int folder) {
    char name[SQ_FOLDER_NAME_SIZE];
    char recent[SQ_TIME_TEXT_SIZE];
    sq_time_format_wall(pruning->limits->now - (int64_t)2 * DAY_S, 0, recent);
    if (!pruning->is_left && !pruning->only_counts
        && !pruning->limits->is_rehearsal
        && memcmp(pruning->day_name, recent, SQ_RECORDED_DAY_SIZE - 1) < 0) {
        snprintf(name, sizeof(name), "%s/" SQ_RECORDED_LIST, pruning->day_name);
        sq_folder_remove_new(folder, sq_span_of(name),
                             SQ_RECORDED_DAY_SIZE - 1);
    }
}

/* A folder without a list has nothing that squint recorded. */
static bool
prune_day(struct pruning *pruning, int folder, struct sq_err *err) {
    char name[SQ_FOLDER_NAME_SIZE];
    struct sq_err local_err = { 0 };
    SQ_FREED(sq_buf_finish) struct sq_buf list = { 0 };
    snprintf(name, sizeof(name), "%s/" SQ_RECORDED_LIST, pruning->day_name);
    if (!sq_folder_read(folder, sq_span_of(name), MAX_LIST_BYTES, &list,
                        &local_err)) {
        return local_err.code == SQ_ERR_NOT_FOUND
            || sq_fail_with(err, &local_err);
    }
    pruning->day = sq_open_folder_beneath(folder, pruning->day_name);
    if (pruning->day < 0) {
        return sq_file_fail(pruning->day_name, false, errno, err);
    }
    struct sq_span rest = sq_buf_span(&list);
    struct sq_span line;
    pruning->is_left = false;
    while (sq_span_take_line(&rest, &line)) {
        struct shot shot;
        if (read_line(line, &shot)) {
            decide(pruning, &shot);
        }
    }
    sq_call_close(pruning->day);
    finish_day(pruning, folder);
    return true;
}

static bool
prune_days(struct pruning *pruning, int folder, const struct days *days,
           const struct sq_deadline *deadline, struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < days->count; i++) {
        pruning->day_name = days->names[i];
        ok =
            sq_deadline_check(deadline, err) && prune_day(pruning, folder, err);
    }
    return ok;
}

bool
sq_recorded_prune(const char *path, const struct sq_recorded_limits *limits,
                  const struct sq_deadline *deadline,
                  struct sq_recorded_result *out, struct sq_err *err) {
    struct pruning pruning = { .limits = limits, .result = out };
    struct days days = { 0 };
    *out = (struct sq_recorded_result){ 0 };
    int folder = sq_call_open_dir(path);
    if (folder < 0) {
        return errno == ENOENT || sq_file_fail(path, false, errno, err);
    }
    bool ok = list_days(folder, &days, err);
    if (ok && limits->max_bytes > 0) {
        pruning.only_counts = true;
        ok = prune_days(&pruning, folder, &days, deadline, err);
        pruning.only_counts = false;
    }
    ok = ok && prune_days(&pruning, folder, &days, deadline, err);
    sq_mem_free(days.names);
    sq_call_close(folder);
    return ok;
}
