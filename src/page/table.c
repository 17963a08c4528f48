/* Aligns the cells of a table and cuts them to the width of the page. */
#include "page/page.h"

#include <stdarg.h>
#include <stdio.h>

#include "page/width.h"
#include "util/minmax.h"
#include "util/utf8.h"

#define MAX_CELL_BYTES 2048 /* of one cell, escaped */
#define INDENT 2
#define GAP 2
#define LEAST_WIDTH 8 /* columns are not cut below this */
#define LEAST_TITLE 4 /* titles are not cut below this */
/* If a column would be cut to less, a whole one gets a line of its own. */
#define LEAST_BESIDE_WHOLE 30
#define OWN_LINE_INDENT 6
#define ELLIPSIS "\xe2\x80\xa6"

/* One cell; its text is escaped. */
struct sq_table_cell {
    struct sq_table_cell *next;
    struct sq_span text;
    size_t width;
    enum sq_ink ink;
};

static size_t
column_count(const struct sq_table *table) {
    size_t count = 0;
    while (count < SQ_TABLE_COLUMNS && table->columns[count].title) {
        count++;
    }
    return count;
}

/* Copies the text into the arena, escaped and shortened. */
static bool
keep_escaped(struct sq_table *table, struct sq_span text, struct sq_span *out,
             struct sq_err *err) {
    struct sq_buf escaped;
    sq_buf_init(&escaped, 8 * MAX_CELL_BYTES);
    text.len = sq_min_size(text.len, MAX_CELL_BYTES);
    bool ok = sq_plain_append(text, false, &escaped, err);
    *out = sq_buf_span(&escaped);
    ok = ok && sq_arena_keep(table->arena, out, err);
    sq_buf_finish(&escaped);
    return ok;
}

bool
sq_table_add(struct sq_table *table, enum sq_ink ink, struct sq_span text,
             struct sq_err *err) {
    struct sq_table_cell *cell =
        sq_arena_alloc(table->arena, 1, sizeof(*cell), err);
    if (!cell) {
        return false;
    }
    *cell = (struct sq_table_cell){ .ink = ink };
    if (!keep_escaped(table, text, &cell->text, err)) {
        return false;
    }
    cell->width = sq_text_columns(cell->text);
    size_t at = table->cells++ % column_count(table);
    table->width[at] = sq_max_size(table->width[at], cell->width);
    if (table->last) {
        table->last->next = cell;
    } else {
        table->first = cell;
    }
    table->last = cell;
    return true;
}

