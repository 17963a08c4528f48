/* Tests of processes, and the helpers that they start. */
#include "windows/selftest.h"

#include <stdio.h>
#include <string.h>

#include "sys/call.h"
#include "util/span.h"

/* Starts this program as a helper; its output is a pipe. */
static pid_t
start_helper(const char *word, bool outlives, int *output) {
    const char *const argv[] = { selftest_program, word, NULL };
    int in[2];
    int out[2];
    if (sq_call_pipe(in) != 0 || sq_call_pipe(out) != 0) {
        return -1;
    }
    const struct sq_spawn spawn = { .argv = argv,
                                    .streams = { in[0], out[1], 2 },
                                    .outlives_thread = outlives };
    pid_t child = sq_call_spawn(&spawn);
    sq_call_close(in[0]);
    sq_call_close(out[1]);
    *output = out[0];
    return child;
}

/* Reads a line; false if none comes in time. */
static bool
read_line(int fd, char *line, size_t size) {
    ULONGLONG end = GetTickCount64() + PATIENCE_MS;
    size_t len = 0;
    while (len < size - 1 && GetTickCount64() < end) {
        struct pollfd wait = { .fd = fd, .events = POLLIN };
        sq_call_poll(&wait, 1, 100);
        ssize_t got = wait.revents ? sq_call_read(fd, line + len, 1) : -1;
        if (got == 0 || (got == 1 && line[len] == '\n')) {
            line[len] = '\0';
            return got == 1;
        }
        len += got == 1;
    }
    return false;
}

/* Reads a line with the number of a process; 0 if it is none. */
static pid_t
read_process(int fd) {
    char line[TEXT_SIZE];
    int64_t number = 0;
    struct sq_span text = { line, 0 };
    if (read_line(fd, line, sizeof(line))) {
        text.len = strlen(line);
        sq_span_take_int64(&text, &number);
    }
    return (pid_t)number;
}

static bool
ends_soon(pid_t process) {
    ULONGLONG end = GetTickCount64() + PATIENCE_MS;
    while (sq_call_process_exists(process) && GetTickCount64() < end) {
        Sleep(20);
    }
    return !sq_call_process_exists(process);
}

/* A killed server leaves no process. */
enum verdict
children_end_with_us(void) {
    int output;
    pid_t holder = start_helper("hold", false, &output);
    pid_t grandchild = holder > 0 ? read_process(output) : 0;
    EXPECT(grandchild > 0 && sq_call_process_exists(grandchild));
    HANDLE process = OpenProcess(PROCESS_TERMINATE, FALSE, (DWORD)holder);
    EXPECT(TerminateProcess(process, 1));
    CloseHandle(process);
    EXPECT(ends_soon(grandchild));
    sq_call_end_child(holder);
    return PASSED;
}

/* What outlives its starter, like adb's server, has none of its pipes. */
enum verdict
pipes_are_not_inherited(void) {
    char line[TEXT_SIZE];
    int output;
    pid_t holder = start_helper("hold-outliving", false, &output);
    pid_t grandchild = holder > 0 ? read_process(output) : 0;
    EXPECT(grandchild > 0);
    bool has_ended = ends_soon(holder);
    errno = 0;
    bool is_over = !read_line(output, line, sizeof(line));
    bool stays = sq_call_process_exists(grandchild);
    HANDLE process = OpenProcess(PROCESS_TERMINATE, FALSE, (DWORD)grandchild);
    TerminateProcess(process, 1);
    CloseHandle(process);
    sq_call_end_child(holder);
    EXPECT(has_ended);
    EXPECT(is_over);
    EXPECT(stays);
    return PASSED;
}

enum verdict
ctrl_c_ends_in_order(void) {
    char line[TEXT_SIZE];
    int output;
    pid_t child = start_helper("wait", false, &output);
    EXPECT(child > 0 && read_line(output, line, sizeof(line)));
    if (!GetConsoleWindow()) {
        sq_call_end_child(child);
        return say(IMPOSSIBLE, "there is no console: run it in a terminal");
    }
    sq_call_interrupt_child(child);
    bool said = read_line(output, line, sizeof(line));
    sq_call_end_child(child);
    EXPECT(said);
    EXPECT(strcmp(line, "interrupted") == 0);
    return PASSED;
}

/* Starts a helper that sleeps, says its number, and stays or ends. */
static int
hold(bool outlives) {
    int output;
    pid_t child = start_helper("sleep", outlives, &output);
    printf("%d\n", (int)child);
    fflush(stdout);
    if (!outlives) {
        Sleep(2 * PATIENCE_MS);
    }
    return 0;
}

static int
wait_for_interrupt(void) {
    int ends[2];
    struct sigaction old;
    char byte;
    if (sq_call_pipe(ends) != 0
        || sq_call_catch_signal(SIGINT, ends[1], &old) != 0) {
        return 1;
    }
    printf("waits\n");
    fflush(stdout);
    sq_call_wait(ends[0], POLLIN);
    bool is_told = sq_call_read(ends[0], &byte, 1) == 1;
    printf("%s\n", is_told ? "interrupted" : "not interrupted");
    return 0;
}

int
selftest_help(const char *word) {
    if (strcmp(word, "wait") == 0) {
        return wait_for_interrupt();
    }
    if (strcmp(word, "sleep") == 0) {
        Sleep(2 * PATIENCE_MS);
        return 0;
    }
    return hold(strcmp(word, "hold-outliving") == 0);
}
