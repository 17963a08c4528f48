/* Formats numbers for JSON output. */
#ifndef SQ_JSON_NUMBER_H
#define SQ_JSON_NUMBER_H

#define SQ_JSON_NUMBER_SIZE 32 /* "-0.0000012345678901234567" and its NUL */

/*
 * Writes the shortest text that reads back as the same double, in the format of
 * JavaScript: plain digits from 1e-6 up to 1e21, an exponent otherwise. Unlike
 * JavaScript, -0 keeps its sign. The number must be finite.
 */
void sq_json_format_double(double number, char out[SQ_JSON_NUMBER_SIZE]);

#endif
