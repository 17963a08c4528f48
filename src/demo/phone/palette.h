/* The colours of the demo phone, named by purpose. */
#ifndef SQ_DEMO_PHONE_PALETTE_H
#define SQ_DEMO_PHONE_PALETTE_H

#include "image/draw/draw.h"

#define SQ_WHITE SQ_RGB(0xffffff)
#define SQ_SURFACE SQ_RGB(0xf7f8fc)
#define SQ_CARD SQ_RGB(0xffffff)
#define SQ_TONE SQ_RGB(0xe9ecf5)
#define SQ_INK SQ_RGB(0x1a1c22)
#define SQ_INK_SOFT SQ_RGB(0x5c6070)
#define SQ_LINE_SOFT SQ_RGB(0xdfe2ec)
#define SQ_LINE_FIRM SQ_RGB(0x8a8fa0)
#define SQ_PRIMARY SQ_RGB(0x3557d6)
#define SQ_PRIMARY_SOFT SQ_RGB(0xdce3ff)
#define SQ_PRIMARY_DEEP SQ_RGB(0x14286f)
#define SQ_ERROR SQ_RGB(0xba1a1a)
#define SQ_ERROR_SOFT SQ_RGB(0xffe2de)
#define SQ_GOOD SQ_RGB(0x1b6b3a)
#define SQ_GOOD_SOFT SQ_RGB(0xd6f2df)

#endif
