/* Copies of past pictures: allowed folders and file names. */
#include <sys/stat.h>
#include <unistd.h>

#include "support/album.h"
#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"
#include "tool/tool.h"

#define DAY "2026-01-15"

static char ref[PAST_REF_SIZE];
static char folder[600];

static const struct past_shot plain = { .time = DAY "_10-30-45" };

static void
start_with(const char *root) {
    past_start();
    past_add_root(root);
    snprintf(folder, sizeof(folder), "%s", t_scratch_path("saved"));
    world.config.archive.save_directory = folder;
    past_open();
}

static void
start(void) {
    start_with("a");
    past_put(&plain);
    past_ref(DAY, DAY, 0, ref);
}

static bool
save(const char *more) {
    return past_run_on("save_screenshot", ref, more);
}

static void
is_saved_as(const char *name) {
    char want[900];
    snprintf(want, sizeof(want), "%s/%s", folder, name);
    T_STR(past_text("path"), want);
    struct stat st;
    if (T(stat(want, &st) == 0)) {
        T_INT(past_number("size"), st.st_size);
        T_INT(st.st_mode & 0777, 0600);
    }
}

T_FIXTURE(start, past_end);

T_CASE(full_picture_is_copied_unchanged) {
    T_FREED(sq_buf_finish) struct sq_buf from = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf to = { 0 };
    T_OK(save(""));
    T_INT(world.result.count, 1);
    is_saved_as("screenshot-" DAY "-103045.jpg");
    past_read(past_path(&plain, false), &from);
    past_read("saved/screenshot-" DAY "-103045.jpg", &to);
    T_BYTES(to.data, to.len, from.data, from.len);
    T_INT(past_number("image.width"), 640);
}

T_CASE(nothing_is_ever_overwritten) {
    T_OK(save(""));
    T_OK(save(""));
    is_saved_as("screenshot-" DAY "-103045-2.jpg");
    T_OK(save(""));
    is_saved_as("screenshot-" DAY "-103045-3.jpg");
    T_OK(save(",'outputPath':'mine.jpg'"));
    t_put(t_scratch_path("saved/mine.jpg"), "precious", 8);
    T_FAILS(save(",'outputPath':'mine.jpg'"), SQ_ERR_EXISTS);
    T_STR(sq_tool_error_name(t_err.code), "INPUT_VALIDATION_FAILED");
    T_HAS(t_err.hint, "another name");
    T(t_holds(t_scratch_path("saved/mine.jpg"), "precious", 8));
    T_INT(t_count_entries(folder), 4);
}

T_CASE(file_extension_sets_the_format) {
    static const struct {
        const char *name;
        const char *file;
        const char *kind;
    } rows[] = {
        { "invoice", "invoice.jpg", "jpeg" },
        { "invoice.png", "invoice.png", "png" },
        { "invoice.jpeg", "invoice.jpeg", "jpeg" },
        { "invoice.pdf", "invoice.pdf.jpg", "jpeg" },
        { "invoice.webp", "invoice.webp", "webp" },
        { "2026/january/invoice.jpg", "2026/january/invoice.jpg", "jpeg" },
    };
    const struct past_field corner = { .column = 3, .row = 3 };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        T_OK(save(t_text(",'outputPath':'%s'", rows[i].name)));
        is_saved_as(rows[i].file);
        past_read(t_text("saved/%s", rows[i].file), &file);
        T_STR(past_kind(&file), rows[i].kind);
        T_INT(past_size(&file).width, 640);
        T(past_shows(&file, 630, 390, &corner));
    }
}

T_CASE(other_picture_formats_are_refused) {
    T_FAILS(save(",'outputPath':'invoice.GIF'"), SQ_ERR_ARGUMENT);
    T_STR(t_err.message, "outputPath: .gif files cannot be written");
    T_STR(t_err.hint, "Use .jpg, .webp or .png.");
}

T_CASE(regions_can_be_saved) {
    const struct past_field want = { .column = 2, .row = 1 };
    struct sq_buf file;
    T_OK(save(",'outputPath':'part.png','cropX':50,'cropY':25,'cropWidth':25,"
              "'cropHeight':25"));
    past_read("saved/part.png", &file);
    T_INT(past_size(&file).width, 160);
    T_INT(past_size(&file).height, 100);
    T(past_shows(&file, 80, 50, &want));
    sq_buf_finish(&file);
    T_OK(save(",'outputPath':'same.jpg','cropX':320,'cropY':100,"
              "'cropWidth':160,'cropHeight':100,'coordinateUnits':'pixels'"));
    past_read("saved/same.jpg", &file);
    T_INT(past_size(&file).width, 160);
    T(past_shows(&file, 80, 50, &want));
    sq_buf_finish(&file);
    T_FAILS(save(",'cropX':50,'cropY':25,'cropWidth':25"), SQ_ERR_ARGUMENT);
    T_HAS(t_err.hint, "cropHeight");
    T_FAILS(save(",'cropX':100,'cropY':0,'cropWidth':25,'cropHeight':25"),
            SQ_ERR_ARGUMENT);
    T_INT(t_count_entries(folder), 2);
    T_OK(
        save(",'outputPath':'named.png','x':50,'y':25,'width':25,'height':25"));
    past_read("saved/named.png", &file);
    T_INT(past_size(&file).width, 160);
    T_INT(past_size(&file).height, 100);
    T(past_shows(&file, 80, 50, &want));
    sq_buf_finish(&file);
}

