#include "vision/reader.h"

#include <signal.h>
#include <unistd.h>

#include "image/pipeline/codec.h"
#include "support/scratch.h"
#include "support/test.h"
#include "support/text_page.h"
#include "sys/file.h"
#include "vision/match.h"

static const struct sq_rect page_area = { 0, 0, 1080, 1000 };

static struct sq_reader *
create(const char *program, const char *language) {
    const struct sq_reader_options options = { program, language, 2 };
    struct sq_reader *reader = NULL;
    T_OK(sq_reader_create(&options, &reader, &t_err));
    return reader;
}

/* Reads a page; marks the case skipped if this machine cannot read. */
static bool
has_unread_line(const struct sq_text *text) {
    bool has = false;
    for (int i = 0; i < text->count; i++) {
        has = has || !text->lines[i].is_read;
    }
    return has;
}

/*
 * On a busy machine the time for a line can end; a page is then read again, of
 * which only such lines are recognised.
 */
static bool
read_page(struct sq_reader *reader, const struct sq_image *image,
          struct sq_text *text) {
    const struct sq_read_plan plan = { .area = page_area };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    bool ok = sq_reader_read(reader, image, &plan, &deadline, text, &t_err);
    for (int tries = 0; ok && tries < 5 && has_unread_line(text); tries++) {
        int recognised = text->recognised;
        sq_text_finish(text);
        ok = sq_reader_read(reader, image, &plan, &deadline, text, &t_err);
        text->recognised += recognised;
    }
    return !t_skips_reading(ok, &t_err) && T_OK(ok);
}

static bool
has_word(const struct sq_text *text, const struct t_page_word *word) {
    for (int i = 0; i < text->count; i++) {
        const struct sq_words_of_line *words = &text->lines[i].words;
        for (int k = 0; k < words->count; k++) {
            struct sq_rect box = words->items[k].box;
            if (sq_span_is(words->items[k].text, word->text)
                && sq_rect_contains(word->box, (box.left + box.right) / 2,
                                    (box.top + box.bottom) / 2)) {
                return true;
            }
        }
    }
    return false;
}

static int
count_words(const struct sq_text *text) {
    int count = 0;
    for (int i = 0; i < text->count; i++) {
        count += text->lines[i].words.count;
    }
    return count;
}

T_CASE(drawn_pages_are_read) {
    struct sq_reader *reader = create(t_made_path("../squint"), "eng");
    int words = 0;
    int exact = 0;
    int reported = 0;
    for (unsigned seed = 1; seed <= 2; seed++) {
        struct t_text_page page;
        T_FREED(sq_text_finish) struct sq_text text = { 0 };
        t_text_page_draw(seed, &page);
        if (read_page(reader, &page.image, &text)) {
            for (int i = 0; i < page.count; i++) {
                exact += has_word(&text, &page.words[i]);
            }
            words += page.count;
            reported += count_words(&text);
        }
        t_text_page_finish(&page);
    }
    T(exact * 100 >= words * 95);
    T(reported * 100 <= words * 106);
    sq_reader_destroy(reader);
}

/* Returns whether a word counts as inside a region, as the manual says. */
static bool
is_word_inside(struct sq_rect region, struct sq_rect box) {
    int left = box.left > region.left ? box.left : region.left;
    int right = box.right < region.right ? box.right : region.right;
    double x = (box.left + box.right) / 2;
    double y = (box.top + box.bottom) / 2;
    return right - left >= 0.6 * (box.right - box.left) && x >= region.left
        && x < region.right && y >= region.top && y < region.bottom;
}

/* Checks that a region has the words that the whole picture has there. */
static int
check_region(const struct sq_text *all, const struct sq_text *part,
             struct sq_rect region) {
    int inside = 0;
    for (int i = 0; i < all->count; i++) {
        const struct sq_words_of_line *words = &all->lines[i].words;
        for (int k = 0; k < words->count; k++) {
            char text[100];
            const struct t_page_word word = { text, words->items[k].box, 0 };
            snprintf(text, sizeof(text), "%.*s",
                     SQ_SPAN_ARGS(words->items[k].text));
            if (is_word_inside(region, word.box)) {
                inside++;
                if (!T(has_word(part, &word))) {
                    printf("# %s\n", text);
                }
            }
        }
    }
    T_INT(count_words(part), inside);
    return inside;
}

/* The edges of regions cut words everywhere; none becomes another word. */
static void
check_regions(struct sq_reader *reader, const struct sq_image *image,
              const struct sq_text *all) {
    int words = 0;
    for (int left = 20; left < 700; left += 133) {
        struct sq_rect region = { left, left, left + 250, left + 200 };
        const struct sq_read_plan plan = { .area = region };
        struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
        T_FREED(sq_text_finish) struct sq_text part = { 0 };
        T_OK(sq_reader_read(reader, image, &plan, &deadline, &part, &t_err));
        T_INT(part.recognised, 0); /* the lines are the same */
        T(part.count < all->count);
        words += check_region(all, &part, region);
    }
    T(words > 20);
}

