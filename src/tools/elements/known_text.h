/* Compares text in the pixels with the labels of the elements at its place. */
#ifndef SQ_TOOLS_ELEMENTS_KNOWN_TEXT_H
#define SQ_TOOLS_ELEMENTS_KNOWN_TEXT_H

#include "device/tree.h"
#include "util/arena.h"

/*
 * Returns in *out whether an element of the device at that place has the text
 * of a line, or has it as a part, or several elements in that line have it
 * together. Case, spaces, accents and what recognisers confuse do not count,
 * nor what "…" at its end stands for, nor a last letter at the edge of the
 * screen; every other letter and digit does.
 */
bool sq_tree_has_text(const struct sq_tree *tree, struct sq_span text,
                      struct sq_dev_rect bounds, struct sq_arena *arena,
                      bool *out, struct sq_err *err);

#endif
