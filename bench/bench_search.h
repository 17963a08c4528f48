/* Screens of text that change a little from one to the next. */
#ifndef SQ_BENCH_SEARCH_H
#define SQ_BENCH_SEARCH_H

#define WIDTH 1920
#define HEIGHT 1080
#define LINES 36
#define WORDS_PER_LINE 9
#define FIRST_UTC 1700000000

#define CHAT_LINES 30
#define CHAT_WORDS 4

/* How often a screen changes from one picture to the next, in percent. */
struct bench_rates {
    int chat; /* a line of a chat, with letters of 15 pixels */
    int text; /* two lines of a text */
    int all;  /* all of the text */
};

/* The words of the screen at a moment. Set the state and zero the rest. */
struct bench_screen {
    unsigned state;
    char words[LINES][WORDS_PER_LINE][16];
    /* Beside them, on the screens of a day only: */
    char chat[CHAT_LINES][CHAT_WORDS][16];
    int chat_line; /* the latest */
    struct bench_rates rates;
    char clock[16];
};

/* Changes two lines, or all at the start of each window. */
void bench_screen_advance(struct bench_screen *screen, int number);

/* Draws an archive of that many pictures. Returns the exit status. */
int bench_search_draw(const char *folder, int pictures);

/*
 * Draws an archive of one day, a picture each minute. The clock in the lower
 * right corner changes on every second one.
 */
int bench_search_draw_day(const char *folder, int pictures, unsigned seed,
                          const struct bench_rates *rates);

#endif
