/*
 * Builds a command for the device's shell from constant text and untrusted
 * words, which are always quoted, and runs it.
 */
#ifndef SQ_DEVICE_ANDROID_COMMAND_H
#define SQ_DEVICE_ANDROID_COMMAND_H

#include "device/android/state.h"

/* The first failure is kept and reported by sq_command_run. */
struct sq_command {
    struct sq_buf text;
    struct sq_err err;
};

/* Starts with constant text. The caller then runs or drops the command. */
void sq_command_begin(struct sq_command *command, const char *text);

/* Appends a blank and constant text. */
void sq_command_add(struct sq_command *command, const char *text);

/* Appends a blank and a quoted word. */
void sq_command_word(struct sq_command *command, struct sq_span word);

/* Appends a blank and a number. */
void sq_command_number(struct sq_command *command, double number);

/*
 * Runs the command and frees it. The command's own failure is not an error
 * here; check output->status. It counts as an action: what is cached about the
 * screen is discarded. The caller calls sq_adb_output_finish on *output, also
 * on failure.
 */
bool sq_command_run(struct sq_command *command, struct sq_android *android,
                    struct sq_adb_output *output,
                    const struct sq_deadline *deadline, struct sq_err *err);

/* The same for a command that only reads: nothing is discarded. */
bool sq_command_ask(struct sq_command *command, struct sq_android *android,
                    struct sq_adb_output *output,
                    const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Runs the command like sq_command_run and gives all that it printed, stdout
 * then stderr, as one text in *output->out.
 */
bool sq_command_say(struct sq_command *command, struct sq_android *android,
                    struct sq_adb_output *output,
                    const struct sq_deadline *deadline, struct sq_err *err);

/* Returns whether the text contains the words anywhere. */
bool sq_reply_contains(struct sq_span text, const char *words);

/*
 * Runs a command that prints nothing, or lines without "Exception", "Error" or
 * "Failure", when it works. Fails otherwise: "Android did not WHAT: ...".
 */
bool sq_command_do(struct sq_command *command, struct sq_android *android,
                   const char *what, const struct sq_deadline *deadline,
                   struct sq_err *err);

/*
 * Like sq_command_do, for commands that end with a query: without the expected
 * words in the reply, or without any reply if those are "", nothing was done.
 */
bool sq_command_confirm(struct sq_command *command, struct sq_android *android,
                        const char *what, const char *expected,
                        const struct sq_deadline *deadline, struct sq_err *err);

/* Fails because Android did not do what was asked, and quotes its words. */
bool sq_fail_android(const char *what, struct sq_span reply,
                     struct sq_err *err);

#endif
