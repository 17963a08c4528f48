#include <unistd.h>

#include "image/pipeline/codec.h"
#include "support/fake_device.h"
#include "support/scratch.h"
#include "support/test.h"

#define RAW_WARNING                                                            \
    "Raw mode: no scaling applied. May exceed API limits with multiple "       \
    "images."

static struct fake_world world;

static void
start(void) {
    t_scratch_start();
    fake_world_start(&world, t_scratch());
}

static void
stop(void) {
    fake_world_end(&world);
    t_scratch_end();
}

static bool
shoot(const char *arguments) {
    return fake_run(&world, "screenshot", arguments);
}

/* The device point of a tap at 200,500 of the latest picture. */
static enum sq_err_code
tap_point(struct sq_dev_pt *out) {
    struct sq_frame frame;
    struct sq_err err = { 0 };
    if (!sq_session_frame(world.session, FAKE_ID, (struct sq_span){ 0 },
                          &world.device.screen, &frame, &err)) {
        return err.code;
    }
    *out = sq_view_to_device(&frame.view, (struct sq_img_pt){ 200, 500 });
    return SQ_ERR_NONE;
}

static struct sq_size
picture_size(const struct sq_buf *bytes) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_size size = { 0, 0 };
    if (T_OK(sq_image_decode(bytes->data, bytes->len, &sq_limits_default,
                             &image, &t_err))) {
        size = (struct sq_size){ image.width, image.height };
    }
    return size;
}

T_FIXTURE(start, stop);

T_CASE(inline_by_default) {
    T(shoot("{}"));
    T_INT(world.result.count, 2);
    const struct sq_block *image = &world.result.blocks[0];
    T_INT(image->kind, SQ_BLOCK_IMAGE);
    T_STR(image->mime_type, "image/jpeg");
    T_INT(picture_size(&image->data).width, 450);
    T_INT(picture_size(&image->data).height, 1000);
    T(image->data.len < 200 * 1024);
    T_INT(world.result.blocks[1].kind, SQ_BLOCK_TEXT);
    char want[1000];
    snprintf(want, sizeof(want),
             "{\"mode\":\"inline\",\"screenshotId\":\"s1\",\"device\":{"
             "\"width\":1080,\"height\":2400},\"image\":{\"width\":450,"
             "\"height\":1000},\"scaleFactor\":2.4,\"mimeType\":\"image/jpeg\","
             "\"sizeBytes\":%zu,\"tokens\":612,\"untrusted\":true,"
             "\"deviceId\":\"fake-1\"}",
             image->data.len);
    T(fake_matches(world.json, want));
    T_INT(t_count_entries(t_scratch()), 0);
}

T_CASE(scaling_state_after_inline_REGRESSION_wl1) {
    struct sq_dev_pt at = { 0, 0 };
    T(shoot("{'inline':true}"));
    T_INT(tap_point(&at), SQ_ERR_NONE);
    T_INT(at.x, 480);
    T_INT(at.y, 1200);
    T(shoot("{'inline':true,'maxDimension':1500}"));
    T_INT(tap_point(&at), SQ_ERR_NONE);
    T_INT(at.x, 320);
    T_INT(at.y, 800);
}

/* The part of an answer that must not depend on the delivery mode. */
static void
contract(const char *how, char common[600]) {
    struct sq_dev_pt at = { 0, 0 };
    T(shoot(how));
    const char *from = strstr(world.json, "\"device\":{");
    const char *to = strstr(world.json, ",\"mimeType\"");
    if (T(from && to)) {
        snprintf(common, 600, "%.*s", (int)(to - from), from);
    }
    T_SAYS("'screenshotId':'s");
    T_SAYS("'sizeBytes':");
    T_INT(tap_point(&at), SQ_ERR_NONE);
    T_INT(at.x, 480);
    T_INT(at.y, 1200);
}

T_CASE(inline_and_file_have_the_same_fields) {
    char inlined[600] = "";
    char filed[600] = "-";
    contract("{'inline':true}", inlined);
    contract("{'inline':false}", filed);
    T_STR(filed, inlined);
}

