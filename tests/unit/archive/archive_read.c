/*
 * Reading the bytes of a shot: complete pictures only, and only inside the
 * root.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive.h"
#include "support/album.h"
#include "support/past_maker.h"
#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"

#define DAY "a/2026-02-27/"
#define NAME "2026-02-27_05-00-00_00-00_8_6_1_1"

static struct sq_archive *archive;
static struct sq_archive_pick pick;

static void
start(enum sq_archive_permission permission) {
    t_scratch_start();
    t_album_put(DAY NAME ".jpg");
    t_album_put(DAY NAME ".thumbnail.jpg");
    const char *path = t_text("%s", t_scratch_path("a"));
    const struct sq_archive_root root = { .path = path,
                                          .permission = permission };
    const struct sq_archive_options options = { .roots = &root,
                                                .root_count = 1 };
    T_OK(sq_archive_create(&options, &archive, &t_err));
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    const struct sq_archive_window window = { 0, UINT32_MAX, -1, -1 };
    T_FREED(sq_archive_listing_finish)
    struct sq_archive_listing listing = { 0 };
    T_OK(sq_archive_list(archive, &window, &deadline, &listing, &t_err));
    T_INT(listing.shots.count, 1);
    sq_archive_listing_pick(&listing, 0, &pick);
}

static void
stop(void) {
    sq_archive_destroy(archive);
    t_album_end();
}

static enum sq_archive_fault
try_read(enum sq_archive_want want) {
    struct sq_err err = { 0 };
    struct sq_archive_file file = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    bool ok = sq_archive_read(archive, &pick, want, &deadline, &file, &err);
    T(ok == (file.fault == SQ_ARCHIVE_FAULT_NONE));
    if (ok) {
        T_BYTES(file.bytes.data, file.bytes.len, t_small_jpeg,
                t_small_jpeg_len);
        T_INT(file.ending, SQ_SHOT_JPG);
    } else {
        T(!file.bytes.data && err.code != SQ_ERR_NONE && err.hint[0]);
    }
    sq_buf_finish(&file.bytes);
    return file.fault;
}

T_FIXTURE(NULL, stop);

T_CASE(both_files_are_read) {
    start(SQ_ARCHIVE_FULL);
    T_STR(pick.full, NAME ".jpg");
    T_STR(pick.thumb, NAME ".thumbnail.jpg");
    T_INT(try_read(SQ_ARCHIVE_WANT_THUMB), SQ_ARCHIVE_FAULT_NONE);
    T_INT(try_read(SQ_ARCHIVE_WANT_FULL), SQ_ARCHIVE_FAULT_NONE);
    T_INT(try_read(SQ_ARCHIVE_WANT_TO_SHRINK), SQ_ARCHIVE_FAULT_NONE);
    pick.thumb[0] = '\0';
    T_INT(try_read(SQ_ARCHIVE_WANT_THUMB), SQ_ARCHIVE_FAULT_VANISHED);
}

T_CASE(permissions_are_enforced) {
    start(SQ_ARCHIVE_METADATA);
    T_INT(try_read(SQ_ARCHIVE_WANT_THUMB), SQ_ARCHIVE_FAULT_NOT_ALLOWED);
    T_INT(try_read(SQ_ARCHIVE_WANT_FULL), SQ_ARCHIVE_FAULT_NOT_ALLOWED);
    T_INT(try_read(SQ_ARCHIVE_WANT_TO_SHRINK), SQ_ARCHIVE_FAULT_NOT_ALLOWED);
    stop();
    start(SQ_ARCHIVE_LABELS);
    T_INT(try_read(SQ_ARCHIVE_WANT_THUMB), SQ_ARCHIVE_FAULT_NOT_ALLOWED);
    T_INT(try_read(SQ_ARCHIVE_WANT_FULL), SQ_ARCHIVE_FAULT_NOT_ALLOWED);
    T_INT(try_read(SQ_ARCHIVE_WANT_TO_SHRINK), SQ_ARCHIVE_FAULT_NOT_ALLOWED);
    stop();
    start(SQ_ARCHIVE_THUMBNAIL);
    T_INT(try_read(SQ_ARCHIVE_WANT_FULL), SQ_ARCHIVE_FAULT_NOT_ALLOWED);
    /* A picture whose size is unknown is not returned. */
    T_INT(try_read(SQ_ARCHIVE_WANT_THUMB), SQ_ARCHIVE_FAULT_CORRUPT);
    T_INT(try_read(SQ_ARCHIVE_WANT_TO_SHRINK), SQ_ARCHIVE_FAULT_CORRUPT);
}

