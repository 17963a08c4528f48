/*
 * Pictures for terminals: sixels are read back by a reader of the test's own,
 * kitty's and iTerm2's sequences by their grammar.
 */
#include "app/terminal/picture.h"

#include "support/test.h"
#include "util/base64.h"

#define WIDTH 13
#define HEIGHT 8

/* What a reader of sixels understands of them. */
struct sixels {
    int width;
    int height;
    int colours[SQ_MAX_COLOURS][3];
    int pixels[64][64]; /* -1: not painted */
    bool is_complete;
};

static int
take_number(const char **at) {
    int number = 0;
    while (**at >= '0' && **at <= '9') {
        number = number * 10 + (*(*at)++ - '0');
    }
    return number;
}

/* Reads "#1;2;100;0;50" or "#1". Returns the colour. */
static int
take_colour(struct sixels *sixels, const char **at) {
    int colour = take_number(at);
    if (**at == ';') {
        (*at)++;
        T_INT(take_number(at), 2); /* in RGB */
        for (int i = 0; i < 3; i++) {
            T_INT(*(*at)++, ';');
            sixels->colours[colour][i] = take_number(at);
        }
    }
    return colour;
}

static void
paint(struct sixels *sixels, int x, int top, int bits, int colour) {
    for (int i = 0; i < 6; i++) {
        if (bits & 1 << i && T(x < 64 && top + i < 64)) {
            T_INT(sixels->pixels[top + i][x], -1); /* painted once */
            sixels->pixels[top + i][x] = colour;
        }
    }
}

static void
read_sixels(const char *at, struct sixels *sixels) {
    static const char start[] = "\033P0;1;0q\"1;1;";
    memset(sixels, 0, sizeof(*sixels));
    memset(sixels->pixels, 0xff, sizeof(sixels->pixels));
    T_INT(strncmp(at, start, strlen(start)), 0);
    at += strlen(start);
    sixels->width = take_number(&at);
    T_INT(*at++, ';');
    sixels->height = take_number(&at);
    int colour = 0;
    int x = 0;
    int top = 0;
    int count = 1;
    while (*at && *at != '\033') {
        char letter = *at++;
        if (letter == '#') {
            colour = take_colour(sixels, &at);
        } else if (letter == '!') {
            count = take_number(&at);
        } else if (letter == '$' || letter == '-') {
            x = 0;
            top += letter == '-' ? 6 : 0;
        } else if (T(letter >= '?' && letter <= '~')) {
            for (; count > 0; count--) {
                paint(sixels, x++, top, letter - '?', colour);
            }
            count = 1;
        }
    }
    sixels->is_complete = strcmp(at, "\033\\\n") == 0;
}

static uint8_t indexes[WIDTH * HEIGHT];

static struct sq_indexed
make_picture(void) {
    struct sq_indexed picture = {
        .width = WIDTH,
        .height = HEIGHT,
        .colours = 3,
        .palette = { { 255, 0, 0 }, { 0, 128, 255 }, { 10, 20, 30 } },
        .indexes = indexes,
    };
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        indexes[i] = (uint8_t)(i % WIDTH < 6 ? i / WIDTH % 2 : 2);
    }
    return picture;
}

static bool
encode(void *text, struct sq_err *err) {
    const struct sq_indexed picture = make_picture();
    T_BUF(out, 8192);
    bool ok = sq_sixel_append(&picture, &out, err);
    if (ok) {
        memcpy(text, out.data, out.len);
        ((char *)text)[out.len] = '\0';
    }
    return ok;
}

T_CASE(sixels_are_the_picture) {
    char text[8192];
    static struct sixels sixels;
    T_OK(encode(text, &t_err));
    read_sixels(text, &sixels);
    T(sixels.is_complete);
    T_INT(sixels.width, WIDTH);
    T_INT(sixels.height, HEIGHT);
    T_INT(sixels.colours[0][0], 100);
    T_INT(sixels.colours[1][1], 50);
    T_INT(sixels.colours[2][2], 12);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            T_INT(sixels.pixels[y][x], indexes[y * WIDTH + x]);
        }
    }
    T_INT(sixels.pixels[HEIGHT][0], -1); /* nothing below */
    T(strstr(text, "!7") != NULL);       /* runs are shortened */
    T(t_alloc_torture(encode, text) > 0);
}

/* Collects what kitty would: the chunks of one picture. */
static size_t
kitty_chunks(const char *at, struct sq_buf *out, char keys[64]) {
    size_t chunks = 0;
    bool more = true;
    while (more && T_INT(strncmp(at, "\033_G", 3), 0)) {
        const char *semicolon = strchr(at, ';');
        const char *end = strstr(at, "\033\\");
        if (!T(semicolon && end && semicolon < end)) {
            return 0;
        }
        if (chunks++ == 0) {
            snprintf(keys, 64, "%.*s", (int)(semicolon - at - 3), at + 3);
        }
        more = semicolon[-1] == '1';
        T(end - semicolon - 1 <= 4096);
        T_OK(sq_base64_decode(
            (struct sq_span){ semicolon + 1, (size_t)(end - semicolon - 1) },
            out, &t_err));
        at = end + 2;
    }
    T_STR(at, "\n");
    return chunks;
}

