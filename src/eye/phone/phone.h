/* The parts of the program on the phone. */
#ifndef SQ_EYE_PHONE_PHONE_H
#define SQ_EYE_PHONE_PHONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eye/pixels.h"
#include "eye/wire.h"

/*
 * The system calls of the program on the phone. It has no C library, so that it
 * is small and any compiler for the phone's processor can build it. All return
 * a negative error number on failure.
 */

struct eye_poll {
    int fd;
    short events;
    short revents;
};
#define EYE_POLL_IN 1

#define EYE_SIGKILL 9

long eye_read(int fd, void *into, size_t capacity);
long eye_write(int fd, const void *from, size_t count);
int eye_open_to_read(const char *path);
void eye_close(int fd);
void eye_unlink(const char *path);

/* Waits for any of the events, at most `ms`; 0: the time has passed. */
int eye_poll(struct eye_poll *polls, unsigned count, long ms);

/* Returns the milliseconds since some moment. */
int64_t eye_clock_ms(void);

void eye_kill(int process, int signal);

/* Waits for the process. Returns its exit status, -1 if a signal ended it. */
int eye_wait(int process);

/*
 * Returns zeroed memory in whole pages, or NULL. Processes started later do not
 * have it, so that starting one costs nothing for it.
 */
void *eye_map(size_t bytes);
void eye_unmap(void *memory, size_t bytes);

_Noreturn void eye_exit(int status);

/* Called at the start; its result is the exit status. */
int eye_main(int argc, const char *const *argv, const char *const *environment);

/* The frames that the program on the phone has in memory. */

/* Frames of which the host was sent only a scaled picture. */
#define EYE_SHOWN_FRAMES 2

/* The one that the host has, the one before an action, and the latest. */
#define EYE_OTHER_FRAMES 3
#define EYE_KEPT_FRAMES (EYE_SHOWN_FRAMES + EYE_OTHER_FRAMES)

struct eye_frame {
    uint8_t *bytes;
    size_t capacity;
    size_t len;
    uint32_t number; /* 0: none */
    uint64_t hash;
    uint32_t used;  /* when it was last asked for; higher is later */
    uint32_t shown; /* when a scaled picture of it was sent; 0: never */
};

/* Start with zeroes. */
struct eye_frames {
    struct eye_frame next; /* being captured */
    struct eye_frame kept[EYE_KEPT_FRAMES];
    uint32_t numbers; /* frames so far */
    uint32_t uses;    /* so far */
    uint32_t sent;    /* number of the frame that the host may have; 0: none */
};

/* Makes room for `bytes` bytes. Returns false if there is no memory. */
bool eye_frame_reserve(struct eye_frame *frame, size_t bytes);

/* Return a kept frame, or NULL. Numbers and hashes that are 0 are not found. */
struct eye_frame *eye_frames_numbered(struct eye_frames *frames,
                                      uint32_t number);
struct eye_frame *eye_frames_hashed(struct eye_frames *frames, uint64_t hash);

/*
 * Keeps `next`, unless there is one like it, in place of the frame that was not
 * used for the longest time, but not of the one that was sent, nor of one with
 * the hash `keep`, nor of the EYE_SHOWN_FRAMES that were shown last.
 */
struct eye_frame *eye_frames_keep(struct eye_frames *frames, uint64_t keep);

/* Does the same with `next` after a scaled picture of it was sent. */
void eye_frames_keep_shown(struct eye_frames *frames);

/* Keeps `next`, which was sent, in place of the one that was sent before. */
void eye_frames_keep_sent(struct eye_frames *frames);

/* Scales frames on the phone, with the code that scales them on the host. */

/* Bytes after a frame that may be read with its last pixels. */
#define EYE_FRAME_SLACK 64

/* Returns whether a frame that begins like this can be scaled. */
bool eye_can_scale(const uint8_t head[SQ_EYE_FRAME_HEAD],
                   const struct sq_eye_scaling *how);

/*
 * Makes the picture of a complete frame, as a raw frame with pixels of the same
 * format. Returns false if it has another size, or if there is no memory. The
 * frame's memory has EYE_FRAME_SLACK bytes more.
 */
bool eye_scale(const struct eye_frame *frame, const struct sq_eye_scaling *how,
               struct eye_frame *out);

/* Runs Android's screencap and reads its output. */

enum { EYE_INPUT = 0, EYE_OUTPUT = 1, EYE_ERRORS = 2 };

/* Standard output and errors of a running screencap. */
struct eye_screencap {
    int process;
    int pipes[3]; /* ends that we read; -1: closed */
};

/* What to capture: screencap alone, or with -d and a number. */
struct eye_display {
    bool is_given;
    uint64_t id;
};

/*
 * Starts screencap, which is searched for in PATH as the phone's shell does.
 * Returns false if there is no process or no pipe for it.
 */
bool eye_screencap_start(struct eye_screencap *screencap,
                         struct eye_display display,
                         const char *const *environment);

/* Closes a pipe that was read to its end. */
void eye_screencap_close(struct eye_screencap *screencap, int pipe);

/*
 * The stream to the host: standard input and output of the program on the
 * phone. The program ends if the stream does.
 */

/* Exit status of the program. */
enum {
    EYE_STATUS_OK,
    EYE_STATUS_STREAM_ENDED,
    EYE_STATUS_BAD_REQUEST,
    EYE_STATUS_NO_MEMORY,
};

void eye_stream_init(void);

/* Returns where to write the payload of the next message. */
uint8_t *eye_payload(void);

/* Sends the first `count` bytes of the payload. */
void eye_send(enum sq_eye_type type, size_t count);

/*
 * Waits for a request. Its payload is written to `request`, and messages that
 * are sent from now on answer it. Ends the program after five minutes without
 * one, or if it is invalid.
 */
struct sq_eye_head eye_next_request(uint8_t request[SQ_EYE_MAX_REQUEST]);

/*
 * Sends a frame to the host: codes its words while they are read from
 * screencap, and sends them in parts or, if the coded frame may be too large,
 * keeps the parts back until that is known.
 */

/* Start it with eye_sender_start. */
struct eye_sender {
    struct sq_eye_begin begin;
    const uint8_t *base; /* bytes of a frame that the host has; NULL: none */
    size_t base_words;
    struct sq_eye_coder coder;
    size_t part;     /* coded bytes that wait in the payload */
    size_t part_end; /* words up to the end of the last whole part */
    uint32_t limit;  /* bytes that are kept back at most; 0: none */
    bool is_over;    /* the coded frame is larger; it was not sent */
};

/*
 * Starts a frame that begins like `head`. It is coded as changes of `base` if
 * that is not NULL and has the same shape. With a limit, nothing is sent before
 * eye_sender_end.
 */
void eye_sender_start(struct eye_sender *sender,
                      const struct sq_eye_begin *begin, const uint8_t *head,
                      const struct eye_frame *base, uint32_t limit);

/* Codes the words of the frame that are known by now. */
void eye_sender_code(struct eye_sender *sender, const struct eye_frame *frame);

/*
 * Sends what was not sent yet; the last message is up to the caller. Returns
 * false, and has sent nothing, if the limit was exceeded.
 */
bool eye_sender_end(struct eye_sender *sender);

#endif
