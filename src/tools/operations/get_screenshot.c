/*
 * get_screenshot: returns one archived screenshot, small for the model and full
 * for the user.
 */
#include <string.h>

#include "image/measure/measure.h"
#include "image/pipeline/codec.h"
#include "tools/archive/archived_shot.h"
#include "tools/operations.h"

/* Size and quality of a generated thumbnail. */
#define THUMB_SIDE 512
#define THUMB_QUALITY 75
/* A larger stored thumbnail is scaled down. */
#define MAX_THUMB_SIDE 1000
#define FULL_QUALITY 85

enum full {
    FULL_LINK,
    FULL_INLINE,
    FULL_NONE,
};

struct get_args {
    struct sq_opt_text screenshot_ref;
    struct sq_opt_int full;
    struct sq_opt_int cell;
    struct sq_opt_int hit;
    struct sq_opt_int max_dimension;
};

static const char *const full_words[] = { "link", "inline", "none", NULL };

static const struct sq_arg table[] = {
    SQ_TEXT(get_args, screenshot_ref, "screenshotRef", 64,
            "Or a live screenshotId", .alias = "screenshotId", .flag = "ref",
            .placeholder = "REF", .help = "which one; see squint list"),
    SQ_ARCHIVED_SHOT_NUMBERS(get_args),
    SQ_CHOICE(get_args, full, "full", full_words, "For the person",
              .help = "how the whole picture comes", .initial = "link"),
    SQ_INT(get_args, max_dimension, "maxDimension", 1, SQ_REPLY_MAX_SIDE, "",
           .is_rare = true,
           .help = "longest side of the picture; none: the stored thumbnail, "
                   "or 512"),
    SQ_ARGS_END,
};

/*
 * Returns whether the client keeps blocks for the user out of the model's
 * context.
 */
static bool
honours_audience(struct sq_span client) {
    static const char *const clients[] = { "Visual Studio Code", "vscode",
                                           "goose" };
    for (size_t i = 0; i < SQ_COUNT(clients); i++) {
        struct sq_span rest = client;
        if (sq_span_take_prefix(&rest, clients[i])) {
            return true;
        }
    }
    return false;
}

struct shown {
    struct sq_picture_info small;
    struct sq_size whole; /* 0: unknown */
    bool is_thumbnail;    /* a stored thumbnail */
    enum full full;       /* how the full picture was returned */
    int redacted;         /* parts that were hidden */
    const char *note;
};

static enum full
full_of(const struct sq_call *call, const struct get_args *args,
        const struct sq_archive_pick *pick, struct shown *shown) {
    enum full choice = honours_audience(call->client) ? FULL_INLINE : FULL_LINK;
    choice = args->full.given ? (enum full)args->full.value : choice;
    if (pick->lost_full) {
        shown->note = "The original is empty (0 bytes): only the thumbnail is "
                      "left of this screenshot.";
        return FULL_NONE;
    }
    if (choice == FULL_NONE) {
        return FULL_NONE;
    }
    if (!sq_archived_shot_shows_all(pick)) {
        shown->note = "Only thumbnails may leave this archive folder.";
        return FULL_NONE;
    }
    if (!(pick->shot.flags & SQ_SHOT_FULL)) {
        shown->note = "Only the thumbnail is left of this screenshot.";
        return FULL_NONE;
    }
    return choice;
}

/*
 * Replaces a thumbnail that is smaller than wanted by the full picture, as
 * large as its folder permits, if it can be read.
 */
static void
use_larger(struct sq_call *call, const struct sq_archive_pick *pick, int wanted,
           struct sq_archive_file *file, struct shown *shown) {
    struct sq_archive_file larger = { 0 };
    struct sq_size size;
    if (!shown->is_thumbnail || !(pick->shot.flags & SQ_SHOT_FULL)
        || !sq_codec_size(file->bytes.data, file->bytes.len, &size, NULL)
        || sq_size_long_side(size) >= wanted
        || !sq_archive_read(call->past->archive, pick,
                            SQ_ARCHIVE_WANT_TO_SHRINK, &call->deadline, &larger,
                            NULL)) {
        return;
    }
    sq_buf_finish(&file->bytes);
    *file = larger;
    shown->is_thumbnail = false;
}