T_CASE(known_lines_and_regions_are_not_read_again) {
    struct sq_reader *reader = create(t_made_path("../squint"), "eng");
    struct t_text_page page;
    struct sq_text first = { 0 };
    struct sq_text second = { 0 };
    t_text_page_draw(4, &page);
    if (read_page(reader, &page.image, &first)
        && read_page(reader, &page.image, &second)) {
        T(first.recognised > 3);
        T_INT(second.recognised, 0);
        T(second.known >= first.recognised);
        T_INT(count_words(&first), count_words(&second));
        check_regions(reader, &page.image, &first);
        /* Scrolled: the same lines at other places. */
        memmove(page.image.pixels, sq_image_row(&page.image, 101),
                page.image.stride * 899);
        memset(sq_image_row(&page.image, 899), 255, page.image.stride * 101);
        sq_text_finish(&second);
        read_page(reader, &page.image, &second);
        T(second.recognised * 10 <= first.recognised * 4);
    }
    sq_text_finish(&first);
    sq_text_finish(&second);
    t_text_page_finish(&page);
    sq_reader_destroy(reader);
}

/* Returns whether a process has a filter of system calls and gets no rights. */
static bool
is_confined(int pid) {
    char path[64];
    char text[4096] = "";
    snprintf(path, sizeof(path), "/proc/%d/status", pid);
    FILE *file = fopen(path, "r");
    if (!file) {
        return false;
    }
    size_t len = fread(text, 1, sizeof(text) - 1, file);
    text[len] = '\0';
    fclose(file);
    return strstr(text, "\nSeccomp:\t2\n")
        && strstr(text, "\nNoNewPrivs:\t1\n");
}

static bool
all_are_read(const struct sq_text *text) {
    for (int i = 0; i < text->count; i++) {
        if (!text->lines[i].is_read) {
            return false;
        }
    }
    return true;
}

T_CASE(killed_workers_are_started_again) {
    struct sq_reader *reader = create(t_made_path("../squint"), "eng");
    struct t_text_page page;
    struct sq_text text = { 0 };
    t_text_page_draw(5, &page);
    if (read_page(reader, &page.image, &text)) {
        int pids[8];
        int count = sq_reader_pids(reader, pids, 8);
        T(count > 0);
        for (int i = 0; i < count; i++) {
            T(is_confined(pids[i]));
            kill(pids[i], SIGKILL);
        }
        struct t_text_page other;
        t_text_page_draw(6, &other);
        sq_text_finish(&text);
        T(read_page(reader, &other.image, &text));
        T(text.recognised > 0);
        T_INT(text.unreadable, 0);
        T(all_are_read(&text));
        t_text_page_finish(&other);
    }
    sq_text_finish(&text);
    t_text_page_finish(&page);
    sq_reader_destroy(reader);
}

static bool
has_phrase(const void *context, const struct sq_text *text) {
    struct sq_text_matches matches;
    return sq_match_find(text, context, &matches, &t_err) && matches.count;
}

T_CASE(reading_stops_when_it_is_enough) {
    struct sq_reader *reader = create(t_made_path("../squint"), "eng");
    struct t_text_page page;
    struct sq_text text = { 0 };
    struct sq_arena arena;
    struct sq_phrase phrase;
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    t_text_page_draw(1, &page);
    sq_arena_init(&arena, 100000);
    T_OK(sq_phrase_init(&phrase, sq_span_of(page.words[0].text), &arena,
                        &t_err));
    const struct sq_read_plan plan = {
        .area = page_area,
        .is_enough = has_phrase,
        .context = &phrase,
    };
    bool ok =
        sq_reader_read(reader, &page.image, &plan, &deadline, &text, &t_err);
    if (!t_skips_reading(ok, &t_err) && T_OK(ok)) {
        T(text.recognised < page.lines / 2);
        T(has_phrase(&phrase, &text));
    }
    sq_text_finish(&text);
    sq_arena_finish(&arena);
    t_text_page_finish(&page);
    sq_reader_destroy(reader);
}

T_CASE(likely_lines_are_read_first) {
    struct sq_reader *reader = create(t_made_path("../squint"), "eng");
    struct t_text_page page;
    struct sq_text text = { 0 };
    struct sq_arena arena;
    struct sq_text_search search;
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    t_text_page_draw(1, &page);
    const char *wanted = page.words[page.count - 1].text;
    sq_arena_init(&arena, 100000);
    T_OK(sq_text_search_init(&search, sq_span_of(wanted), 1, &arena, &t_err));
    struct sq_read_plan plan = sq_text_search_plan(&search);
    plan.area = page_area;
    bool ok =
        sq_reader_read(reader, &page.image, &plan, &deadline, &text, &t_err);
    if (!t_skips_reading(ok, &t_err) && T_OK(ok)) {
        /* From top to bottom it would be the last line. */
        T(text.recognised * 2 < page.lines);
        T(has_phrase(&search.phrase, &text));
    }
    sq_text_finish(&text);
    sq_arena_finish(&arena);
    t_text_page_finish(&page);
    sq_reader_destroy(reader);
}

