/* Frames of a session that another process continues. */
#include "session/session.h"

#include "support/test.h"

#define NOW 1700000000
#define PHONE "phone"

static const struct sq_screen screen = { .size = { 1080, 2400 },
                                         .density = 2.625,
                                         .app = "a.b" };

/* A process, and those that continue its session. */
static struct sq_session *first, *next, *third;

static void
stop(void) {
    sq_session_destroy(first);
    sq_session_destroy(next);
    sq_session_destroy(third);
    first = next = third = NULL;
}

static void
start(void) {
    const struct sq_session_options options = { .max_dimension = 1000 };
    stop();
    T_OK(sq_session_create(&options, &first, &t_err));
    T_OK(sq_session_create(&options, &next, &t_err));
    T_OK(sq_session_create(&options, &third, &t_err));
}

T_FIXTURE(start, stop);

static void
see(struct sq_session *session, int side, bool is_region) {
    struct sq_frame frame = {
        .device_id = PHONE,
        .view = sq_view_make(screen.size, sq_scaled_size(screen.size, side)),
        .app = "a.b",
        .is_region = is_region,
    };
    T_OK(sq_session_name_frame(session, &frame, &t_err));
    sq_session_add_frame(session, &frame);
}

static char text[1 << 16];

static struct sq_span
saved(struct sq_session *session) {
    T_BUF(out, sizeof(text));
    T_OK(sq_session_save(session, NOW, &out, &t_err));
    memcpy(text, out.data, out.len);
    struct sq_span span = { text, out.len };
    return span;
}

/* Cells of a grid can be tapped by the next command. */
T_CASE(grids_are_kept) {
    struct sq_frame frame = {
        .device_id = PHONE,
        .view = sq_view_make(screen.size, sq_scaled_size(screen.size, 1000)),
        .app = "a.b",
        .has_grid = true,
    };
    T_OK(sq_session_name_frame(first, &frame, &t_err));
    sq_session_add_frame(first, &frame);
    T_OK(sq_session_restore(next, NOW, saved(first), &t_err));
    T_OK(sq_session_grid_frame(next, PHONE, (struct sq_span){ 0 }, &screen,
                               &frame, &t_err));
    T_STR(frame.id, "s1");
    see(next, 800, false);
    T_FAILS(sq_session_grid_frame(next, PHONE, (struct sq_span){ 0 }, &screen,
                                  &frame, &t_err),
            SQ_ERR_STALE_SCREENSHOT);
}

/* Returns the longest side of the frame that points refer to; 0: an error. */
static int
side_of(struct sq_session *session, const char *id, enum sq_err_code *code) {
    struct sq_frame frame = { 0 };
    bool ok = sq_session_frame(session, PHONE, sq_span_of(id), &screen, &frame,
                               &t_err);
    *code = t_err.code;
    return ok ? frame.view.image.height : 0;
}

T_CASE(points_refer_to_the_latest_picture) {
    enum sq_err_code code;
    see(first, 800, false);
    see(first, 500, false);
    T_OK(sq_session_restore(next, NOW + 5, saved(first), &t_err));
    T_INT(side_of(next, "", &code), 500);
    T_INT(side_of(next, "s1", &code), 800);
    T_INT(side_of(next, "s3", &code), 0);
    T_INT(code, SQ_ERR_UNKNOWN_SCREENSHOT);
    see(next, 300, true); /* is s3 */
    T_INT(side_of(next, "", &code), 0);
    T_INT(code, SQ_ERR_AMBIGUOUS_FRAME);
    T_OK(sq_session_restore(third, NOW + 9, saved(next), &t_err));
    T_INT(side_of(third, "", &code), 0);
    T_INT(code, SQ_ERR_AMBIGUOUS_FRAME);
    T_INT(side_of(third, "s3", &code), 300);
    sq_session_leave_region(third, PHONE);
    T_INT(side_of(third, "", &code), 500);
}

/* Of many pictures only the newest are saved; ids go on counting. */
T_CASE(old_pictures_are_forgotten) {
    enum sq_err_code code;
    for (int i = 0; i < 80; i++) {
        see(first, 100 + i, false);
    }
    T_OK(sq_session_restore(next, NOW, saved(first), &t_err));
    T_INT(side_of(next, "s64", &code), 0);
    T_INT(side_of(next, "s65", &code), 164);
    T_INT(side_of(next, "s80", &code), 179);
    see(next, 500, false);
    T_INT(side_of(next, "s81", &code), 500);
    /* After a day nothing counts, nor what is from the future. */
    static const int64_t times[] = { NOW + SQ_SESSION_MAX_AGE_S + 1, NOW - 1 };
    for (size_t i = 0; i < 2; i++) {
        start();
        see(first, 500, false);
        T_OK(sq_session_restore(next, times[i], saved(first), &t_err));
        T_INT(side_of(next, "", &code), 1000); /* the default */
    }
}

