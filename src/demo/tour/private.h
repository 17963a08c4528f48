/* Declarations shared by the files of this folder only. */
#ifndef SQ_DEMO_TOUR_PRIVATE_H
#define SQ_DEMO_TOUR_PRIVATE_H

#include "demo/tour/tour.h"
#include "geom/view.h"
#include "image/measure/measure.h"
#include "json/reader.h"

/* Which picture the page shows beside a step. */
enum sq_tour_picture {
    SQ_TOUR_NO_PICTURE,
    SQ_TOUR_GIVEN, /* the one in the answer, which the model sees */
    SQ_TOUR_ACTED, /* two captured for the page: before the call and after it */
};

/* What the tour finds in the last picture, in place of a model. */
enum sq_tour_target {
    SQ_TOUR_NO_TARGET,
    SQ_TOUR_DISC,  /* x and y of the game's red disc */
    SQ_TOUR_SCORE, /* region of the game's score */
};

struct sq_tour_step {
    const char *part;      /* heading, if a new part starts here; or NULL */
    const char *operation; /* operation of the ui tool */
    const char *arguments; /* members of a JSON object, or "" */
    enum sq_tour_target target; /* arguments from the last picture instead */
    bool fails;                 /* the call is expected to fail */
    const char *why;            /* the agent's purpose */
    const char *says;           /* the answer in short, a template */
    enum sq_tour_picture picture;
    const char *file;   /* file name of that picture, or of the later one */
    const char *before; /* and of the earlier one */
};

extern const struct sq_tour_step sq_tour_steps[];
extern const size_t sq_tour_step_count;

/*
 * Opens or creates the folder, removes the files of an earlier tour, and marks
 * it as ours. *folder is set as soon as it is open, even on failure.
 */
bool sq_tour_folder_open(const char *path, int *folder, struct sq_err *err);

/* The cost of one call, or the sum of several. */
struct sq_tour_cost {
    int calls;
    int pictures;
    int64_t picture_bytes;
    int64_t text_bytes;
    int64_t picture_tokens;
    int64_t text_tokens; /* estimated, of calls and their answers */
    int64_t took_ns;
};

/* The record of one finished call, for output. */
struct sq_tour_record {
    const struct sq_tour_step *step;
    int number;
    struct sq_span arguments; /* members of a JSON object; may be empty */
    struct sq_span call;      /* the complete object */
    struct sq_span answer;    /* JSON */
    struct sq_span description;
    struct sq_size picture; /* its size; 0: no picture */
    struct sq_tour_cost cost;
    struct sq_tour_cost total; /* including this call */
};

/* Data about the whole tour, for the page. */
struct sq_tour_summary {
    struct sq_tour_cost total;
    const struct sq_token_profile *profile;
    struct sq_size device;
    const char *program;
};

/* Draws the point that was touched, if one was. */
void sq_tour_mark_touch(struct sq_image *image, const struct sq_json *answer);

/* Draws what changed, and the elements of an answer, onto a later picture. */
void sq_tour_mark_change(struct sq_image *image, const struct sq_json *answer);

/*
 * Returns the centre of the game's red disc in a picture, in place of a model.
 * Returns the centre of the picture if there is no disc.
 */
struct sq_img_pt sq_tour_find_disc(const struct sq_image *image);

/* Append the text of a call for the terminal and the page. */
bool sq_tour_print_step(const struct sq_tour_record *record, bool colour,
                        struct sq_buf *text, struct sq_buf *page,
                        struct sq_err *err);
bool sq_tour_print_end(const struct sq_tour_summary *summary,
                       const char *folder, bool colour, struct sq_buf *out,
                       struct sq_err *err);

/* Appends the record as a member of a JSON array, without its end. */
bool sq_tour_log_step(const struct sq_tour_record *record, struct sq_buf *out,
                      struct sq_err *err);

/* The templates of the page: page.html. Each begins with <!-- its name -->. */
extern const char sq_tour_page_text[];
extern const size_t sq_tour_page_text_size;

/* Appends the whole page; body is what sq_tour_print_step has written. */
bool sq_tour_page(const struct sq_tour_summary *summary, struct sq_span body,
                  struct sq_buf *out, struct sq_err *err);

/* Returns the token profile of the configured model. */
const struct sq_token_profile *sq_tour_profile(const struct sq_config *config);

#endif
