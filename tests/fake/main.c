/*
 * xcrun or idb, by the program's name. It logs its arguments, misbehaves if the
 * control file says so, and otherwise asks the server. SQUINT_FAKE is the
 * folder of log, control and socket. It is started thousands of times, so it is
 * small: without squint's code and without sanitizers.
 *
 * A line of control is: PROGRAM WORD HOW [ARGUMENT], for calls of PROGRAM that
 * have WORD among their arguments: slow MS, hang [CALLS] (only the first ones),
 * flood, fail TEXT, refuse TEXT (as an unknown command), kill, daemon, truncate
 * BYTES, say FILE (prints a file of the folder as its answer).
 *
 * idb shell reads commands on standard input. They are logged under the name
 * "shell", and control applies to each of them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define LINE_SIZE 512
#define SHELL_WORDS 16

static const char *folder;

static void
die(const char *what) {
    fprintf(stderr, "fake simulator: %s: %s\n", what, strerror(errno));
    exit(99);
}

static void
path_of(const char *name, char path[LINE_SIZE]) {
    snprintf(path, LINE_SIZE, "%s/%s", folder, name);
}

/* Writes a text as JSON. */
static void
put_json(FILE *out, const char *text) {
    putc('"', out);
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\' || byte < 0x20) {
            fprintf(out, "\\u%04x", byte);
        } else {
            putc(byte, out);
        }
    }
    putc('"', out);
}

/* Appends a line with the arguments as a JSON array. */
static void
write_log(int argc, char **argv, const char *name) {
    char path[LINE_SIZE];
    char *line = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&line, &len);
    path_of("log", path);
    if (!out) {
        die("memory");
    }
    putc('[', out);
    put_json(out, name);
    for (int i = 1; i < argc; i++) {
        putc(',', out);
        put_json(out, argv[i]);
    }
    fputs("]\n", out);
    fclose(out);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, line, len) != (ssize_t)len) {
        die("log");
    }
    close(fd);
    free(line);
}

static void
write_all(int fd, const void *bytes, size_t len) {
    const char *at = bytes;
    while (len > 0) {
        ssize_t done = write(fd, at, len);
        if (done <= 0) {
            exit(98);
        }
        at += done;
        len -= (size_t)done;
    }
}

static void
read_all(int fd, void *into, size_t len) {
    char *at = into;
    while (len > 0) {
        ssize_t done = read(fd, at, len);
        if (done <= 0) {
            die("the server has gone");
        }
        at += done;
        len -= (size_t)done;
    }
}

static int
number_of(const char *text) {
    int value = 0;
    for (; *text >= '0' && *text <= '9' && value < 1000000; text++) {
        value = 10 * value + (*text - '0');
    }
    return value;
}

static void
print_file(const char *name) {
    char path[LINE_SIZE];
    char chunk[4096];
    ssize_t got;
    path_of(name, path);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        die(path);
    }
    while ((got = read(fd, chunk, sizeof(chunk))) > 0) {
        write_all(STDOUT_FILENO, chunk, (size_t)got);
    }
    exit(0);
}

/* Starts a process in a new session that keeps our standard output open. */
static void
leave_daemon(void) {
    if (fork() == 0) {
        setsid();
        sleep(600); /* our caller ends it */
        _exit(0);
    }
}

/* Whether this is one of the first calls, which must hang; counts them. */
static bool
must_hang(const char *calls) {
    char path[LINE_SIZE];
    struct stat hung;
    if (calls[0] == '\0') {
        return true;
    }
    path_of("hung", path);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, ".", 1) != 1 || fstat(fd, &hung) != 0) {
        die(path);
    }
    close(fd);
    return hung.st_size <= number_of(calls);
}

/* Returns how many bytes of the answer to write; -1: all. */
static long
misbehave(const char *how, const char *argument) {
    if (strcmp(how, "hang") == 0 && must_hang(argument)) {
        signal(SIGTERM, SIG_IGN);
        for (;;) {
            pause();
        }
    }
    while (strcmp(how, "flood") == 0) {
        static const char flood[4096] = "[{";
        write_all(STDOUT_FILENO, flood, sizeof(flood));
    }
    if (strcmp(how, "slow") == 0) {
        usleep((useconds_t)number_of(argument) * 1000);
    } else if (strcmp(how, "fail") == 0) {
        fprintf(stderr, "%s\n", argument);
        exit(1);
    } else if (strcmp(how, "refuse") == 0) {
        fprintf(stderr, "usage: %s\n", argument);
        exit(2);
    } else if (strcmp(how, "kill") == 0) {
        kill(getpid(), SIGKILL);
    } else if (strcmp(how, "daemon") == 0) {
        leave_daemon();
    } else if (strcmp(how, "say") == 0) {
        print_file(argument);
    }
    return strcmp(how, "truncate") == 0 ? number_of(argument) : -1;
}

static bool
has_word(int argc, char **argv, const char *word) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], word) == 0) {
            return true;
        }
    }
    return false;
}

