/* Parses and formats file names of screenshots by a table of programs. */
#include "archive/names/name.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "archive/names/private.h"

#define THUMBNAIL ".thumbnail"
#define THUMBNAIL_LEN (sizeof(THUMBNAIL) - 1)

#define JPG (1U << SQ_SHOT_JPG)
#define JPEG (1U << SQ_SHOT_JPEG)
#define PNG (1U << SQ_SHOT_PNG)
#define WEBP (1U << SQ_SHOT_WEBP)
#define ANY_KIND (JPG | JPEG | PNG | WEBP)

static const struct ending {
    const char *text;
    size_t len;
    const char *mime;
} endings[SQ_SHOT_ENDINGS] = {
    [SQ_SHOT_JPG] = { ".jpg", 4, "image/jpeg" },
    [SQ_SHOT_JPEG] = { ".jpeg", 5, "image/jpeg" },
    [SQ_SHOT_PNG] = { ".png", 4, "image/png" },
    [SQ_SHOT_WEBP] = { ".webp", 5, "image/webp" },
};

#define SPELLINGS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define NNBSP "\xe2\x80\xaf" /* U+202F, used by macOS before AM and PM */

/*
 * Refs and index files identify a row by its position: only append rows, and
 * increase the version of a row whose spellings change. Earlier rows and
 * spellings take precedence. pattern.c describes the patterns.
 */
