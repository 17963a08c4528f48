/* Embeds the font file, so that it is not needed at run time. */
#include "image/draw/font_data.h"

/* Defaults for ELF; the build defines these for other object formats. */
#ifndef SQ_ASM_CONSTANTS
#define SQ_ASM_CONSTANTS ".rodata"
#define SQ_ASM_PREFIX ""
#define SQ_ASM_HIDE ".hidden"
#endif

#define START SQ_ASM_PREFIX "sq_font_start"
#define END SQ_ASM_PREFIX "sq_font_end"

__asm__(".pushsection " SQ_ASM_CONSTANTS "\n"
        ".balign 16\n"
        ".globl " START "\n"
        ".globl " END "\n" SQ_ASM_HIDE " " START "\n" SQ_ASM_HIDE " " END
        "\n" START ":\n"
        ".incbin \"" SQ_FONT_PATH "\"\n" END ":\n"
        ".byte 0\n"
        ".popsection\n");

extern const unsigned char sq_font_start[]
    __attribute__((visibility("hidden")));
extern const unsigned char sq_font_end[] __attribute__((visibility("hidden")));

struct sq_span
sq_font_file(void) {
    return (struct sq_span){
        (const char *)sq_font_start,
        (size_t)(sq_font_end - sq_font_start),
    };
}