static bool
add_small(struct sq_call *call, const struct sq_archive_pick *pick,
          struct sq_opt_int wanted, struct shown *shown, struct sq_err *err) {
    struct sq_archive_file file = { 0 };
    if (!sq_archived_shot_read_small(call, pick, &file, &shown->is_thumbnail,
                                     err)) {
        return false;
    }
    if (wanted.given) {
        use_larger(call, pick, wanted.value, &file, shown);
    }
    const struct sq_archived_shot_picture how = {
        .max_side = wanted.given        ? wanted.value
                  : shown->is_thumbnail ? MAX_THUMB_SIDE
                                        : THUMB_SIDE,
        .quality = THUMB_QUALITY,
        .priority = 0.9,
    };
    bool ok = sq_archived_shot_add_picture(call, &file.bytes, &how,
                                           &shown->small, err);
    sq_buf_finish(&file.bytes);
    shown->redacted = file.redacted;
    shown->whole = (struct sq_size){ pick->shot.width, pick->shot.height };
    if (ok && shown->whole.width == 0 && !shown->is_thumbnail) {
        shown->whole = file.whole.width ? file.whole : shown->small.source;
    }
    return ok;
}

static bool
add_whole(struct sq_call *call, const struct sq_archive_pick *pick,
          struct shown *shown, struct sq_err *err) {
    struct sq_archive_file file = { 0 };
    struct sq_picture_info info;
    struct sq_err local_err = { 0 };
    const struct sq_archived_shot_picture how = {
        .max_side = SQ_REPLY_MAX_SIDE,
        .quality = FULL_QUALITY,
        .audience = SQ_FOR_USER,
        .priority = 0.3,
    };
    bool ok = sq_archive_read(call->past->archive, pick, SQ_ARCHIVE_WANT_FULL,
                              &call->deadline, &file, &local_err)
           && sq_archived_shot_add_picture(call, &file.bytes, &how, &info,
                                           &local_err);
    sq_buf_finish(&file.bytes);
    if (ok) {
        shown->full = FULL_INLINE;
        shown->whole = shown->whole.width ? shown->whole : info.source;
        if (info.image.width < info.source.width) {
            shown->note = SQ_SAY("The inline picture is scaled to 2000 pixels "
                                 "a side, the most that hosts accept. With "
                                 "full: \"link\" you get a link to all of it.",
                                 "The inline picture is scaled to 2000 pixels "
                                 "a side, the most that hosts accept. With "
                                 "--full link you get a link to all of it.");
        }
        return true;
    }
    if (local_err.code == SQ_ERR_NOMEM || local_err.code == SQ_ERR_EXHAUSTED) {
        return sq_fail_with(err, &local_err);
    }
    if (!sq_deadline_check(&call->deadline, err)) {
        return false;
    }
    shown->full = FULL_LINK;
    shown->note = "The whole picture cannot be sent inline: it is a link.";
    return sq_archived_shot_add_link(call, pick, SQ_FOR_USER, err);
}

static bool
reply(struct sq_call *call, const struct sq_archive_pick *pick,
      const struct shown *shown, struct sq_err *err) {
    struct sq_reply text;
    const struct sq_token_profile *profile = sq_reply_profile(call);
    if (!sq_reply_start(call, &text, err)
        || !sq_archived_shot_put(call, pick, shown->whole, &text.w, err)) {
        return false;
    }
    sq_put_bool(&text.w, "isThumbnail", shown->is_thumbnail);
    sq_put_size(&text.w, "image", shown->small.image);
    sq_put_int(&text.w, "tokens",
               sq_token_cost(profile, shown->small.image).tokens);
    sq_put_text(&text.w, "full", full_words[shown->full]);
    sq_put_redacted(&text.w, shown->redacted);
    if (shown->note) {
        sq_put_text(&text.w, "note", shown->note);
    }
    return sq_reply_end(call, &text, err);
}

