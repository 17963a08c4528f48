/* Draws something like a photograph, which no coding without loss makes small.
 */
#ifndef SQ_DEMO_ADBD_PHOTOGRAPH_H
#define SQ_DEMO_ADBD_PHOTOGRAPH_H

#include <stdint.h>

/*
 * Fills width * height pixels of four bytes: soft shapes of several sizes, and
 * the grain of a camera. Each seed gives another one.
 */
void sq_adbd_draw_photograph(uint8_t *pixels, int width, int height,
                             uint32_t seed);

#endif
