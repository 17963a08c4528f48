/* Draws text with FreeType, and caches glyphs. */
#include "image/draw/draw.h"

#include <string.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_MODULE_H
#include FT_OUTLINE_H

#include "util/arena.h"
#include "util/mem.h"
#include "util/utf8.h"

/* Embeds the font file, so that it is not needed at run time. */

/* Defaults for ELF; the build defines these for other object formats. */
#ifndef SQ_ASM_CONSTANTS
#define SQ_ASM_CONSTANTS ".rodata"
#define SQ_ASM_PREFIX ""
#define SQ_ASM_HIDE ".hidden"
#endif

#define START SQ_ASM_PREFIX "sq_font_start"
#define END SQ_ASM_PREFIX "sq_font_end"

__asm__(".section " SQ_ASM_CONSTANTS "\n"
        ".balign 16\n"
        ".globl " START "\n"
        ".globl " END "\n" SQ_ASM_HIDE " " START "\n" SQ_ASM_HIDE " " END
        "\n" START ":\n"
        ".incbin \"" SQ_FONT_PATH "\"\n" END ":\n"
        ".byte 0\n"
        ".text\n");

extern const unsigned char sq_font_start[]
    __attribute__((visibility("hidden")));
extern const unsigned char sq_font_end[] __attribute__((visibility("hidden")));

/* Fractions of the em for DejaVu Sans: space for accents and descenders. */
#define ASCENT(px) ((px)*95 / 100)
#define DESCENT(px) ((px)*25 / 100)

/* Horizontal scale in 16.16: the font is a little too wide for a phone. */
#define NARROW 0xec00L
/* Stems of the medium weight grow by the em, in 1/64 pixel, divided by this. */
#define MEDIUM_STEM 26

#define MOST_WIDTH (1 << 24) /* maximum width of a line in pixels */
#define SLOTS 1024           /* a power of two */
#define MOST_GLYPHS (SLOTS / 2)
#define MASK_BYTES ((size_t)4 << 20)

struct glyph {
    uint32_t code;
    struct sq_face face; /* size 0: the slot is free */
    bool missing;        /* not in the font; drawn as a box */
    int advance;         /* in 1/64 pixel */
    int left;            /* from the pen to the mask, in pixels */
    int top;             /* from the baseline up to the mask */
    struct sq_mask mask; /* owned by the arena */
};

struct sq_font {
    struct FT_MemoryRec_ memory;
    bool out_of_memory; /* an allocation by FreeType has failed */
    FT_Library library;
    FT_Face face;
    int size_px; /* FreeType's current size */
    struct sq_arena masks;
    struct glyph *slots;
    int count;
};

static void *
give_memory(FT_Memory memory, long bytes) {
    struct sq_font *type = memory->user;
    void *block = sq_mem_alloc(1, (size_t)bytes);
    type->out_of_memory = type->out_of_memory || !block;
    return block;
}

static void *
resize_memory(FT_Memory memory, long old_bytes, long bytes, void *block) {
    struct sq_font *type = memory->user;
    (void)old_bytes;
    void *moved = sq_mem_resize(block, (size_t)bytes);
    type->out_of_memory = type->out_of_memory || !moved;
    return moved;
}

static void
take_memory(FT_Memory memory, void *block) {
    (void)memory;
    sq_mem_free(block);
}

/* Uses the flag because FreeType does not always report lack of memory. */
static bool
check(struct sq_font *type, FT_Error error, struct sq_err *err) {
    bool nomem = type->out_of_memory;
    type->out_of_memory = false;
    if (nomem || FT_ERROR_BASE(error) == FT_Err_Out_Of_Memory) {
        return sq_fail_nomem(err);
    }
    return error == 0
        || sq_fail(err, SQ_ERR_FORMAT, "FreeType failed with error %d", error);
}

static bool
open_font(struct sq_font *type, struct sq_err *err) {
    struct sq_span font = (struct sq_span){
        (const char *)sq_font_start,
        (size_t)(sq_font_end - sq_font_start),
    };
    if (!check(type, FT_New_Library(&type->memory, &type->library), err)) {
        return false;
    }
    FT_Add_Default_Modules(type->library);
    FT_Error error =
        FT_New_Memory_Face(type->library, (const FT_Byte *)font.ptr,
                           (FT_Long)font.len, 0, &type->face);
    return check(type, error, err);
}

