/* Runs Android's screencap. */
#include "eye/phone/phone.h"

#include <string.h>

#define PIPE_BYTES (1 << 20)
#define DIGITS_SIZE 21

static const char *
write_digits(uint64_t number, char out[DIGITS_SIZE]) {
    char *at = out + DIGITS_SIZE - 1;
    *at = '\0';
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return at;
}

/* Returns the value of PATH, or Android's if it is not set. */
static const char *
search_path(const char *const *environment) {
    for (const char *const *one = environment; *one; one++) {
        if (memcmp(*one, "PATH=", strlen(*one) < 5 ? strlen(*one) : 5) == 0) {
            return *one + 5;
        }
    }
    return "/system/bin";
}

_Noreturn static void
run(struct eye_display display, const char *const *environment) {
    static const char name[] = "/screencap";
    char digits[DIGITS_SIZE];
    const char *const argv[] = { name + 1, display.is_given ? "-d" : NULL,
                                 write_digits(display.id, digits), NULL };
    const char *folders = search_path(environment);
    char file[1024];
    while (*folders) {
        size_t len = 0;
        while (folders[len] && folders[len] != ':') {
            len++;
        }
        if (len + sizeof(name) <= sizeof(file)) {
            memcpy(file, folders, len);
            memcpy(file + len, name, sizeof(name));
            eye_execute(file, argv, environment);
        }
        folders += len + (folders[len] == ':');
    }
    static const char failure[] = "screencap: not found\n";
    eye_write(EYE_ERRORS, failure, sizeof(failure) - 1);
    eye_exit(127);
}

bool
eye_screencap_start(struct eye_screencap *screencap, struct eye_display display,
                    const char *const *environment) {
    int output[2];
    int errors[2];
    if (eye_pipe(output) < 0 || eye_pipe(errors) < 0) {
        return false;
    }
    eye_widen_pipe(output[0], PIPE_BYTES);
    screencap->process = eye_fork();
    if (screencap->process == 0) {
        eye_die_with_parent();
        int none = eye_open_to_read("/dev/null");
        eye_copy_fd(none, EYE_INPUT);
        eye_copy_fd(output[1], EYE_OUTPUT);
        eye_copy_fd(errors[1], EYE_ERRORS);
        run(display, environment);
    }
    eye_close(output[1]);
    eye_close(errors[1]);
    screencap->pipes[EYE_OUTPUT] = output[0];
    screencap->pipes[EYE_ERRORS] = errors[0];
    return screencap->process > 0;
}

void
eye_screencap_close(struct eye_screencap *screencap, int pipe) {
    eye_close(screencap->pipes[pipe]);
    screencap->pipes[pipe] = -1;
}