static const struct sq_name_row rows[] = {
    { .about = { "manictime", 1,
                 "2026-02-27_06-14-44_01-00_3866_2330_517204_1.jpg" },
      .endings = JPG | JPEG },
    { .about = { "android", 1, "Screenshot_20260227-061444.png" },
      .endings = ANY_KIND,
      .spellings = SPELLINGS("Screenshot_%Y%M%D-%h%m%s",
                             "Screenshot_%Y%M%D-%h%m%s-display-%d",
                             "Screenshot_%Y-%M-%D-%h-%m-%s") },
    { .about = { "android-studio", 1, "Screenshot_20260227_061444.png" },
      .endings = ANY_KIND,
      .spellings = SPELLINGS("Screenshot_%Y%M%D_%h%m%s",
                             "device-%Y-%M-%D-%h%m%s", "device-%Y%M%D%h%m%s") },
    { .about = { "android-oem", 1, "Screenshot_20260227_061444_Settings.jpg" },
      .endings = ANY_KIND,
      .spellings = SPELLINGS("Screenshot_%Y%M%D-%h%m%s_%*",
                             "Screenshot_%Y%M%D_%h%m%s_%*",
                             "Screenshot_%Y-%M-%D-%h-%m-%s-%*") },
    { .about = { "gnome", 1, "Screenshot From 2026-02-27 06-14-44.png" },
      .endings = PNG | JPG | WEBP,
      .spellings =
          SPELLINGS("Screenshot From %Y-%M-%D %h-%m-%s",
                    "Screenshot from %Y-%M-%D %h-%m-%s",
                    "Screenshot From %Y-%M-%D %h-%m-%s-%N",
                    "Screenshot from %Y-%M-%D %h-%m-%s-%N",
                    "Screenshot from %Y-%M-%D %h.%m.%s",
                    "Screenshot from %Y-%M-%D %h.%m.%s@2x",
                    "%^ %Y-%M-%D %h-%m-%s", "%^ %Y-%M-%D %h-%m-%s-%*") },
    { .about = { "flameshot", 1, "2026-02-27_06-14.png" },
      .endings = ANY_KIND,
      .spellings = SPELLINGS("%Y-%M-%D_%h-%m", "%Y-%M-%D_%h-%m_%N") },
    { .about = { "sharex", 1, "2026-02-27_06-14-44.png" },
      .endings = ANY_KIND,
      .spellings = SPELLINGS("%Y-%M-%D_%h-%m-%s", "%^_%Y-%M-%D_%h-%m-%s") },
    { .about = { "windows-snip", 1, "Screenshot 2026-02-27 061444.png" },
      .endings = ANY_KIND,
      .spellings =
          SPELLINGS("Screenshot %Y-%M-%D %h%m%s", "%^ %Y-%M-%D %h%m%s") },
    { .about = { "macos", 1,
                 "Screenshot 2026-02-27 at 6.14.44" NNBSP "AM.png" },
      .endings = ANY_KIND,
      .spellings =
          SPELLINGS("Screenshot %Y-%M-%D at %H.%m.%s" NNBSP "%p",
                    "Screenshot %Y-%M-%D at %h.%m.%s",
                    "Screenshot %Y-%M-%D at %H.%m.%s %p",
                    "Screen Shot %Y-%M-%D at %H.%m.%s %p",
                    "Screen Shot %Y-%M-%D at %h.%m.%s", "%^%Y-%M-%D%~%t") },
    { .about = { "spectacle", 2, "Bildschirmfoto_20260227_061444.png" },
      .endings = ANY_KIND,
      .spellings = SPELLINGS("%^_%Y%M%D_%h%m%s", "Screenshot_%Y%M%D_%h%m%s-%N",
                             "%^_%Y%M%D_%h%m%s-%*") },
    { .about = { "screenpipe", 1, "1772172884123_m1.jpg" },
      .endings = JPG | JPEG,
      .utc = true,
      .spellings = SPELLINGS("%W_m%d") },
    { .about = { "openrecall", 1, "1772172884.webp" },
      .endings = WEBP | PNG,
      .utc = true,
      .spellings = SPELLINGS("%U") },
    { .about = { "aw-watcher-screenshot", 1, "20260227_061444123_1.webp" },
      .endings = WEBP,
      .utc = true,
      .spellings = SPELLINGS("%Y%M%D_%h%m%s%L_%d") },
    { .about = { "greenshot", 1, "2026-02-27 06_14_44-Inbox.png" },
      .endings = ANY_KIND,
      .spellings = SPELLINGS("%Y-%M-%D %h_%m_%s", "greenshot %Y-%M-%D %h_%m_%s",
                             "%Y-%M-%D %h_%m_%s-%*") },
    { .about = { "cleanshot", 1, "CleanShot 2026-02-27 at 06.14.44@2x.png" },
      .endings = ANY_KIND,
      .spellings = SPELLINGS("CleanShot %Y-%M-%D at %h.%m.%s",
                             "CleanShot %Y-%M-%D at %h.%m.%s@2x") },
    { .about = { "scrot", 1, "2026-02-27-061444_1920x1080_scrot.png" },
      .endings = ANY_KIND,
      .spellings =
          SPELLINGS("%Y-%M-%D-%h%m%s_%xx%y_scrot", "%Y-%M-%D-%h%m%s_scrot",
                    "%Y-%M-%D-%h%m%s_%xx%y_scrot_%*") },
    { .about = { "grim", 1, "20260227_06h14m44s_grim.png" },
      .endings = ANY_KIND,
      .spellings = SPELLINGS("%Y%M%D_%hh%mm%ss_grim") },
    { .about = { "hyprshot", 1, "2026-02-27-061444_hyprshot.png" },
      .endings = PNG,
      .spellings = SPELLINGS("%Y-%M-%D-%h%m%s_hyprshot") },
    { .about = { "swappy", 1, "swappy-20260227-061444.png" },
      .endings = PNG,
      .spellings = SPELLINGS("swappy-%Y%M%D-%h%m%s", "swappy-%Y%M%D_%h%m%s") },
    { .about = { "ksnip", 1, "ksnip_20260227-061444.png" },
      .endings = ANY_KIND,
      .spellings = SPELLINGS("ksnip_%Y%M%D-%h%m%s") },
    { .about = { "xfce", 1, "Screenshot_2026-02-27_06-14-44.png" },
      .endings = ANY_KIND,
      .spellings = SPELLINGS("Screenshot_%Y-%M-%D_%h-%m-%s") },
    { .about = { "firefox", 1,
                 "Screenshot 2026-02-27 at 06-14-44 Example Domain.png" },
      .endings = PNG | JPG,
      .spellings = SPELLINGS("Screenshot %Y-%M-%D at %h-%m-%s",
                             "Screenshot %Y-%M-%D at %h-%m-%s %*") },
    { .about = { "dropbox", 1, "2026-02-27 06.14.44.png" },
      .endings = ANY_KIND,
      .spellings = SPELLINGS("%Y-%M-%D %h.%m.%s", "%Y-%M-%D %h.%m.%s-%N") },
    { .about = { "screenshot", 1, "screenshot-20260227-061444.png" },
      .endings = ANY_KIND,
      .spellings = SPELLINGS(
          "screenshot-%Y%M%D-%h%m%s", "screenshot-%Y%M%D_%h%m%s",
          "screenshot-%Y-%M-%D-%h%m%s", "screenshot-%Y-%M-%D-%h-%m-%s",
          "screenshot-%Y-%M-%D_%h-%m-%s", "Screenshot-%Y-%M-%D-%h%m%s",
          "screenshot-%W", "screenshot-%U") },
    { .about = { "screenshot-utc", 1,
                 "screenshot-2026-02-27T06-14-44-123Z.png" },
      .endings = ANY_KIND,
      .utc = true,
      .spellings = SPELLINGS("screenshot-%Y-%M-%DT%h-%m-%s-%LZ",
                             "screenshot-%Y-%M-%DT%h-%m-%sZ") },
    { .about = { "pixel", 1, "PXL_20260227_061444123.jpg" },
      .endings = JPG | JPEG | PNG,
      .utc = true,
      .spellings = SPELLINGS("PXL_%Y%M%D_%h%m%s%L", "PXL_%Y%M%D_%h%m%s%L.%*",
                             "PXL_%Y%M%D_%h%m%s%L~%*") },
    { .about = { "samsung", 1, "20260227_061444.jpg" },
      .endings = JPG | JPEG | PNG,
      .spellings = SPELLINGS("%Y%M%D_%h%m%s", "%Y%M%D_%h%m%s(%N)",
                             "SmartSelect_%Y%M%D-%h%m%s_%*",
                             "SmartSelect_%Y%M%D_%h%m%s_%*") },
    { .about = { "android-camera", 1, "IMG_20260227_061444.jpg" },
      .endings = JPG | JPEG | PNG,
      .spellings = SPELLINGS("IMG_%Y%M%D_%h%m%s", "IMG_%Y%M%D_%h%m%s%L",
                             "IMG_%Y%M%D_%h%m%s_%N") },
    { .about = { "windows-counter", 1, "Screenshot (12).png" },
      .endings = PNG,
      .by_change = true,
      .spellings = SPELLINGS("Screenshot (%N)",
                             "Capture d\xe2\x80\x99\xc3\xa9"
                             "cran (%N)",
                             "Captura de pantalla (%N)", "Schermata (%N)",
                             "\xe3\x82\xb9\xe3\x82\xaf\xe3\x83\xaa\xe3\x83\xbc"
                             "\xe3\x83\xb3\xe3\x82\xb7\xe3\x83\xa7\xe3\x83\x83"
                             "\xe3\x83\x88 (%N)") },
    { .about = { "ios", 1, "IMG_1234.PNG" },
      .endings = JPG | JPEG | PNG,
      .by_change = true,
      .spellings = SPELLINGS("IMG_%n", "IMG_E%n", "IMG_%n(%N)", "IMG_%n %N",
                             "IMG_%n (%N)") },
    { .about = { "iso", 1, "2026-02-27T06-14-44.png" },
      .endings = ANY_KIND,
      .spellings =
          SPELLINGS("%Y-%M-%DT%h-%m-%s", "%Y-%M-%DT%h:%m:%s", "%Y-%M-%DT%h%m%s",
                    "%Y%M%DT%h%m%s", "%^%Y-%M-%DT%h-%m-%s",
                    "%^%Y-%M-%DT%h:%m:%s", "%^%Y%M%DT%h%m%s") },
    { .about = { "iso-utc", 1, "20260227T061444Z.png" },
      .endings = ANY_KIND,
      .utc = true,
      .spellings = SPELLINGS("%Y%M%DT%h%m%sZ", "%Y-%M-%DT%h-%m-%sZ",
                             "%Y-%M-%DT%h:%m:%sZ", "%Y-%M-%DT%h-%m-%s-%LZ",
                             "%Y-%M-%DT%h-%m-%s.%LZ", "%Y-%M-%DT%h:%m:%s.%LZ",
                             "%^%Y-%M-%DT%h-%m-%sZ", "%^%Y%M%DT%h%m%sZ") },
};
#define TABLE (SQ_COUNT(rows))
#define ROWS (TABLE + 1) /* with that of the user */
_Static_assert(ROWS <= SQ_NAME_ROWS, "totals have a place for each row");

