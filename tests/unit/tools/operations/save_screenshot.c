/* Copies of past pictures: allowed folders and file names. */
#include <sys/stat.h>
#include <unistd.h>

#include "support/album.h"
#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"
#include "tool/names.h"

#define DAY "2026-01-15"

static struct fake_world world;
static char ref[PAST_REF_SIZE];
static char folder[600];

static const struct past_shot plain = { .folder = "a/" DAY,
                                        .time = DAY "_10-30-45" };

static void
start_with(const char *root) {
    past_start(&world);
    past_add_root(&world, root);
    snprintf(folder, sizeof(folder), "%s", t_scratch_path("saved"));
    world.config.archive.save_directory = folder;
    past_open(&world);
}

static void
start(void) {
    start_with("a");
    past_put(&plain);
    past_ref(&world, DAY, DAY, 0, ref);
}

static bool
save(const char *more) {
    return past_run_on(&world, "save_screenshot", ref, more);
}

static void
is_saved_as(const char *name) {
    char want[900];
    snprintf(want, sizeof(want), "%s/%s", folder, name);
    T_STR(past_text(&world, "path"), want);
    struct stat st;
    if (T(stat(want, &st) == 0)) {
        T_INT(past_number(&world, "size"), st.st_size);
        T_INT(st.st_mode & 0777, 0600);
    }
}

T_FIXTURE(start, NULL);

T_CASE(full_picture_is_copied_unchanged) {
    T_FREED(sq_buf_finish) struct sq_buf from = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf to = { 0 };
    char path[300];
    T_OK(save(""), &world.err);
    T_INT(world.result.count, 1);
    is_saved_as("screenshot-" DAY "-103045.jpg");
    past_path(&plain, false, path);
    past_read(path, &from);
    past_read("saved/screenshot-" DAY "-103045.jpg", &to);
    T_BYTES(to.data, to.len, from.data, from.len);
    T_INT(past_number(&world, "image.width"), 640);
    past_end(&world);
}

T_CASE(nothing_is_ever_overwritten) {
    T_OK(save(""), &world.err);
    T_OK(save(""), &world.err);
    is_saved_as("screenshot-" DAY "-103045-2.jpg");
    T_OK(save(""), &world.err);
    is_saved_as("screenshot-" DAY "-103045-3.jpg");
    T_OK(save(",'outputPath':'mine.jpg'"), &world.err);
    t_put(t_scratch_path("saved/mine.jpg"), "precious", 8);
    T(!save(",'outputPath':'mine.jpg'"));
    T_INT(world.err.code, SQ_ERR_EXISTS);
    T_STR(sq_tool_error_name(world.err.code), "INPUT_VALIDATION_FAILED");
    T(strstr(world.err.hint, "another name") != NULL);
    T(t_holds(t_scratch_path("saved/mine.jpg"), "precious", 8));
    T_INT(t_count_entries(folder), 4);
    past_end(&world);
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
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char more[200];
        char path[300];
        struct sq_buf file;
        snprintf(more, sizeof(more), ",'outputPath':'%s'", rows[i].name);
        T_OK(save(more), &world.err);
        is_saved_as(rows[i].file);
        snprintf(path, sizeof(path), "saved/%s", rows[i].file);
        past_read(path, &file);
        T_STR(past_kind(&file), rows[i].kind);
        T_INT(past_size(&file).width, 640);
        T(past_shows(&file, 630, 390, &corner));
        sq_buf_finish(&file);
    }
    past_end(&world);
}

