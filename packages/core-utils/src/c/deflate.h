/* Deflate, as RFC 1951 has it. */
#ifndef DEFLATE_H
#define DEFLATE_H

#include "cu.h"

/* Adds compressed data; `level` is 1 (fast) to 9 (small). */
void deflate(const uint8_t *data, size_t length, int level, struct buffer *to);

/* Adds what the data was; how many bytes of `data` that took, or one of these. Stops at `most` bytes. */
enum { IS_NONE = -1, ENDS_EARLY = -2 };
ptrdiff_t inflate(const uint8_t *data, size_t length, struct buffer *to, size_t most);

uint32_t crc32_of(uint32_t crc, const uint8_t *data, size_t length);

/* What a gzip file of one or more members holds. NULL, or what is wrong with it. */
const char *gunzip_all(const uint8_t *data, size_t length, struct buffer *to);
void gzip_all(const uint8_t *data, size_t length, int level, const char *name, uint32_t time, struct buffer *to);

#endif
