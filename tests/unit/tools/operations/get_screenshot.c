/* One past shot: what the model gets, what the user gets, what is refused. */
#include <unistd.h>

#include "image/jpeg/jpeg.h"
#include "support/tagged.h"
#include "unit/tools/one_shot.h"

static bool
get(const char *more) {
    return past_run_on("get_screenshot", ref, more);
}

static const struct sq_block *
image(int nth) {
    return past_block(SQ_BLOCK_IMAGE, nth);
}

static const struct past_field from_thumb = { .column = 3, .thumb = true };
static const struct past_field from_whole = { .column = 3 };

T_FIXTURE(NULL, past_end);

T_CASE(exit_native_content_dual_audience) {
    start_plain();
    T_OK(get(""));
    T_INT(world.result.count, 3);
    const struct sq_block *small = &world.result.blocks[0];
    const struct sq_block *link = &world.result.blocks[1];
    T_INT(small->kind, SQ_BLOCK_IMAGE);
    T_INT(small->audience, SQ_FOR_BOTH);
    T(small->priority > 0.89 && small->priority < 0.91);
    T_STR(small->mime_type, "image/jpeg");
    T(past_shows(&small->data, 150, 10, &from_thumb));
    T_INT(link->kind, SQ_BLOCK_LINK);
    T_INT(link->audience, SQ_FOR_USER);
    T(link->priority < small->priority);
    T(strncmp(link->uri, "squint://screenshot/", 20) == 0);
    T_STR(link->uri + 20, past_text("screenshotRef"));
    T_STR(link->name, "Screenshot " DAY " 10:30:45");
    T_STR(link->mime_type, "image/jpeg");
    T_INT(world.result.blocks[2].kind, SQ_BLOCK_TEXT);
    /* The full picture, for the user only. */
    T_OK(get(",'full':'inline'"));
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 2);
    T_INT(past_blocks(SQ_BLOCK_LINK), 0);
    T_INT(image(0)->audience, SQ_FOR_BOTH);
    T_INT(image(1)->audience, SQ_FOR_USER);
    T(image(1)->priority < image(0)->priority);
    T(past_shows(&image(0)->data, 150, 10, &from_thumb));
    T(past_shows(&image(1)->data, 600, 10, &from_whole));
    T_INT(past_size(&image(1)->data).width, 640);
    T_STR(past_text("full"), "inline");
    T_OK(get(",'full':'none'"));
    T_INT(world.result.count, 2);
    T_STR(past_text("full"), "none");
}

T_CASE(text_has_the_resolved_fields) {
    start_plain();
    T_OK(get(""));
    const char *want = t_text(
        "{\"screenshotRef\":\"%s\",\"timestamp\":\"" DAY
        "T10:30:45+01:00\",\"displayLocalTime\":\"" DAY
        " 10:30:45\",\"width\":640,\"height\":400,\"monitor\":0,"
        "\"hasThumbnail\":true,\"isThumbnail\":true,\"image\":{\"width\":"
        "160,\"height\":100},"
        "\"tokens\":<*>,\"full\":\"link\",\"untrusted\":true}",
        ref);
    T(fake_matches(world.json, want));
    T(past_number("tokens") > 0);
    T(past_number("tokens") < 100);
}

/* A stored thumbnail is sent unchanged. */
T_CASE(thumbnails_are_not_encoded_again) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    start_plain();
    past_read(past_path(&plain, true), &file);
    T_OK(get(""));
    T_BYTES(image(0)->data.data, image(0)->data.len, file.data, file.len);
}

/* Adds an EXIF orientation of a quarter turn to a file. */
static void
turn_file(bool thumb) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf exif = { 0 };
    const char *path = past_path(&plain, thumb);
    past_read(path, &file);
    t_exif_make(6, true, &exif);
    t_jpeg_add_exif(&file, &exif);
    t_put(t_scratch_path(path), file.data, file.len);
}

