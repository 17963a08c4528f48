/* The programs of toybox for text and files: echo, cat, rm, ls, grep, gzip. */
#include <libdeflate.h>
#include <stdio.h>

#include "demo/adbd/program.h"

#define GZIP_LEVEL 6

static void
print_not_found(struct sq_adbd_call *call, const char *path) {
    sq_adbd_fail(call, 1, "%s: %s: %s\n", call->argv[0], path,
                 sq_adbd_files_is_folder(path) ? "Is a directory"
                                               : "No such file or directory");
}

static void
run_echo(struct sq_adbd_call *call) {
    bool is_bare = sq_adbd_arg_is(call, 1, "-n");
    for (int i = 1 + is_bare; i < call->argc; i++) {
        sq_adbd_put(call, sq_span_of(call->argv[i]));
        sq_adbd_put(call, i + 1 < call->argc ? SQ_SPAN(" ") : SQ_SPAN(""));
    }
    sq_adbd_put(call, is_bare ? SQ_SPAN("") : SQ_SPAN("\n"));
}

static void
run_cat(struct sq_adbd_call *call) {
    for (int i = 1; i < call->argc; i++) {
        const struct sq_adbd_file *file =
            sq_adbd_files_find(&call->phone->files, call->argv[i]);
        if (sq_adbd_arg_is(call, i, "-")) {
            sq_adbd_put(call, call->input);
        } else if (file) {
            sq_adbd_put(call, sq_buf_span(&file->bytes));
        } else if (!sq_adbd_arg_is(call, i, "/dev/null")) {
            print_not_found(call, call->argv[i]);
        }
    }
    if (call->argc == 1) {
        sq_adbd_put(call, call->input);
    }
}

static void
run_rm(struct sq_adbd_call *call) {
    bool force = false;
    for (int i = 1; i < call->argc; i++) {
        if (call->argv[i][0] == '-') {
            force = force || strchr(call->argv[i], 'f');
        } else if (!sq_adbd_files_remove(&call->phone->files, call->argv[i])
                   && (!force || sq_adbd_files_is_folder(call->argv[i]))) {
            print_not_found(call, call->argv[i]);
        }
    }
}

static void
list_file(struct sq_adbd_call *call, const struct sq_adbd_file *file,
          bool is_long, const char *name) {
    if (is_long) {
        sq_adbd_print(call, "-rw-rw---- 1 shell sdcard_rw %zu ",
                      file->bytes.len);
    }
    sq_adbd_print(call, "%s\n", name);
}

static void
list_path(struct sq_adbd_call *call, const char *path, bool is_long) {
    const struct sq_adbd_files *files = &call->phone->files;
    const struct sq_adbd_file *file = sq_adbd_files_find(files, path);
    if (file) {
        list_file(call, file, is_long, path);
    } else if (!sq_adbd_files_is_folder(path)) {
        print_not_found(call, path);
    }
    for (file = sq_adbd_files_in(files, path, NULL); file;
         file = sq_adbd_files_in(files, path, file)) {
        list_file(call, file, is_long, sq_adbd_file_name(file));
    }
}

static void
run_ls(struct sq_adbd_call *call) {
    bool is_long = false;
    for (int i = 1; i < call->argc; i++) {
        if (call->argv[i][0] == '-') {
            is_long = is_long || strchr(call->argv[i], 'l');
        } else {
            list_path(call, call->argv[i], is_long);
        }
    }
}

static bool
contains(struct sq_span line, struct sq_span word, bool ignores_case) {
    for (size_t at = 0; at + word.len <= line.len; at++) {
        size_t same = 0;
        while (same < word.len
               && (line.ptr[at + same] == word.ptr[same]
                   || (ignores_case
                       && sq_ascii_lower(line.ptr[at + same])
                              == sq_ascii_lower(word.ptr[same])))) {
            same++;
        }
        if (same == word.len) {
            return true;
        }
    }
    return false;
}

