/* version: prints the version, and what this program was built from. */
#include "app/commands/command.h"

#include <expat.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include <isa-l.h>
#include <libdeflate.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
/* After stdio.h, which it needs. */
#include <jpeglib.h>
#include <webp/decode.h>
#include <yaml.h>

#include "eye/programs.h"
#include "json/writer.h"
#include "image/pipeline/cpu.h"
#include "sys/sandbox.h"
#include "vision/reader.h"

#define STRING(number) #number
#define TEXT(macro) STRING(macro)

struct version_args {
    bool verbose;
    bool json;
};

static const struct sq_arg version_options[] = {
    SQ_BOOL(version_args, verbose, "verbose",
            "also print libraries, features and the processor code in use"),
    SQ_BOOL(version_args, json, "json", "print everything as JSON"),
    SQ_ARGS_END,
};

#define MAX_FACTS 24

/* Facts of a group have the same pointer. */
static const char libraries_group[] = "libraries";
static const char build_group[] = "build";

/* What is printed, one line each. */
struct facts {
    struct fact {
        const char *group; /* "libraries", "build" */
        const char *name;
        char value[SQ_SANDBOX_TEXT_SIZE];
    } items[MAX_FACTS];
    size_t count;
};

__attribute__((format(printf, 4, 5))) static void
add(struct facts *facts, const char *group, const char *name,
    const char *format, ...) {
    if (facts->count == MAX_FACTS) {
        return;
    }
    struct fact *fact = &facts->items[facts->count++];
    va_list args;
    va_start(args, format);
    *fact = (struct fact){ .group = group, .name = name };
    vsnprintf(fact->value, sizeof(fact->value), format, args);
    va_end(args);
}

/*
 * Adds the libraries: the version that is loaded, or where the library cannot
 * be asked, the one that squint was compiled with.
 */
static bool
add_libraries(struct facts *facts, struct sq_err *err) {
    const char *group = libraries_group;
    char tesseract[SQ_RECOGNISER_VERSION_SIZE];
    int webp = WebPGetDecoderVersion();
    FT_Library freetype;
    add(facts, group, "libjpeg-turbo", "%s", TEXT(LIBJPEG_TURBO_VERSION));
    add(facts, group, "libwebp", "%d.%d.%d", webp >> 16, webp >> 8 & 0xff,
        webp & 0xff);
    add(facts, group, "libdeflate", "%s", LIBDEFLATE_VERSION_STRING);
    add(facts, group, "isa-l", "%d.%d.%d", ISAL_MAJOR_VERSION,
        ISAL_MINOR_VERSION, ISAL_PATCH_VERSION);
    if (FT_Init_FreeType(&freetype) != 0) {
        return sq_fail_nomem(err);
    }
    FT_Int major;
    FT_Int minor;
    FT_Int patch;
    FT_Library_Version(freetype, &major, &minor, &patch);
    add(facts, group, "freetype", "%d.%d.%d", major, minor, patch);
    FT_Done_FreeType(freetype);
    XML_Expat_Version expat = XML_ExpatVersionInfo();
    add(facts, group, "expat", "%d.%d.%d", expat.major, expat.minor,
        expat.micro);
    add(facts, group, "libyaml", "%s", yaml_get_version_string());
    add(facts, group, "sqlite", "%s", sqlite3_libversion());
    add(facts, group, "libsodium", "%s", sodium_version_string());
    sq_recogniser_version(tesseract);
    add(facts, group, "tesseract", "%s", tesseract);
    return true;
}

/* Adds the processors of phones for which squint has a program of its own. */
static void
add_phone_programs(struct facts *facts) {
    char list[sizeof(facts->items[0].value)] = "";
    size_t used = 0;
    for (size_t i = 0; sq_eye_program_at(i) && used < sizeof(list); i++) {
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
                                 i > 0 ? ", " : "", sq_eye_program_at(i)->abi);
    }
    add(facts, build_group, "phone programs", "%s",
        used > 0 ? list : "none: no compiler for them was found");
}

static void
add_features(struct facts *facts) {
    add(facts, build_group, "compiler", "%s", __VERSION__);
    add(facts, build_group, "processor code", "%s",
        sq_cpu_name(sq_cpu_level()));
#if defined(SQ_PORTABLE)
    add(facts, build_group, "portable build", "yes");
#else
    add(facts, build_group, "portable build", "no");
#endif
#if defined(SQ_FAULTS)
    add(facts, build_group, "fault injection", "yes");
#else
    add(facts, build_group, "fault injection", "no");
#endif
#if defined(__SANITIZE_ADDRESS__)
    add(facts, build_group, "address sanitizer", "yes");
#else
    add(facts, build_group, "address sanitizer", "no");
#endif
    char sandbox[SQ_SANDBOX_TEXT_SIZE];
    sq_sandbox_describe(sq_sandbox_available(), sandbox);
    add(facts, build_group, "sandbox", "%s", sandbox);
}

static bool
put_text(const struct facts *facts, struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < facts->count; i++) {
        const struct fact *fact = &facts->items[i];
        bool is_new = i == 0 || fact->group != facts->items[i - 1].group;
        ok = (!is_new || sq_buf_printf(out, err, "%s:\n", fact->group))
          && sq_buf_printf(out, err, "  %-19s %s\n", fact->name, fact->value);
    }
    return ok;
}

/* Writes a fact: "fault injection", "no" as "faultInjection": false. */
static void
put_fact(struct sq_json_writer *w, const struct fact *fact) {
    char key[64];
    size_t used = 0;
    for (const char *c = fact->name; *c && used + 1 < sizeof(key); c++) {
        bool is_space = *c == ' ' && c[1] >= 'a' && c[1] <= 'z';
        c += is_space;
        key[used++] = (char)(is_space ? *c - 'a' + 'A' : *c);
    }
    key[used] = '\0';
    sq_json_put_key(w, key);
    bool is_yes = strcmp(fact->value, "yes") == 0;
    if (is_yes || strcmp(fact->value, "no") == 0) {
        sq_json_put_bool(w, is_yes);
    } else {
        sq_json_put_clean(w, sq_span_of(fact->value));
    }
}

static bool
put_json(const struct facts *facts, struct sq_buf *out, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_open(&w, out);
    sq_json_put_string(sq_json_at(&w, "version"), SQ_SPAN(SQ_VERSION));
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->items[i];
        bool is_new = i == 0 || fact->group != facts->items[i - 1].group;
        bool is_last =
            i + 1 == facts->count || facts->items[i + 1].group != fact->group;
        if (is_new) {
            sq_json_begin_object_of(&w, fact->group);
        }
        put_fact(&w, fact);
        if (is_last) {
            sq_json_end_object(&w);
        }
    }
    return sq_json_end_line(&w, err);
}

static bool
version_run(const struct sq_run *run, struct sq_err *err) {
    const struct version_args *args = run->args;
    struct facts facts = { .count = 0 };
    if (args->verbose && args->json) {
        sq_fail(err, SQ_ERR_ARGUMENT, "--verbose has no effect with --json");
        return sq_fail_hint(err, "Leave it out: the JSON has all details.");
    }
    if (args->verbose || args->json) {
        if (!add_libraries(&facts, err)) {
            return false;
        }
        add_features(&facts);
        add_phone_programs(&facts);
    }
    return args->json ? put_json(&facts, run->out, err)
                      : sq_buf_printf(run->out, err, "squint %s\n", SQ_VERSION)
                            && put_text(&facts, run->out, err);
}

const struct sq_command sq_command_version = {
    .name = "version",
    .usage = "[options]",
    .summary = "print the version, and what it was built from",
    .options = version_options,
    .run = version_run,
};
