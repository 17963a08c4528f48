/* Pictures in files: where they go, what they are called, how to get one. */
#ifndef SQ_TOOLS_OUTPUT_FOLDER_H
#define SQ_TOOLS_OUTPUT_FOLDER_H

#include "config/config.h"
#include "image/picture.h"
#include "sys/folder.h"
#include "sys/path.h"
#include "util/buf.h"
#include "util/span.h"

#define SQ_OUTPUT_URI "squint://screenshot/"
#define SQ_OUTPUT_PATH_SIZE (SQ_PATH_SIZE + SQ_FOLDER_NAME_SIZE)

/* A file that was written; the folder is open and the owner's to close. */
struct sq_output_file {
    int folder;
    char name[SQ_FOLDER_NAME_SIZE];
    char path[SQ_OUTPUT_PATH_SIZE]; /* absolute */
};

/* What a file is called. */
struct sq_output_file_name {
    struct sq_span local_path; /* empty: a name that nobody can guess */
    bool is_unasked;       /* nobody asked for it: only the newest are kept */
    enum sq_format format; /* its ending is added unless the name has it */
};

/*
 * Write a picture into the output folder, or where that cannot be written to
 * or has a symbolic link in its path, into the user's state folder. Of those
 * that were not asked for, older ones than the newest SQ_PRUNE_KEEP are
 * removed.
 */
bool sq_output_file_write(const struct sq_config *config,
                          const struct sq_output_file_name *name,
                          const struct sq_buf *picture,
                          struct sq_output_file *out, struct sq_err *err);

/* Take the file away again, and close the folder. */
void sq_output_file_remove(struct sq_output_file *saved);

/* Keep the file, close the folder. */
void sq_output_file_keep(struct sq_output_file *saved);

/*
 * The format that the ending of a name stands for. False, *out untouched, if
 * it stands for none.
 */
bool sq_output_file_format(struct sq_span name, enum sq_format *out);

/* The address of a picture with a name of ours; false if it has another. */
bool sq_output_file_uri(const char *name, char *out, size_t size);

/*
 * Read what an address that sq_output_file_uri made stands for; ref is what
 * follows SQ_OUTPUT_URI. *out must hold no memory before and is the caller's to
 * finish afterwards. Anything else is SQ_ERR_NOT_FOUND.
 */
bool sq_output_file_read(const struct sq_config *config, struct sq_span ref,
                         struct sq_buf *out, const char **mime_type,
                         struct sq_err *err);

#endif