T_CASE(file_mode_writes_a_png_below_the_folder) {
    T(shoot("{'inline':false}"));
    T_INT(world.result.count, 1);
    T_INT(t_count_entries(t_scratch()), 1);
    char want[500];
    snprintf(want, sizeof(want),
             "{\"mode\":\"file\",\"screenshotId\":\"s1\",\"path\":\"%s/"
             "screenshot-<*>.png\",<*>\"mimeType\":\"image/png\",<*>}",
             t_scratch());
    T(fake_matches(world.json, want));
    T(shoot("{'localPath':'login/empty'}"));
    T(access(t_scratch_path("login/empty.png"), R_OK) == 0);
    T(shoot("{'localPath':'login/photo.jpg'}"));
    T_HAS(world.json, "image/jpeg");
    T(access(t_scratch_path("login/photo.jpg"), R_OK) == 0);
    T(!shoot("{'localPath':'login/photo.jpg'}"));
    T_INT(world.err.code, SQ_ERR_EXISTS);
    unlink(t_scratch_path("login/empty.png"));
    unlink(t_scratch_path("login/photo.jpg"));
    rmdir(t_scratch_path("login"));
}

T_CASE(paths_cannot_leave_the_folder) {
    static const char *const paths[] = {
        "/tmp/x.png", "../x.png",  "a/../../x.png", "..",
        ".hidden",    "a//b.png",  "x\\\\y.png",    "a/",
        "link/x",     "x\\u0000y", "./x.png",       "\\u007fx.png",
        "a/./b",      "~/../x/.",  "C:\\\\x",
    };
    T(symlink("/tmp", t_scratch_path("link")) == 0);
    T_EACH(i, paths) {
        char arguments[200];
        snprintf(arguments, sizeof(arguments), "{'localPath':'%s'}", paths[i]);
        T(!shoot(arguments));
    }
    T_INT(t_count_entries(t_scratch()), 1);
}

T_CASE(raw_mode_warns_inline_and_in_a_file) {
    static const char *const ways[] = { "{'raw':true}",
                                        "{'raw':true,'inline':false}" };
    for (int i = 0; i < 2; i++) {
        struct sq_dev_pt at = { 0, 0 };
        T(shoot(ways[i]));
        T_SAYS("'image':{'width':1080,'height':2400},'scaleFactor':1,");
        T_HAS(world.json, "\"warning\":\"" RAW_WARNING "\"");
        T_LACKS(world.json, "coordinateTransform");
        T_INT(tap_point(&at), SQ_ERR_NONE);
        T_INT(at.x, 200);
        T_INT(at.y, 500);
    }
    T(shoot("{'raw':false}"));
    T_LACKS(world.json, "warning");
}

T_CASE(several_displays_are_listed) {
    T(shoot("{}"));
    T_OMITS("'displays'");
    world.device.tells_displays = true;
    T(shoot("{}"));
    T_SAYS("'displays':[{'id':'0'},{'id':'cover','name':'Cover");
    T(shoot("{'displayId':'cover'}"));
    T_SAYS("'displayId':'cover','displays':[");
}

/* Such as the cover display of an unfolded phone. */
T_CASE(picture_of_another_shape_gives_a_warning) {
    world.device.other_shape = true;
    T(shoot("{}"));
    T_SAYS("'warning':'The picture has another shape");
    T(shoot("{'raw':true}"));
    T(strstr(world.json, "\"warning\":\"The picture has another shape") != NULL
      && strstr(world.json, " " RAW_WARNING "\"") != NULL);
    world.device.other_shape = false;
    T(shoot("{}"));
    T_LACKS(world.json, "warning");
}

T_CASE(documented_devices_have_the_documented_sizes) {
    static const struct {
        struct sq_size device;
        struct sq_size image;
    } rows[] = {
        { { 1080, 2340 }, { 462, 1000 } }, { { 1080, 2400 }, { 450, 1000 } },
        { { 1440, 3120 }, { 462, 1000 } }, { { 1080, 2092 }, { 516, 1000 } },
        { { 1840, 2208 }, { 833, 1000 } }, { { 1600, 2560 }, { 625, 1000 } },
        { { 1848, 2960 }, { 624, 1000 } },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        world.device.screen.size = rows[i].device;
        T(shoot("{}"));
        const char *want = t_text("\"image\":{\"width\":%d,\"height\":%d}",
                                  rows[i].image.width, rows[i].image.height);
        T_HAS(world.json, want);
    }
}