static const struct sq_name_row *
row_at(size_t row) {
    return row < TABLE ? &rows[row] : sq_name_own_row();
}

size_t
sq_name_strategy_count(void) {
    return ROWS;
}

const struct sq_name_strategy *
sq_name_strategy_at(size_t row) {
    assert(row < ROWS);
    return &row_at(row)->about;
}

static uint32_t
hash_more(uint32_t hash, const char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) {
        hash = (hash ^ (uint8_t)bytes[i]) * 16777619U;
    }
    return hash;
}

#define HASH_START 2166136261U
#define COPIES_VERSION 1 /* of take_copy */

uint32_t
sq_name_table_version(void) {
    uint32_t hash = HASH_START + COPIES_VERSION;
    for (size_t i = 0; i < ROWS; i++) {
        const struct sq_name_row *row = row_at(i);
        char version = (char)row->about.version;
        hash = hash_more(hash, row->about.id, strlen(row->about.id));
        hash = hash_more(hash, &version, 1);
        for (size_t k = 0; row->spellings && row->spellings[k]; k++) {
            const char *pattern = row->spellings[k];
            hash = hash_more(hash, pattern, strlen(pattern) + 1);
        }
    }
    return hash;
}

/* Returns whether the text ends so in any case; *odd: the case differs. */
static bool
ends_with(struct sq_span text, const char *end, size_t len, bool *odd) {
    if (text.len <= len) {
        return false;
    }
    const char *at = text.ptr + text.len - len;
    bool differs = false;
    for (size_t i = 0; i < len; i++) {
        if (at[i] != end[i]) {
            differs = true;
            if (sq_ascii_lower(at[i]) != end[i]) {
                return false;
            }
        }
    }
    *odd = *odd || differs;
    return true;
}

