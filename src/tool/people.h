/*
 * Shows the replies of operations to people: what happened in one line, then a
 * table. An operation has its own way in its struct sq_people_view.
 */
#ifndef SQ_TOOL_PEOPLE_H
#define SQ_TOOL_PEOPLE_H

#include "geom/rect.h"
#include "json/reader.h"
#include "page/page.h"
#include "tool/tool.h"

/* One reply that is shown. */
struct sq_people {
    struct sq_page page;
    struct sq_buf *aside;   /* for standard error: problems, and remarks beside
                               data for another program */
    struct sq_arena *arena; /* for tables */
    const struct sq_json *reply;
    const struct sq_json *request; /* the arguments of the call; may be NULL */
    const char *file;    /* the picture was written there; NULL: it was not */
    struct sq_size size; /* of that picture; zero: as the reply says */
    size_t bytes;
};

/* Shows a reply, and the remarks that any reply may have. */
bool sq_people_show(const struct sq_tool *tool, struct sq_people *people,
                    struct sq_err *err);

/* Does the same for a reply among others, without the note on the device. */
bool sq_people_show_part(const struct sq_tool *tool, struct sq_people *people,
                         struct sq_err *err);

/* Returns whether the answer of an operation is positive. */
bool sq_people_is_done(const struct sq_tool *tool,
                       const struct sq_people *people);

/* Returns a member of a member: width of {"image":{"width":…}}. */
int sq_reply_int(const struct sq_json *reply, const char *object,
                 const char *member);

/* Prints " on ID" of the reply's device, if it has one, and ends the line. */
bool sq_people_end_line(struct sq_people *people, struct sq_err *err);

/*
 * Prints "2 places found" and the device, or `none` if the reply's `count` is
 * zero.
 */
bool sq_people_put_count(struct sq_people *people, const char *what,
                         const char *none, struct sq_err *err);

/*
 * Prints how many elements or apps there are, or that there are no more after
 * the offset, and ends the line; sq_people_put_more says how to see the others.
 */
bool sq_people_put_total(struct sq_people *people, const char *list,
                         const char *what, int count, struct sq_err *err);
bool sq_people_put_more(struct sq_people *people, struct sq_err *err);

/* Returns whether the offset is beyond the last of `list` in the reply. */
bool sq_reply_is_beyond(const struct sq_json *reply, const char *list);

/* Returns whether the reply's `count` is not zero. */
bool sq_people_has_matches(const struct sq_people *people);

/* Prints a faint line; nothing if it is empty. */
bool sq_people_put_remark(struct sq_people *people, struct sq_span text,
                          struct sq_err *err);

/* Prints the strings of a list, one per line. */
bool sq_people_put_lines(struct sq_people *people, const char *list,
                         enum sq_ink ink, struct sq_err *err);

/* A column of a table of objects, with the value of one member. */
struct sq_member_column {
    const char *title;  /* NULL ends a list of columns */
    const char *member; /* of each object; "a|b": b where there is no a */
    enum sq_ink ink;
    bool is_number;
};

/*
 * Appends the cell of a value: its text, number or size ("9x16"), the name of a
 * member that is true, or nothing.
 */
bool sq_table_add_value(struct sq_table *table, enum sq_ink ink,
                        const struct sq_json *value, struct sq_err *err);

/* Prints the objects of a list, or one object, as a table. */
bool sq_people_put_table(struct sq_people *people, const struct sq_json *list,
                         const struct sq_member_column *columns,
                         struct sq_err *err);

/*
 * Prints "Wrote FILE: 450x1000 pixels, 24 KB, 612 tokens." for the picture that
 * `info` describes; nothing if no file was written.
 */
bool sq_people_put_written(struct sq_people *people, const struct sq_json *info,
                           struct sq_err *err);

/* Prints how points are counted after the picture that `info` describes. */
bool sq_people_put_usage(struct sq_people *people, const struct sq_json *info,
                         struct sq_err *err);

/* Prints a list of elements in compact form, if the reply has one. */
bool sq_people_put_elements(struct sq_people *people, struct sq_err *err);

/* Prints at most that many elements in the form of find and wait, or one. */
bool sq_people_put_found(struct sq_people *people, const struct sq_json *list,
                         int most, struct sq_err *err);

/* Prints where a point is: "200,500 (480,1200 on the device)". */
bool sq_people_put_point(struct sq_people *people, const struct sq_json *point,
                         struct sq_err *err);

/* Ends the line of an action, and prints what its receipt has. */
bool sq_people_put_receipt(struct sq_people *people, struct sq_err *err);

/* Prints the line of an action (struct sq_people_view), and its receipt. */
bool sq_people_put_action(struct sq_people *people, const char *line,
                          struct sq_err *err);

#endif
