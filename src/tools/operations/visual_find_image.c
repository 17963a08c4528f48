/* visual-find-image: finds a small picture in the pixels of the screen. */
#include "tool/work.h"
#include "tools/elements/target.h"
#include "tools/operations.h"
#include "tools/screen/image_source.h"
#include "tools/screen/screen_text.h"
#include "vision/template.h"

#define DEFAULT_LIMIT 20

struct visual_find_image_args {
    struct sq_opt_text name;
    struct sq_opt_text local_path;
    struct sq_opt_region region;
    struct sq_opt_text picture;
    struct sq_opt_region within;
    struct sq_opt_int element_index;
    struct sq_selector selector;
    struct sq_opt_double min_score;
    struct sq_opt_int limit;
};

static const struct sq_arg visual_find_image_args[] = {
    SQ_TEXT(visual_find_image_args, name, "name", 64, "Of a remembered picture",
            .help = "a remembered picture"),
    SQ_TEXT(visual_find_image_args, local_path, "localPath", 200,
            "File in the output folder", .placeholder = "NAME",
            .help = "a file in the output folder"),
    SQ_OBJECT(visual_find_image_args, region, "region", sq_opt_region,
              sq_region_args, "Part of a picture to look for",
              .placeholder = "X,Y,W,H",
              .help = "the part of a picture to look for"),
    SQ_TEXT(visual_find_image_args, picture, "screenshotId", 64,
            "Picture of the region; omitted: the screen now",
            .alias = "screenshotRef", .is_hidden = true),
    SQ_OBJECT(visual_find_image_args, within, "within", sq_opt_region,
              sq_region_args, "Look only there", .placeholder = "X,Y,W,H",
              .is_rare = true, .help = "look only in this part of the screen"),
    SQ_INT(visual_find_image_args, element_index, "elementIndex", 0,
           SQ_MAX_ELEMENT_INDEX, "Look only in it", .is_hidden = true),
    SQ_SELECTOR(visual_find_image_args, selector),
    SQ_NUMBER(visual_find_image_args, min_score, "minScore", 0.5, 1,
              "Default 0.92", .is_rare = true, .help = "least score of a hit",
              .initial = "0.92"),
    SQ_INT(visual_find_image_args, limit, "limit", 1, SQ_MAX_HITS, "",
           .help = "list at most N", .initial = "20"),
    SQ_ARGS_END,
};

/* One search. */
struct search {
    const struct visual_find_image_args *args;
    struct sq_image_source source;
    bool has_element; /* look only inside it */
    struct sq_dev_rect element;
    struct sq_screen_text screen;
    struct sq_image_hits hits;
};

static bool
check(const void *raw_args, struct sq_err *err) {
    const struct visual_find_image_args *args = raw_args;
    int places =
        args->within.given + args->element_index.given + args->selector.given;
    if (places <= 1) {
        return sq_selector_check(&args->selector, err);
    }
    return sq_fail_argument(
        err, "the request says in more than one way where to look",
        SQ_SAY("Give one of within, elementIndex, selector.",
               "Give --within or --selector.text, not both."));
}

/* Finds the element to look in. */
static bool
find_element(struct sq_call *call, struct search *search, struct sq_err *err) {
    const struct visual_find_image_args *args = search->args;
    struct sq_target target;
    search->has_element = args->element_index.given || args->selector.given;
    bool ok =
        !search->has_element
        || (args->element_index.given
                ? sq_target_index(call, args->element_index.value, &target, err)
                : sq_target_selector(call, &args->selector, 0, &target, err));
    if (ok && search->has_element) {
        search->element = target.element.bounds;
    }
    return ok;
}

static bool
look(struct sq_call *call, struct search *search, struct sq_err *err) {
    struct sq_screen_text *screen = &search->screen;
    if (!sq_screen_text_capture(call, &search->args->within, screen, err)) {
        return false;
    }
    if (search->has_element
        && !sq_screen_text_area(screen, search->element, &screen->area)) {
        return sq_fail(err, SQ_ERR_ELEMENT_NOT_FOUND,
                       "the element to look in is not visible");
    }
    const struct sq_template_plan plan = {
        .area = screen->area,
        .has_alpha = search->source.has_alpha,
        .any_colours = true,
        .min_score = search->args->min_score.value,
    };
    bool ok = sq_template_find(&screen->image, &search->source.image, &plan,
                               &call->deadline, &search->hits, err);
    sq_work_end(call->work);
    return ok;
}

/* Rounds to three digits after the point. */
static double
rounded(double value) {
    return (double)(int)(value * 1000 + 0.5) / 1000;
}

