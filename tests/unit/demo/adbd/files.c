#include "demo/adbd/phone.h"

#include "support/test.h"

static struct sq_adbd_file *
create(struct sq_adbd_files *files, const char *path) {
    struct sq_adbd_file *file = NULL;
    T_OK(sq_adbd_files_create(files, path, 5, &file, &t_err));
    return file;
}

T_CASE(one_file_has_several_paths) {
    T_FREED(sq_adbd_files_finish) struct sq_adbd_files files = { 0 };
    struct sq_adbd_file *file = create(&files, "/sdcard/a/b.xml");
    T_STR(file->path, "/sdcard/a/b.xml");
    T(sq_adbd_files_find(&files, "/storage/emulated/0/a/b.xml") == file);
    T(sq_adbd_files_find(&files, "//sdcard///a/b.xml/") == file);
    T(!sq_adbd_files_find(&files, "/sdcard/a"));
    T(!sq_adbd_files_find(&files, "sdcard/a/b.xml"));
    T(!sq_adbd_files_find(&files, ""));
    T(create(&files, "/mnt/sdcard/a/b.xml") == file);
    T_INT(files.count, 1);
    T(sq_adbd_files_remove(&files, "/storage/self/primary/a/b.xml"));
    T(!sq_adbd_files_remove(&files, "/sdcard/a/b.xml"));
}

T_CASE(files_are_created_only_in_writable_folders) {
    static const char *const refused[] = {
        "/", "/sdcard", "/sdcard/",     "/system/a",        "/data/a",
        "a", "",        "/sdcardfoo/a", "/data/local/tmpx",
    };
    T_FREED(sq_adbd_files_finish) struct sq_adbd_files files = { 0 };
    for (size_t i = 0; i < SQ_COUNT(refused); i++) {
        struct sq_adbd_file *file = NULL;
        T_FAILS(sq_adbd_files_create(&files, refused[i], 1, &file, &t_err),
                SQ_ERR_NOT_FOUND);
        T(!file);
    }
    char endless[2 * SQ_ADBD_PATH_SIZE];
    memset(endless, 'a', sizeof(endless));
    memcpy(endless, "/sdcard/", 8);
    endless[sizeof(endless) - 1] = '\0';
    T(!sq_adbd_files_check(endless, NULL));
    /* The longest path, under its longer name. */
    endless[SQ_ADBD_PATH_SIZE - 1] = '\0';
    create(&files, endless);
    T(sq_adbd_files_find(&files, endless));
}

T_CASE(folder_lists_its_direct_entries) {
    T_FREED(sq_adbd_files_finish) struct sq_adbd_files files = { 0 };
    create(&files, "/sdcard/c");
    create(&files, "/sdcard/a");
    create(&files, "/sdcard/d/e");
    create(&files, "/data/local/tmp/b");
    const struct sq_adbd_file *file =
        sq_adbd_files_in(&files, "/sdcard/", NULL);
    T_STR(sq_adbd_file_name(file), "a");
    file = sq_adbd_files_in(&files, "/sdcard", file);
    T_STR(sq_adbd_file_name(file), "c");
    T(!sq_adbd_files_in(&files, "/sdcard", file));
    T(sq_adbd_files_is_folder("/sdcard"));
    T(sq_adbd_files_is_folder("/storage/emulated/0/"));
    T(sq_adbd_files_is_folder("/"));
    T(!sq_adbd_files_is_folder("/sdcard/a"));
}

T_CASE(number_of_files_is_limited) {
    struct sq_adbd_files files = { 0 };
    struct sq_adbd_file *file = NULL;
    for (int i = 0; i < SQ_ADBD_MAX_FILES; i++) {
        char path[32];
        snprintf(path, sizeof(path), "/sdcard/%d", i);
        create(&files, path);
    }
    T_FAILS(sq_adbd_files_create(&files, "/sdcard/more", 1, &file, &t_err),
            SQ_ERR_LIMIT);
    T(create(&files, "/sdcard/0") != NULL);
    T(sq_adbd_files_remove(&files, "/sdcard/1"));
    T(create(&files, "/sdcard/more") != NULL);
    sq_adbd_files_finish(&files);
    sq_adbd_files_finish(&files);
}