T_CASE(kitty_gets_chunks) {
    static char bytes[7000];
    static const size_t sizes[] = { 1, 3072, 3073, 7000 };
    static const size_t counts[] = { 1, 1, 2, 3 };
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (char)(i * 7);
    }
    for (size_t i = 0; i < SQ_COUNT(sizes); i++) {
        char keys[64] = "";
        T_BUF(out, 65536);
        T_BUF(back, 65536);
        T_OK(sq_kitty_append((struct sq_span){ bytes, sizes[i] }, 12, &out,
                             &t_err)
             && sq_buf_append(&out, "", 1, &t_err));
        T_INT((long)kitty_chunks((const char *)out.data, &back, keys),
              (long)counts[i]);
        T(strncmp(keys, "a=T,f=100,q=2,r=12,m=", 21) == 0);
        T_BYTES(back.data, back.len, bytes, sizes[i]);
    }
}

T_CASE(iterm_gets_the_file) {
    T_BUF(out, 1024);
    T_OK(sq_iterm_append(SQ_SPAN("hello"), 9, &out, &t_err)
         && sq_buf_append(&out, "", 1, &t_err));
    T_STR((const char *)out.data,
          "\033]1337;File=inline=1;size=5;height=9;preserveAspectRatio=1:"
          "aGVsbG8=\a\n");
}

static const char *variables[8];

static const char *
get_variable(const char *name) {
    for (size_t i = 0; variables[i]; i += 2) {
        if (strcmp(variables[i], name) == 0) {
            return variables[i + 1];
        }
    }
    return NULL;
}

T_CASE(terminals_are_recognised) {
    static const struct {
        const char *variables[8];
        enum sq_graphics want;
    } cases[] = {
        { { NULL }, SQ_GRAPHICS_NONE },
        { { "TERM", "" }, SQ_GRAPHICS_NONE },
        { { "TERM", "dumb" }, SQ_GRAPHICS_NONE },
        { { "TERM", "linux" }, SQ_GRAPHICS_NONE },
        { { "TERM", "xterm-256color" }, SQ_GRAPHICS_UNKNOWN },
        { { "TERM", "xterm-kitty" }, SQ_GRAPHICS_KITTY },
        { { "TERM", "xterm", "KITTY_WINDOW_ID", "1" }, SQ_GRAPHICS_KITTY },
        { { "TERM", "xterm", "TERM_PROGRAM", "iTerm.app" }, SQ_GRAPHICS_ITERM },
        { { "TERM", "xterm", "TERM_PROGRAM", "Apple_Terminal" },
          SQ_GRAPHICS_NONE },
        { { "TERM", "tmux", "TMUX", "x", "KITTY_WINDOW_ID", "1" },
          SQ_GRAPHICS_UNKNOWN },
        { { "TERM", "screen", "STY", "x" }, SQ_GRAPHICS_NONE },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        memcpy(variables, cases[i].variables, sizeof(variables));
        T_INT(sq_graphics_of_environment(get_variable), cases[i].want);
    }
}

T_CASE(answers_are_understood) {
    static const struct {
        const char *answer;
        bool is_whole;
        enum sq_graphics want;
    } cases[] = {
        { "", false, SQ_GRAPHICS_NONE },
        { "\033[?62;4;22c", true, SQ_GRAPHICS_SIXEL },
        { "\033[?62;22;4c", true, SQ_GRAPHICS_SIXEL },
        { "\033[?62;44;14c", true, SQ_GRAPHICS_NONE },
        { "\033[?4c", true, SQ_GRAPHICS_NONE }, /* a VT132 */
        { "\033[?6c", true, SQ_GRAPHICS_NONE },
        { "\033[?62;4", false, SQ_GRAPHICS_NONE },
        { "\033_Gi=31;OK\033\\\033[?62c", true, SQ_GRAPHICS_KITTY },
        { "\033_Gi=31;ENOTSUP\033\\\033[?62;4c", true, SQ_GRAPHICS_SIXEL },
        { "typed\033[?1;2c", true, SQ_GRAPHICS_NONE },
        { "\033[?", false, SQ_GRAPHICS_NONE },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        struct sq_span answer = sq_span_of(cases[i].answer);
        T_INT(sq_graphics_is_whole(answer), cases[i].is_whole);
        T_INT(sq_graphics_of_answer(answer), cases[i].want);
    }
}