static long
obey(int argc, char **argv, const char *name) {
    char path[LINE_SIZE];
    char line[LINE_SIZE];
    long most = -1;
    path_of("control", path);
    FILE *control = fopen(path, "re");
    while (control && fgets(line, sizeof(line), control)) {
        char *rest = line;
        line[strcspn(line, "\n")] = '\0';
        const char *program = strsep(&rest, " ");
        const char *word = rest ? strsep(&rest, " ") : "";
        const char *how = rest ? strsep(&rest, " ") : "";
        if (strcmp(program, name) == 0 && has_word(argc, argv, word)) {
            most = misbehave(how, rest ? rest : "");
        }
    }
    if (control) {
        fclose(control);
    }
    return most;
}

static int
connect_server(void) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", folder);
    if (fd < 0
        || connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
        die(address.sun_path);
    }
    return fd;
}

static int
ask_server(int argc, char **argv, const char *name, long most) {
    int fd = connect_server();
    for (int i = 0; i < argc; i++) {
        const char *word = i ? argv[i] : name;
        uint32_t len = (uint32_t)strlen(word);
        write_all(fd, &len, sizeof(len));
        write_all(fd, word, len);
    }
    shutdown(fd, SHUT_WR);
    uint32_t head[3];
    read_all(fd, head, sizeof(head));
    for (int i = 1; i <= 2; i++) {
        char *bytes = malloc(head[i] + 1);
        read_all(fd, bytes, head[i]);
        size_t len =
            most >= 0 && (size_t)most < head[i] ? (size_t)most : head[i];
        write_all(i, bytes, len);
        free(bytes);
    }
    return (int)head[0];
}

static volatile sig_atomic_t is_interrupted;

static void
on_interrupt(int number) {
    (void)number;
    is_interrupted = 1;
}

/* simctl io UDID recordVideo [options] FILE: until it is interrupted. */
static int
record_video(const char *path) {
    static const char video[] = "\0\0\0\x18"
                                "ftypqt  \0\0\0\0qt  "
                                "\0\0\0\x08"
                                "mdat";
    struct sigaction action = { .sa_handler = on_interrupt };
    sigset_t held;
    sigset_t before;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigprocmask(SIG_BLOCK, &held, &before);
    sigaction(SIGINT, &action, NULL);
    fprintf(stderr, "Note: No display specified. Defaulting to display: LCD\n"
                    "Recording started\n");
    while (!is_interrupted) {
        sigsuspend(&before);
    }
    fprintf(stderr, "Recording completed. Writing to disk.\n");
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) {
        die(path);
    }
    write_all(fd, video, sizeof(video) - 1);
    close(fd);
    fprintf(stderr, "Wrote video to: %s\n", path);
    return 0;
}

/* Takes the next word of a line, as a POSIX shell does; NULL: none. */
static char *
take_word(char **rest) {
    char *at = *rest + strspn(*rest, " \n");
    char *word = at;
    char *end = at;
    char quote = '\0';
    for (; *at && (quote || !strchr(" \n", *at)); at++) {
        if (quote ? *at == quote : *at == '\'' || *at == '"') {
            quote = quote ? '\0' : *at;
        } else {
            *end++ = *at;
        }
    }
    *rest = *at ? at + 1 : at;
    bool found = at > word;
    *end = '\0';
    return found ? word : NULL;
}

/* idb shell --no-prompt --udid UDID. Without "exit" at the end it fails. */
static int
run_shell(char *udid) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        static char name[] = "idb";
        static char option[] = "--udid";
        char *words[SHELL_WORDS + 1] = { name };
        char *rest = line;
        char *word;
        int count = 1;
        while (count < SHELL_WORDS && (word = take_word(&rest))) {
            words[count++] = word;
            if (count == 3) { /* the simulator is that of the shell */
                words[count++] = option;
                words[count++] = udid;
            }
        }
        if (count == 2 && strcmp(words[1], "exit") == 0) {
            free(line);
            return 0;
        }
        write_log(count, words, "shell");
        long most = obey(count, words, "idb");
        bool ok = ask_server(count, words, "idb", most) == 0;
        write_all(STDOUT_FILENO, ok ? "SUCCESS=1\n" : "SUCCESS=0\n", 10);
    }
    free(line);
    return 1;
}

int
main(int argc, char **argv) {
    const char *slash = strrchr(argv[0], '/');
    const char *name = slash ? slash + 1 : argv[0];
    folder = getenv("SQUINT_FAKE");
    if (!folder) {
        die("SQUINT_FAKE is not set");
    }
    write_log(argc, argv, name);
    long most = obey(argc, argv, name);
    if (has_word(argc, argv, "recordVideo")) {
        return record_video(argv[argc - 1]);
    }
    if (argc == 5 && strcmp(argv[1], "shell") == 0) {
        return run_shell(argv[4]);
    }
    return ask_server(argc, argv, name, most);
}
