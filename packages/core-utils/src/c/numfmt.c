/* numfmt */
#include "cu.h"
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum scale { NONE, AUTO, SI, IEC, IEC_I };
static const char *const from_words[] = {"none", "auto", "si", "iec", "iec-i", NULL}, *const to_words[] = {"none", "si", "iec", "iec-i", NULL};
static enum scale from = NONE, to = NONE;
enum { UP, DOWN, FROM_ZERO, TOWARDS_ZERO, NEAREST };
static int rounding = FROM_ZERO;
enum { ABORT, FAIL, WARN, IGNORE };
static int on_invalid = ABORT;
static double from_unit = 1, to_unit = 1;
static const char *suffix, *before_number = "", *after_number = "", *own_delimiter;
static int padding, precision = -1, zero_width;
static bool any_fails;
static const char powers[] = "KMGTPEZY";

static double divide(double value, int *power) {
  double base = to == SI ? 1000 : 1024;
  for (*power = 0; fabs(value) >= base && *power < 8; value /= base) ++*power;
  return value;
}

static double round_one(double value) {
  switch (rounding) {
    case UP: return ceil(value);
    case DOWN: return floor(value);
    case FROM_ZERO: return value < 0 ? floor(value) : ceil(value);
    case TOWARDS_ZERO: return trunc(value);
    default: return value < 0 ? ceil(value - 0.5) : floor(value + 0.5);
  }
}

static double round_at(double value, int digits) {
  double scale = pow(10, digits);
  return round_one(value * scale) / scale;
}

static const char *show_number(double value, int digits) {
  static char text[256];
  if (to == NONE) {
    snprintf(text, sizeof text, "%.*f", digits, round_at(value, digits));
    return text;
  }
  int power, shown = 0;
  double scaled = divide(value, &power);
  if (precision >= 0) {
    shown = precision;
    scaled = round_at(scaled, shown);
  } else {
    /* One digit behind the point for what has only one before it. */
    shown = power && fabs(scaled) < 10;
    scaled = round_at(scaled, shown);
    if (shown && fabs(scaled) >= 10) shown = 0;
  }
  double base = to == SI ? 1000 : 1024;
  if (fabs(scaled) >= base && power < 8) {
    scaled /= base, power++;
    if (precision < 0) shown = fabs(scaled) < 10;
  }
  int length = snprintf(text, sizeof text, "%.*f", shown, scaled);
  if (power) length += snprintf(text + length, sizeof text - (size_t)length, "%c%s", powers[power - 1], to == IEC_I ? "i" : "");
  return text;
}

/* NULL: it is a number; else what GNU says of it. */
static const char *read_number(const char *text, double *value, int *digits) {
  const char *at = text;
  bool negative = *at == '-';
  if (negative) at++;
  const char *start = at;
  *value = 0, *digits = 0;
  for (; isdigit((unsigned char)*at); at++) *value = *value * 10 + (*at - '0');
  if (*at == '.') {
    double part = 1;
    for (at++; isdigit((unsigned char)*at); at++) ++*digits, *value += (*at - '0') * (part /= 10);
    if (!*digits) return format_text("invalid number: %s", quote(text));
  }
  if (at == start) return format_text("invalid number: %s", quote(text));
  if (negative) *value = -*value;
  while (isblank((unsigned char)*at) && at[1]) at++;
  if (*at) {
    const char *letter = strchr(powers, *at);
    if (!letter) return format_text("invalid suffix in input: %s", quote(text));
    if (from == NONE) return format_text("rejecting suffix in input: %s (consider using --from)", quote(text));
    bool has_i = at[1] == 'i' && from != SI && from != IEC;
    if (from == IEC_I && !has_i) return format_text("missing 'i' suffix in input: %s (e.g Ki/Mi/Gi)", quote(text));
    double base = from == SI || (from == AUTO && !has_i) ? 1000 : 1024;
    *value *= pow(base, (int)(letter - powers) + 1);
    at += 1 + has_i;
    *digits = 0;
    if (*at) return format_text("invalid suffix in input %s: %s", quote(text), quote(at));
  }
  *value *= from_unit / to_unit;
  return NULL;
}

