/* wc */
#include "cu.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wctype.h>

struct counts {
  uintmax_t lines, words, chars, bytes, width;
};
enum { LINES = 1, WORDS = 2, CHARS = 4, BYTES = 8, WIDTH = 16 };

static void show(const struct counts *counts, int which, int width, const char *name) {
  const uintmax_t all[] = {counts->lines, counts->words, counts->chars, counts->bytes, counts->width};
  bool first = true;
  for (int at = 0; at < 5; at++)
    if (which >> at & 1) printf("%s%*ju", first ? "" : " ", width, all[at]), first = false;
  if (name) printf(" %s", name_of(name));
  putchar('\n');
}

static void count_text(struct input *input, int which, struct counts *counts) {
  char *line;
  size_t length;
  if (!(which & (WORDS | CHARS | WIDTH))) {
    while (input_some(input, &line, &length)) {
      counts->bytes += length;
      if (which & LINES)
        for (char *at = line, *end = line + length; (at = memchr(at, '\n', (size_t)(end - at))); at++) counts->lines++;
    }
    return;
  }
  while (input_line(input, '\n', &line, &length)) {
    uintmax_t column = 0;
    bool word = false;
    counts->bytes += length;
    int bytes = 1;
    for (size_t at = 0; at < length; at += (size_t)bytes) {
      unsigned char c = (unsigned char)line[at];
      bytes = 1;
      int32_t character = c < 0x80 ? c : read_char(line + at, length - at, &bytes);
      if (character >= 0) counts->chars++;
      bool space = c < 0x80 ? c == ' ' || (c >= '\t' && c <= '\r') : character >= 0 && iswspace((wint_t)character);
      if (space) {
        word = false;
        if (c == '\n') counts->lines++;
        if (c == '\n' || c == '\r' || c == '\f') {
          if (column > counts->width) counts->width = column;
          column = 0;
        } else if (c == '\t') column += 8 - column % 8;
        else if (c != '\v') column++;
        continue;
      }
      if (character < 0 ? false : c >= 0x80 || (c > ' ' && c < 127)) {
        column += c < 0x80 ? 1 : (uintmax_t)char_width(character);
        if (!word) counts->words++;
        word = true;
      }
    }
    if (column > counts->width) counts->width = column;
  }
}

int wc_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"bytes", NO_VALUE, 'c'}, {"chars", NO_VALUE, 'm'}, {"lines", NO_VALUE, 'l'},
    {"words", NO_VALUE, 'w'}, {"max-line-length", NO_VALUE, 'L'}, {"files0-from", NEEDS_VALUE, '0'}, {0}};
  struct options options;
  int which = 0;
  const char *from = NULL;
  options_begin(&options, argc, argv, "clLmw", longs);
  for (int c; (c = options_next(&options)) != -1;)
    if (c == '0') from = options.value;
    else which |= c == 'l' ? LINES : c == 'w' ? WORDS : c == 'm' ? CHARS : c == 'c' ? BYTES : WIDTH;
  if (!which) which = LINES | WORDS | BYTES;
  char **files = options.operands;
  int count = options.count;
  if (from) {
    char *data;
    size_t length;
    if (count) usage_error("extra operand %s\nfile operands cannot be combined with --files0-from", quote(files[0]));
    if (!read_whole(from, &data, &length)) return 1;
    files = grab((length + 1) * sizeof *files);
    data = regrab(data, length + 1);
    data[length] = 0;
    for (char *at = data; at < data + length; at += strlen(at) + 1) files[count++] = at;
  }
  bool named = count > 0;
  if (!named && !from) files = NO_FILES, count = 1;
  struct counts total = {0};
  int width = 1, kinds = __builtin_popcount((unsigned)which);
  if (count > 1 || kinds > 1) {
    uintmax_t sum = 0;
    bool regular = true;
    for (int at = 0; at < count; at++) {
      struct stat about;
      if ((strcmp(files[at], "-") ? stat(files[at], &about) : fstat(0, &about)) < 0) continue;
      if (S_ISREG(about.st_mode)) sum += (uintmax_t)about.st_size;
      else regular = false;
    }
    for (; sum >= 10; sum /= 10) width++;
    if (!regular && width < 7) width = 7;
  }
  if (count == 1 && kinds == 1) width = 1;
  for (int at = 0; at < count; at++) {
    struct input input;
    struct counts counts = {0};
    if (!input_open(&input, files[at])) continue;
    count_text(&input, which, &counts);
    show(&counts, which, width, named ? files[at] : NULL);
    total.lines += counts.lines, total.words += counts.words, total.chars += counts.chars, total.bytes += counts.bytes;
    if (counts.width > total.width) total.width = counts.width;
    input_close(&input);
  }
  if (count > 1) show(&total, which, width, "total");
  return exit_status;
}