bool
sq_font_create(struct sq_font **out, struct sq_err *err) {
    struct sq_font *type = sq_mem_zalloc(1, sizeof(*type));
    struct glyph *slots = sq_mem_zalloc(SLOTS, sizeof(*slots));
    if (!type || !slots) {
        sq_mem_free(type);
        sq_mem_free(slots);
        return sq_fail_nomem(err);
    }
    type->slots = slots;
    type->memory = (struct FT_MemoryRec_){
        .user = type,
        .alloc = give_memory,
        .free = take_memory,
        .realloc = resize_memory,
    };
    sq_arena_init(&type->masks, MASK_BYTES);
    if (!open_font(type, err)) {
        sq_font_destroy(type);
        return false;
    }
    *out = type;
    return true;
}

void
sq_font_destroy(struct sq_font *type) {
    if (type) {
        if (type->face) {
            FT_Done_Face(type->face);
        }
        if (type->library) {
            FT_Done_Library(type->library);
        }
        sq_arena_finish(&type->masks);
        sq_mem_free(type->slots);
        sq_mem_free(type);
    }
}

struct FT_LibraryRec_ *
sq_font_library(struct sq_font *type) {
    return type->library;
}

struct sq_line_metrics
sq_font_metrics(const struct sq_face *face) {
    return (struct sq_line_metrics){ ASCENT(face->size_px),
                                     DESCENT(face->size_px) };
}

static bool
set_size(struct sq_font *type, int size_px, struct sq_err *err) {
    if (type->size_px == size_px) {
        return true;
    }
    FT_Error error = FT_Set_Pixel_Sizes(type->face, 0, (FT_UInt)size_px);
    type->size_px = error ? 0 : size_px;
    return check(type, error, err);
}

/* Renders the outline of the loaded glyph into a new mask. */
static bool
rasterise(struct sq_font *type, struct glyph *glyph, struct sq_err *err) {
    FT_Outline *outline = &type->face->glyph->outline;
    FT_BBox box;
    FT_Outline_Get_CBox(outline, &box);
    box.xMin &= ~63;
    box.yMin &= ~63;
    int width = (int)((box.xMax - box.xMin + 63) >> 6);
    int height = (int)((box.yMax - box.yMin + 63) >> 6);
    if (width <= 0 || height <= 0) {
        return true;
    }
    uint8_t *bytes =
        sq_arena_alloc(&type->masks, (size_t)width, (size_t)height, err);
    if (!bytes) {
        return false;
    }
    memset(bytes, 0, (size_t)width * (size_t)height);
    FT_Outline_Translate(outline, -box.xMin, -box.yMin);
    FT_Bitmap bitmap = {
        .rows = (unsigned)height,
        .width = (unsigned)width,
        .pitch = width,
        .buffer = bytes,
        .num_grays = 256,
        .pixel_mode = FT_PIXEL_MODE_GRAY,
    };
    FT_Error error = FT_Outline_Get_Bitmap(type->library, outline, &bitmap);
    glyph->left = (int)(box.xMin >> 6);
    glyph->top = (int)(box.yMin >> 6) + height;
    glyph->mask = (struct sq_mask){ bytes, width, height };
    return check(type, error, err);
}

static bool
load_glyph(struct sq_font *type, struct glyph *glyph, struct sq_err *err) {
    static const FT_Matrix narrow = { .xx = NARROW, .yy = 0x10000L };
    FT_UInt index = FT_Get_Char_Index(type->face, glyph->code);
    if (index == 0) {
        glyph->missing = true;
        glyph->advance = glyph->face.size_px * 64 * 5 / 8;
        return true;
    }
    if (!set_size(type, glyph->face.size_px, err)
        || !check(type,
                  FT_Load_Glyph(type->face, index,
                                FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP),
                  err)) {
        return false;
    }
    FT_GlyphSlot slot = type->face->glyph;
    FT_Pos stem =
        glyph->face.medium ? glyph->face.size_px * 64 / MEDIUM_STEM : 0;
    FT_Outline_Transform(&slot->outline, &narrow);
    if (stem) {
        FT_Outline_Embolden(&slot->outline, stem);
    }
    glyph->advance = (int)FT_MulFix(slot->advance.x, NARROW);
    glyph->advance += glyph->advance ? (int)stem / 2 : 0;
    return rasterise(type, glyph, err);
}

static size_t
slot_of(uint32_t code, const struct sq_face *face) {
    uint32_t hash = code * 2654435761u;
    hash ^= (uint32_t)face->size_px * 40503u + (face->medium ? 977u : 0);
    return (hash ^ hash >> 15) & (SLOTS - 1);
}

