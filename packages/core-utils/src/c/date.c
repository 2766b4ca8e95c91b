/* date, and the formats of times that other tools have, too */
#include "cu.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void zone_text(struct buffer *to, long offset, int colons) {
  char sign = offset < 0 ? '-' : '+';
  long all = offset < 0 ? -offset : offset, hours = all / 3600, minutes = all / 60 % 60, seconds = all % 60;
  if (colons == 3) colons = seconds ? 2 : minutes ? 1 : -1;
  buffer_format(to, "%c%02ld", sign, hours);
  if (colons >= 0) buffer_format(to, "%s%02ld", colons ? ":" : "", minutes);
  if (colons == 2) buffer_format(to, ":%02ld", seconds);
}

char *format_time(const char *format, struct timespec time) {
  struct buffer out = {0};
  struct tm when;
  const char *name;
  local_time(time.tv_sec, &when);
  long offset = zone_at(time.tv_sec, &name);
  for (const char *at = format; *at; at++) {
    if (*at != '%' || !at[1]) {
      buffer_byte(&out, *at);
      continue;
    }
    const char *start = at++;
    char pad = 0;
    bool upper = false, swapped = false;
    int colons = 0, width = 0;
    for (; *at && strchr("-_0^#:+", *at); at++)
      if (*at == '^') upper = true;
      else if (*at == '#') swapped = true;
      else if (*at == ':') colons++;
      else pad = *at;
    while (isdigit((unsigned char)*at)) width = width < 1000 ? width * 10 + *at - '0' : width, at++;
    if (*at == 'E' || *at == 'O') at++;
    if (!*at) {
      buffer_text(&out, start);
      break;
    }
    char form[3] = {'%', *at, 0}, text[160] = "";
    struct buffer part = {0};
    bool words = strchr("aAbBhcpPZDFrRTxX+", *at);
    switch (*at) {
      case 's': buffer_format(&part, "%jd", (intmax_t)time.tv_sec); break;
      case 'N':
        sprintf(text, "%09ld", time.tv_nsec);
        if (width && width < 9) text[width] = 0;
        if (pad == '-')
          for (size_t end = strlen(text); end > 1 && text[end - 1] == '0'; end--) text[end - 1] = 0;
        buffer_text(&part, text), width = 0, pad = 0;
        break;
      case 'z': zone_text(&part, offset, colons); break;
      case 'Z': buffer_text(&part, name); break;
      case 'P': buffer_text(&part, when.tm_hour < 12 ? "am" : "pm"); break;
      case 'q': buffer_format(&part, "%d", when.tm_mon / 3 + 1); break;
      case 'k': buffer_format(&part, "%2d", when.tm_hour); break;
      case 'l': buffer_format(&part, "%2d", (when.tm_hour + 11) % 12 + 1); break;
      case 'c': {
        char *inside = format_time("%a %b %e %H:%M:%S %Y", time);
        buffer_text(&part, inside), free(inside);
        break;
      }
      default:
        if (strftime(text, sizeof text, form, &when) && strcmp(text, form)) buffer_text(&part, text);
        else if (!strchr("pnt", *at)) buffer_add(&part, start, (size_t)(at - start + 1));
    }
    char *shown = buffer_end(&part);
    if (pad == '-' || pad == '_') {
      char *digit = shown;
      while ((*digit == '0' || *digit == ' ') && isdigit((unsigned char)digit[1])) *digit++ = ' ';
      if (pad == '-') memmove(shown, digit, strlen(digit) + 1);
    }
    if (pad == '0')
      for (char *digit = shown; *digit == ' '; digit++) *digit = '0';
    if (upper || (swapped && strchr("aAbBh", *at)))
      for (char *letter = shown; *letter; letter++) *letter = (char)toupper((unsigned char)*letter);
    else if (swapped)
      for (char *letter = shown; *letter; letter++) *letter = (char)tolower((unsigned char)*letter);
    for (int missing = width - (int)strlen(shown); missing > 0; missing--) buffer_byte(&out, pad == '_' || (words && pad != '0') || strchr("ekl", *at) ? ' ' : '0');
    buffer_text(&out, shown);
    free(shown);
  }
  return buffer_end(&out);
}

static int show_dates(const char *name, const char *format) {
  struct input input;
  char *line;
  size_t length;
  if (!input_open(&input, name)) return 1;
  while (input_line(&input, '\n', &line, &length)) {
    struct timespec time;
    char *text = copy_bytes(line, length - (line[length - 1] == '\n'));
    if (parse_time(text, &time)) puts(format_time(format, time));
    else warn("invalid date %s", quote(text));
    free(text);
  }
  input_close(&input);
  return exit_status;
}

int date_main(int argc, char **argv) {
  enum { RFC_3339 = 256, DEBUG };
  static const struct long_option longs[] = {{"date", NEEDS_VALUE, 'd'}, {"utc", NO_VALUE, 'u'}, {"universal", NO_VALUE, 'u'}, {"iso-8601", MAY_HAVE_VALUE, 'I'},
    {"rfc-email", NO_VALUE, 'R'}, {"rfc-3339", NEEDS_VALUE, RFC_3339}, {"reference", NEEDS_VALUE, 'r'}, {"file", NEEDS_VALUE, 'f'}, {"debug", NO_VALUE, DEBUG}, {0}};
  struct options options;
  const char *format = "%a %b %e %H:%M:%S %Z %Y", *given = NULL, *lines = NULL;
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  options_begin(&options, argc, argv, "d:f:uI::Rr:", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'd') given = options.value;
    if (c == 'f') lines = options.value;
    if (c == 'u') setenv("TZ", "UTC0", 1), zone_use("UTC0");
    if (c == 'I') {
      static const char *const words[] = {"hours", "minutes", "date", "seconds", "ns", NULL};
      static const char *const forms[] = {"%Y-%m-%dT%H%:z", "%Y-%m-%dT%H:%M%:z", "%Y-%m-%d", "%Y-%m-%dT%H:%M:%S%:z", "%Y-%m-%dT%H:%M:%S,%N%:z"};
      format = forms[options.value ? choose_word("--iso-8601", options.value, words) : 2];
    }
    if (c == 'R') format = "%a, %d %b %Y %H:%M:%S %z";
    if (c == RFC_3339) format = *options.value == 'd' ? "%Y-%m-%d" : *options.value == 's' ? "%Y-%m-%d %H:%M:%S%:z" : "%Y-%m-%d %H:%M:%S.%N%:z";
    if (c == 'r') {
      struct stat about;
      if (stat(options.value, &about) < 0) die_errno(1, "%s", name_of(options.value));
      time = about.st_mtim;
    }
  }
  if (options.count > 1) usage_error("extra operand %s", quote(options.operands[1]));
  if (options.count) {
    if (options.operands[0][0] != '+') die(1, "invalid date %s", quote(options.operands[0]));
    format = options.operands[0] + 1;
  }
  if (lines) return show_dates(lines, format);
  if (given && !parse_time(given, &time)) die(1, "invalid date %s", quote(given));
  puts(format_time(format, time));
  return 0;
}
