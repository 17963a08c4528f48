/* Terminals: their size, and what they answer. */
#define _XOPEN_SOURCE 600
#include "sys/terminal.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "support/test.h"

/* Both ends of a terminal; main is where a terminal program would be. */
struct pair {
    int main;
    int end;
};

static bool
open_pair(struct pair *out) {
    out->main = posix_openpt(O_RDWR | O_NOCTTY);
    if (out->main < 0 || grantpt(out->main) < 0 || unlockpt(out->main) < 0) {
        t_skip("no terminals here");
        return false;
    }
    out->end = open(ptsname(out->main), O_RDWR | O_NOCTTY);
    return T(out->end >= 0);
}

static void
close_pair(struct pair *pair) {
    close(pair->end);
    close(pair->main);
}

T_CASE(a_terminal_has_a_size) {
    struct pair pair;
    struct sq_terminal_size size;
    struct winsize given = { .ws_col = 100, .ws_row = 30, .ws_ypixel = 600 };
    if (!open_pair(&pair)) {
        return;
    }
    T(sq_terminal_get_size(pair.end, &size));
    T_INT(size.columns, 80);
    T_INT(size.rows, 24);
    T_INT(ioctl(pair.main, TIOCSWINSZ, &given), 0);
    T(sq_terminal_get_size(pair.end, &size));
    T_INT(size.columns, 100);
    T_INT(size.rows, 30);
    T_INT(size.height, 600);
    close_pair(&pair);
    int file = open("/dev/null", O_RDWR);
    T(!sq_terminal_get_size(file, &size));
    close(file);
}

#define QUESTION "what?"

/* Reads the question, then answers. */
static void *
answer(void *context) {
    const int main_end = *(const int *)context;
    char question[sizeof(QUESTION)] = "";
    size_t len = 0;
    while (len < strlen(QUESTION)) {
        ssize_t got = read(main_end, question + len, strlen(QUESTION) - len);
        if (got <= 0) {
            return NULL;
        }
        len += (size_t)got;
    }
    T_STR(question, QUESTION);
    T_INT(write(main_end, "ye", 2), 2);
    T_INT(write(main_end, "s.", 2), 2);
    return NULL;
}

static bool
is_whole(struct sq_span text) {
    return sq_span_ends_with(text, ".");
}

static tcflag_t
local_modes(int fd) {
    struct termios modes = { 0 };
    T_INT(tcgetattr(fd, &modes), 0);
    return modes.c_lflag;
}

T_CASE(a_terminal_answers) {
    struct pair pair;
    struct sq_buf out;
    pthread_t other;
    if (!open_pair(&pair)) {
        return;
    }
    tcflag_t before = local_modes(pair.end);
    sq_buf_init(&out, 1024);
    T_INT(pthread_create(&other, NULL, answer, &pair.main), 0);
    T_OK(sq_terminal_ask(pair.end, SQ_SPAN(QUESTION), is_whole, T_PATIENCE_MS,
                         &out, &t_err));
    pthread_join(other, NULL);
    T_BYTES(out.data, out.len, "yes.", 4);
    T(local_modes(pair.end) == before);
    T((before & (ICANON | ECHO)) == (ICANON | ECHO));
    sq_buf_finish(&out);
    close_pair(&pair);
}

/* One that keeps silent costs only the time that was given. */
T_CASE(silence_is_an_empty_answer) {
    struct pair pair;
    struct sq_buf out;
    if (!open_pair(&pair)) {
        return;
    }
    tcflag_t before = local_modes(pair.end);
    sq_buf_init(&out, 1024);
    T_OK(sq_terminal_ask(pair.end, SQ_SPAN(QUESTION), is_whole, 20, &out,
                         &t_err));
    T_INT((long)out.len, 0);
    T(local_modes(pair.end) == before);
    sq_buf_finish(&out);
    close_pair(&pair);
}

T_CASE(others_are_not_asked) {
    struct sq_buf out;
    int file = open("/dev/null", O_RDWR);
    sq_buf_init(&out, 1024);
    T_FAILS(
        sq_terminal_ask(file, SQ_SPAN(QUESTION), is_whole, 1000, &out, &t_err),
        SQ_ERR_UNSUPPORTED);
    sq_buf_finish(&out);
    close(file);
}