/* A field made new; false: it stays as it is. */
static bool convert(const char *field, struct buffer *out, size_t width) {
  char *text = copy_text(field);
  size_t length = strlen(text);
  if (suffix && length > strlen(suffix) && !strcmp(text + length - strlen(suffix), suffix)) text[length - strlen(suffix)] = 0;
  char *number = text;
  while (isblank((unsigned char)*number)) number++;
  double value;
  int digits;
  const char *problem = read_number(number, &value, &digits);
  if (problem) {
    if (on_invalid != IGNORE) warn("%s", problem);
    if (on_invalid == ABORT) finish(2);
    if (on_invalid == WARN) exit_status = 0;
    if (on_invalid == FAIL) any_fails = true;
    return false;
  }
  const char *shown = show_number(value, precision >= 0 ? precision : digits);
  char *padded = copy_text(shown);
  if (zero_width > (int)strlen(padded)) {
    bool negative = *shown == '-';
    padded = format_text("%s%0*d%s", negative ? "-" : "", zero_width - (int)strlen(shown), 0, shown + negative);
  }
  char *whole = format_text("%s%s", padded, suffix ? suffix : "");
  size_t columns = text_width(whole, strlen(whole));
  size_t want = padding ? (size_t)abs(padding) : width;
  bool on_left = padding >= 0;
  buffer_text(out, before_number);
  for (size_t at = columns; on_left && at < want; at++) buffer_byte(out, ' ');
  buffer_text(out, whole);
  for (size_t at = columns; !on_left && at < want; at++) buffer_byte(out, ' ');
  buffer_text(out, after_number);
  return true;
}

static const char *fields = "1";

static bool is_chosen(size_t number) {
  if (!strcmp(fields, "-")) return true;
  for (const char *at = fields; *at;) {
    char *end;
    size_t low = *at == '-' ? 1 : (size_t)strtoul(at, &end, 10), high = low;
    if (*at == '-') end = (char *)at;
    if (*end == '-') high = isdigit((unsigned char)end[1]) ? (size_t)strtoul(end + 1, &end, 10) : (end++, SIZE_MAX);
    if (number >= low && number <= high) return true;
    at = *end ? end + 1 : end;
  }
  return false;
}

static void convert_line(const char *line, size_t length, int end) {
  struct buffer out = {0};
  const char *at = line, *stop = line + length;
  for (size_t number = 1; at <= stop; number++) {
    const char *start = at;
    if (own_delimiter) {
      const char *mark = memchr(at, *own_delimiter, (size_t)(stop - at));
      at = mark ? mark : stop;
    } else {
      while (at < stop && isblank((unsigned char)*at)) at++;
      while (at < stop && !isblank((unsigned char)*at)) at++;
    }
    char *field = copy_bytes(start, (size_t)(at - start));
    char *word = field;
    if (!own_delimiter && is_chosen(number) && number > 1 && isblank((unsigned char)*word)) buffer_byte(&out, ' '), word++;
    bool blank = !own_delimiter && isblank((unsigned char)*word);
    if (!is_chosen(number) || !convert(word, &out, blank ? strlen(word) : 0)) buffer_text(&out, word);
    free(field);
    if (at == stop) break;
    if (own_delimiter) buffer_byte(&out, *at++);
  }
  fwrite(out.data, 1, out.length, stdout);
  putchar(end);
  free(out.data);
}

static void read_format(const char *format) {
  const char *percent = format;
  struct buffer before = {0};
  for (; *percent && (*percent != '%' || percent[1] == '%'); percent++) {
    buffer_byte(&before, *percent);
    if (*percent == '%') percent++;
  }
  if (!*percent) die(1, "format %s has no %% directive", quote(format));
  const char *at = percent + 1;
  bool zeros = false, left = false;
  for (;; at++)
    if (*at == '\'') continue; /* The locale C.UTF-8 has no groups. */
    else if (*at == '0') zeros = true;
    else if (*at == '-') left = true;
    else if (*at != ' ') break;
  char *end;
  int width = (int)strtol(at, &end, 10);
  at = end;
  if (zeros) zero_width = width;
  else if (width) padding = left ? -width : width;
  if (*at == '.') {
    at++;
    precision = isdigit((unsigned char)*at) ? (int)strtol(at, &end, 10) : 0;
    while (isdigit((unsigned char)*at)) at++;
  }
  if (*at != 'f') die(1, "invalid format %s, directive must be %%[0]['][-][N][.][N]f", quote(format));
  for (const char *rest = ++at; *rest; rest++)
    if (*rest == '%' && *++rest != '%') die(1, "format %s has too many %% directives", quote(format));
  before_number = buffer_end(&before);
  after_number = at;
}