T_CASE(presets_imply_webp) {
    T(shoot("{'size':'half'}"));
    T_STR(world.result.blocks[0].mime_type, "image/webp");
    T_SAYS("'screenshotSize':{'size':'half','preset':'half',"
           "'dimensions':'230x512','tiles':1,'estimatedTokens':");
    T(shoot("{'size':'quarter'}"));
    T_SAYS("'dimensions':'115x256'");
    T(shoot("{'size':'thumb'}"));
    T_SAYS("'dimensions':'58x128'");
    T(shoot("{'size':'full','format':'png'}"));
    T_STR(world.result.blocks[0].mime_type, "image/png");
    T_SAYS("'dimensions':'1080x2400'");
    T_LACKS(world.json, "sizeNote");
    T(shoot("{'size':'huge'}")); /* as in the specification */
    T_SAYS("'dimensions':'230x512'");
    T_SAYS("'sizeNote':'size must be half, full,");
}

/* The documented answers, with the real sizes of this picture. */
T_CASE(presets_give_the_documented_answers) {
    T(shoot("{'size':'half'}"));
    T(fake_matches(
        world.json,
        "<*>'success':true,'udid':'fake-1','imageFormat':'WEBP',"
        "'screenshotSize':{<*>'fileSizes':{'original':10368016,'optimized':<*>,"
        "'compressionRatio':'<*>%'}},'imageSizes':{'original':10368016,<*>},"
        "'coordinateTransform':{'originalDimensions':{'width':1080,"
        "'height':2400},'displayDimensions':{'width':230,'height':512},"
        "'scaleX':4.695652173913044,'scaleY':4.6875,'guidance':'<*>'},"
        "'coordinateTransformHelper':{'enabled':true,'usage':'<*>',"
        "'method':'<*>','example':{'screenshotCoordinates':{'x':115,'y':256},"
        "'idbUiTapCall':{'x':115,'y':256,'applyScreenshotScale':true,"
        "'screenshotScaleX':4.695652173913044,'screenshotScaleY':4.6875},"
        "'automaticResult':{'deviceX':540,'deviceY':1200}}},'guidance':['Size: "
        "half, 230x512, about <*> tokens','Tap with x,y of this picture: "
        "scaled by 4.70 (X) and 4.69 (Y) for you','<*>'],'untrusted':true,"
        "'deviceId':'fake-1'}"));
    /* The reply matches the picture. */
    T(fake_run(&world, "tap",
               "{'x':115,'y':256,'applyScreenshotScale':true,"
               "'screenshotScaleX':4.695652173913044,"
               "'screenshotScaleY':4.6875}"));
    T_SAYS("'deviceX':540,'deviceY':1200");
    T(fake_run(&world, "tap", "{'x':115,'y':256}"));
    T_SAYS("'deviceX':540,'deviceY':1200");
}

T_CASE(budget_is_not_exceeded) {
    T(shoot("{'budgetTokens':300}"));
    const char *tokens = strstr(world.json, "\"tokens\":");
    int spent = 0;
    for (tokens += 9; *tokens >= '0' && *tokens <= '9'; tokens++) {
        spent = spent * 10 + *tokens - '0';
    }
    T(spent > 200 && spent <= 300);
}

T_CASE(conflicting_sizes_are_refused) {
    static const struct {
        const char *arguments;
        const char *first;
        const char *second;
    } cases[] = {
        { "{'raw':true,'maxDimension':100}", "raw", "maxDimension" },
        { "{'size':'half','maxDimension':100}", "size", "maxDimension" },
        { "{'size':'half','budgetTokens':100}", "size", "budgetTokens" },
        { "{'raw':true,'size':'full'}", "raw", "size" },
        { "{'maxDimension':9,'budgetTokens':9}", "maxDimension",
          "budgetTokens" },
        { "{'displayId':'0','region':{'x':0,'y':0,'width':9,'height':9}}",
          "displayId", "region" },
        { "{'inline':true,'localPath':'a'}", "inline", "localPath" },
        { "{'format':'png','quality':50}", "format", "quality" },
        { "{'format':'jpeg','localPath':'a.png'}", "format", "localPath" },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        T(!shoot(cases[i].arguments));
        T_INT(world.err.code, SQ_ERR_ARGUMENT);
        T_HAS(world.err.message, cases[i].first);
        T_HAS(world.err.message, cases[i].second);
    }
    T_INT(world.device.captures, 0);
}