typedef bool reader(struct sq_archive *, const struct sq_archive_pick *,
                    enum sq_archive_want, const struct sq_deadline *,
                    struct sq_archive_file *, struct sq_err *);

/* The size that was read, and from which file. */
static struct sq_size
read_size(reader *read, enum sq_archive_want want, struct sq_size *whole) {
    struct sq_archive_file file = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    T_OK(read(archive, &pick, want, &deadline, &file, &t_err));
    struct sq_size size = past_size(&file.bytes);
    T_STR(past_kind(&file.bytes), "jpeg");
    T_INT(file.ending, SQ_SHOT_JPG);
    *whole = file.whole;
    sq_buf_finish(&file.bytes);
    return size;
}

T_CASE(size_limit_of_the_permission_is_enforced) {
    static const enum sq_archive_want wants[] = { SQ_ARCHIVE_WANT_THUMB,
                                                  SQ_ARCHIVE_WANT_TO_SHRINK };
    struct sq_size whole;
    start(SQ_ARCHIVE_THUMBNAIL);
    for (int i = 0; i < 2; i++) {
        past_put_picture(DAY NAME ".jpg", 1024, 600, 0);
        past_put_picture(DAY NAME ".thumbnail.jpg", 1024, 600, 0);
        struct sq_size size = read_size(sq_archive_read, wants[i], &whole);
        T_INT(size.width, 512);
        T_INT(size.height, 300);
        T_INT(whole.width, 1024);
        T_INT(whole.height, 600);
        size = read_size(sq_archive_inspect, wants[i], &whole);
        T_INT(size.width, 1024);
        T_INT(whole.width, 0);
        past_put_picture(DAY NAME ".jpg", 512, 200, 0);
        past_put_picture(DAY NAME ".thumbnail.jpg", 512, 200, 0);
        T_INT(read_size(sq_archive_read, wants[i], &whole).width, 512);
        T_INT(whole.width, 0);
    }
}

/* The fault of a file with these bytes that was written `age` seconds ago. */
static enum sq_archive_fault
fault_of(const void *bytes, size_t len, int age) {
    t_album_put_bytes(DAY NAME ".jpg", bytes, len);
    t_album_age(DAY NAME ".jpg", age);
    return try_read(SQ_ARCHIVE_WANT_FULL);
}