/* Models ignore EXIF, so the pixels must be upright. */
T_CASE(rotated_pictures_are_returned_upright) {
    start_plain();
    turn_file(true);
    turn_file(false);
    T_OK(get(",'full':'inline'"));
    T_INT(past_number("image.width"), 100);
    T_INT(past_number("image.height"), 160);
    for (int i = 0; i < 2; i++) {
        const struct sq_buf *picture = &image(i)->data;
        bool is_upright = false;
        T_OK(
            sq_jpeg_is_plain(picture->data, picture->len, &is_upright, &t_err));
        T(is_upright);
        T_INT(past_size(picture).width, i ? 400 : 100);
    }
    /* The upper right corner is now the lower right one. */
    T(past_shows(&image(0)->data, 95, 150, &from_thumb));
    T(past_shows(&image(1)->data, 390, 600, &from_whole));
}

T_CASE(missing_thumbnail_is_created) {
    struct past_shot large = plain;
    large.parts = PAST_FULL_ONLY;
    large.width = 1600;
    large.height = 1000;
    start("a", &large);
    T_OK(get(""));
    T(!past_true("isThumbnail"));
    T(!past_true("hasThumbnail"));
    T_INT(past_size(&image(0)->data).width, 512);
    T_INT(past_number("image.width"), 512);
    T_INT(past_number("width"), 1600);
    T(past_shows(&image(0)->data, 500, 10, &from_whole));
    T_INT(image(0)->audience, SQ_FOR_BOTH);
    T_INT(past_blocks(SQ_BLOCK_LINK), 1);
    T_OK(get(",'full':'inline'"));
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 2);
    T_INT(past_size(&image(1)->data).width, 1600);
}

static int
long_side(const char *more) {
    T_OK(get(more));
    return sq_size_long_side(past_size(&image(0)->data));
}

T_CASE(the_longest_side_can_be_chosen) {
    start_plain();
    T_INT(long_side(",'maxDimension':100"), 100);
    T(past_true("isThumbnail"));
    T_INT(long_side(",'maxDimension':600"), 600);
    T(!past_true("isThumbnail"));
    T(past_shows(&image(0)->data, 570, 10, &from_whole));
    T_INT(long_side(",'maxDimension':2000"), 640); /* never enlarged */
    T(!get(",'maxDimension':2001"));
    past_end();
    struct past_shot wide = plain;
    wide.width = 1280;
    start("a=thumbnail", &wide);
    T_INT(long_side(",'maxDimension':2000"), 512);
}

T_CASE(missing_original_leaves_the_thumbnail) {
    struct past_shot small = plain;
    small.parts = PAST_THUMB_ONLY;
    start("a", &small);
    T_OK(get(",'full':'inline'"));
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 1);
    T_INT(past_blocks(SQ_BLOCK_LINK), 0);
    T_STR(past_text("full"), "none");
    T_HAS(past_text("note"), "thumbnail");
}

T_CASE(hosts_that_support_audiences_get_it_inline) {
    static const struct {
        const char *client;
        const char *full;
    } rows[] = { { "", "link" },
                 { "claude-ai", "link" },
                 { "Visual Studio Code", "inline" },
                 { "goose-cli", "inline" } };
    start_plain();
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        world.client = sq_span_of(rows[i].client);
        T_OK(get(""));
        T_STR(past_text("full"), rows[i].full);
    }
    T_OK(get(",'full':'link'"));
    T_STR(past_text("full"), "link");
}

/* Hosts reject longer sides; the link has all pixels. */
T_CASE(large_inline_pictures_are_scaled_with_a_note) {
    struct past_shot large = plain;
    large.width = 2200;
    large.height = 100;
    start("a", &large);
    T_OK(get(",'full':'inline'"));
    T_INT(past_size(&image(1)->data).width, 2000);
    T_HAS(past_text("note"), "scaled to 2000 pixels");
    T_HAS(past_text("note"), "full: \"link\"");
    T_INT(past_number("width"), 2200);
    past_end();
    large.width = 2000;
    start("a", &large);
    T_OK(get(",'full':'inline'"));
    T_INT(past_size(&image(1)->data).width, 2000);
    T(!past_has("note"));
}

