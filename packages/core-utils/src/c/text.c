/* Characters, in UTF-8. */
#include "cu.h"
#include <string.h>
#include <wchar.h>
#include <wctype.h>

bool text_is_bytes;

int32_t read_char(const char *text, size_t length, int *bytes) {
  const unsigned char *at = (const unsigned char *)text;
  *bytes = 1;
  if (at[0] < 0x80 || text_is_bytes) return at[0];
  int more = at[0] >= 0xf0 ? 3 : at[0] >= 0xe0 ? 2 : 1;
  if (at[0] < 0xc2 || at[0] > 0xf4 || length <= (size_t)more) return -1;
  int32_t character = at[0] & (0x3f >> more);
  for (int index = 1; index <= more; index++) {
    if ((at[index] & 0xc0) != 0x80) return -1;
    character = character << 6 | (at[index] & 0x3f);
  }
  static const int32_t least[] = {0, 0x80, 0x800, 0x10000};
  if (character < least[more] || character > 0x10ffff || (character >= 0xd800 && character < 0xe000)) return -1;
  *bytes = more + 1;
  return character;
}

int write_char(int32_t character, char *to) {
  if (character < 0x80) return to[0] = (char)character, 1;
  int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
  for (int index = more; index; index--, character >>= 6) to[index] = (char)(0x80 | (character & 0x3f));
  to[0] = (char)((0xff00 >> (more + 1) & 0xff) | character);
  return more + 1;
}

size_t count_chars(const char *text, size_t length) {
  size_t count = 0;
  int bytes;
  for (size_t at = 0; at < length; at += (size_t)bytes)
    if (read_char(text + at, length - at, &bytes) >= 0) count++;
  return count;
}

int char_width(int32_t character) {
  if (character < 0x20 || character == 0x7f) return 0;
  if (character < 0x300) return 1;
  int width = wcwidth((wchar_t)character);
  return width < 0 ? 0 : width;
}

size_t text_width(const char *text, size_t length) {
  size_t width = 0;
  int bytes;
  for (size_t at = 0; at < length; at += (size_t)bytes) {
    int32_t character = read_char(text + at, length - at, &bytes);
    width += character < 0 ? 1 : (size_t)char_width(character);
  }
  return width;
}

bool is_valid_utf8(const char *text, size_t length) {
  int bytes;
  for (size_t at = 0; at < length; at += (size_t)bytes) {
    bytes = 1;
    if (text[at] < 0 && read_char(text + at, length - at, &bytes) < 0) return false;
  }
  return true;
}

const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

int read_escape(const char *text, char *byte) {
  static const char letters[] = "\aa\bb\033e\ff\nn\rr\tt\vv\\\\";
  for (const char *at = letters; *at; at += 2)
    if (at[1] == *text) return *byte = *at, 1;
  int value = 0, count = 0;
  if (*text == 'x') {
    for (count = 1; count < 3; count++) {
      char c = text[count];
      int digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
      if (digit < 0) break;
      value = value * 16 + digit;
    }
    if (count == 1) return 0;
  } else
    for (; count < 3 && text[count] >= '0' && text[count] <= '7'; count++) value = value * 8 + text[count] - '0';
  *byte = (char)value;
  return count;
}
