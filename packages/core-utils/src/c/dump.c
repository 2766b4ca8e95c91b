/* od and xxd: bytes made readable */
#include "cu.h"
#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- od ---- */

struct format {
  char kind; /* a c d o u x f */
  int size;
  bool text; /* a column of text at the end of the line */
  int width; /* columns of one value, without the blanks before */
};
static struct format *formats;
static int format_count;

static int width_of(char kind, int size) {
  static const int octal[] = {0, 3, 6, 0, 11, 0, 0, 0, 22}, decimal[] = {0, 4, 6, 0, 11, 0, 0, 0, 20}, whole[] = {0, 3, 5, 0, 10, 0, 0, 0, 20};
  switch (kind) {
    case 'a': case 'c': return 3;
    case 'd': return decimal[size];
    case 'u': return whole[size];
    case 'o': return octal[size];
    case 'f': return size == 4 ? 15 : 24;
    default: return size * 2;
  }
}

static void add_format(char kind, int size, bool text) {
  formats = regrab(formats, (size_t)(format_count + 1) * sizeof *formats);
  formats[format_count++] = (struct format){kind, size, text, width_of(kind, size)};
}

static void read_types(const char *types) {
  for (const char *at = types; *at;) {
    char kind = *at++;
    int size = kind == 'f' ? 8 : kind == 'a' || kind == 'c' ? 1 : 4;
    if (!strchr("acdoufx", kind)) die(1, "invalid character '%c' in type string %s", kind, quote(types));
    if (strchr("doux", kind)) {
      if (isdigit((unsigned char)*at)) size = (int)strtol(at, (char **)&at, 10);
      else if (*at && strchr("CSIL", *at)) size = *at == 'C' ? 1 : *at == 'S' ? 2 : *at == 'I' ? 4 : 8, at++;
      if (size != 1 && size != 2 && size != 4 && size != 8)
        die(1, "invalid type string %s;\nthis system doesn't provide a %d-byte integral type", quote(types), size);
    } else if (kind == 'f') {
      if (isdigit((unsigned char)*at)) size = (int)strtol(at, (char **)&at, 10);
      else if (*at && strchr("FD", *at)) size = *at++ == 'F' ? 4 : 8;
      if (size != 4 && size != 8)
        die(1, "invalid type string %s;\nthis system doesn't provide a %d-byte floating point type", quote(types), size);
    }
    bool text = *at == 'z';
    add_format(kind, size, text);
    if (text) at++;
  }
}

static void show_value(const struct format *format, const unsigned char *at, char *to) {
  static const char *const names[] = {"nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "nl", "vt", "ff", "cr", "so", "si",
    "dle", "dc1", "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub", "esc", "fs", "gs", "rs", "us", "sp"};
  uint64_t value = 0;
  for (int index = format->size - 1; index >= 0; index--) value = value << 8 | at[index];
  int spare = 64 - 8 * format->size;
  switch (format->kind) {
    case 'a':
      value &= 0x7f;
      if (value < 33) strcpy(to, names[value]);
      else if (value == 127) strcpy(to, "del");
      else sprintf(to, "%c", (int)value);
      break;
    case 'c': {
      static const char letters[] = "\aa\bb\ff\nn\rr\tt\vv";
      const char *letter = value ? strchr(letters, (int)value) : NULL;
      if (!value) strcpy(to, "\\0");
      else if (letter && (letter - letters) % 2 == 0) sprintf(to, "\\%c", letter[1]);
      else if (value >= 32 && value < 127) sprintf(to, "%c", (int)value);
      else sprintf(to, "%03" PRIo64, value);
      break;
    }
    case 'd': sprintf(to, "%" PRId64, (int64_t)(value << spare) >> spare); break;
    case 'u': sprintf(to, "%" PRIu64, value); break;
    case 'o': sprintf(to, "%0*" PRIo64, format->width, value); break;
    case 'x': sprintf(to, "%0*" PRIx64, format->width, value); break;
    default: {
      /* The shortest text that gives the number back. */
      double number;
      float single;
      memcpy(&number, at, 8 * (size_t)(format->size == 8));
      if (format->size == 4) memcpy(&single, at, 4), number = single;
      double tiny = format->size == 4 ? 1.17549435e-38 : 2.2250738585072014e-308;
      for (int digits = fabs(number) < tiny ? 1 : format->size == 4 ? 6 : 15; digits < 18; digits++) {
        sprintf(to, "%.*g", digits, number);
        if (format->size == 4 ? strtof(to, NULL) == single : strtod(to, NULL) == number) break;
      }
    }
  }
}