T_CASE(missing_programs_and_languages_are_errors) {
    static const struct {
        const char *program; /* NULL: squint */
        const char *language;
        enum sq_err_code code;
    } cases[] = {
        { "/nonexistent/squint", "eng", SQ_ERR_IO },
        { "/bin/true", "eng", SQ_ERR_IO },
        { NULL, "no_such_language", SQ_ERR_UNSUPPORTED },
    };
    T_FREED(t_text_page_finish) struct t_text_page page = { 0 };
    t_text_page_draw(1, &page);
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        const struct sq_read_plan plan = { .area = page_area };
        struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
        struct sq_text text = { 0 };
        struct sq_reader *reader = create(
            cases[i].program ? cases[i].program : t_made_path("../squint"),
            cases[i].language);
        T_FAILS(sq_reader_read(reader, &page.image, &plan, &deadline, &text,
                               &t_err),
                cases[i].code);
        T(t_err.hint[0] || cases[i].code == SQ_ERR_IO);
#ifdef SQ_HAVE_TESSERACT
        if (cases[i].code == SQ_ERR_UNSUPPORTED
            && strstr(t_err.message, "data for the language")) {
            T(strstr(t_err.message, "tesseract-ocr-no-such-language)") != NULL);
        }
#endif
        sq_reader_destroy(reader);
    }
}

/* Copies the data of English to a folder, under another name. */
static bool
copy_data(const char *name) {
    static const char from[] =
        "/usr/share/tesseract-ocr/5/tessdata/eng.traineddata";
    T_BUF(data, 64 << 20);
    bool ok = sq_file_read(from, 64 << 20, &data, NULL);
    if (ok) {
        t_put(t_scratch_path(name), data.data, data.len);
    } else {
        t_skip("Tesseract's data is in another folder");
    }
    return ok;
}

/* Reads a page in these languages; returns how many of its words are right. */
static int
count_right(const struct t_text_page *page, const char *languages) {
    struct sq_reader *reader = create(t_made_path("../squint"), languages);
    T_FREED(sq_text_finish) struct sq_text text = { 0 };
    int right = 0;
    if (read_page(reader, &page->image, &text)) {
        for (int i = 0; i < page->count; i++) {
            right += has_word(&text, &page->words[i]);
        }
    }
    sq_reader_destroy(reader);
    return right;
}

T_CASE(several_languages_are_read) {
    struct t_text_page page;
    t_scratch_start();
    setenv("TESSDATA_PREFIX", t_scratch(), 1);
    t_text_page_draw(1, &page);
    if (copy_data("other.traineddata")) {
        int right = count_right(&page, "eng+other");
        T(right * 100 >= page.count * 95);
        T_INT(right, count_right(&page, "other"));
    }
    t_text_page_finish(&page);
    unsetenv("TESSDATA_PREFIX");
    t_scratch_end();
}

/* Letters that English does not have. */
T_CASE(the_surest_language_of_a_line_is_taken) {
    static const char *const lines[] = {
        "Gr\xc3\xb6\xc3\x9f"
        "e \xc3\xbc"
        "ber f\xc3\xbcnf Stra\xc3\x9f"
        "en",
        "The quick brown fox jumps",
    };
    static const char *const wanted[] = { "f\xc3\xbcnf", "quick", "jumps" };
    struct sq_reader *reader = create(t_made_path("../squint"), "eng+deu");
    T_FREED(sq_text_finish) struct sq_text text = { 0 };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    t_text_lines_write((struct sq_size){ 1080, 1000 }, 32, lines, 2, &bytes);
    T_OK(sq_image_decode(bytes.data, bytes.len, &sq_limits_default, &image,
                         &t_err));
    if (read_page(reader, &image, &text)) {
        for (size_t i = 0; i < 3; i++) {
            T(has_word(&text,
                       &(struct t_page_word){ wanted[i], page_area, 0 }));
        }
    }
    sq_reader_destroy(reader);
}

T_CASE(names_with_slashes_are_no_languages) {
    T(sq_recogniser_is_language("chi_sim"));
    T(sq_recogniser_is_language("eng+deu"));
    T(sq_recogniser_is_language("a+b+c+d"));
    T(!sq_recogniser_is_language("a+b+c+d+e"));
    T(!sq_recogniser_is_language("eng+"));
    T(!sq_recogniser_is_language("+eng"));
    T(!sq_recogniser_is_language("eng+../deu"));
    T(!sq_recogniser_is_language("../eng"));
    T(!sq_recogniser_is_language(""));
}