bool
sq_table_printf(struct sq_table *table, enum sq_ink ink, struct sq_err *err,
                const char *format, ...) {
    char text[MAX_CELL_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return sq_table_add(table, ink, sq_span_of(text), err);
}

/* The columns as they are printed. */
struct layout {
    size_t count;
    size_t width[SQ_TABLE_COLUMNS]; /* 0: left out */
    size_t last;                    /* the last column that is printed */
    size_t own_line; /* the column with its own line, or SQ_TABLE_COLUMNS */
};

static size_t
total_width(const struct layout *layout) {
    size_t total = INDENT;
    for (size_t i = 0; i < layout->count; i++) {
        total +=
            layout->width[i] + (layout->width[i] && i < layout->last ? GAP : 0);
    }
    return total;
}

static bool
is_whole(const struct sq_table *table, size_t at) {
    return table->whole && strcmp(table->columns[at].title, table->whole) == 0;
}

/* Returns the widest column that may be cut, or SQ_TABLE_COLUMNS. */
static size_t
widest(const struct sq_table *table, const struct layout *layout) {
    size_t found = SQ_TABLE_COLUMNS;
    for (size_t i = 0; i < layout->count; i++) {
        const struct sq_column *column = &table->columns[i];
        bool may_cut = !column->is_number && !is_whole(table, i)
                    && layout->width[i] > LEAST_WIDTH;
        if (may_cut
            && (found == SQ_TABLE_COLUMNS
                || layout->width[i] > layout->width[found])) {
            found = i;
        }
    }
    return found;
}

/* Returns the width of a column that is not cut; 0: it is empty. */
static size_t
natural_width(const struct sq_table *table, size_t at) {
    size_t title = sq_text_columns(sq_span_of(table->columns[at].title));
    size_t width = table->width[at];
    return width > 0 ? sq_max_size(width, title) : 0;
}

/* Returns by how much a column is wider than its cells because of its title. */
static size_t
title_surplus(const struct sq_table *table, const struct layout *layout,
              size_t at) {
    size_t least = sq_max_size(table->width[at], LEAST_TITLE);
    return layout->width[at] > least ? layout->width[at] - least : 0;
}

/* Cuts titles if that is enough for the cells to stay whole. */
static void
cut_titles(const struct sq_table *table, size_t columns,
           struct layout *layout) {
    size_t excess = total_width(layout) - columns;
    size_t surplus = 0;
    for (size_t i = 0; i < layout->count; i++) {
        surplus += title_surplus(table, layout, i);
    }
    for (size_t i = 0; i < layout->count && surplus >= excess; i++) {
        size_t cut = sq_min_size(title_surplus(table, layout, i), excess);
        layout->width[i] -= cut;
        excess -= cut;
        surplus -= cut;
    }
}

/*
 * Lays out the first `shown` columns but the one with its own line. Returns
 * whether they fit.
 */
static bool
fit_columns(const struct sq_table *table, size_t shown, size_t columns,
            size_t own_line, struct layout *out) {
    *out =
        (struct layout){ .count = column_count(table), .own_line = own_line };
    for (size_t i = 0; i < shown; i++) {
        out->width[i] = i == own_line ? 0 : natural_width(table, i);
        out->last = out->width[i] > 0 ? i : out->last;
    }
    if (columns > 0 && total_width(out) > columns) {
        cut_titles(table, columns, out);
    }
    while (columns > 0 && total_width(out) > columns) {
        size_t cut = widest(table, out);
        if (cut == SQ_TABLE_COLUMNS) {
            return false;
        }
        out->width[cut]--;
    }
    return true;
}

/*
 * Returns the column that must stay whole if others would be cut too short
 * beside it, or SQ_TABLE_COLUMNS.
 */
static size_t
find_own_line(const struct sq_table *table, size_t columns) {
    struct layout layout;
    size_t whole = SQ_TABLE_COLUMNS;
    bool is_cut = !fit_columns(table, column_count(table), columns,
                               SQ_TABLE_COLUMNS, &layout);
    for (size_t i = 0; i < layout.count; i++) {
        size_t least = natural_width(table, i);
        least = sq_min_size(least, LEAST_BESIDE_WHOLE);
        whole = is_whole(table, i) ? i : whole;
        is_cut = is_cut || layout.width[i] < least;
    }
    return is_cut ? whole : SQ_TABLE_COLUMNS;
}

/* Leaves out the last columns if they do not fit. The first one stays. */
static struct layout
lay_out(const struct sq_table *table, size_t columns) {
    struct layout layout;
    size_t own_line = find_own_line(table, columns);
    size_t least = own_line == 0 ? 2 : 1;
    size_t shown = column_count(table);
    while (!fit_columns(table, shown, columns, own_line, &layout)
           && shown > least) {
        shown--;
    }
    return layout;
}

/* Names the columns that were left out because the page is too narrow. */
static bool
put_left_out(const struct sq_table *table, const struct layout *layout,
             struct sq_page *page, struct sq_err *err) {
    bool ok = true;
    bool is_first = true;
    for (size_t i = 0; ok && i < layout->count; i++) {
        if (table->width[i] > 0 && layout->width[i] == 0
            && i != layout->own_line) {
            ok = sq_page_printf(page, SQ_INK_FAINT, err, "%s%s",
                                is_first ? "  Too narrow for " : ", ",
                                table->columns[i].title);
            is_first = false;
        }
    }
    return ok && (is_first || sq_buf_append(page->out, "\n", 1, err));
}

/* One line in the making. Spaces are held back: none are at its end. */
struct line {
    struct sq_page *page;
    size_t spaces;
};

static bool
put_cell(struct line *line, const struct sq_table_cell *cell, size_t width,
         bool is_number, struct sq_err *err) {
    struct sq_span text = cell->text;
    size_t used = cell->width;
    bool is_cut = used > width;
    if (is_cut) {
        text.len = sq_text_fit(text, width - 1);
        used = sq_text_columns(text) + 1;
    }
    if (used == 0) {
        line->spaces += width + GAP;
        return true;
    }
    size_t fill = width - used;
    int before = (int)(line->spaces + (is_number ? fill : 0));
    line->spaces = GAP + (is_number ? 0 : fill);
    return sq_buf_printf(line->page->out, err, "%*s", before, "")
        && sq_page_put(line->page, cell->ink, text, err)
        && (!is_cut || sq_buf_printf(line->page->out, err, ELLIPSIS));
}

/* Prints the cell of the column that has its own line, if there is one. */
static bool
put_own_line(const struct sq_table_cell *cell, struct sq_page *page,
             struct sq_err *err) {
    if (!cell || cell->width == 0) {
        return true;
    }
    struct line line = { page, OWN_LINE_INDENT };
    return put_cell(&line, cell, cell->width, false, err)
        && sq_buf_append(page->out, "\n", 1, err);
}

static bool
put_titles(const struct sq_table *table, const struct layout *layout,
           struct sq_page *page, struct sq_err *err) {
    struct line line = { page, INDENT };
    struct sq_table_cell own_line = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < layout->count; i++) {
        const struct sq_column *column = &table->columns[i];
        const struct sq_span title = sq_span_of(column->title);
        const struct sq_table_cell cell = { .text = title,
                                            .width = sq_text_columns(title),
                                            .ink = SQ_INK_FAINT };
        own_line = i == layout->own_line ? cell : own_line;
        ok = layout->width[i] == 0
          || put_cell(&line, &cell, layout->width[i], column->is_number, err);
    }
    return ok && sq_buf_append(page->out, "\n", 1, err)
        && put_own_line(&own_line, page, err);
}

/* Prints one row and moves *cell to the next one. */
static bool
put_row(const struct sq_table *table, const struct layout *layout,
        const struct sq_table_cell **cell, struct sq_page *page,
        struct sq_err *err) {
    struct line line = { page, INDENT };
    const struct sq_table_cell *own_line = NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < layout->count && *cell; i++) {
        own_line = i == layout->own_line ? *cell : own_line;
        ok = layout->width[i] == 0
          || put_cell(&line, *cell, layout->width[i],
                      table->columns[i].is_number, err);
        *cell = (*cell)->next;
    }
    return ok && sq_buf_append(page->out, "\n", 1, err)
        && put_own_line(own_line, page, err);
}

bool
sq_table_print(struct sq_table *table, struct sq_page *page,
               struct sq_err *err) {
    const struct layout layout = lay_out(table, page->paper.columns);
    const struct sq_table_cell *cell = table->first;
    bool ok = !cell || put_titles(table, &layout, page, err);
    while (ok && cell) {
        ok = put_row(table, &layout, &cell, page, err);
    }
    return ok && put_left_out(table, &layout, page, err);
}