static void
put_hit(const struct sq_screen_text *screen, const struct sq_image_hit *hit,
        struct sq_json_writer *w) {
    sq_json_begin_object(w);
    sq_put_screen_place(w, screen, hit->box);
    sq_put_double(w, "scale", rounded(hit->scale));
    sq_put_double(w, "score", rounded(hit->score));
    sq_put_text(w, "tier", sq_image_hit_tier_name(hit->tier));
    sq_json_end_object(w);
}

static bool
answer(struct sq_call *call, const struct search *search, struct sq_err *err) {
    const struct sq_image_hits *hits = &search->hits;
    int limit =
        search->args->limit.given ? search->args->limit.value : DEFAULT_LIMIT;
    struct sq_reply reply;
    if (!sq_reply_start(call, &reply, err)) {
        return false;
    }
    sq_json_begin_array_of(&reply.w, "hits");
    for (int i = 0; i < hits->count && i < limit; i++) {
        put_hit(&search->screen, &hits->items[i], &reply.w);
    }
    sq_json_end_array(&reply.w);
    sq_put_int(&reply.w, "count", hits->count);
    if (!hits->count) {
        sq_put_double(&reply.w, "nearestScore", rounded(hits->nearest));
    }
    sq_put_redacted(&reply.w, search->screen.redacted);
    sq_put_text(&reply.w, "screenshotId", search->screen.frame.id);
    return sq_reply_end(call, &reply, err);
}

static bool
visual_find_image_run(struct sq_call *call, const void *raw_args,
                      struct sq_err *err) {
    const struct visual_find_image_args *args = raw_args;
    struct search search = { .args = args };
    const struct sq_image_request request = {
        .name = args->name,
        .local_path = args->local_path,
        .region = args->region,
        .picture = args->picture,
    };
    bool ok = sq_image_search_enabled(call, err)
           && sq_image_source_open(call, &request, &search.source, err)
           && find_element(call, &search, err) && look(call, &search, err)
           && answer(call, &search, err);
    if (ok) {
        sq_session_add_frame(call->session, &search.screen.frame);
    }
    sq_work_end(call->work);
    sq_screen_text_finish(&search.screen);
    sq_image_source_finish(&search.source);
    return ok;
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    static const struct sq_member_column columns[] = {
        { "X", "centerX", SQ_INK_STRONG, true },
        { "Y", "centerY", SQ_INK_STRONG, true },
        { "SCALE", "scale", SQ_INK_STRONG, true },
        { "SCORE", "score", SQ_INK_STRONG, true },
        { "TIER", "tier", SQ_INK_PLAIN, false },
        { 0 },
    };
    return sq_people_put_count(people, "place", "Not found", err)
        && sq_people_put_table(people, sq_json_get(people->reply, "hits"),
                               columns, err);
}

const struct sq_tool sq_tool_visual_find_image = {
    .name = "visual-find-image",
    .words = "name?",
    .title = "Find a picture in the pixels",
    .text = "Find a remembered picture.",
    .manual =
        "Looks for a small picture on the screen, at full size. Which one: "
        "`name` of a remembered picture; `region` of the screen now, or of "
        "the earlier picture that `screenshotId` names (a `screenshotRef` of "
        "the archive too), in the pixels of that picture; or `localPath`, a "
        "file in the output folder, whose transparent pixels are not "
        "compared. `@remember` keeps pictures.\n\n`within` (a rectangle in "
        "the pixels of the latest picture), `elementIndex` or `selector` "
        "limits the search.\n\nAnswers every hit, best first: `centerX`, "
        "`centerY` in the pixels of `screenshotId`, `width`, `height`, "
        "`scale` (0.5 to 2: size here / size of the template), `score` and "
        "`tier`: exact (to the bit), alike (compressed or scaled), shape (the "
        "same outlines in other colours, as after a change of theme). Without "
        "a hit, `nearestScore` is the best score below `minScore` (0.92). "
        "Needs `ui.templateMatchingEnabled` in the configuration.",
    .flags = SQ_TOOL_BY_TEMPLATES | SQ_TOOL_BRIEF | SQ_TOOL_NEEDS_DEVICE
           | SQ_TOOL_ELEMENTS,
    SQ_ARGS(visual_find_image_args, visual_find_image_args),
    .output = "hits:objects count:int redacted?:int screenshotId:text "
              "untrusted?:bool",
    .check = check,
    .people = { .about = "Find a picture on the screen that squint remember "
                         "has kept.",
                .examples = { "visual-find-image cart" },
                .show = show,
                .is_done = sq_people_has_matches },
    .uses = SQ_USES_LOOKS | SQ_USE_TEMPLATES | SQ_USE_OUTPUT,
    .synonyms = "visual-find-image find-image find-icon template-match "
                "match-template locate-image",
    .example = "\"name\": \"cart\"",
    .run = visual_find_image_run,
};