static double read_unit(const char *text) {
  intmax_t unit;
  if (!parse_size(text, &unit) || unit < 1) die(1, "invalid unit size: %s", quote(text));
  char last = text[strlen(text) - 1];
  if (isdigit((unsigned char)last) || last == 'i') return unit;
  /* Here "K" is 1,000; "Ki" would be 1,024. */
  char *end;
  unit = strtoimax(text, &end, 10);
  for (int power = (int)(strchr(powers, toupper((unsigned char)last)) - powers) + 1; power; power--) unit *= 1000;
  return unit;
}

int numfmt_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"delimiter", NEEDS_VALUE, 'd'}, {"field", NEEDS_VALUE, 'F'}, {"format", NEEDS_VALUE, 'O'},
    {"from", NEEDS_VALUE, 'f'}, {"from-unit", NEEDS_VALUE, 'u'}, {"grouping", NO_VALUE, 'g'}, {"header", MAY_HAVE_VALUE, 'h'},
    {"invalid", NEEDS_VALUE, 'i'}, {"padding", NEEDS_VALUE, 'p'}, {"round", NEEDS_VALUE, 'r'}, {"suffix", NEEDS_VALUE, 's'},
    {"to", NEEDS_VALUE, 't'}, {"to-unit", NEEDS_VALUE, 'U'}, {"zero-terminated", NO_VALUE, 'z'}, {0}};
  static const char *const roundings[] = {"up", "down", "from-zero", "towards-zero", "nearest", NULL};
  static const char *const invalids[] = {"abort", "fail", "warn", "ignore", NULL};
  struct options options;
  int end = '\n';
  intmax_t headers = 0;
  options_begin(&options, argc, argv, "d:z", longs);
  warn_status = 2;
  for (int c; (c = options_next(&options)) != -1;)
    switch (c) {
      case 'd':
        if (*options.value && options.value[1]) die(1, "the delimiter must be a single character");
        own_delimiter = options.value;
        break;
      case 'F': fields = options.value; break;
      case 'O': read_format(options.value); break;
      case 'f': from = (enum scale)choose_word("--from", options.value, from_words); break;
      case 't': {
        int word = choose_word("--to", options.value, to_words);
        to = word ? (enum scale)(word + 1) : NONE;
        break;
      }
      case 'u': from_unit = read_unit(options.value); break;
      case 'U': to_unit = read_unit(options.value); break;
      case 'g': break;
      case 'h':
        headers = 1;
        if (options.value && (!parse_count(options.value, &headers) || headers < 1)) die(1, "invalid header value %s", quote(options.value));
        break;
      case 'i': on_invalid = choose_word("--invalid", options.value, invalids); break;
      case 'p': {
        char *stop;
        padding = (int)strtol(options.value, &stop, 10);
        if (*stop || !padding) die(1, "invalid padding value %s", quote(options.value));
        break;
      }
      case 'r': rounding = choose_word("--round", options.value, roundings); break;
      case 's': suffix = options.value; break;
      case 'z': end = 0; break;
    }
  if (options.count) {
    for (int at = 0; at < options.count; at++) convert_line(options.operands[at], strlen(options.operands[at]), end);
    return any_fails ? 2 : exit_status;
  }
  struct input input;
  char *line;
  size_t length;
  input_from(&input, 0, "-");
  while (input_line(&input, end, &line, &length)) {
    bool ended = line[length - 1] == end;
    if (headers-- > 0) fwrite(line, 1, length, stdout);
    else convert_line(line, length - ended, end);
  }
  return any_fails ? 2 : exit_status;
}
