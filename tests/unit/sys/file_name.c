/* How file names are shown to people. */

#include "support/test.h"
#include "sys/file.h"

T_CASE(control_characters_are_escaped) {
    char name[SQ_FILE_NAME_SIZE];
    sq_file_name("a\033[2Jb\n\x7f\xc2\x9bz", false, name);
    T_STR(name, "a\\u001b[2Jb\\u000a\\u007f\\u009bz");
    sq_file_name("gr\xc3\xbc\xc3\x9f.png", false, name);
    T_STR(name, "gr\xc3\xbc\xc3\x9f.png");
    sq_file_name("a\xff\xe2\x80\x8b.png", false, name);
    T_STR(name, "a\\xff\\u200b.png");
    sq_file_name("-", true, name);
    T_STR(name, "standard output");
}

T_CASE(long_names_show_their_end) {
    char path[1000];
    char name[SQ_FILE_NAME_SIZE];
    for (size_t i = 0; i + 2 < sizeof(path); i += 2) {
        memcpy(path + i, "\xc3\xa4", 2);
    }
    memcpy(path + sizeof(path) - 8, "end.png", 8);
    for (size_t start = 0; start < 2; start++) {
        sq_file_name(path + 2 * start, false, name);
        T(memcmp(name, "...\xc3\xa4", 5) == 0);
        T_STR(name + strlen(name) - 7, "end.png");
        T(strlen(name) > SQ_FILE_NAME_SIZE - 4);
    }
    memset(path, '\n', sizeof(path) - 1);
    path[sizeof(path) - 1] = '\0';
    sq_file_name(path, false, name);
    T(memcmp(name, "...\\u000a", 9) == 0);
    T(strlen(name) < SQ_FILE_NAME_SIZE);
}
