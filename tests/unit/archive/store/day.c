/* Reading one folder into a block, and validating blocks. */
#include "archive/store/root.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"
#include "util/mem.h"

/* Reads the scratch folder as if it had that position in the archive. */
static bool
read_place(sq_place place, struct sq_day **out, struct sq_err *err) {
    struct sq_day_reader *reader;
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    int folder = open(t_scratch(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    T(folder >= 0);
    bool ok = sq_day_reader_create(NULL, &reader, err);
    if (ok) {
        ok = sq_day_read(reader, folder, place, &deadline, out, err);
        sq_day_reader_destroy(reader);
    }
    close(folder);
    return ok;
}

static struct sq_day *
read_day(void) {
    struct sq_day *day = NULL;
    T_OK(read_place(SQ_PLACE_ROOT, &day, &t_err));
    T(sq_day_check(day, sq_day_bytes(day)));
    return day;
}

static void
names_of(const struct sq_day *day, size_t index, const char *full,
         const char *thumb) {
    char names[2][SQ_NAME_SIZE];
    sq_day_names(&day->shots[index], sq_day_text(day), names[0], names[1]);
    T_STR(names[0], full);
    T_STR(names[1], thumb);
}

T_FIXTURE(t_scratch_start, t_album_end);

T_CASE(picture_and_its_thumbnail_are_one_shot) {
    t_album_put("2026-02-27_06-14-44_01-00_800_600_5_1.thumbnail.jpg");
    t_album_put("2026-02-27_06-14-44_01-00_800_600_5_1.jpg");
    t_album_put("2026-02-27_06-14-44_01-00_800_600_5_2.jpg");
    t_album_put("2026-02-27_06-14-43_01-00_800_600_9_1.thumbnail.jpg");
    t_album_put("2026-02-27_06-14-44_01-00_800_600_4_1.jpg");
    t_album_put("notes.txt");
    t_album_put("holiday.jpg");
    struct sq_day *day = read_day();
    T_INT(day->shot_count, 4);
    T_INT(day->unparsed, 1);
    T_INT(day->text_bytes, 0);
    T_INT(sq_day_bytes(day), sizeof(*day) + 4 * sizeof(struct sq_shot));
    names_of(day, 0, "", "2026-02-27_06-14-43_01-00_800_600_9_1.thumbnail.jpg");
    names_of(day, 1, "2026-02-27_06-14-44_01-00_800_600_4_1.jpg", "");
    names_of(day, 2, "2026-02-27_06-14-44_01-00_800_600_5_1.jpg",
             "2026-02-27_06-14-44_01-00_800_600_5_1.thumbnail.jpg");
    names_of(day, 3, "2026-02-27_06-14-44_01-00_800_600_5_2.jpg", "");
    sq_mem_free(day);
}

T_CASE(names_that_cannot_be_rebuilt_are_stored) {
    t_album_put("2026-02-27_06-14-44_01-00_800_600_5_1.JPG");
    t_album_put("2026-02-27_06-14-44_01-00_800_600_5_1.thumbnail.jpg");
    t_album_put("2026-02-27_06-14-44_01-00_800_600_7_1.jpg");
    t_album_put("2026-02-27_06-14-45_01-00_800_600_007_1.jpg");
    t_album_put("2026-02-27_06-14-46_01-00_800_600_7_1.jpg");
    t_album_put("2026-02-27_06-14-46_01-00_800_600_7_1.thumbnail.jpeg");
    t_album_put("Screenshot_20260227_051447_App.png");
    t_album_put("Screenshot_20260227_051447_Other App.png");
    struct sq_day *day = read_day();
    T_INT(day->shot_count, 6);
    names_of(day, 0, "2026-02-27_06-14-44_01-00_800_600_7_1.jpg", "");
    names_of(day, 1, "2026-02-27_06-14-44_01-00_800_600_5_1.JPG",
             "2026-02-27_06-14-44_01-00_800_600_5_1.thumbnail.jpg");
    T_INT(day->shots[1].flags & (SQ_SHOT_FULL | SQ_SHOT_THUMB),
          SQ_SHOT_FULL | SQ_SHOT_THUMB);
    names_of(day, 2, "2026-02-27_06-14-45_01-00_800_600_007_1.jpg", "");
    names_of(day, 3, "2026-02-27_06-14-46_01-00_800_600_7_1.jpg",
             "2026-02-27_06-14-46_01-00_800_600_7_1.thumbnail.jpeg");
    T_INT(day->shots[4].utc, day->shots[5].utc);
    T(day->shots[4].seq < day->shots[5].seq);
    sq_mem_free(day);
}

T_CASE(only_date_folders_are_read) {
    t_album_folder("2026-02-28");
    t_album_folder("2026-02-27");
    t_album_folder("2025");
    t_album_folder("Screenshots");
    t_album_put("2026-03-01");
    T(symlink("2026-02-27", t_scratch_path("2026-02-26")) == 0);
    T(symlink("x", t_scratch_path("2026-02-27_06-14-46_01-00_8_6_7_1.jpg"))
      == 0);
    T(mkfifo(t_scratch_path("2026-02-27_06-14-47_01-00_8_6_7_1.jpg"), 0600)
      == 0);
    t_album_folder("2026-02-27_06-14-48_01-00_8_6_7_1.jpg");
    struct sq_day *day = read_day();
    char path[SQ_LAYOUT_PATH_SIZE];
    T_INT(day->shot_count, 0);
    T_INT(day->unparsed, 0);
    if (T_INT(day->inner_count, 3)) {
        sq_layout_path(sq_day_inner(day)[0], path);
        T_STR(path, "2025");
        sq_layout_path(sq_day_inner(day)[2], path);
        T_STR(path, "2026-02-28");
    }
    sq_mem_free(day);
}

T_CASE(many_shots_are_sorted) {
    for (int i = 0; i < 4000; i++) {
        struct sq_shot shot = {
            .utc =
                (uint32_t)(i % 4 ? t_random_between(1772172884, 1772173884)
                                 : t_random_between(86400, UINT32_MAX - 86400)),
            .seq = (uint32_t)t_random_between(0, 3),
            .monitor = (uint8_t)t_random_between(0, 2),
            .flags = SQ_SHOT_FULL,
        };
        char written[SQ_NAME_SIZE];
        sq_name_format(&shot, i % 3 == 0, written);
        t_put(t_scratch_path(t_text("%.99s", written)), "", 0);
    }
    int files = t_count_entries(t_scratch());
    struct sq_day *day = read_day();
    size_t found = 0;
    for (uint32_t i = 0; i < day->shot_count; i++) {
        found += day->shots[i].flags & SQ_SHOT_FULL ? 1 : 0;
        found += day->shots[i].flags & SQ_SHOT_THUMB ? 1 : 0;
    }
    T_INT(found, files);
    sq_mem_free(day);
}

T_CASE(invalid_blocks_are_refused) {
    t_album_put("2026-02-27_06-14-44_01-00_800_600_5_1.JPG");
    t_album_put("2026-02-27_06-14-44_01-00_800_600_5_1.thumbnail.jpg");
    t_album_put("2026-02-27_06-14-47_01-00_800_600_5_1.jpg");
    t_album_put("Screenshot_20260227_051447_App.png");
    t_album_folder("2026-02-28");
    struct sq_day *day = read_day();
    size_t len = sq_day_bytes(day);
    int accepted = 0;
    for (size_t i = 0; i < len; i++) {
        for (int bit = 0; bit < 8; bit++) {
            /* malloc, so that the sanitizer detects reads after the block. */
            uint8_t *bytes = malloc(len);
            memcpy(bytes, day, len);
            bytes[i] ^= (uint8_t)(1 << bit);
            if (sq_day_check(bytes, len)) {
                struct sq_day *changed = (struct sq_day *)(void *)bytes;
                char names[2][SQ_NAME_SIZE];
                for (uint32_t k = 0; k < changed->shot_count; k++) {
                    sq_day_names(&changed->shots[k], sq_day_text(changed),
                                 names[0], names[1]);
                    T(!strchr(names[0], '/') && !strchr(names[1], '/'));
                }
                accepted++;
            }
            free(bytes);
        }
        T(!sq_day_check(day, i));
    }
    T(accepted > 0);
    T(sq_day_check(day, len));
    sq_mem_free(day);
}

static bool
build(void *context, struct sq_err *err) {
    struct sq_day *day = NULL;
    bool ok = read_place(SQ_PLACE_ROOT, &day, err);
    T(ok == (day != NULL));
    sq_mem_free(day);
    return ok;
}

T_BARE_CASE(out_of_memory_is_reported) {
    t_scratch_start();
    t_album_put("2026-02-27_06-14-44_01-00_800_600_5_1.jpg");
    t_album_put("Screenshot_20260227_051447_App.png");
    t_album_folder("2026-02-28");
    T(t_alloc_torture(build, NULL) >= 6);
    t_album_end();
    sq_day_reader_destroy(NULL);
}
