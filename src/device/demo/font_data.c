/* The font's bytes, part of the program: nothing is needed at run time. */
#include "device/demo/font_data.h"

__asm__(".pushsection .rodata\n"
        ".balign 16\n"
        ".globl sq_demo_font_start\n"
        ".globl sq_demo_font_end\n"
        ".hidden sq_demo_font_start\n"
        ".hidden sq_demo_font_end\n"
        "sq_demo_font_start:\n"
        ".incbin \"" SQ_FONT_PATH "\"\n"
        "sq_demo_font_end:\n"
        ".byte 0\n"
        ".popsection\n");

extern const unsigned char sq_demo_font_start[]
    __attribute__((visibility("hidden")));
extern const unsigned char sq_demo_font_end[]
    __attribute__((visibility("hidden")));

struct sq_span
sq_demo_font(void) {
    return (struct sq_span){
        (const char *)sq_demo_font_start,
        (size_t)(sq_demo_font_end - sq_demo_font_start),
    };
}