T_CASE(permissions_are_enforced) {
    start("a=thumbnail", &plain);
    T_OK(get(",'full':'inline'"));
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 1);
    T_INT(past_blocks(SQ_BLOCK_LINK), 0);
    T(past_shows(&image(0)->data, 150, 10, &from_thumb));
    T_STR(past_text("full"), "none");
    T_HAS(past_text("note"), "thumbnails");
    past_end();
    /* A small picture may be made if only small ones are permitted. */
    struct past_shot whole = plain;
    whole.parts = PAST_FULL_ONLY;
    whole.width = 1600;
    whole.height = 1000;
    start("a=thumbnail", &whole);
    T_OK(get(",'full':'inline'"));
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 1);
    T_INT(past_size(&image(0)->data).width, 512);
    past_end();
    start("a=metadata", &plain);
    T_FAILS(get(""), SQ_ERR_INVALID_OPERATION);
    T_HAS(t_err.hint, "archive.roots");
    T_INT(world.result.count, 0);
}

T_CASE(large_pictures_shrink_or_become_links) {
    struct past_shot huge = plain;
    huge.width = 2600;
    huge.height = 1300;
    start("a", &huge);
    T_OK(get(",'full':'inline'"));
    T_INT(past_size(&image(1)->data).width, 2000);
    /* A reply limit that is too small for it. */
    world.config.limits.max_result_bytes = 16 << 10;
    T_OK(get(",'full':'inline'"));
    size_t total = 0;
    for (int i = 0; i < world.result.count; i++) {
        total += (world.result.blocks[i].data.len + 2) / 3 * 4;
    }
    T(total <= 16 << 10);
}

T_CASE(pngs_are_converted_to_jpeg) {
    past_start_with_root();
    past_put_picture("a/Screenshot from 2026-01-15 09-00-00.png", 900, 600, 0);
    past_ref(DAY, DAY, 0, ref);
    T_OK(get(",'full':'inline'"));
    T_STR(past_kind(&image(0)->data), "jpeg");
    T_INT(past_size(&image(0)->data).width, 512);
    T_STR(past_kind(&image(1)->data), "jpeg");
    T_INT(past_size(&image(1)->data).width, 900);
    T_INT(past_number("width"), 900);
    T_OK(get(""));
    T_STR(past_block(SQ_BLOCK_LINK, 0)->mime_type, "image/png");
}

T_CASE(deleted_shot_is_reported) {
    start_plain();
    for (int thumb = 0; thumb < 2; thumb++) {
        T_INT(remove(t_scratch_path(past_path(&plain, thumb))), 0);
    }
    T_FAILS(get(""), SQ_ERR_NOT_FOUND);
    T_HAS(t_err.hint, "list_screenshots");
}

T_CASE(broken_pictures_fail_with_a_hint) {
    static const struct {
        enum past_trouble trouble;
        enum sq_err_code code;
    } rows[] = {
        { PAST_EMPTY, SQ_ERR_TRUNCATED }, { PAST_GROWING, SQ_ERR_TRUNCATED },
        { PAST_CUT, SQ_ERR_TRUNCATED },   { PAST_GARBAGE, SQ_ERR_FORMAT },
        { PAST_LINK, SQ_ERR_FORMAT },     { PAST_PIPE, SQ_ERR_FORMAT },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        start_plain();
        past_damage_both(&plain, rows[i].trouble);
        T(!get(""));
        if (t_err.code != SQ_ERR_NOT_FOUND) {
            T_INT(t_err.code, rows[i].code);
        }
        T(t_err.hint[0] != '\0');
        T_INT(world.result.count, 0);
        past_end();
    }
    start_plain();
    past_damage(past_path(&plain, true), PAST_BROKEN);
    T(!get("") || image(0) != NULL);
}

/*
 * The thumbnail is returned and labelled as such; no link leads to the
 * original.
 */
