/* split */
#include "cu.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *prefix = "x", *ending = "", *letters = "abcdefghijklmnopqrstuvwxyz";
static size_t suffix_length;
static bool suffix_grows = true, verbose;
static uintmax_t suffix_from;
static uintmax_t made;
static FILE *out;

static char *next_name(void) {
  uintmax_t base = strlen(letters), number = suffix_from + made++;
  size_t length = suffix_length;
  const char *lead = "";
  struct buffer leads = {0};
  if (suffix_grows) {
    /* After "yz" comes "zaaa": the last letter begins a longer suffix. */
    uintmax_t room = (base - 1);
    for (size_t at = 1; at < length; at++) room *= base;
    while (number >= room) {
      number -= room;
      buffer_byte(&leads, letters[base - 1]);
      room *= base;
      length++;
    }
    lead = buffer_end(&leads);
  }
  char digits[65];
  digits[length] = 0;
  for (size_t at = length; at > 0; number /= base) digits[--at] = letters[number % base];
  if (number) die(1, "output file suffixes exhausted");
  return format_text("%s%s%s%s", prefix, lead, digits, ending);
}

static void begin_part(void) {
  char *name = next_name();
  if (out) fclose(out);
  if (verbose) printf("creating file %s\n", quote_name(name));
  out = fopen(name, "w");
  if (!out) die_errno(1, "%s", name_of(name));
  free(name);
}

static void put(const char *data, size_t length) {
  if (fwrite(data, 1, length, out) != length || fflush(out)) die_errno(1, "write error");
}

static intmax_t read_amount(const char *text, const char *what) {
  intmax_t size;
  if (!parse_size(text, &size)) die(1, "invalid number of %s: %s", what, quote(text));
  if (size < 1) die(1, "invalid number of %s: %s: Numerical result out of range", what, quote(text));
  return size;
}

static void by_lines(const char *data, size_t length, intmax_t count) {
  for (size_t at = 0; at < length;) {
    begin_part();
    size_t end = at;
    for (intmax_t left = count; left > 0 && end < length; left--) {
      const char *stop = memchr(data + end, '\n', length - end);
      end = stop ? (size_t)(stop - data) + 1 : length;
    }
    put(data + at, end - at);
    at = end;
  }
}

/* As many whole lines as fit; a longer line is cut. */
static void by_line_bytes(const char *data, size_t length, size_t most) {
  for (size_t at = 0; at < length;) {
    size_t end = length - at <= most ? length : at + most;
    if (end < length)
      for (size_t back = end; back > at; back--)
        if (data[back - 1] == '\n') {
          end = back;
          break;
        }
    begin_part();
    put(data + at, end - at);
    at = end;
  }
}

/* "N", "K/N", "l/N", "l/K/N" or "r/N": so many parts of one size, of whole lines, or line by line in turn. */
static void by_parts(const char *data, size_t length, const char *how) {
  char kind = *how == 'l' || *how == 'r' ? *how : 0;
  const char *at = kind ? how + 2 : how;
  char *end;
  size_t parts = (size_t)strtoull(at, &end, 10), only = 0;
  if (*end == '/') only = parts, parts = (size_t)strtoull(end + 1, &end, 10);
  if (!isdigit((unsigned char)*at) || *end || !parts) die(1, "invalid number of chunks: %s", quote(at));
  if (only > parts) die(1, "invalid chunk number: %s", quote(at));
  if (kind == 'r') {
    for (size_t part = 1; part <= parts; part++) {
      if (only && part != only) continue;
      if (!only) begin_part();
      size_t line = 0;
      for (size_t from = 0; from < length; line++) {
        const char *stop = memchr(data + from, '\n', length - from);
        size_t to = stop ? (size_t)(stop - data) + 1 : length;
        if (line % parts == part - 1) {
          if (only) fwrite(data + from, 1, to - from, stdout);
          else put(data + from, to - from);
        }
        from = to;
      }
    }
    return;
  }
  size_t size = length / parts, from = 0;
  for (size_t part = 1; part <= parts; part++) {
    size_t to = part == parts ? length : part * size;
    if (kind == 'l' && part < parts) {
      if (to < from) to = from;
      else if (to > 0 && to > from && data[to - 1] != '\n') {
        const char *stop = memchr(data + to, '\n', length - to);
        to = stop ? (size_t)(stop - data) + 1 : length;
      }
    }
    if (only == part) fwrite(data + from, 1, to - from, stdout);
    if (!only) begin_part(), put(data + from, to - from);
    from = to;
  }
}

int split_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"suffix-length", NEEDS_VALUE, 'a'}, {"bytes", NEEDS_VALUE, 'b'}, {"line-bytes", NEEDS_VALUE, 'C'},
    {"numeric-suffixes", MAY_HAVE_VALUE, 'd'}, {"hex-suffixes", MAY_HAVE_VALUE, 'x'}, {"lines", NEEDS_VALUE, 'l'}, {"number", NEEDS_VALUE, 'n'},
    {"additional-suffix", NEEDS_VALUE, 'S'}, {"verbose", NO_VALUE, 'V'}, {0}};
  struct options options;
  char kind = 'l';
  const char *how = "1000";
  bool chosen = false;
  options_begin(&options, argc, argv, "a:b:C:dxl:n:", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'a': {
        intmax_t length;
        if (!parse_count(options.value, &length) || length > 64) die(1, "invalid suffix length: %s", quote(options.value));
        suffix_length = (size_t)length;
        suffix_grows = length == 0;
        break;
      }
      case 'd': letters = "0123456789"; /* fall through */
      case 'x':
        if (c == 'x') letters = "0123456789abcdef";
        if (options.value) {
          char *end;
          suffix_from = strtoull(options.value, &end, c == 'x' ? 16 : 10);
          if (*end) die(1, "%s: invalid start value for %s suffix", quote(options.value), c == 'x' ? "hexadecimal" : "numerical");
          suffix_grows = false;
        }
        break;
      case 'S':
        if (strchr(options.value, '/')) die(1, "invalid suffix %s, contains directory separator", quote(options.value));
        ending = options.value;
        break;
      case 'V': verbose = true; break;
      default:
        if (chosen) usage_error("cannot split in more than one way");
        chosen = true, kind = (char)c, how = options.value;
    }
  if (!suffix_length) suffix_length = 2;
  if (options.count > 2) usage_error("extra operand %s", quote(options.operands[2]));
  if (options.count > 1) prefix = options.operands[1];
  intmax_t amount = kind == 'n' ? 0 : read_amount(how, kind == 'l' ? "lines" : "bytes");
  char *data;
  size_t length;
  const char *name = options.count ? options.operands[0] : "-";
  struct input input;
  if (strcmp(name, "-")) {
    struct stat about;
    if (stat(name, &about) < 0) die_errno(1, "cannot open %s for reading", quote_name(name));
  }
  if (!input_open(&input, name)) return exit_status;
  data = input_rest(&input, &length);
  if (input.failed) return exit_status;
  if (kind == 'l') by_lines(data, length, amount);
  else if (kind == 'C') by_line_bytes(data, length, (size_t)amount);
  else if (kind == 'n') by_parts(data, length, how);
  else
    for (size_t at = 0; at < length; at += (size_t)amount) {
      begin_part();
      put(data + at, length - at < (size_t)amount ? length - at : (size_t)amount);
    }
  if (out) fclose(out);
  return exit_status;
}
