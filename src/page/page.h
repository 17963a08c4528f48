/*
 * Text for people: plain or coloured, with tables that fit the terminal.
 * Everything that is put on a page is escaped (util/utf8.h), so that text of a
 * device or file cannot control the terminal.
 */
#ifndef SQ_PAGE_PAGE_H
#define SQ_PAGE_PAGE_H

#include "args/optional.h"
#include "util/arena.h"
#include "util/buf.h"

struct sq_json;

/* The words of --color. */
enum sq_color {
    SQ_COLOR_AUTO, /* on a terminal, unless NO_COLOR is set */
    SQ_COLOR_ALWAYS,
    SQ_COLOR_NEVER,
};
extern const char *const sq_color_words[];

/* The row of --color for a command whose args have the field `color`. */
#define SQ_COLOR_ROW(args)                                                     \
    SQ_CHOICE(args, color, "color", sq_color_words,                            \
              "whether to print colours; auto: on a terminal",                 \
              .initial = "auto")

enum sq_ink {
    SQ_INK_PLAIN,
    SQ_INK_STRONG, /* titles */
    SQ_INK_FAINT,  /* remarks */
    SQ_INK_GOOD,
    SQ_INK_DOUBT, /* warnings, and what was not found */
    SQ_INK_BAD,
    SQ_INKS,
};

/* Where a text is printed. All zero: into a file, plain. */
struct sq_paper {
    bool color;
    size_t columns; /* 0: no limit */
};

/* Returns what standard output is, for the given --color (enum sq_color). */
struct sq_paper sq_paper_of_output(struct sq_opt_int color);

/* How the values of a template are escaped. */
enum sq_escape {
    SQ_ESCAPE_CONTROLS, /* for a terminal: util/utf8.h */
    SQ_ESCAPE_NOTHING,
    SQ_ESCAPE_HTML, /* a text may be broken after its commas */
};

/* A page in the making. The text is appended to out. */
struct sq_page {
    struct sq_buf *out;
    struct sq_paper paper;
    enum sq_escape escape;
};

/* Append text in that ink, escaped. The second has no newlines either. */
bool sq_page_printf(struct sq_page *page, enum sq_ink ink, struct sq_err *err,
                    const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool sq_page_put(struct sq_page *page, enum sq_ink ink, struct sq_span text,
                 struct sq_err *err);

/*
 * Appends a text and a newline. On a terminal it is broken at spaces, and
 * further lines begin with `indent` spaces. `used` is the number of columns in
 * front of it.
 */
bool sq_page_put_wrapped(struct sq_page *page, enum sq_ink ink, size_t used,
                         size_t indent, struct sq_span text,
                         struct sq_err *err);

/* Returns "" for one, "s" for any other number. */
const char *sq_plural(int64_t count);

/* Writes a size in bytes as "24 KB". */
#define SQ_BYTES_TEXT_SIZE 32
void sq_bytes_text(int64_t bytes, char out[SQ_BYTES_TEXT_SIZE]);

/*
 * Appends a template. {name} is a member of the values: {a.b} a member of the
 * object a, {a.0} the first item of the list a, {.} the value itself. A number
 * has a form: {n:s} is its plural, {n:KB} a size in bytes, {n:2} with two
 * digits after the point, {#n} grouped as 12,345; {path:file} is the name of a
 * file for display, {path:from} of one that is read. {name:-12} is filled with
 * spaces up to 12 columns. {=good} begins an ink, {=} ends it; {{ is a brace.
 * [name:text] is text if that value exists and is not false, 0 or empty,
 * [!name:text] if it is; [name=word:text] if the value is that word or number,
 * [!name=word:text] if not; {other} instead of the word is that member.
 * [*name:text] is text for each item of a list or object, with the item as
 * values and {@} its key; [*name|, :text] separates them.
 */
bool sq_page_fill(struct sq_page *page, struct sq_span template,
                  const struct sq_json *values, struct sq_err *err);

/*
 * Takes the next piece of a page that may be printed as it is: like
 * sq_plain_take, but the escape sequences of the inks pass.
 */
bool sq_page_take(struct sq_span *rest, char escape[16], struct sq_span *piece);

#define SQ_TABLE_COLUMNS 8

struct sq_column {
    const char *title; /* NULL ends a list of columns */
    bool is_number;    /* aligned to the right, never cut */
};

/* A table in the making. Zero it, then set arena, columns and whole. */
struct sq_table {
    struct sq_arena *arena; /* owns the cells */
    const struct sq_column *columns;
    /*
     * The title of a column that is never cut, and has a line of its own if the
     * others would be cut too much. NULL: none.
     */
    const char *whole;
    size_t width[SQ_TABLE_COLUMNS]; /* columns of the widest cell */
    struct sq_table_cell *first;
    struct sq_table_cell *last;
    size_t cells;
};

/* Appends the next cell: the table is filled row by row. */
bool sq_table_add(struct sq_table *table, enum sq_ink ink, struct sq_span text,
                  struct sq_err *err);
bool sq_table_printf(struct sq_table *table, enum sq_ink ink,
                     struct sq_err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/*
 * Prints the titles and all rows. Columns whose cells are all empty are left
 * out. If the table is wider than the page, the widest columns are cut; a cut
 * cell ends with an ellipsis. If that is not enough, the last columns are left
 * out, and a line below the table names them.
 */
bool sq_table_print(struct sq_table *table, struct sq_page *page,
                    struct sq_err *err);

#endif