T_CASE(empty_original_falls_back_to_the_thumbnail) {
    static const char *const wishes[] = { "", ",'full':'inline'",
                                          ",'full':'link'" };
    start_plain();
    past_damage(past_path(&plain, false), PAST_EMPTY);
    for (size_t i = 0; i < 3; i++) {
        T_OK(get(wishes[i]));
        T_INT(past_blocks(SQ_BLOCK_IMAGE), 1);
        T_INT(past_blocks(SQ_BLOCK_LINK), 0);
        T(past_shows(&image(0)->data, 150, 10, &from_thumb));
        T_STR(past_text("full"), "none");
        T_HAS(past_text("note"), "original is empty");
        T_INT(past_number("width"), 640);
    }
    T_OK(past_run_on("crop_screenshot", ref,
                     ",'x':50,'y':0,'width':50,'height':50"));
    T_INT(past_size(&image(0)->data).width, 80);
    T_HAS(past_text("note"), "original is empty");
    /* Once the file is complete, it is returned. */
    past_put(&plain);
    T_OK(get(""));
    T_STR(past_text("full"), "link");
    T(!past_has("note"));
}

/* For any reference, nothing outside the root is read. */
T_CASE(exit_secure_read) {
    static const char *const bits[] = {
        "..",         "/",       "\\\\",    ".",
        "%2e%2e",     "a",       "etc",     "passwd",
        "2026-01-15", ".jpg",    "~",       "\\u0000",
        "C:",         "file://", "\\u202f", "squint://screenshot/",
    };
    start_plain();
    past_put_picture("outside/2026-01-15_10-30-45_01-00_64_40_0_0.jpg", 64, 40,
                     0);
    for (int i = 0; i < 2500; i++) {
        char text[200] = "";
        for (int64_t k = t_random_between(1, 5); k > 0; k--) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof(text) - used, "%s",
                     bits[t_random_between(0, 15)]);
        }
        if (!T(!past_run_on("get_screenshot", text, ""))) {
            printf("# %s\n", text);
        }
        T(t_err.code == SQ_ERR_UNKNOWN_SCREENSHOT
          || t_err.code == SQ_ERR_ARGUMENT);
    }
    /* A reference with any character changed is refused, too. */
    char good[PAST_REF_SIZE];
    snprintf(good, sizeof(good), "%s", ref);
    for (size_t i = 0; good[i]; i++) {
        snprintf(ref, sizeof(ref), "%s", good);
        ref[i] = ref[i] == 'A' ? 'B' : 'A';
        T_FAILS(get(""), SQ_ERR_UNKNOWN_SCREENSHOT);
        T_HAS(t_err.hint, "list_screenshots");
    }
    snprintf(ref, sizeof(ref), "%s", good);
    T_OK(get(""));
}

T_CASE(folder_that_became_a_link_is_not_followed) {
    start_plain();
    T_INT(rename(t_scratch_path("a/" DAY), t_scratch_path("moved")), 0);
    T_INT(symlink(t_scratch_path("moved"), t_scratch_path("a/" DAY)), 0);
    T(!get(""));
    T_INT(world.result.count, 0);
    T_OK(past_run("list_screenshots",
                  "{'startDate':'2026-01-15','endDate':'2026-01-15'}"));
    T_INT(past_count("screenshots"), 0);
}

T_CASE(only_pictures_for_the_model_are_counted) {
    start_plain();
    struct sq_ledger before = sq_session_ledger(world.session);
    T_OK(get(",'full':'inline'"));
    struct sq_ledger after = sq_session_ledger(world.session);
    T_INT(after.images - before.images, 1);
    T_INT(after.image_tokens - before.image_tokens, past_number("tokens"));
}

T_CASE(gets_survive_every_failed_allocation) {
    start_plain();
    char text[100];
    snprintf(text, sizeof(text), "{'screenshotRef':'%s','full':'inline'}", ref);
    T(past_torture("get_screenshot", text) >= 5);
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 2);
}