T_CASE(paths_cannot_leave_the_folder) {
    static const char *const paths[] = {
        "/tmp/x.png", "../x.png",  "a/../../x.png", "..",
        ".hidden",    "a//b.png",  "x\\\\y.png",    "a/",
        "link/x.jpg", "x\\u0000y", "./x.png",       "\\u007fx.png",
        "a/./b",      "~/../x/.",  "C:\\\\x",       "link/../x.jpg",
        "out.jpg",
    };
    t_album_folder("saved");
    t_album_folder("elsewhere");
    T_INT(symlink(t_scratch_path("elsewhere"), t_scratch_path("saved/link")),
          0);
    T_INT(symlink(t_scratch_path("elsewhere/new.jpg"),
                  t_scratch_path("saved/out.jpg")),
          0);
    T_EACH(i, paths) {
        char more[200];
        snprintf(more, sizeof(more), ",'outputPath':'%s'", paths[i]);
        T(!save(more));
        T(t_err.hint[0] != '\0');
    }
    T(!save(",'outputPath':'/tmp/x.png'"));
    T_HAS(t_err.hint, "archive.saveDirectory");
    T_INT(t_count_entries(t_scratch_path("elsewhere")), 0);
    T_INT(access(t_scratch_path("x.png"), F_OK), -1);
    T_INT(access(t_scratch_path("x.jpg"), F_OK), -1);
}

T_CASE(without_a_folder_it_is_refused) {
    world.config.archive.save_directory = NULL;
    past_open();
    T_FAILS(save(""), SQ_ERR_INVALID_OPERATION);
    T_HAS(t_err.hint, "archive.saveDirectory");
    world.config.archive.save_directory = "";
    past_open();
    T_FAILS(save(""), SQ_ERR_INVALID_OPERATION);
}

T_BARE_CASE(read_only_and_permissions_are_enforced) {
    start();
    world.config.tools.read_only = true;
    T_FAILS(save(""), SQ_ERR_INVALID_OPERATION);
    past_end();
    static const char *const roots[] = { "a=thumbnail", "a=metadata" };
    for (size_t i = 0; i < 2; i++) {
        start_with(roots[i]);
        past_put(&plain);
        past_ref(DAY, DAY, 0, ref);
        T_FAILS(save(""), SQ_ERR_INVALID_OPERATION);
        T(t_count_entries(folder) <= 0);
        past_end();
    }
}

T_CASE(unknown_shots_leave_no_file) {
    snprintf(ref, sizeof(ref), "nothing");
    T_FAILS(save(",'outputPath':'x.jpg'"), SQ_ERR_UNKNOWN_SCREENSHOT);
    T_INT(t_count_entries(folder), 0);
}

T_BARE_CASE(png_is_not_converted_and_thumbnail_is_reported) {
    start_with("a");
    past_put_picture("a/Screenshot from 2026-01-15 09-00-00.png", 300, 200, 0);
    past_ref(DAY, DAY, 0, ref);
    T_OK(save(""));
    is_saved_as("screenshot-" DAY "-090000.png");
    past_end();
    start_with("a");
    struct past_shot small = plain;
    small.parts = PAST_THUMB_ONLY;
    past_put(&small);
    past_ref(DAY, DAY, 0, ref);
    T_OK(save(""));
    T_INT(past_number("image.width"), 160);
    T_HAS(past_text("note"), "thumbnail");
    /* Pixels are those of the screenshot, as its size is told. */
    T_OK(save(
        ",'x':0,'y':0,'width':320,'height':200,'coordinateUnits':'pixels'"));
    T_INT(past_number("image.width"), 80);
    past_end();
}

T_BARE_CASE(live_pictures_can_be_saved) {
    start_with("a");
    T_OK(past_run("screenshot", "{}"));
    snprintf(ref, sizeof(ref), "s1");
    T_OK(save(""));
    is_saved_as("screenshot-s1.jpg");
    T_INT(past_number("image.width"), 1080);
    past_end();
}

/* The screen that screenshotId names, not the one shown now. */
T_BARE_CASE(regions_of_live_pictures_can_be_saved) {
    const struct past_field want = { .column = 2, .row = 1 };
    T_FREED(sq_buf_finish) struct sq_buf screen = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    start_with("a");
    past_put_picture("screen.png", 1080, 2400, 0);
    past_read("screen.png", &screen);
    world.device.bytes = screen.data;
    world.device.byte_count = screen.len;
    T_OK(past_run("screenshot", "{}"));
    world.device.bytes = NULL;
    T_OK(past_run("save_screenshot",
                  "{'screenshotId':'s1','outputPath':'part.png','x':50,'y':25,"
                  "'width':25,'height':25}"));
    is_saved_as("part.png");
    past_read("saved/part.png", &file);
    T_INT(past_size(&file).width, 270);
    T_INT(past_size(&file).height, 600);
    T(past_shows(&file, 5, 5, &want));
    T(past_shows(&file, 264, 594, &want));
    past_end();
}

static bool
save_once(void *context, struct sq_err *err) {
    int before = t_count_entries(folder);
    bool ok = past_run("save_screenshot", context);
    *err = t_err;
    T_INT(t_count_entries(folder), before + ok);
    return ok;
}

T_CASE(saves_survive_every_failed_allocation) {
    T_OK(save(",'outputPath':'first.jpg'"));
    char text[200];
    snprintf(text, sizeof(text),
             "{'screenshotRef':'%s','cropX':0,'cropY':0,'cropWidth':50,"
             "'cropHeight':50}",
             ref);
    T(t_alloc_torture(save_once, text) >= 5);
}
