/* Estimates how many tokens a text costs a language model. */
#ifndef SQ_UTIL_TEXT_TOKENS_H
#define SQ_UTIL_TEXT_TOKENS_H

#include "util/span.h"

/*
 * Returns about as many tokens as the tokenizer o200k makes of the text. On
 * replies of operations, lists of tools and English text the difference is
 * 3 % or less (tests/unit/util/text_tokens.c has the real numbers).
 */
size_t sq_text_tokens(struct sq_span text);

#endif