static bool
split_name(struct sq_span name, struct sq_name_parts *out) {
    struct sq_name_parts parts = { .stem = name };
    size_t i = 0;
    while (i < SQ_SHOT_ENDINGS
           && !ends_with(name, endings[i].text, endings[i].len, &parts.odd)) {
        i++;
    }
    if (i == SQ_SHOT_ENDINGS || name.len >= SQ_NAME_SIZE) {
        return false;
    }
    parts.ending = (enum sq_shot_ending)i;
    parts.stem.len -= endings[i].len;
    parts.thumbnail =
        ends_with(parts.stem, THUMBNAIL, THUMBNAIL_LEN, &parts.odd);
    parts.stem.len -= parts.thumbnail ? THUMBNAIL_LEN : 0;
    *out = parts;
    return true;
}

bool
sq_name_ending(struct sq_span name, enum sq_shot_ending *out) {
    struct sq_name_parts parts;
    if (!split_name(name, &parts)) {
        return false;
    }
    *out = parts.ending;
    return true;
}

struct sq_span
sq_name_stem(struct sq_span name) {
    struct sq_name_parts parts;
    return split_name(name, &parts) ? parts.stem : name;
}

/* Sets the fields that all rows share, after one has parsed the stem. */
static void
finish_shot(size_t number, const struct sq_name_parts *parts,
            struct sq_shot *shot) {
    int kind = parts->thumbnail ? SQ_SHOT_THUMB : SQ_SHOT_FULL;
    int odd = parts->odd ? SQ_SHOT_LITERAL : 0;
    int ending = (int)parts->ending << SQ_SHOT_ENDING_SHIFT;
    shot->flags = (uint8_t)(shot->flags | kind | odd | ending);
    shot->strategy = (uint8_t)number;
}