static bool
is_glyph(const struct glyph *glyph, uint32_t code, const struct sq_face *face) {
    return glyph->code == code && glyph->face.size_px == face->size_px
        && glyph->face.medium == face->medium;
}

/* Finds or renders a glyph. It is valid until the next call. */
static bool
find_glyph(struct sq_font *type, uint32_t code, const struct sq_face *face,
           const struct glyph **out, struct sq_err *err) {
    size_t at = slot_of(code, face);
    while (type->slots[at].face.size_px) {
        if (is_glyph(&type->slots[at], code, face)) {
            *out = &type->slots[at];
            return true;
        }
        at = (at + 1) & (SLOTS - 1);
    }
    if (type->count == MOST_GLYPHS || type->masks.held > MASK_BYTES / 2) {
        memset(type->slots, 0, SLOTS * sizeof(*type->slots));
        sq_arena_reset(&type->masks);
        type->count = 0;
        at = slot_of(code, face);
    }
    struct glyph glyph = { .code = code, .face = *face };
    if (!load_glyph(type, &glyph, err)) {
        return false;
    }
    type->slots[at] = glyph;
    type->count++;
    *out = &type->slots[at];
    return true;
}

/*
 * Advances to the next glyph. Returns false at the end and on failure, with *ok
 * set accordingly. Invalid UTF-8 is shown as missing characters.
 */
static bool
next_glyph(struct sq_font *type, const struct sq_face *face,
           struct sq_span *rest, const struct glyph **glyph, bool *ok,
           struct sq_err *err) {
    uint32_t code = UINT32_MAX;
    if (rest->len == 0) {
        return false;
    }
    size_t bytes = sq_utf8_decode(*rest, &code);
    bytes = bytes ? bytes : 1;
    *ok = find_glyph(type, code, face, glyph, err);
    rest->ptr += bytes;
    rest->len -= bytes;
    return *ok;
}

bool
sq_font_width(struct sq_font *type, const struct sq_face *face,
              struct sq_span text, int *width, struct sq_err *err) {
    const struct glyph *glyph;
    int64_t pen = 0;
    bool ok = true;
    while (next_glyph(type, face, &text, &glyph, &ok, err)) {
        pen += glyph->advance;
    }
    if (ok) {
        pen = (pen + 63) / 64;
        *width = pen < MOST_WIDTH ? (int)pen : MOST_WIDTH;
    }
    return ok;
}

bool
sq_font_fit(struct sq_font *type, const struct sq_face *face,
            struct sq_span text, int max_width, size_t *bytes,
            struct sq_err *err) {
    const struct glyph *glyph;
    struct sq_span rest = text;
    int64_t pen = 0;
    size_t fits = 0;
    bool ok = true;
    while (next_glyph(type, face, &rest, &glyph, &ok, err)) {
        pen += glyph->advance;
        if (pen > (int64_t)max_width * 64) {
            break;
        }
        fits = text.len - rest.len;
    }
    if (ok) {
        *bytes = fits;
    }
    return ok;
}

static void
draw_missing(struct sq_canvas *canvas, const struct glyph *glyph,
             struct sq_pt at, sq_colour colour) {
    float em = (float)glyph->face.size_px;
    float x = (float)at.x;
    float y = (float)at.y;
    struct sq_shape box = { SQ_FRAME,
                            { x + em * 0.06f, y - em * 0.72f, x + em * 0.56f, y,
                              em * 0.06f, em * 0.06f } };
    sq_canvas_shape(canvas, box, colour);
}

bool
sq_canvas_text(struct sq_canvas *canvas, const struct sq_face *face,
               struct sq_span text, struct sq_pt at, sq_colour colour,
               struct sq_err *err) {
    const struct glyph *glyph;
    int64_t pen = 32;
    bool ok = true;
    while (at.x + pen / 64 < canvas->clip.right + face->size_px
           && next_glyph(canvas->type, face, &text, &glyph, &ok, err)) {
        struct sq_pt to = { at.x + (int)(pen / 64), at.y };
        if (glyph->missing) {
            draw_missing(canvas, glyph, to, colour);
        } else {
            to.x += glyph->left;
            to.y -= glyph->top;
            sq_canvas_mask(canvas, &glyph->mask, to, colour);
        }
        pen += glyph->advance;
    }
    return ok;
}
