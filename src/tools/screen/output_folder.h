/* Writes pictures to the output folder, and reads them back by URI. */
#ifndef SQ_TOOLS_SCREEN_OUTPUT_FOLDER_H
#define SQ_TOOLS_SCREEN_OUTPUT_FOLDER_H

#include "config/config.h"
#include "image/pipeline/picture.h"
#include "sys/folder.h"
#include "sys/path.h"
#include "util/buf.h"
#include "util/span.h"

#define SQ_OUTPUT_URI "squint://screenshot/"
#define SQ_OUTPUT_PATH_SIZE (SQ_PATH_SIZE + SQ_FOLDER_NAME_SIZE)

/*
 * A written file. The folder is open; sq_output_file_remove or
 * sq_output_file_keep closes it.
 */
struct sq_output_file {
    int folder;
    char name[SQ_FOLDER_NAME_SIZE];
    char path[SQ_OUTPUT_PATH_SIZE]; /* absolute */
};

/* The name of a new file. */
struct sq_output_file_name {
    struct sq_span local_path; /* empty: a random name */
    bool is_unasked;           /* not requested: only the newest are kept */
    enum sq_format format;     /* its extension is added if missing */
    const char *extension;     /* of another kind of file; NULL: a picture */
};

/*
 * Makes the output folder. *path becomes the outermost folder of squint's own
 * in which files are written.
 */
bool sq_output_folder_make(const struct sq_config *config,
                           char path[SQ_PATH_SIZE]);

/*
 * Writes a picture into the output folder, or into the user's state folder if
 * the output folder is not writable or has a symbolic link in its path. Of
 * files that were not requested, all but the newest SQ_PRUNE_KEEP are removed.
 */
bool sq_output_file_write(const struct sq_config *config,
                          const struct sq_output_file_name *name,
                          const struct sq_buf *picture,
                          struct sq_output_file *out, struct sq_err *err);

/* Removes the file and closes the folder. */
void sq_output_file_remove(struct sq_output_file *saved);

/* Keeps the file and closes the folder. */
void sq_output_file_keep(struct sq_output_file *saved);

/* Returns the extension of a format, with its dot. */
const char *sq_output_extension(enum sq_format format);

/*
 * Returns in *out the format of a file extension, in any case. Returns false
 * and leaves *out unchanged if it is unknown.
 */
bool sq_output_file_format(struct sq_span name, enum sq_format *out);

/* Writes the URI of a generated name; returns false for any other. */
bool sq_output_file_uri(const char *name, char *out, size_t size);

/*
 * Reads the picture of a URI made by sq_output_file_uri; ref is the part after
 * SQ_OUTPUT_URI. *out must be empty; the caller finishes it. Fails with
 * SQ_ERR_NOT_FOUND for any other URI.
 */
bool sq_output_file_read(const struct sq_config *config, struct sq_span ref,
                         struct sq_buf *out, const char **mime_type,
                         struct sq_err *err);

/*
 * Reads a file of the output folder by its name there. *out must hold no
 * memory; the caller finishes it.
 */
bool sq_output_file_load(const struct sq_config *config,
                         struct sq_span local_path, struct sq_buf *out,
                         struct sq_err *err);

#endif