static bool
parse_by(size_t number, const struct sq_name_parts *parts,
         const struct sq_zone *zone, struct sq_shot *out) {
    const struct sq_name_row *row = row_at(number);
    struct sq_shot shot = { 0 };
    if (!(row->endings & 1U << parts->ending) || row->by_change
        || (parts->thumbnail && row->spellings)) {
        return false;
    }
    if (row->spellings ? !sq_name_parse_pattern(row, parts->stem, zone, &shot)
                       : !sq_name_parse_manictime(parts->stem, &shot)) {
        return false;
    }
    finish_shot(number, parts, &shot);
    shot.flags |= number == TABLE ? SQ_SHOT_LITERAL : 0;
    *out = shot;
    return true;
}

/* Returns a hash of the name as its number: a shot does not have the label. */
static uint32_t
number_of(const struct sq_name_parts *parts) {
    return hash_more(HASH_START, parts->stem.ptr, parts->stem.len);
}

/*
 * Finds the row that can rebuild the name, else the first one that matches:
 * many patterns begin with arbitrary text and match the names of others.
 */
static bool
search(const struct sq_name_parts *parts, const struct sq_zone *zone,
       struct sq_shot *out) {
    bool found = false;
    for (size_t row = 0; row < TABLE; row++) {
        struct sq_shot shot;
        if (!parse_by(row, parts, zone, &shot)) {
            continue;
        }
        if (!(shot.flags & SQ_SHOT_LITERAL)) {
            *out = shot;
            return true;
        }
        *out = found ? *out : shot;
        found = true;
    }
    /* The numbers of ManicTime already distinguish shots. */
    if (found && rows[out->strategy].spellings) {
        out->seq = number_of(parts);
    }
    return found;
}

/* Removes what file managers add to the name of a copy: "~2", " (1)". */
static bool
take_copy(struct sq_span *stem) {
    struct sq_span rest = *stem;
    bool is_open = sq_span_ends_with(rest, ")");
    rest.len -= is_open;
    size_t end = rest.len;
    while (rest.len > 0 && sq_is_digit(rest.ptr[rest.len - 1])) {
        rest.len--;
    }
    const char *mark = is_open ? " (" : "~";
    if (rest.len == end || !sq_span_ends_with(rest, mark)) {
        return false;
    }
    rest.len -= strlen(mark);
    *stem = rest;
    return true;
}

/* Reads the name of a copy as that of the original, which is another shot. */
static bool
search_original(const struct sq_name_parts *parts, const struct sq_zone *zone,
                struct sq_shot *out) {
    char name[SQ_NAME_SIZE + 1];
    struct sq_name_parts original = *parts;
    if (!take_copy(&original.stem)) {
        return false;
    }
    /* ManicTime's parser reads up to the dot. */
    snprintf(name, sizeof(name), "%.*s.", (int)original.stem.len,
             original.stem.ptr);
    original.stem.ptr = name;
    if (!(parse_by(TABLE, &original, zone, out)
          || search(&original, zone, out))) {
        return false;
    }
    out->flags |= SQ_SHOT_LITERAL;
    out->seq = number_of(parts);
    return true;
}

bool
sq_name_parse(struct sq_span name, const struct sq_zone *zone, uint8_t *first,
              struct sq_shot *out) {
    struct sq_name_parts parts;
    struct sq_shot shot = { 0 };
    if (!split_name(name, &parts)) {
        return false;
    }
    /*
     * A name that can be rebuilt matches only one row. Other names may match
     * several; then the order of the rows decides, not *first.
     */
    if (parse_by(TABLE, &parts, zone, &shot)) {
        shot.seq = number_of(&parts);
    } else if (*first >= TABLE || !parse_by(*first, &parts, zone, &shot)
               || shot.flags & SQ_SHOT_LITERAL) {
        if (!search(&parts, zone, &shot)
            && !search_original(&parts, zone, &shot)) {
            return false;
        }
    }
    *first = shot.strategy;
    *out = shot;
    return true;
}

/* Returns the row with by_change that matches a name, or TABLE. */
static size_t
counted_row(const struct sq_name_parts *parts) {
    size_t row = 0;
    while (row < TABLE
           && !(rows[row].by_change && rows[row].endings & 1U << parts->ending
                && !parts->thumbnail
                && sq_name_fits_pattern(&rows[row], parts->stem))) {
        row++;
    }
    return row;
}