T_CASE(other_picture_formats_are_refused) {
    T(!save(",'outputPath':'invoice.GIF'"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
    T_STR(world.err.message, "outputPath: .gif files cannot be written");
    T_STR(world.err.hint, "Use .jpg, .webp or .png.");
    past_end(&world);
}

T_CASE(regions_can_be_saved) {
    const struct past_field want = { .column = 2, .row = 1 };
    struct sq_buf file;
    T_OK(save(",'outputPath':'part.png','cropX':50,'cropY':25,'cropWidth':25,"
              "'cropHeight':25"),
         &world.err);
    past_read("saved/part.png", &file);
    T_INT(past_size(&file).width, 160);
    T_INT(past_size(&file).height, 100);
    T(past_shows(&file, 80, 50, &want));
    sq_buf_finish(&file);
    T_OK(save(",'outputPath':'same.jpg','cropX':320,'cropY':100,"
              "'cropWidth':160,'cropHeight':100,'coordinateUnits':'pixels'"),
         &world.err);
    past_read("saved/same.jpg", &file);
    T_INT(past_size(&file).width, 160);
    T(past_shows(&file, 80, 50, &want));
    sq_buf_finish(&file);
    T(!save(",'cropX':50,'cropY':25,'cropWidth':25"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
    T(strstr(world.err.hint, "cropHeight") != NULL);
    T(!save(",'cropX':100,'cropY':0,'cropWidth':25,'cropHeight':25"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
    T_INT(t_count_entries(folder), 2);
    T_OK(save(",'outputPath':'named.png','x':50,'y':25,'width':25,"
              "'height':25"),
         &world.err);
    past_read("saved/named.png", &file);
    T_INT(past_size(&file).width, 160);
    T_INT(past_size(&file).height, 100);
    T(past_shows(&file, 80, 50, &want));
    sq_buf_finish(&file);
    past_end(&world);
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
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        char more[200];
        snprintf(more, sizeof(more), ",'outputPath':'%s'", paths[i]);
        if (!T(!save(more))) {
            printf("# %s\n", paths[i]);
        }
        T(world.err.hint[0] != '\0');
    }
    T(!save(",'outputPath':'/tmp/x.png'"));
    T(strstr(world.err.hint, "archive.saveDirectory") != NULL);
    T_INT(t_count_entries(t_scratch_path("elsewhere")), 0);
    T_INT(access(t_scratch_path("x.png"), F_OK), -1);
    T_INT(access(t_scratch_path("x.jpg"), F_OK), -1);
    past_end(&world);
}

T_CASE(without_a_folder_it_is_refused) {
    world.config.archive.save_directory = NULL;
    past_open(&world);
    T(!save(""));
    T_INT(world.err.code, SQ_ERR_INVALID_OPERATION);
    T(strstr(world.err.hint, "archive.saveDirectory") != NULL);
    world.config.archive.save_directory = "";
    past_open(&world);
    T(!save(""));
    T_INT(world.err.code, SQ_ERR_INVALID_OPERATION);
    past_end(&world);
}

T_CASE(read_only_and_permissions_are_enforced) {
    world.config.tools.read_only = true;
    T(!save(""));
    T_INT(world.err.code, SQ_ERR_INVALID_OPERATION);
    past_end(&world);
    static const char *const roots[] = { "a=thumbnail", "a=metadata" };
    for (size_t i = 0; i < 2; i++) {
        start_with(roots[i]);
        past_put(&plain);
        past_ref(&world, DAY, DAY, 0, ref);
        T(!save(""));
        T_INT(world.err.code, SQ_ERR_INVALID_OPERATION);
        T(t_count_entries(folder) <= 0);
        past_end(&world);
    }
}

T_CASE(unknown_shots_leave_no_file) {
    snprintf(ref, sizeof(ref), "nothing");
    T(!save(",'outputPath':'x.jpg'"));
    T_INT(world.err.code, SQ_ERR_UNKNOWN_SCREENSHOT);
    T_INT(t_count_entries(folder), 0);
    past_end(&world);
}

T_BARE_CASE(png_is_not_converted_and_thumbnail_is_reported) {
    start_with("a");
    past_put_picture("a/Screenshot from 2026-01-15 09-00-00.png", 300, 200, 0);
    past_ref(&world, DAY, DAY, 0, ref);
    T_OK(save(""), &world.err);
    is_saved_as("screenshot-" DAY "-090000.png");
    past_end(&world);
    start_with("a");
    struct past_shot small = plain;
    small.parts = PAST_THUMB_ONLY;
    past_put(&small);
    past_ref(&world, DAY, DAY, 0, ref);
    T_OK(save(""), &world.err);
    T_INT(past_number(&world, "image.width"), 160);
    T(strstr(past_text(&world, "note"), "thumbnail") != NULL);
    past_end(&world);
}

T_BARE_CASE(live_pictures_can_be_saved) {
    start_with("a");
    T_OK(fake_run(&world, "screenshot", "{}"), &world.err);
    snprintf(ref, sizeof(ref), "s1");
    T_OK(save(""), &world.err);
    is_saved_as("screenshot-s1.jpg");
    T_INT(past_number(&world, "image.width"), 1080);
    past_end(&world);
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
    T_OK(fake_run(&world, "screenshot", "{}"), &world.err);
    world.device.bytes = NULL;
    T_OK(fake_run(&world, "save_screenshot",
                  "{'screenshotId':'s1','outputPath':'part.png','x':50,"
                  "'y':25,'width':25,'height':25}"),
         &world.err);
    is_saved_as("part.png");
    past_read("saved/part.png", &file);
    T_INT(past_size(&file).width, 270);
    T_INT(past_size(&file).height, 600);
    T(past_shows(&file, 5, 5, &want));
    T(past_shows(&file, 264, 594, &want));
    past_end(&world);
}

static bool
save_once(void *context, struct sq_err *err) {
    int before = t_count_entries(folder);
    bool ok = past_torture(context, err);
    T_INT(t_count_entries(folder), before + ok);
    return ok;
}

T_CASE(saves_survive_every_failed_allocation) {
    char text[200];
    T_OK(save(",'outputPath':'first.jpg'"), &world.err);
    snprintf(text, sizeof(text),
             "{'screenshotRef':'%s','cropX':0,'cropY':0,'cropWidth':50,"
             "'cropHeight':50}",
             ref);
    struct past_call call = { &world, "save_screenshot", text };
    T(t_alloc_torture(save_once, &call) >= 5);
    past_end(&world);
}
