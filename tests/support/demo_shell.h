/* Runs scripts in the demo phone's shell without adb; returns their output. */
#ifndef SQ_TEST_DEMO_SHELL_H
#define SQ_TEST_DEMO_SHELL_H

#include "demo/adbd/phone.h"

/* A phone of 360x640 at density 1, its clock stopped. */
struct sq_adbd_phone *t_phone_create(void);

/* The latest run of a script; texts are NUL-terminated, lengths exclude it. */
struct t_shell_run {
    struct sq_buf out;
    struct sq_buf errors;
    int status;
    bool is_control;
};

/*
 * Run a script to its end without waiting for its delays. The result is valid
 * until the next run.
 */
const struct t_shell_run *t_phone_run(struct sq_adbd_phone *phone,
                                      const char *script);

/* Run a script; returns its standard output. */
const char *t_phone_output(struct sq_adbd_phone *phone, const char *script);

/* Run a script; returns its standard error. */
const char *t_phone_errors(struct sq_adbd_phone *phone, const char *script);

/* Run a script; returns its exit status. */
int t_phone_status(struct sq_adbd_phone *phone, const char *script);

/* Free the result of the last run. */
void t_phone_free_result(void);

#endif
