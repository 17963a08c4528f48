/*
 * squint's side of the benchmark: does one job per line of standard input and
 * answers with one line of JSON. With the arguments "run PROGRAM ..." it prints
 * the cost of one run of a program. README.md describes the protocol.
 */
#include <stdio.h>
#include <string.h>

#include "jobs.h"
#include "launch.h"

#define MAX_LINE 8192
#define MAX_ANSWER 4096

static void
say_error(const struct sq_err *err) {
    printf("{\"error\":\"");
    for (const char *p = err->message; *p; p++) {
        if (*p == '"' || *p == '\\') {
            putchar('\\');
        }
        putchar((unsigned char)*p < ' ' ? ' ' : *p);
    }
    printf("\"}\n");
}

static void
answer_line(char *line, struct bench_input *input) {
    struct bench_request request;
    struct sq_err err = { 0 };
    struct sq_buf answer;
    sq_buf_init(&answer, MAX_ANSWER);
    if (bench_request_parse(line, &request, &err)
        && bench_job_run(&request, input, &answer, &err)) {
        printf("%.*s\n", (int)answer.len, (const char *)answer.data);
    } else {
        say_error(&err);
    }
    fflush(stdout);
    sq_buf_finish(&answer);
}

static int
serve(void) {
    static char line[MAX_LINE];
    struct bench_input input = { 0 };
    while (fgets(line, sizeof(line), stdin)) {
        line[strcspn(line, "\n")] = '\0';
        answer_line(line, &input);
    }
    bench_input_finish(&input);
    return 0;
}

static int
run(char *const argv[]) {
    struct bench_cost cost;
    struct sq_err err = { 0 };
    if (!bench_launch(argv, &cost, &err)) {
        say_error(&err);
        return 1;
    }
    printf("{\"cpuMs\":%.3f,\"peakBytes\":%lld}\n", (double)cost.cpu_us / 1000,
           (long long)cost.peak_bytes);
    return 0;
}

int
main(int argc, char **argv) {
    if (argc >= 3 && strcmp(argv[1], "run") == 0) {
        return run(argv + 2);
    }
    if (argc != 1) {
        fprintf(stderr, "usage: bench-jobs [run PROGRAM [ARGUMENT]...]\n");
        return 2;
    }
    return serve();
}
