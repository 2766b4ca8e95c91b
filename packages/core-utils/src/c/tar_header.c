/* Numbers and sums in the headers of tar */
#include "tar.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Octal digits, or bytes of a large number. */
uintmax_t read_number(const char *field, size_t length) {
  uintmax_t value = 0;
  if (*field & 0x80) {
    for (size_t at = 0; at < length; at++) value = value << 8 | (unsigned char)(at ? field[at] : field[at] & 0x7f);
    return value;
  }
  size_t at = 0;
  while (at < length && field[at] == ' ') at++;
  for (; at < length && field[at] >= '0' && field[at] <= '7'; at++) value = value * 8 + (uintmax_t)(field[at] - '0');
  return value;
}

void write_number(char *field, size_t length, uintmax_t value) {
  if (value < (uintmax_t)1 << (3 * (length - 1))) {
    sprintf(field, "%0*jo", (int)length - 1, value);
    return;
  }
  for (size_t at = length; at > 0; value >>= 8) field[--at] = (char)value;
  *field = (char)(*field | 0x80);
}

unsigned sum_of(const struct header *header) {
  unsigned sum = 0;
  const unsigned char *bytes = (const unsigned char *)header;
  for (size_t at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? ' ' : bytes[at];
  return sum;
}
