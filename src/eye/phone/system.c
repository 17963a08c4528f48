/*
 * System calls, the start of the program and of screencap, and the functions of
 * string.h.
 */
#include "eye/phone/phone.h"

#include <string.h>

#define AT_FDCWD (-100)
#define O_CLOEXEC 02000000
#define PROT_READ_WRITE 3
#define MAP_PRIVATE_ANONYMOUS 0x22
#define MADV_DONTFORK 10
#define F_SETPIPE_SZ 1031
#define PR_SET_PDEATHSIG 1
#define SIGCHLD 17
#define CLOCK_MONOTONIC 1
#define MS_PER_S 1000
#define NS_PER_MS 1000000

#define PIPE_BYTES (1 << 20)
#define DIGITS_SIZE 21

/*
 * The numbers of system calls: with 64-bit ARM, ARM, x86-64 and x86. On ARM
 * MMAP is mmap2, whose offset, which is 0, is in pages; on x86 it takes the
 * address of its six arguments.
 */
#define CALLS(X)                                                               \
    X(DUP3, 24, 358, 292, 330)                                                 \
    X(FCNTL, 25, 55, 72, 55)                                                   \
    X(UNLINKAT, 35, 328, 263, 301)                                             \
    X(OPENAT, 56, 322, 257, 295)                                               \
    X(CLOSE, 57, 6, 3, 6)                                                      \
    X(PIPE2, 59, 359, 293, 331)                                                \
    X(READ, 63, 3, 0, 3)                                                       \
    X(WRITE, 64, 4, 1, 4)                                                      \
    X(PPOLL, 73, 336, 271, 309)                                                \
    X(EXIT_GROUP, 94, 248, 231, 252)                                           \
    X(CLOCK_GETTIME, 113, 263, 228, 265)                                       \
    X(KILL, 129, 37, 62, 37)                                                   \
    X(PRCTL, 167, 172, 157, 172)                                               \
    X(MUNMAP, 215, 91, 11, 91)                                                 \
    X(CLONE, 220, 120, 56, 120)                                                \
    X(EXECVE, 221, 11, 59, 11)                                                 \
    X(MMAP, 222, 192, 9, 90)                                                   \
    X(MADVISE, 233, 220, 28, 219)                                              \
    X(WAIT4, 260, 114, 61, 114)

#if defined(__aarch64__)
#define NUMBER(name, arm64, arm, x86_64, x86) CALL_##name = arm64,
#elif defined(__arm__)
#define NUMBER(name, arm64, arm, x86_64, x86) CALL_##name = arm,
#elif defined(__x86_64__)
#define NUMBER(name, arm64, arm, x86_64, x86) CALL_##name = x86_64,
#elif defined(__i386__)
#define NUMBER(name, arm64, arm, x86_64, x86) CALL_##name = x86,
#else
#error "the eye does not know this processor"
#endif
enum call { CALLS(NUMBER) };

#if defined(__aarch64__)

static long
call6(enum call number, const long arg[6]) {
    register long x8 __asm__("x8") = (long)number;
    register long x0 __asm__("x0") = arg[0];
    register long x1 __asm__("x1") = arg[1];
    register long x2 __asm__("x2") = arg[2];
    register long x3 __asm__("x3") = arg[3];
    register long x4 __asm__("x4") = arg[4];
    register long x5 __asm__("x5") = arg[5];
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory", "cc");
    return x0;
}

__asm__(".globl _start\n"
        "_start:\n"
        "mov x29, #0\n"
        "mov x30, #0\n"
        "mov x0, sp\n"
        "b eye_start\n");

#elif defined(__arm__)

static long
call6(enum call number, const long arg[6]) {
    register long r7 __asm__("r7") = (long)number;
    register long r0 __asm__("r0") = arg[0];
    register long r1 __asm__("r1") = arg[1];
    register long r2 __asm__("r2") = arg[2];
    register long r3 __asm__("r3") = arg[3];
    register long r4 __asm__("r4") = arg[4];
    register long r5 __asm__("r5") = arg[5];
    __asm__ volatile("svc 0"
                     : "+r"(r0)
                     : "r"(r7), "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5)
                     : "memory", "cc");
    return r0;
}

__asm__(".globl _start\n"
        ".type _start, %function\n"
        ".arm\n"
        "_start:\n"
        "mov fp, #0\n"
        "mov lr, #0\n"
        "mov r0, sp\n"
        "bic sp, sp, #7\n"
        "b eye_start\n");

#elif defined(__x86_64__)

static long
call6(enum call number, const long arg[6]) {
    register long r10 __asm__("r10") = arg[3];
    register long r8 __asm__("r8") = arg[4];
    register long r9 __asm__("r9") = arg[5];
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"((long)number), "D"(arg[0]), "S"(arg[1]), "d"(arg[2]),
                       "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory", "cc");
    return result;
}

__asm__(".globl _start\n"
        "_start:\n"
        "xor %ebp, %ebp\n"
        "mov %rsp, %rdi\n"
        "and $-16, %rsp\n"
        "call eye_start\n");

#elif defined(__i386__)

/* The sixth argument, which only mmap would need, is not passed on. */
static long
call6(enum call number, const long arg[6]) {
    long result;
    long first = number == CALL_MMAP ? (long)arg : arg[0];
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"((long)number), "b"(first), "c"(arg[1]), "d"(arg[2]),
                       "S"(arg[3]), "D"(arg[4])
                     : "memory", "cc");
    return result;
}

