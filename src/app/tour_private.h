/* What the files of the tour share; nobody else includes this. */
#ifndef SQ_APP_TOUR_PRIVATE_H
#define SQ_APP_TOUR_PRIVATE_H

#include "app/tour.h"
#include "geom/view.h"
#include "image/image.h"
#include "image/tokens.h"
#include "json/value.h"
#include "util/span.h"

/* Which picture stands beside a step. */
enum sq_tour_picture {
    SQ_TOUR_NO_PICTURE,
    SQ_TOUR_GIVEN,  /* the one in the answer: what the model sees */
    SQ_TOUR_BEFORE, /* taken for the reader, before the call */
    SQ_TOUR_AFTER,  /* taken for the reader, after it */
};

/* What a model would find in the last picture it got. */
enum sq_tour_eyes {
    SQ_TOUR_BLIND,
    SQ_TOUR_DISC,  /* the game's red disc, as x and y */
    SQ_TOUR_SCORE, /* where the game keeps its score, as a region */
};

/* Say in a few words what an answer holds. */
typedef bool sq_tour_say(const struct sq_json *answer, struct sq_buf *out,
                         struct sq_err *err);

struct sq_tour_step {
    const char *part;       /* the heading of the part that begins; or NULL */
    const char *operation;  /* of ui */
    const char *arguments;  /* members of a JSON object, or "" */
    enum sq_tour_eyes eyes; /* instead: what the last picture shows */
    bool fails;             /* the device refuses, which is the point */
    const char *why;        /* what the agent is after */
    sq_tour_say *say;
    enum sq_tour_picture picture;
    const char *file; /* the name of that picture */
};

extern const struct sq_tour_step sq_tour_steps[];
extern const size_t sq_tour_step_count;

/* What calls have cost; a sum, or one of them. */
struct sq_tour_cost {
    int calls;
    int pictures;
    int64_t picture_bytes;
    int64_t text_bytes;
    int64_t picture_tokens;
    int64_t text_tokens; /* estimated */
    int64_t took_ns;
};

/* One call that was made, as it is told. */
struct sq_tour_scene {
    const struct sq_tour_step *step;
    int number;
    struct sq_span arguments; /* members of a JSON object; may be empty */
    struct sq_span call;      /* the whole object */
    struct sq_span answer;    /* JSON */
    struct sq_span said;
    struct sq_size picture; /* its size; 0: there is none */
    struct sq_tour_cost cost;
    struct sq_tour_cost total; /* with this one */
};

/* What the page says about the tour as a whole. */
struct sq_tour_summary {
    struct sq_tour_cost total;
    const struct sq_token_profile *profile;
    struct sq_size device;
    const char *program;
};

/*
 * Draw what an answer is about onto the picture: elements, the point that was
 * touched and, on a picture taken afterwards, what changed.
 */
void sq_tour_mark(struct sq_image *image, const struct sq_json *answer,
                  bool afterwards);

/*
 * The middle of the game's red disc in a picture: the part that needs eyes.
 * The middle of the picture if there is none.
 */
struct sq_img_pt sq_tour_aim(const struct sq_image *image);

/* Append what the terminal and the page say about a call. */
bool sq_tour_tell(const struct sq_tour_scene *scene, bool colour,
                  struct sq_buf *out, struct sq_err *err);
bool sq_tour_tell_end(const struct sq_tour_summary *summary, const char *folder,
                      bool colour, struct sq_buf *out, struct sq_err *err);

bool sq_tour_page_step(const struct sq_tour_scene *scene, struct sq_buf *out,
                       struct sq_err *err);

/* Append the whole page; body is what sq_tour_page_step made. */
bool sq_tour_page(const struct sq_tour_summary *summary, struct sq_span body,
                  struct sq_buf *out, struct sq_err *err);

/* "12,345", for people. */
#define SQ_TOUR_NUMBER_SIZE 32
const char *sq_tour_number(int64_t value, char out[SQ_TOUR_NUMBER_SIZE]);

/* Which model's way of counting, in a few words. */
const struct sq_token_profile *sq_tour_profile(const struct sq_config *config);

/*
 * Append the entry of a client's configuration on one line, with section as
 * the key around it: "mcpServers" or "servers".
 */
bool sq_tour_entry(const char *section, const char *program, struct sq_buf *out,
                   struct sq_err *err);

/* Append the command that tells Claude Code about the program. */
bool sq_tour_command(const char *program, struct sq_buf *out,
                     struct sq_err *err);

#endif