static void
find(struct sq_session *session) {
    static const struct sq_session_hit hits[] = {
        { "first-reference", { 10, 20, 30, 40 }, "12 34" },
        { "second-reference", { 1, 2, 3, 4 }, "" },
    };
    static const char refs[2][SQ_REF_SIZE] = { "cell-one", "cell-two" };
    sq_session_set_hits(session, sq_session_number_hits(session, 2), hits, 2);
    sq_session_set_sheet(session, refs, 2);
    sq_session_set_shown(session, SQ_SPAN("small"), (struct sq_size){ 77, 88 },
                         (struct sq_region){ 0 });
    sq_session_set_shown(session, SQ_SPAN("part"), (struct sq_size){ 50, 60 },
                         (struct sq_region){ 5, 6, 500, 600 });
}

/* The next command can use pixels of the picture that this one returned. */
T_CASE(sizes_of_returned_pictures_are_kept) {
    struct sq_size image;
    struct sq_region part;
    find(first);
    T_OK(sq_session_restore(next, NOW, saved(first), &t_err));
    T_OK(sq_session_shown(next, SQ_SPAN("small"), &image, &part, &t_err));
    T_INT(image.width, 77);
    T_INT(image.height, 88);
    T_INT(part.width, 0);
    T_OK(sq_session_shown(next, SQ_SPAN("part"), &image, &part, &t_err));
    T_INT(image.width, 50);
    T_INT(part.x, 5);
    T_INT(part.height, 600);
    for (int i = 0; i < 40; i++) {
        char ref[SQ_REF_SIZE];
        snprintf(ref, sizeof(ref), "ref%d", i);
        sq_session_set_shown(next, sq_span_of(ref), image, part);
    }
    T_OK(sq_session_restore(first, NOW, saved(next), &t_err));
    T_OK(sq_session_shown(first, SQ_SPAN("ref39"), &image, &part, &t_err));
    T(!sq_session_shown(first, SQ_SPAN("ref3"), &image, &part, &t_err));
}

T_CASE(hits_and_cells_are_kept) {
    struct sq_session_hit hit;
    char ref[SQ_REF_SIZE];
    find(first);
    T_OK(sq_session_restore(next, NOW, saved(first), &t_err));
    T_OK(sq_session_get_hit(next, 2, &hit, &t_err));
    T_STR(hit.ref, "second-reference");
    T_INT(hit.box.bottom, 4);
    T_STR(hit.state, "");
    T_OK(sq_session_get_hit(next, 1, &hit, &t_err));
    T_STR(hit.state, "12 34");
    T(!sq_session_get_hit(next, 3, &hit, &t_err));
    /* The numbers go on, and those of the search before are refused. */
    find(next);
    T_OK(sq_session_get_hit(next, 3, &hit, &t_err));
    T_STR(hit.ref, "first-reference");
    T_FAILS(sq_session_get_hit(next, 1, &hit, &t_err),
            SQ_ERR_UNKNOWN_SCREENSHOT);
    T_STR(t_err.message, "hit 1 is one of an earlier search");
    T_OK(sq_session_sheet_cell(next, 1, ref, &t_err));
    T_STR(ref, "cell-one");
    T(!sq_session_sheet_cell(next, 3, ref, &t_err));
}

T_CASE(other_texts_are_refused) {
    static const struct {
        const char *from;
        const char *to;
    } changes[] = {
        { "\"squintSession\":1", "\"squintSession\":2" },
        { "\"squintSession\":1", "\"other\":1" },
        { "\"lastId\":1", "\"lastId\":-1" },
        { "\"id\":\"s1\"", "\"id\":\"x1\"" },
        { "\"device\":\"phone\"", "\"device\":\"\"" },
        { "\"device\":\"phone\"", "\"device\":5" },
        { "[1080,2400,", "[0,2400," },
        { "[1080,2400,", "[-1,2400," },
        { "[1080,2400,", "[1080,99999999," },
        { "[1080,2400,", "[2400," },
        { ",0,0,1080,2400,", ",0,0,1081,2400," },
        { ",0,0,1080,2400,", ",9,0,9,2400," },
        { "\"frames\":[", "\"frames\":[1," },
        { "\"devices\":[", "\"devices\":[1," },
        { "\"hits\":[", "\"hits\":[1," },
        { "first-reference",
          "a-reference-that-is-longer-than-any-reference-can-be" },
        { "[10,20,30,40]", "[10,20,30]" },
        { "[10,20,30,40]", "[10,20,30,-40]" },
        { "\"cells\":[", "\"cells\":[1," },
        { "\"shown\":[", "\"shown\":[1," },
        { "[77,88,", "[0,88," },
        { "[77,88,", "[88," },
        { ",500,600]", ",0,600]" },
    };
    static char changed[sizeof(text)];
    enum sq_err_code code;
    T_EACH(i, changes) {
        start();
        see(first, 500, false);
        find(first);
        struct sq_span state = saved(first);
        text[state.len] = '\0';
        const char *at = strstr(text, changes[i].from);
        if (T(at != NULL)) {
            snprintf(changed, sizeof(changed), "%.*s%s%s", (int)(at - text),
                     text, changes[i].to, at + strlen(changes[i].from));
            T(!sq_session_restore(next, NOW, sq_span_of(changed), &t_err));
            T_INT(side_of(next, "", &code), 1000); /* unchanged */
        }
    }
}