/* Answers with a recent picture of a device, as long as its pixels are kept. */
static bool
get_live(struct sq_call *call, const struct get_args *args, struct sq_span id,
         struct sq_err *err) {
    SQ_FREED(sq_archived_shot_source_finish)
    struct sq_archived_shot_source source = { 0 };
    struct sq_picture_info info;
    struct sq_reply text;
    const struct sq_archived_shot_picture how = {
        .max_side =
            args->max_dimension.given ? args->max_dimension.value : THUMB_SIDE,
        .quality = THUMB_QUALITY,
        .priority = 0.9,
    };
    bool ok =
        sq_archived_shot_open(call, id, &source, err)
        && sq_archived_shot_add_picture(call, &source.bytes, &how, &info, err)
        && sq_reply_start(call, &text, err);
    if (ok) {
        sq_json_put_clean(sq_json_at(&text.w, "screenshotId"), id);
        sq_put_size(&text.w, "image", info.image);
        sq_put_int(&text.w, "tokens",
                   sq_token_cost(sq_reply_profile(call), info.image).tokens);
        sq_put_redacted(&text.w, source.redacted);
        ok = sq_reply_end(call, &text, err);
    }
    if (ok) {
        sq_archived_shot_charge(call, &info);
    }
    return ok;
}

static bool
run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct get_args *args = raw_args;
    struct sq_archive_pick pick;
    struct shown shown = { 0 };
    struct sq_span ref;
    if (!sq_archived_shot_named(call, SQ_ARCHIVED_SHOT_REQUEST(args), &ref,
                                err)) {
        return false;
    }
    if (sq_session_is_frame_id(ref)) {
        return get_live(call, args, ref, err);
    }
    if (!sq_archived_shot_find(call, ref, &pick, err)
        || !add_small(call, &pick, args->max_dimension, &shown, err)) {
        return false;
    }
    shown.full = full_of(call, args, &pick, &shown);
    bool ok = shown.full == FULL_NONE
           || (shown.full == FULL_LINK
                   ? sq_archived_shot_add_link(call, &pick, SQ_FOR_USER, err)
                   : add_whole(call, &pick, &shown, err));
    if (!ok || !reply(call, &pick, &shown, err)) {
        return false;
    }
    sq_archived_shot_charge(call, &shown.small);
    sq_session_set_shown(call->session, ref, shown.small.image,
                         (struct sq_region){ 0 });
    return true;
}

const struct sq_tool sq_tool_get_screenshot = {
    .name = "get_screenshot",
    .verb = "get",
    .title = "Show a past screenshot",
    .text = "One past screenshot; the person gets it whole.",
    .manual =
        "The second step of survey, glance, zoom: a picture with few tokens: "
        "the stored thumbnail, or a scaled copy if there is none. The full "
        "picture is returned as a link for the person (`full: \"link\"`), as "
        "a picture marked for the person alone (`\"inline\"`, at most 2000 "
        "pixels a side; hosts that ignore such marks also show it to you, at "
        "full cost), or not at all (`\"none\"`).\n\nIf something is too small "
        "to read, call crop_screenshot for that part: percentages of this "
        "picture are the same in the full one. `maxDimension` is the longest "
        "side of the picture, up to 2000 and up to what the folder permits.\n"
        "\n`cell` is a number in the last contact_sheet, `hit` one of the "
        "last search_screenshots; each replaces `screenshotRef`. "
        "`screenshotId` of a recent picture of a device does, too, as long as "
        "squint keeps its pixels.",
    .flags = SQ_TOOL_BY_ARCHIVE | SQ_TOOL_IDEMPOTENT | SQ_TOOL_IMAGE
           | SQ_TOOL_HEAVY | SQ_TOOL_NUMBERS,
    SQ_ARGS(table, get_args),
    .words = "screenshotRef",
    .people = { .about = "Write one past screenshot to a file.",
                .examples = { "get REF" },
                .show = sq_show_shot },
    .uses = SQ_USES_PAST | SQ_USE_COSTS,
    .synonyms = "get-screenshot get-image read-screenshot",
    .example = "\"screenshotRef\": \"REF\"",
    .run = run,
};