T_CASE(unusable_files_have_a_reason) {
    static const char png[] = "\x89PNG\r\n\x1a\n....IEND\xae\x42\x60\x82";
    static const char webp[] = "RIFF\x06\0\0\0WEBPxx";
    start(SQ_ARCHIVE_FULL);
    T_INT(fault_of("", 0, 0), SQ_ARCHIVE_FAULT_EMPTY);
    T_INT(fault_of("", 0, 3600), SQ_ARCHIVE_FAULT_EMPTY);
    T_INT(fault_of(t_small_jpeg, t_small_jpeg_len - 1, 0),
          SQ_ARCHIVE_FAULT_GROWING);
    T_INT(fault_of(t_small_jpeg, t_small_jpeg_len - 1, 3600),
          SQ_ARCHIVE_FAULT_TRUNCATED);
    T_INT(fault_of(t_small_jpeg, 2, 0), SQ_ARCHIVE_FAULT_GROWING);
    T_INT(fault_of(t_small_jpeg, 2, 3600), SQ_ARCHIVE_FAULT_CORRUPT);
    T_INT(fault_of("GIF89a", 6, 0), SQ_ARCHIVE_FAULT_CORRUPT);
    T_INT(fault_of("\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 14, 0),
          SQ_ARCHIVE_FAULT_CORRUPT);
    for (size_t len = 8; len < sizeof(png) - 1; len++) {
        T_INT(fault_of(png, len, 3600), SQ_ARCHIVE_FAULT_TRUNCATED);
    }
    for (size_t len = 12; len < sizeof(webp) - 1; len++) {
        T_INT(fault_of(webp, len, 3600), SQ_ARCHIVE_FAULT_TRUNCATED);
    }
    T(unlink(t_scratch_path(DAY NAME ".jpg")) == 0);
    T_INT(try_read(SQ_ARCHIVE_WANT_FULL), SQ_ARCHIVE_FAULT_VANISHED);
    T(mkfifo(t_scratch_path(DAY NAME ".jpg"), 0600) == 0);
    T_INT(try_read(SQ_ARCHIVE_WANT_FULL), SQ_ARCHIVE_FAULT_NOT_A_FILE);
    T(unlink(t_scratch_path(DAY NAME ".jpg")) == 0);
    T(mkdir(t_scratch_path(DAY NAME ".jpg"), 0700) == 0);
    T_INT(try_read(SQ_ARCHIVE_WANT_FULL), SQ_ARCHIVE_FAULT_NOT_A_FILE);
    T(rmdir(t_scratch_path(DAY NAME ".jpg")) == 0);
    T(symlink(NAME ".thumbnail.jpg", t_scratch_path(DAY NAME ".jpg")) == 0);
    T_INT(try_read(SQ_ARCHIVE_WANT_FULL), SQ_ARCHIVE_FAULT_NOT_A_FILE);
    T(unlink(t_scratch_path(DAY NAME ".jpg")) == 0);
    T(symlink("/dev/zero", t_scratch_path(DAY NAME ".jpg")) == 0);
    T_INT(try_read(SQ_ARCHIVE_WANT_FULL), SQ_ARCHIVE_FAULT_NOT_A_FILE);
    /* A sparse file that is larger than any picture may be. */
    T(unlink(t_scratch_path(DAY NAME ".jpg")) == 0);
    t_album_put(DAY NAME ".jpg");
    T(truncate(t_scratch_path(DAY NAME ".jpg"), ((off_t)256 << 20) + 1) == 0);
    T_INT(try_read(SQ_ARCHIVE_WANT_FULL), SQ_ARCHIVE_FAULT_TOO_LARGE);
}

T_CASE(locked_file_is_reported) {
    static const int ways[] = { EACCES, EBUSY, ETXTBSY, EAGAIN };
    start(SQ_ARCHIVE_FULL);
    for (size_t i = 0; i < SQ_COUNT(ways); i++) {
        const struct sq_fault_plan none = { 0 };
        bool locked = false;
        for (long nth = 1; nth < 12; nth++) {
            const struct sq_fault_plan plan = { .nth = nth, .how = ways[i] };
            sq_fault_arm(SQ_FAULT_CALL, plan);
            locked = try_read(SQ_ARCHIVE_WANT_FULL) == SQ_ARCHIVE_FAULT_LOCKED
                  || locked;
            sq_fault_arm(SQ_FAULT_CALL, none);
        }
        T(locked);
    }
}

/* Picks come from our own code; even a forged one must not lead outside. */
T_CASE(forged_names_are_not_opened) {
    static const char *const heads[] = {
        "../",
        "../../",
        "/",
        "./",
        "..\\",
        "2026-02-27/../",
        "x/",
        "//",
        "%2e%2e/",
        "\xc0\xae\xc0\xae/",
        "C:\\",
        "~/",
        ".../",
        "....//",
        "/proc/self/root/",
        "/dev/fd/",
        "\xe2\x80\xae",
    };
    static const char *const tails[] = {
        "secret.jpg",
        "secret",
        "etc/passwd",
        "etc/passwd.jpg",
        "a/secret.jpg",
        ".jpg",
        "..jpg",
        "secret.jpg/",
        "secret.jpg\x01",
        "secret.JPG",
        "",
        ".",
        "..",
        "secret.txt",
        "a-x/secret.jpg",
        NAME ".jpg/../../../secret.jpg",
    };
    start(SQ_ARCHIVE_FULL);
    t_album_put_bytes("secret.jpg", "\xff\xd8\xff secret \xff\xd9", 13);
    t_album_put_bytes("a-x/secret.jpg", "\xff\xd8\xff secret \xff\xd9", 13);
    int tried = 0;
    T_EACH(h, heads) {
        for (size_t t = 0; t < SQ_COUNT(tails); t++) {
            size_t len = 0;
            for (int times = 1; times <= 8; times++) {
                len += (size_t)snprintf(
                    pick.full + len, sizeof(pick.full) - len, "%s", heads[h]);
                snprintf(pick.full + len, sizeof(pick.full) - len, "%s",
                         tails[t]);
                T(try_read(SQ_ARCHIVE_WANT_FULL) != SQ_ARCHIVE_FAULT_NONE);
                tried++;
            }
        }
    }
    T(tried >= 2000);
}

static atomic_bool done;

static void *
swap(void *context) {
    char aside[600];
    const char *file = t_text("%s", t_scratch_path(DAY NAME ".jpg"));
    snprintf(aside, sizeof(aside), "%s", t_scratch_path(DAY "aside"));
    while (!atomic_load(&done)) {
        rename(file, aside);
        if (symlink("../../secret.jpg", file) == 0) {
            unlink(file);
        }
        rename(aside, file);
    }
    return NULL;
}

T_CASE(file_replaced_by_a_link_is_not_read) {
    start(SQ_ARCHIVE_FULL);
    t_album_put_bytes("secret.jpg", "\xff\xd8\xff secret \xff\xd9", 13);
    pthread_t thread;
    atomic_store(&done, false);
    T_INT(pthread_create(&thread, NULL, swap, NULL), 0);
    for (int i = 0; i < 2000; i++) {
        /* try_read checks that only the small JPEG is ever read. */
        try_read(SQ_ARCHIVE_WANT_FULL);
    }
    atomic_store(&done, true);
    pthread_join(thread, NULL);
}

static bool
build(void *context, struct sq_err *err) {
    struct sq_archive_file file = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    bool ok = sq_archive_read(archive, &pick, SQ_ARCHIVE_WANT_FULL, &deadline,
                              &file, err);
    sq_buf_finish(&file.bytes);
    return ok;
}

static bool
build_small(void *context, struct sq_err *err) {
    struct sq_archive_file file = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    bool ok = sq_archive_read(archive, &pick, SQ_ARCHIVE_WANT_TO_SHRINK,
                              &deadline, &file, err);
    sq_buf_finish(&file.bytes);
    return ok;
}

T_CASE(out_of_memory_is_reported) {
    start(SQ_ARCHIVE_FULL);
    T(t_alloc_torture(build, NULL) >= 1);
    stop();
    start(SQ_ARCHIVE_THUMBNAIL);
    past_put_picture(DAY NAME ".jpg", 640, 400, 0);
    T(t_alloc_torture(build_small, NULL) >= 1);
}

T_BARE_CASE(every_fault_has_a_name) {
    for (int i = 0; i < SQ_ARCHIVE_FAULTS; i++) {
        T(sq_archive_fault_name((enum sq_archive_fault)i)[0]);
    }
}