/* The pattern has alternatives separated by | or \|. */
static bool
matches(struct sq_span line, const char *pattern, bool ignores_case) {
    struct sq_span rest = sq_span_of(pattern);
    bool found = false;
    bool more = true;
    while (!found && more) {
        struct sq_span word = rest;
        more = sq_span_take_until(&rest, '|', &word);
        word.len -= more && word.len && word.ptr[word.len - 1] == '\\';
        found = contains(line, word, ignores_case);
    }
    return found;
}

/* Supports plain words, not regular expressions: enough for dumpsys output. */
static void
run_grep(struct sq_adbd_call *call) {
    const char *pattern = NULL;
    const char *path = NULL;
    bool inverts = false;
    bool ignores_case = false;
    struct sq_span line;
    for (int i = 1; i < call->argc; i++) {
        const char *arg = call->argv[i];
        if (arg[0] == '-' && !pattern) {
            inverts = inverts || strchr(arg, 'v');
            ignores_case = ignores_case || strchr(arg, 'i');
        } else {
            *(pattern ? &path : &pattern) = arg;
        }
    }
    if (!pattern) {
        sq_adbd_fail(call, 2, "grep: no pattern\n");
        return;
    }
    const struct sq_adbd_file *file =
        path ? sq_adbd_files_find(&call->phone->files, path) : NULL;
    struct sq_span text = file ? sq_buf_span(&file->bytes) : call->input;
    if (path && !file) {
        print_not_found(call, path);
        return;
    }
    call->status = 1;
    while (sq_span_take_line(&text, &line)) {
        if (matches(line, pattern, ignores_case) != inverts) {
            call->status = 0;
            sq_adbd_put(call, line);
            sq_adbd_put(call, SQ_SPAN("\n"));
        }
    }
}

/* Compresses stdin to stdout, as Android's does since version 8. */
static void
compress(struct sq_adbd_call *call, int level) {
    struct libdeflate_compressor *compressor =
        libdeflate_alloc_compressor(level);
    uint8_t *space;
    if (!compressor) {
        sq_adbd_check(call, sq_fail_nomem(call->err));
        return;
    }
    size_t bound = libdeflate_gzip_compress_bound(compressor, call->input.len);
    if (sq_adbd_check(call,
                      sq_buf_reserve(call->out, bound, &space, call->err))) {
        sq_buf_commit(call->out,
                      libdeflate_gzip_compress(
                          compressor, call->input.len ? call->input.ptr : "",
                          call->input.len, space, bound));
    }
    libdeflate_free_compressor(compressor);
}

static void
run_gzip(struct sq_adbd_call *call) {
    int level = GZIP_LEVEL;
    if (sq_adbd_has(call, SQ_ADBD_NO_GZIP)) {
        sq_adbd_fail(call, SQ_ADBD_NOT_FOUND,
                     "/system/bin/sh: gzip: inaccessible or not found\n");
        return;
    }
    for (int i = 1; i < call->argc; i++) {
        const char *word = call->argv[i];
        if (word[0] == '-' && word[1] >= '1' && word[1] <= '9' && !word[2]) {
            level = word[1] - '0';
        } else if (strcmp(word, "-c") != 0) {
            sq_adbd_fail(call, 1, "gzip: only -1 to -9 and -c are known\n");
            return;
        }
    }
    compress(call, level);
}

const struct sq_adbd_program sq_adbd_text_programs[] = {
    { "cat", run_cat, SQ_ADBD_PROGRAM },
    { "echo", run_echo, SQ_ADBD_BUILTIN },
    { "grep", run_grep, SQ_ADBD_PROGRAM },
    { "gzip", run_gzip, SQ_ADBD_PROGRAM },
    { "ls", run_ls, SQ_ADBD_PROGRAM },
    { "rm", run_rm, SQ_ADBD_PROGRAM },
    { 0 },
};