__asm__(".globl _start\n"
        "_start:\n"
        "xor %ebp, %ebp\n"
        "mov %esp, %eax\n"
        "and $-16, %esp\n"
        "sub $12, %esp\n"
        "push %eax\n"
        "call eye_start\n");

#endif

static long
call3(enum call number, long a, long b, long c) {
    const long arg[6] = { a, b, c };
    return call6(number, arg);
}

/* The kernel's start of the stack: argc, argv, NULL, environment. */
void eye_start(const long *stack);

__attribute__((used)) void
eye_start(const long *stack) {
    const char *const *argv = (const char *const *)(stack + 1);
    eye_exit(eye_main((int)stack[0], argv, argv + stack[0] + 1));
}

long
eye_read(int fd, void *into, size_t capacity) {
    return call3(CALL_READ, fd, (long)into, (long)capacity);
}

long
eye_write(int fd, const void *from, size_t count) {
    return call3(CALL_WRITE, fd, (long)from, (long)count);
}

int
eye_open_to_read(const char *path) {
    return (int)call3(CALL_OPENAT, AT_FDCWD, (long)path, O_CLOEXEC);
}

void
eye_close(int fd) {
    call3(CALL_CLOSE, fd, 0, 0);
}

void
eye_unlink(const char *path) {
    call3(CALL_UNLINKAT, AT_FDCWD, (long)path, 0);
}

int
eye_poll(struct eye_poll *polls, unsigned count, long ms) {
    const long timeout[2] = { ms / MS_PER_S, ms % MS_PER_S * NS_PER_MS };
    const long arg[6] = { (long)polls, (long)count, (long)timeout, 0, 8 };
    return (int)call6(CALL_PPOLL, arg);
}

int64_t
eye_clock_ms(void) {
    long now[2] = { 0, 0 };
    call3(CALL_CLOCK_GETTIME, CLOCK_MONOTONIC, (long)now, 0);
    return (int64_t)now[0] * MS_PER_S + now[1] / NS_PER_MS;
}

void
eye_kill(int process, int signal) {
    call3(CALL_KILL, process, signal, 0);
}

int
eye_wait(int process) {
    int status = 0;
    call3(CALL_WAIT4, process, (long)&status, 0);
    bool has_exited = (status & 127) == 0;
    return has_exited ? status >> 8 & 255 : -1;
}

void *
eye_map(size_t bytes) {
    const long arg[6] = {
        0, (long)bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0
    };
    long at = call6(CALL_MMAP, arg);
    if (at < 0 && at > -4096) {
        return NULL;
    }
    call3(CALL_MADVISE, at, (long)bytes, MADV_DONTFORK);
    return (void *)at;
}

void
eye_unmap(void *memory, size_t bytes) {
    if (memory) {
        call3(CALL_MUNMAP, (long)memory, (long)bytes, 0);
    }
}

_Noreturn void
eye_exit(int status) {
    while (true) {
        call3(CALL_EXIT_GROUP, status, 0, 0);
    }
}

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
            call3(CALL_EXECVE, (long)file, (long)argv, (long)environment);
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
    /* Programs started later do not inherit these pipes. */
    if (call3(CALL_PIPE2, (long)output, O_CLOEXEC, 0) < 0
        || call3(CALL_PIPE2, (long)errors, O_CLOEXEC, 0) < 0) {
        return false;
    }
    /* A larger pipe needs fewer switches. This may fail. */
    call3(CALL_FCNTL, output[0], F_SETPIPE_SZ, PIPE_BYTES);
    screencap->process = (int)call3(CALL_CLONE, SIGCHLD, 0, 0);
    if (screencap->process == 0) {
        call3(CALL_PRCTL, PR_SET_PDEATHSIG, EYE_SIGKILL, 0);
        call3(CALL_DUP3, eye_open_to_read("/dev/null"), EYE_INPUT, 0);
        call3(CALL_DUP3, output[1], EYE_OUTPUT, 0);
        call3(CALL_DUP3, errors[1], EYE_ERRORS, 0);
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

#if defined(__arm__)
/* Called by the compiler's own functions after a division by zero. */
int raise(int signal);

int
raise(int signal) {
    eye_exit(128 + signal);
}
#endif

#undef memcpy

void *
memcpy(void *to, const void *from, size_t count) {
    uint8_t *t = to;
    const uint8_t *f = from;
    typedef uint64_t __attribute__((may_alias, aligned(1))) any_word;
    for (; count >= 8; count -= 8, t += 8, f += 8) {
        *(any_word *)t = *(const any_word *)f;
    }
    for (; count > 0; count--) {
        *t++ = *f++;
    }
    return to;
}

void *
memmove(void *to, const void *from, size_t count) {
    uint8_t *t = to;
    const uint8_t *f = from;
    if (t <= f) {
        return memcpy(to, from, count);
    }
    while (count-- > 0) {
        t[count] = f[count];
    }
    return to;
}

void *
memset(void *to, int value, size_t count) {
    uint8_t *t = to;
    for (size_t i = 0; i < count; i++) {
        t[i] = (uint8_t)value;
    }
    return to;
}

int
memcmp(const void *a, const void *b, size_t count) {
    const uint8_t *x = a;
    const uint8_t *y = b;
    for (size_t i = 0; i < count; i++) {
        if (x[i] != y[i]) {
            return x[i] - y[i];
        }
    }
    return 0;
}

size_t
strlen(const char *text) {
    size_t len = 0;
    while (text[len]) {
        len++;
    }
    return len;
}