bool
sq_name_is_counted(struct sq_span name) {
    struct sq_name_parts parts;
    return split_name(name, &parts) && counted_row(&parts) < TABLE;
}

bool
sq_name_parse_counted(struct sq_span name, int64_t changed_utc,
                      const struct sq_zone *zone, struct sq_shot *out) {
    struct sq_name_parts parts;
    struct sq_shot shot;
    if (!split_name(name, &parts)) {
        return false;
    }
    size_t row = counted_row(&parts);
    if (row == TABLE || !sq_name_date_changed(changed_utc, zone, &shot)) {
        return false;
    }
    finish_shot(row, &parts, &shot);
    shot.seq = number_of(&parts);
    *out = shot;
    return true;
}

/* Returns the pattern of a name with a time; "": unknown; NULL: ManicTime's, or
 * one without a time. */
static const char *
spelling_of(const struct sq_shot *shot) {
    const struct sq_name_row *row = row_at(shot->strategy);
    if (!row->spellings || row->by_change) {
        return NULL;
    }
    size_t left = shot->flags >> SQ_SHOT_SPELLING_SHIFT;
    const char *const *spelling = row->spellings;
    for (; *spelling && left > 0; left--) {
        spelling++;
    }
    return *spelling ? *spelling : "";
}

size_t
sq_name_windows(const struct sq_shot *shot, const struct sq_zone *zone,
                struct sq_window out[2]) {
    const char *spelling = spelling_of(shot);
    bool has_offset =
        !spelling || strstr(spelling, "%U") || strstr(spelling, "%W");
    bool has_second =
        has_offset || strstr(spelling, "%s") || strstr(spelling, "%t");
    int64_t span_s = has_second ? 1 : 60;
    out[0] = (struct sq_window){ shot->utc, shot->utc + span_s };
    if (has_offset || row_at(shot->strategy)->utc || !zone) {
        return 1;
    }
    const struct sq_zone_moment moment = sq_zone_from_wall(
        zone, (int64_t)shot->utc + sq_zone_offset(zone, shot->utc));
    out[1] = (struct sq_window){ moment.latest, moment.latest + span_s };
    return moment.wall == SQ_ZONE_TWICE ? 2 : 1;
}

bool
sq_name_is_by_change(const struct sq_shot *shot) {
    return row_at(shot->strategy)->by_change;
}

bool
sq_name_can_format(const struct sq_shot *shot) {
    /* Names of the user's patterns are stored. */
    if (shot->flags & SQ_SHOT_LITERAL || shot->strategy >= TABLE) {
        return false;
    }
    size_t spelling = shot->flags >> SQ_SHOT_SPELLING_SHIFT;
    const struct sq_name_row *row = row_at(shot->strategy);
    return row->spellings ? sq_name_pattern_can_format(row, spelling)
                          : spelling <= 1;
}

static size_t
append(char out[SQ_NAME_SIZE], size_t at, const char *text, size_t len) {
    assert(at + len < SQ_NAME_SIZE);
    memcpy(out + at, text, len + 1);
    return at + len;
}

size_t
sq_name_format(const struct sq_shot *shot, bool thumbnail,
               char out[SQ_NAME_SIZE]) {
    assert(sq_name_can_format(shot));
    const struct sq_name_row *row = row_at(shot->strategy);
    size_t len = row->spellings ? sq_name_format_pattern(row, shot, out)
                                : sq_name_format_manictime(shot, out);
    if (thumbnail) {
        len = append(out, len, THUMBNAIL, THUMBNAIL_LEN);
    }
    const struct ending *ending =
        &endings[(shot->flags & SQ_SHOT_ENDING_MASK) >> SQ_SHOT_ENDING_SHIFT];
    return append(out, len, ending->text, ending->len);
}

const char *
sq_name_mime(const struct sq_shot *shot) {
    return endings[(shot->flags & SQ_SHOT_ENDING_MASK) >> SQ_SHOT_ENDING_SHIFT]
        .mime;
}
