#include "sys/path.h"

#include "support/test.h"

static const struct {
    const char *variable;
    enum sq_user_folder which;
    const char *below_home;
} folders[] = {
    { "XDG_CONFIG_HOME", SQ_USER_CONFIG, "/h/.config/a/b" },
    { "XDG_CACHE_HOME", SQ_USER_CACHE, "/h/.cache/a/b" },
    { "XDG_DATA_HOME", SQ_USER_DATA, "/h/.local/share/a/b" },
    { "XDG_STATE_HOME", SQ_USER_STATE, "/h/.local/state/a/b" },
};
#define FOLDERS (SQ_COUNT(folders))

static void
set_all(const char *home, const char *value) {
    if (home) {
        setenv("HOME", home, 1);
    } else {
        unsetenv("HOME");
    }
    for (size_t i = 0; i < FOLDERS; i++) {
        if (value) {
            setenv(folders[i].variable, value, 1);
        } else {
            unsetenv(folders[i].variable);
        }
    }
}

T_CASE(variables_set_the_folders) {
    char path[SQ_PATH_SIZE];
    set_all(NULL, "/elsewhere");
    for (size_t i = 0; i < FOLDERS; i++) {
        T(sq_user_path(folders[i].which, "a/b", path));
        T_STR(path, "/elsewhere/a/b");
    }
    /* Each folder has a variable of its own. */
    for (size_t i = 0; i < FOLDERS; i++) {
        set_all("/h", NULL);
        setenv(folders[i].variable, "/own", 1);
        for (size_t k = 0; k < FOLDERS; k++) {
            T(sq_user_path(folders[k].which, "a/b", path));
            T_STR(path, k == i ? "/own/a/b" : folders[k].below_home);
        }
    }
}

/* The specification: relative paths are invalid and to be ignored. */
T_CASE(unset_empty_and_relative_variables_are_ignored) {
    static const char *const values[] = { NULL, "", "relative", "./x", "~/x" };
    char path[SQ_PATH_SIZE];
    for (size_t v = 0; v < SQ_COUNT(values); v++) {
        set_all("/h", values[v]);
        for (size_t i = 0; i < FOLDERS; i++) {
            T(sq_user_path(folders[i].which, "a/b", path));
            T_STR(path, folders[i].below_home);
        }
    }
}

T_CASE(without_home_there_is_no_folder) {
    static const char *const homes[] = { NULL, "", "relative" };
    char path[SQ_PATH_SIZE] = "unchanged";
    for (size_t h = 0; h < SQ_COUNT(homes); h++) {
        set_all(homes[h], NULL);
        T(!sq_user_path(SQ_USER_HOME, "a", path));
        for (size_t i = 0; i < FOLDERS; i++) {
            T(!sq_user_path(folders[i].which, "a", path));
        }
    }
    T_STR(path, "unchanged");
    set_all("/h", "/elsewhere");
    T(sq_user_path(SQ_USER_HOME, "a", path));
    T_STR(path, "/h/a");
}

T_CASE(the_named_variable_defines_the_folder) {
    char path[SQ_PATH_SIZE];
    set_all(NULL, NULL);
    setenv(sq_user_variable(SQ_USER_HOME), "/h", 1);
    T(sq_user_path(SQ_USER_HOME, "a", path));
    T_STR(path, "/h/a");
    for (size_t i = 0; i < FOLDERS; i++) {
        set_all(NULL, NULL);
        setenv(sq_user_variable(folders[i].which), "/h", 1);
        T(sq_user_path(folders[i].which, "a", path));
        T(strncmp(path, "/h/", 3) == 0);
    }
}

T_CASE(paths_fit_or_are_refused) {
    char home[SQ_PATH_SIZE];
    char path[SQ_PATH_SIZE] = "unchanged";
    memset(home, 'x', sizeof(home));
    home[0] = '/';
    home[SQ_PATH_SIZE - 3] = '\0'; /* leaves room for "/a" and the end */
    set_all(home, NULL);
    T(!sq_user_path(SQ_USER_HOME, "ab", path));
    T(!sq_user_path(SQ_USER_CONFIG, "a", path));
    T_STR(path, "unchanged");
    T(sq_user_path(SQ_USER_HOME, "a", path));
    T_INT((int)strlen(path), SQ_PATH_SIZE - 1);
}
