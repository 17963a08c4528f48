/* A subcommand: one file, one const object, and one row in app.c. */
#ifndef SQ_APP_COMMAND_H
#define SQ_APP_COMMAND_H

#include "app/options.h"
#include "geom/size.h"
#include "json/writer.h"

/* Exit statuses, as diff(1) has them: 1 is an answer or a failed attempt. */
enum sq_status {
    SQ_STATUS_OK = 0,
    SQ_STATUS_FAILED = 1, /* could not be done; for diff: pictures differ */
    SQ_STATUS_USAGE = 2,  /* the command line is wrong; for diff: trouble */
};

struct sq_command {
    const char *name;
    const char *usage;   /* the words behind the name */
    const char *summary; /* one line */
    const char *help;    /* more, for --help */
    const struct sq_option *options;
    size_t args_size;
    int min_words;
    int max_words;
    enum sq_status trouble; /* the status of an error that is not usage */
    /*
     * Do it and set *status, or fail. Output goes to out, which is printed
     * when run has succeeded.
     */
    bool (*run)(const struct sq_words *words, const void *args,
                struct sq_buf *out, enum sq_status *status, struct sq_err *err);
    /* Instead of run: takes the command line apart by itself. */
    bool (*run_words)(int argc, char **argv, struct sq_buf *out,
                      enum sq_status *status, struct sq_err *err);
};

extern const struct sq_command sq_command_mcp;
extern const struct sq_command sq_command_demo;
extern const struct sq_command sq_command_doctor;
extern const struct sq_command sq_command_scale;
extern const struct sq_command sq_command_diff;
extern const struct sq_command sq_command_tokens;
extern const struct sq_command sq_command_install;
extern const struct sq_command sq_command_archive;
extern const struct sq_command sq_command_record;
extern const struct sq_command sq_command_completion;
extern const struct sq_command sq_command_man;

/* The commands in the order of the help text; NULL behind the last. */
const struct sq_command *sq_command_at(size_t index);

/* Read a picture file; an error names the file. */
bool sq_command_read(const char *path, struct sq_buf *out, struct sq_err *err);

/* Name the file whose content the error already recorded is about; false. */
bool sq_command_fail_in(const char *path, struct sq_err *err);

/* Write a member {"width","height"} of that name. */
void sq_command_put_size(struct sq_json_writer *w, const char *key,
                         struct sq_size size);

#endif
