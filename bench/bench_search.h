/* Screens of text that change a little from one to the next. */
#ifndef SQ_BENCH_SEARCH_H
#define SQ_BENCH_SEARCH_H

#define WIDTH 1920
#define HEIGHT 1080
#define LINES 36
#define WORDS_PER_LINE 9
#define FIRST_UTC 1700000000

/* The words of the screen at a moment. Set the state and zero the rest. */
struct bench_screen {
    unsigned state;
    char words[LINES][WORDS_PER_LINE][16];
};

/* Changes two lines, or all at the start of each window. */
void bench_screen_advance(struct bench_screen *screen, int number);

/* Draws an archive of that many pictures. Returns the exit status. */
int bench_search_draw(const char *folder, int pictures);

#endif