static void show_row(const unsigned char *row, size_t length, size_t width, int block, uintmax_t address, char radix) {
  for (int index = 0; index < format_count; index++) {
    const struct format *format = &formats[index];
    if (radix == 'n') {
    } else if (index) printf("%*s", radix == 'x' ? 6 : 7, "");
    else printf(radix == 'o' ? "%07jo" : radix == 'd' ? "%07jd" : "%06jx", address);
    int values = block / format->size;
    size_t shown = 0;
    unsigned char padded[8];
    for (size_t at = 0; at < width; at += (size_t)format->size) {
      /* Every format's blocks are as wide as the widest. */
      int all = 0;
      for (int other = 0; other < format_count; other++) {
        int wide = (formats[other].width + 1) * (block / formats[other].size);
        if (wide > all) all = wide;
      }
      int spare = all - format->width * values, inside = (int)(at % (size_t)block) / format->size;
      int before = spare * (values - inside) / values - spare * (values - inside - 1) / values;
      if (at >= length) {
        if (format->text) printf("%*s", before + format->width, "");
        continue;
      }
      char text[64];
      memset(padded, 0, sizeof padded);
      size_t there = length - at < (size_t)format->size ? length - at : (size_t)format->size;
      memcpy(padded, row + at, there);
      show_value(format, padded, text);
      printf("%*s%*s", before, "", format->width, text);
      shown++;
    }
    (void)shown;
    if (format->text) {
      fputs("  >", stdout);
      for (size_t at = 0; at < length; at++) putchar(row[at] >= 32 && row[at] < 127 ? row[at] : '.');
      putchar('<');
    }
    putchar('\n');
  }
}

int od_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"address-radix", NEEDS_VALUE, 'A'}, {"skip-bytes", NEEDS_VALUE, 'j'}, {"read-bytes", NEEDS_VALUE, 'N'},
    {"format", NEEDS_VALUE, 't'}, {"output-duplicates", NO_VALUE, 'v'}, {"width", MAY_HAVE_VALUE, 'w'}, {0}};
  static const struct { char option; const char *types; } old[] = {{'a', "a"}, {'b', "o1"}, {'c', "c"}, {'d', "u2"}, {'f', "fF"}, {'h', "x2"},
    {'i', "dI"}, {'l', "dL"}, {'o', "o2"}, {'s', "d2"}, {'x', "x2"}, {'D', "u4"}, {'H', "x4"}, {'I', "dL"}, {'L', "dL"}, {'O', "o4"}, {'X', "x4"}, {'B', "o2"}, {'F', "fD"}};
  struct options options;
  char radix = 'o';
  intmax_t skip = 0, most = INTMAX_MAX, width = 0;
  bool repeats = false;
  options_begin(&options, argc, argv, "A:j:N:t:vw::abcdfhilosxDHILOXBF", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'A':
        if (!strchr("doxn", *options.value) || !*options.value) die(1, "invalid output address radix '%c'; it must be one character from [doxn]", *options.value);
        radix = *options.value;
        break;
      case 'j': case 'N': {
        intmax_t size;
        char *end = options.value;
        if (!strncasecmp(end, "0x", 2)) size = strtoimax(end, &end, 16);
        else if (!parse_size(options.value, &size)) die(1, "invalid -%c argument '%s'", c, options.value);
        *(c == 'j' ? &skip : &most) = size;
        break;
      }
      case 't': read_types(options.value); break;
      case 'v': repeats = true; break;
      case 'w':
        width = 32;
        if (options.value && (!parse_size(options.value, &width) || width < 1)) die(1, "invalid -w argument %s", quote(options.value));
        break;
      default:
        for (size_t at = 0; at < sizeof old / sizeof *old; at++)
          if (old[at].option == c) read_types(old[at].types);
    }
  if (!format_count) add_format('o', 2, false);
  int block = 1;
  for (int at = 0; at < format_count; at++)
    if (formats[at].size > block) block = formats[at].size;
  if (!width) width = 16;
  if (width % block) {
    warn("warning: invalid width %jd; using %d instead", width, block);
    exit_status = 0;
    width = block;
  }
  char **files = options.count ? options.operands : NO_FILES;
  struct buffer all = {0};
  for (int at = 0; at < (options.count ? options.count : 1); at++) {
    struct input input;
    char *data;
    size_t length;
    if (!input_open(&input, files[at])) continue;
    while (all.length < (uintmax_t)(most > INTMAX_MAX - skip ? INTMAX_MAX : most + skip) && input_some(&input, &data, &length)) buffer_add(&all, data, length);
    input_close(&input);
  }
  if ((uintmax_t)skip > all.length && exit_status) return exit_status;
  if ((uintmax_t)skip > all.length) die(1, "cannot skip past end of combined input");
  size_t end = (uintmax_t)most < all.length - (size_t)skip ? (size_t)(skip + most) : all.length;
  bool starred = false;
  const unsigned char *data = (const unsigned char *)buffer_end(&all);
  size_t step = (size_t)width;
  for (size_t at = (size_t)skip; at < end; at += step) {
    size_t length = end - at < step ? end - at : step;
    bool same = !repeats && at > (size_t)skip && length == step && !memcmp(data + at, data + at - step, step);
    if (!same) starred = false, show_row(data + at, length, step, block, at, radix);
    else if (!starred) starred = true, puts("*");
  }
  if (radix != 'n') printf(radix == 'o' ? "%07jo\n" : radix == 'd' ? "%07jd\n" : "%06jx\n", (uintmax_t)end);
  return exit_status;
}

