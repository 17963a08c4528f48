/*
 * Lists that read no pixels: a constant number of bytes per file, once per file
 * state.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive.h"
#include "support/album.h"
#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"
#include "util/fault.h"

#define SHOTS 20
#define FILE_BYTES ((off_t)4 << 20)
#define AGE_S 3600
#define CALLS_OF_A_LIST 20 /* of the folder, the key and the answer */
#define NS_PER_MS 1000000

static const char *
path_of(int nth) {
    return t_text("a/2026-01-15/Screenshot 2026-01-15 10%02d00.png", nth);
}

/* A large complete picture, like one of a 4K screen. */
static void
put_large(int nth) {
    uint8_t byte = 0;
    struct sq_buf picture;
    const char *path = path_of(nth);
    past_put_picture(path, 64, 40, 0);
    past_read(path, &picture);
    FILE *file = fopen(t_scratch_path(path), "wb");
    if (T(file != NULL)) {
        size_t end = picture.len - 12;
        T_INT(fwrite(picture.data, 1, end, file), end);
        T_INT(fseek(file, FILE_BYTES - 13, SEEK_SET), 0);
        T_INT(fwrite(&byte, 1, 1, file), 1);
        T_INT(fwrite(picture.data + end, 1, 12, file), 12);
        fclose(file);
    }
    sq_buf_finish(&picture);
    t_album_age(path, AGE_S);
}

static void
start(void) {
    past_start_with_root();
    for (int i = 0; i < SHOTS; i++) {
        put_large(i);
    }
    t_album_age_all();
}

/* Bytes this process has read so far, as the kernel counts them. */
static long
bytes_read(void) {
    char line[64] = "";
    long bytes = -1;
    FILE *file = fopen("/proc/self/io", "r");
    if (file) {
        if (fgets(line, sizeof(line), file)
            && strncmp(line, "rchar:", 6) == 0) {
            struct sq_span number = sq_span_of(line + 7);
            int64_t value;
            bytes = sq_span_take_int64(&number, &value) ? (long)value : -1;
        }
        fclose(file);
    }
    return bytes;
}

/* The number of system calls of a list. */
static long
count_calls(void) {
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    T_OK(past_list(""));
    return sq_fault_count(SQ_FAULT_CALL);
}

T_FIXTURE(NULL, past_end);

T_CASE(constant_number_of_bytes_is_read_per_file) {
    start();
    long before = bytes_read();
    T_OK(past_list(""));
    long read = bytes_read() - before;
    T_INT(past_shots(), SHOTS);
    T_INT(past_number("screenshots.0.width"), 64);
    T_INT(past_number("screenshots.0.height"), 40);
    printf("# %ld bytes of %d files\n", read, SHOTS);
    T(read < SHOTS * (long)SQ_ARCHIVE_CHECK_BYTES + 65536);
}

T_CASE(file_is_opened_once_per_state) {
    start();
    past_damage(path_of(3), PAST_CUT);
    T_OK(past_list(""));
    T_INT(past_number("diagnostics.unusable.truncated"), 1);
    long before = bytes_read();
    long calls = count_calls();
    printf("# %ld calls, %ld bytes again\n", calls, bytes_read() - before);
    T(calls <= 2 * SHOTS + CALLS_OF_A_LIST);
    T(bytes_read() - before < 8192);
    T_INT(past_shots(), SHOTS - 1);
    T_INT(past_number("diagnostics.unusable.truncated"), 1);
    /* A changed file is checked again, however it changed. */
    put_large(3);
    past_damage(path_of(4), PAST_CUT);
    T_OK(past_list(""));
    T_INT(past_shots(), SHOTS - 1);
    T_INT(past_number("diagnostics.unusable.truncated"), 1);
}

/* The state of a file that may still be written is not stored. */
T_CASE(recently_written_file_is_checked_again) {
    struct stat st;
    past_start_with_root();
    const char *path = path_of(0);
    past_put_picture(path, 64, 40, 0);
    past_damage(path, PAST_GROWING);
    T_OK(past_list(""));
    T_INT(past_number("diagnostics.unusable.growing"), 1);
    /* The file is completed without a later time of change. */
    T_INT(stat(t_scratch_path(path), &st), 0);
    past_put_picture(path, 64, 40, 0);
    const struct timespec times[2] = { st.st_atim, st.st_mtim };
    T_INT(utimensat(AT_FDCWD, t_scratch_path(path), times, 0), 0);
    T_OK(past_list(""));
    T_INT(past_shots(), 1);
}

/* Milliseconds of the simulated clock that a list takes. */
static long
slow_list(void) {
    int64_t before = sq_clock_monotonic_ns();
    T_OK(past_list(""));
    return (long)((sq_clock_monotonic_ns() - before) / NS_PER_MS);
}

T_CASE(slow_disk_is_not_awaited) {
    start();
    /* The folder itself is cached. */
    T_OK(past_list(",'maxCount':1"));
    sq_clock_simulate(sq_clock_monotonic_ns());
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ .nth = 1,
                                                        .from_then = true,
                                                        .how = SQ_FAULT_SLOW });
    long took_ms = slow_list();
    long calls = sq_fault_count(SQ_FAULT_CALL);
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    printf("# %ld ms, %ld calls\n", took_ms, calls);
    T(calls < SHOTS);
    T_INT(past_shots(), SHOTS);
    T(past_number("diagnostics.unchecked") >= SHOTS - 3);
    T_HAS(past_text("diagnostics.uncheckedNote"), "slow");
    /* For a minute no file is tried, then again. */
    T_INT(slow_list(), 0);
    T(past_number("diagnostics.unchecked") >= SHOTS - 3);
    sq_clock_advance((int64_t)61 * 1000 * NS_PER_MS);
    T_INT(slow_list(), 0);
    T(!past_has("diagnostics.unchecked"));
    T_INT(past_shots(), SHOTS);
    sq_clock_simulate_end();
}

T_CASE(out_of_memory_is_reported) {
    start();
    T(past_torture("list_screenshots",
                   "{'startDate':'2026-01-15','endDate':'2026-01-15'}")
      >= 1);
}