T_CASE(regions_have_their_own_frame) {
    struct sq_dev_pt at;
    T(shoot("{}"));
    T(shoot("{'region':{'x':100,'y':200,'width':100,'height':50}}"));
    T_SAYS("'screenshotId':'s2'");
    T_SAYS("'image':{'width':240,'height':120},'region':{'x':100,'y':200,"
           "'width':100,'height':50,'screenshotId':'s1'},"
           "'deviceRegion':{'x':240,'y':480,'width':240,'height':120}");
    T_INT(tap_point(&at), SQ_ERR_AMBIGUOUS_FRAME);
    /* A region has no point. */
    T(!shoot("{'region':{'x':0,'y':0,'width':10,'height':10}}"));
    T_HAS(world.err.message, "which picture the coordinates are in");
    struct sq_frame frame;
    T_OK(sq_session_frame(world.session, FAKE_ID, SQ_SPAN("s2"),
                          &world.device.screen, &frame, &t_err));
    at = sq_view_to_device(&frame.view, (struct sq_img_pt){ 120, 60 });
    T_INT(at.x, 360);
    T_INT(at.y, 540);
    /* While the latest picture is a region, a rectangle needs an id. */
    T(!shoot("{'region':{'x':10,'y':10,'width':10,'height':10}}"));
    T_INT(world.err.code, SQ_ERR_AMBIGUOUS_FRAME);
    T(shoot("{'region':{'x':120,'y':60,'width':60,'height':30},"
            "'screenshotId':'s2'}"));
    T_SAYS("'screenshotId':'s2'},'deviceRegion':{'x':360,'y':540,'width':60,"
           "'height':30}");
    T(shoot("{'region':{'x':100,'y':200,'width':100,'height':50},"
            "'screenshotId':'s1'}"));
    T_SAYS("'screenshotId':'s1'},'deviceRegion':{'x':240,'y':480,'width':240,"
           "'height':120}");
    T(!shoot("{'region':{'x':1,'y':1,'width':1,'height':1},"
             "'screenshotId':'s99'}"));
    T_INT(world.err.code, SQ_ERR_UNKNOWN_SCREENSHOT);
    T(!shoot("{'screenshotId':'s1'}"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
    T(shoot("{}"));
    T(!shoot("{'region':{'x':400,'y':200,'width':100,'height':50}}"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
    T_HAS(world.err.hint, "450x1000");
    T(!shoot("{'region':{'x':400,'y':200,'width':10}}"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
}

/* A rectangle of a stale picture is refused. */
/* Unless its size is named: then it says so. */
T_CASE(a_region_costs_no_more_than_the_screen) {
    T(shoot("{}"));
    T_SAYS("'tokens':612");
    T(shoot("{'region':{'x':0,'y':100,'width':450,'height':450}}"));
    T_SAYS("'image':{'width':672,'height':672}");
    T_SAYS("'tokens':576");
    T_OMITS("'note'");
    T(shoot("{'region':{'x':0,'y':100,'width':450,'height':450},"
            "'screenshotId':'s1','maxDimension':1000}"));
    T_SAYS("'image':{'width':1000,'height':1000}");
    T_SAYS("'tokens':1296,'note':'Costs 1296 tokens; the whole screen would "
           "cost 612.'");
    /* Native pixels that cost less are shown. */
    T(shoot("{'region':{'x':0,'y':100,'width':200,'height':200},"
            "'screenshotId':'s1'}"));
    T_SAYS("'image':{'width':480,'height':480}");
}

T_CASE(regions_of_a_rotated_screen_are_refused) {
    static const char *const part =
        "{'region':{'x':100,'y':200,'width':100,'height':50}}";
    T(shoot(part));
    T_SAYS("'region':{'x':100,'y':200,'width':100,'height':50},"
           "'deviceRegion':{'x':240,");
    T(shoot("{}"));
    world.device.screen.size = (struct sq_size){ 2400, 1080 };
    world.device.screen.rotation = 1;
    T(!shoot(part));
    T_INT(world.err.code, SQ_ERR_STALE_SCREENSHOT);
    T_HAS(world.err.message, "2400x1080");
    T_HAS(world.err.hint, "new screenshot");
    T(shoot("{}"));
    T(shoot(part));
    world.device.screen.rotation = 3;
    T(!shoot(part));
    T_INT(world.err.code, SQ_ERR_STALE_SCREENSHOT);
}

T_CASE(displays_can_be_chosen) {
    struct sq_dev_pt at;
    T(shoot("{'displayId':'0'}"));
    T_SAYS("'displayId':'0'");
    T_INT(tap_point(&at), SQ_ERR_NONE);
    T(!shoot("{'displayId':'7'}"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
    T_HAS(world.err.hint, "0, cover");
    T(!shoot("{'displayId':''}"));
    T_INT(tap_point(&at), SQ_ERR_NONE);
    T(shoot("{'displayId':'cover','enableCoordinateCaching':true,"
            "'elements':true,'size':'full'}"));
    T_SAYS("'screenshotId':'s2'");
    T_SAYS("'elementsNote':'Elements are those of");
    T_HAS(world.json, "taps do not reach this display");
    T_LACKS(world.json, "viewFingerprint");
    T_INT(tap_point(&at), SQ_ERR_UNSUPPORTED);
    T(!fake_run(&world, "tap", "{'x':1,'y':1,'screenshotId':'s2'}"));
    T_INT(world.err.code, SQ_ERR_UNSUPPORTED);
    T_HAS(world.err.hint, "without displayId");
    /* Regions are those of the display that receives taps. */
    T(!shoot("{'region':{'x':100,'y':200,'width':100,'height':50}}"));
    T_INT(world.err.code, SQ_ERR_UNSUPPORTED);
    T(shoot("{'region':{'x':100,'y':200,'width':100,'height':50},"
            "'screenshotId':'s1'}"));
    T_SAYS("'screenshotId':'s1'},'deviceRegion'");
}

T_CASE(screens_in_points_are_converted) {
    struct sq_dev_pt at = { 0, 0 };
    struct sq_frame frame;
    world.device.screen.size = (struct sq_size){ 390, 844 };
    world.device.pixels_per_point = 3;
    T(shoot("{}"));
    T_SAYS("'device':{'width':390,'height':844},'image':{'width':462,"
           "'height':1000},'scaleFactor':0.844,");
    T_INT(tap_point(&at), SQ_ERR_NONE);
    T_INT(at.x, 169);
    T_INT(at.y, 422);
    T(shoot("{'region':{'x':0,'y':500,'width':462,'height':500},"
            "'maxDimension':1000}"));
    T_SAYS("'image':{'width':924,'height':1000}");
    T(sq_session_frame(world.session, FAKE_ID, SQ_SPAN("s2"),
                       &world.device.screen, &frame, NULL));
    at = sq_view_to_device(&frame.view, (struct sq_img_pt){ 462, 500 });
    T_INT(at.x, 195);
    T_INT(at.y, 633);
}

T_CASE(semantic_metadata_is_returned) {
    T(shoot("{'appName':'Shop','screenName':'Cart','state':'Empty',"
            "'size':'half'}"));
    T_SAYS("'semanticMetadata':{'appName':'Shop','screenName':'Cart',"
           "'state':'Empty'}");
    T_SAYS("'Screen: Shop/Cart (Empty)'");
}

/* The pixels that were read are those that the numbers are drawn on. */
T_CASE(marks_are_drawn_on_what_was_read) {
    static const struct fake_node nodes[] = {
        NODE(0, "FrameLayout", AT(0, 0, 1080, 2400)),
        { .class_name = NULL },
    };
    setenv("XDG_STATE_HOME", t_scratch_path("state"), 1);
    world.config.ui.template_matching_enabled = true;
    world.device.nodes = nodes;
    T(shoot("{'marks':true,'vision':true}"));
    T_INT(world.device.captures, 1);
    T_SAYS("'marks':");
    T(shoot("{'vision':true,'elements':true,'maxDimension':500}"));
    T_INT(world.device.captures, 2);
    T_INT(picture_size(&world.result.blocks[0].data).height, 500);
    T(shoot("{'vision':true,'maxDimension':500}"));
    T_SAYS("'elements':");
    /* Another display is not the one that was read. */
    T(!shoot("{'vision':true,'displayId':'cover'}"));
    T_STR(world.err.message,
          "vision: true and displayId cannot be used together");
    T(!shoot("{'vision':true,'elements':false}"));
    T_STR(world.err.message,
          "vision: true and elements: false cannot be used together");
    T_INT(world.device.captures, 3);
    t_remove_folder(t_scratch_path("state/squint/images"));
    t_remove_folder(t_scratch_path("state/squint"));
    t_remove_folder(t_scratch_path("state"));
}

/* A grid that was drawn before the picture got smaller has other cells. */
T_CASE(cells_of_reduced_pictures_do_not_count) {
    T(shoot("{'grid':true,'maxDimension':2300}"));
    T_HAS(world.json, "Its cells cannot be tapped");
    T(!fake_run(&world, "tap", "{'cell':'A1','receipt':'none'}"));
    T_INT(world.err.code, SQ_ERR_STALE_SCREENSHOT);
}