/* ---- xxd ---- */

static int nibble(int c) {
  return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* The bytes that a dump says, at their offsets. */
static void unpack(struct input *input, bool plain, FILE *to) {
  char *line;
  size_t length;
  struct buffer out = {0};
  int half = -1;
  while (input_line(input, '\n', &line, &length)) {
    size_t at = 0;
    if (!plain) {
      char *colon = memchr(line, ':', length);
      char *after;
      size_t offset = (size_t)strtoull(line, &after, 16);
      if (after == line) continue;
      if (!colon || colon != after) colon = after;
      while (out.length < offset) buffer_byte(&out, 0);
      out.length = offset;
      at = (size_t)(colon - line) + 1;
      half = -1;
    }
    for (int blanks = 0; at < length; at++) {
      int value = nibble((unsigned char)line[at]);
      if (value < 0) {
        /* Two blanks end the bytes of a line; text follows. */
        if (!plain && line[at] == ' ' && ++blanks > 1) break;
        continue;
      }
      blanks = 0;
      if (half < 0) half = value;
      else buffer_byte(&out, (char)(half << 4 | value)), half = -1;
    }
  }
  fwrite(out.data, 1, out.length, to);
}

static void declare_name(const char *name, FILE *to, bool capitals) {
  if (isdigit((unsigned char)*name)) fputs("__", to);
  for (; *name; name++) fputc(!isalnum((unsigned char)*name) ? '_' : capitals ? toupper((unsigned char)*name) : *name, to);
}

static void show_c(const unsigned char *data, size_t length, size_t columns, const char *name, bool upper, bool capitals, FILE *to) {
  if (name) fputs("unsigned char ", to), declare_name(name, to, capitals), fputs("[] = {\n", to);
  for (size_t at = 0; at < length; at++)
    fprintf(to, upper ? "%s0X%02X" : "%s0x%02x", at == 0 ? "  " : at % columns ? ", " : ",\n  ", data[at]);
  if (length) fputc('\n', to);
  if (name) {
    fputs("};\nunsigned int ", to), declare_name(name, to, capitals);
    fprintf(to, "%s = %zu;\n", capitals ? "_LEN" : "_len", length);
  }
}

int xxd_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"autoskip", NO_VALUE, 'a'}, {"bits", NO_VALUE, 'b'}, {"cols", NEEDS_VALUE, 'c'}, {"decimal", NO_VALUE, 'd'},
    {"groupsize", NEEDS_VALUE, 'g'}, {"include", NO_VALUE, 'i'}, {"len", NEEDS_VALUE, 'l'}, {"plain", NO_VALUE, 'p'}, {"ps", NO_VALUE, 'p'},
    {"revert", NO_VALUE, 'r'}, {"seek", NEEDS_VALUE, 's'}, {"uppercase", NO_VALUE, 'u'}, {"capitalize", NO_VALUE, 'C'}, {0}};
  struct options options;
  bool bits = false, plain = false, back = false, upper = false, include = false, little = false, skips = false, decimal = false, capitals = false;
  long columns = 0, group = -1, most = -1, seek = 0, shown_at = 0;
  for (int at = 1; at < argc; at++)
    if (!strcmp(argv[at], "-ps")) argv[at] = "-p";
    else if (!strncmp(argv[at], "-cols", 5) || !strncmp(argv[at], "-len", 4)) argv[at] = format_text("-%s", argv[at]);
  options_begin(&options, argc, argv, "abc:Cdeg:il:o:prs:u", longs);
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'a': skips = true; break;
      case 'b': bits = true; break;
      case 'c': columns = strtol(options.value, NULL, 0); break;
      case 'C': capitals = true; break;
      case 'd': decimal = true; break;
      case 'e': little = true; break;
      case 'g': group = strtol(options.value, NULL, 0); break;
      case 'i': include = true; break;
      case 'l': most = strtol(options.value, NULL, 0); break;
      case 'o': shown_at = strtol(options.value, NULL, 0); break;
      case 'p': plain = true; break;
      case 'r': back = true; break;
      case 's': seek = strtol(options.value, NULL, 0); break;
      case 'u': upper = true; break;
    }
  if (columns < 1) columns = plain ? 30 : include ? 12 : bits ? 6 : 16;
  if (!plain && !include && columns > 256) die(1, "invalid number of columns (max. 256).");
  if (group < 0) group = bits ? 1 : little ? 4 : 2;
  if (group == 0 || group > columns) group = columns;
  const char *name = options.count ? options.operands[0] : "-";
  struct input input;
  if (!strcmp(name, "-")) input_from(&input, 0, name);
  else {
    int fd = open(name, O_RDONLY);
    if (fd < 0) warn_errno("%s", name), finish(2);
    input_from(&input, fd, name);
  }
  FILE *to = options.count > 1 && strcmp(options.operands[1], "-") ? fopen(options.operands[1], "w") : stdout;
  if (!to) warn_errno("%s", options.operands[1]), finish(3);
  if (back) {
    unpack(&input, plain, to);
    if (to != stdout) fclose(to);
    return exit_status;
  }
  size_t length;
  unsigned char *data = (unsigned char *)input_rest(&input, &length);
  if (seek < 0 && (!strcmp(name, "-") || (size_t)-seek > length)) die(4, "Sorry, cannot seek.");
  size_t start = seek < 0 ? (size_t)-seek < length ? length - (size_t)-seek : 0 : (size_t)seek < length ? (size_t)seek : length;
  size_t end = most >= 0 && start + (size_t)most < length ? start + (size_t)most : length;
  if (include) show_c(data + start, end - start, (size_t)columns, strcmp(name, "-") ? name : NULL, upper, capitals, to);
  else if (plain) {
    for (size_t at = start; at < end; at++) {
      fprintf(to, upper ? "%02X" : "%02x", data[at]);
      if ((at - start + 1) % (size_t)columns == 0 || at + 1 == end) fputc('\n', to);
    }
  } else {
    long digits = bits ? 8 : 2, space = (columns + group - 1) / group + digits * columns;
    int zeros = 0;
    for (size_t at = start; at < end; at += (size_t)columns) {
      size_t there = end - at < (size_t)columns ? end - at : (size_t)columns;
      bool zero = skips && there == (size_t)columns;
      for (size_t index = 0; zero && index < there; index++) zero = !data[at + index];
      zeros = zero ? zeros + 1 : 0;
      if (zeros > 1 && at + there < end) {
        if (zeros == 2) fputs("*\n", to);
        continue;
      }
      fprintf(to, decimal ? "%08zu: " : "%08zx: ", at + (size_t)shown_at);
      long used = 0;
      for (long index = 0; index < columns; index++) {
        long from = little ? index / group * group + group - 1 - index % group : index;
        if ((size_t)from < there) {
          int byte = data[at + (size_t)from];
          if (bits) for (int bit = 7; bit >= 0; bit--) fputc('0' + (byte >> bit & 1), to);
          else fprintf(to, upper ? "%02X" : "%02x", byte);
        } else if (little && index / group * group < (long)there) fprintf(to, "%*s", (int)digits, "");
        else continue;
        used += digits;
        if ((index + 1) % group == 0) fputc(' ', to), used++;
      }
      fprintf(to, "%*s", (int)(space - used) + 1, "");
      for (size_t index = 0; index < there; index++) fputc(data[at + index] >= 32 && data[at + index] < 127 ? data[at + index] : '.', to);
      fputc('\n', to);
    }
  }
  if (to != stdout) fclose(to);
  return exit_status;
}
