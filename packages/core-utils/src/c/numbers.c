/* seq, expr */
#include "cu.h"
#include "regex.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int decimals(const char *text) {
  const char *dot = strchr(text, '.');
  return dot ? (int)strspn(dot + 1, "0123456789") : 0;
}

static double seq_number(const char *text) {
  char *end;
  double number = strtod(text, &end);
  if (end == text || *end) usage_error("invalid floating point argument: %s", quote(text));
  return number;
}

/* One directive of printf for a number with a point, and no other. */
static void check_seq_format(const char *format) {
  const char *at = format;
  while (*at && (*at != '%' || at[1] == '%')) at += *at == '%' ? 2 : 1;
  if (!*at) die(1, "format %s has no %% directive", quote(format));
  at++;
  at += strspn(at, "-+#0 '");
  at += strspn(at, "0123456789");
  if (*at == '.') at += 1 + strspn(at + 1, "0123456789");
  if (*at == 'L') at++;
  if (!*at) die(1, "format %s ends in %%", quote(format));
  if (!strchr("efgaEFGA", *at)) die(1, "format %s has unknown %%%c directive", quote(format), *at);
  for (at++; *at; at += *at == '%' ? 2 : 1)
    if (*at == '%' && at[1] != '%') die(1, "format %s has too many %% directives", quote(format));
}

int seq_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"format", NEEDS_VALUE, 'f'}, {"separator", NEEDS_VALUE, 's'}, {"equal-width", NO_VALUE, 'w'}, {0}};
  struct options options;
  const char *format = NULL, *separator = "\n";
  bool wide = false;
  /* Negative numbers are operands. */
  char **given = grab_zero((size_t)argc + 2, sizeof *given);
  int count = 0;
  for (int at = 0; at < argc; at++) {
    bool dash = argv[at][0] == '-' && argv[at][1];
    bool number = dash && (isdigit((unsigned char)argv[at][1]) || argv[at][1] == '.');
    bool value = at > 1 && (!strcmp(argv[at - 1], "-f") || !strcmp(argv[at - 1], "-s") || !strcmp(argv[at - 1], "--format") || !strcmp(argv[at - 1], "--separator"));
    if (at && !value && (number || !dash || !strcmp(argv[at], "--"))) {
      if (number) given[count++] = "--";
      while (at < argc) given[count++] = argv[at++];
      break;
    }
    given[count++] = argv[at];
  }
  options_begin(&options, count, given, "+f:s:w", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'f') format = options.value;
    if (c == 's') separator = options.value;
    if (c == 'w') wide = true;
  }
  if (!options.count) usage_error("missing operand");
  if (options.count > 3) usage_error("extra operand %s", quote(options.operands[3]));
  if (format) check_seq_format(format);
  const char *from = options.count > 1 ? options.operands[0] : "1", *by = options.count > 2 ? options.operands[1] : "1", *to = options.operands[options.count - 1];
  double first = seq_number(from), step = seq_number(by), last = seq_number(to);
  if (step == 0) usage_error("invalid Zero increment value: %s", quote(by));
  int precision = decimals(from) > decimals(by) ? decimals(from) : decimals(by), width = 0;
  if (wide) {
    int a = snprintf(NULL, 0, "%.*f", precision, first), b = snprintf(NULL, 0, "%.*f", precision, last);
    width = a > b ? a : b;
  }
  bool any = false;
  for (intmax_t index = 0;; index++) {
    double value = first + (double)index * step;
    if (step > 0 ? value > last + 1e-12 : value < last - 1e-12) break;
    if (any) fputs(separator, stdout);
    any = true;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
    if (format) {
      const char *percent = format;
      while (*percent != '%' || percent[1] == '%') percent += *percent == '%' ? 2 : 1;
      char *with = percent ? format_text("%.*s%%%.*s%s", (int)(percent - format), format, (int)strcspn(percent + 1, "efgaEFGA"), percent + 1, percent + 1 + strcspn(percent + 1, "efgaEFGA")) : copy_text(format);
      printf(with, value);
      free(with);
    } else if (wide) printf("%0*.*f", width, precision, value);
    else printf("%.*f", precision, value);
#pragma clang diagnostic pop
  }
  if (any) putchar('\n');
  return 0;
}

/* ---- expr ---- */

static char **terms;
static const char *expr_or(void);

static bool is_whole(const char *text, intmax_t *number) {
  const char *digits = *text == '-' ? text + 1 : text;
  if (!*digits || strspn(digits, "0123456789") != strlen(digits)) return false;
  errno = 0;
  *number = strtoimax(text, NULL, 10);
  return true;
}

static intmax_t whole(const char *text) {
  intmax_t number;
  if (!is_whole(text, &number)) die(2, "non-integer argument");
  return number;
}

static bool is_null(const char *text) {
  const char *digits = *text == '-' ? text + 1 : text;
  return !*text || (*digits && strspn(digits, "0") == strlen(digits));
}

static const char *expr_match(const char *text, const char *pattern) {
  const char *error = NULL;
  char *anchored = format_text("^%s", *pattern == '^' ? pattern + 1 : pattern);
  struct regex *regex = regex_compile(anchored, strlen(anchored), 0, &error);
  if (!regex) die(2, "%s", error);
  struct span spans[RE_GROUPS];
  bool found = regex_find(regex, text, strlen(text), 0, spans), grouped = regex_groups(regex) > 0;
  if (!found) return grouped ? "" : "0";
  if (grouped) return spans[1].start < 0 ? "" : copy_bytes(text + spans[1].start, (size_t)(spans[1].end - spans[1].start));
  return format_text("%zu", count_chars(text, (size_t)spans[0].end));
}

static const char *expr_term(void) {
  if (!*terms) die(2, "syntax error: missing argument after %s", quote(terms[-1]));
  const char *word = *terms++;
  if (!strcmp(word, "(")) {
    const char *inside = expr_or();
    if (!*terms || strcmp(*terms, ")")) die(2, *terms ? "syntax error: expecting ')' instead of %s" : "syntax error: expecting ')' after %s", quote(*terms ? *terms : terms[-1]));
    terms++;
    return inside;
  }
  if (!strcmp(word, ")")) die(2, "syntax error: unexpected ')'");
  if (*terms && !strcmp(word, "+")) return *terms++;
  if (*terms && !strcmp(word, "length")) {
    const char *text = expr_term();
    return format_text("%zu", count_chars(text, strlen(text)));
  }
  if (*terms && terms[1] && !strcmp(word, "match")) {
    const char *text = expr_term();
    return expr_match(text, expr_term());
  }
  if (*terms && terms[1] && !strcmp(word, "index")) {
    const char *text = expr_term(), *set = expr_term();
    size_t at = strcspn(text, set);
    return text[at] ? format_text("%zu", count_chars(text, at) + 1) : "0";
  }
  if (*terms && terms[1] && !strcmp(word, "substr")) {
    const char *text = expr_term();
    const char *start = expr_term(), *size = expr_term();
    intmax_t from, length;
    if (!is_whole(start, &from) || !is_whole(size, &length) || from < 1 || length < 1) return "";
    size_t total = strlen(text), at = 0;
    int bytes;
    for (; at < total && --from; at += (size_t)bytes) read_char(text + at, total - at, &bytes);
    size_t end = at;
    for (; end < total && length--; end += (size_t)bytes) read_char(text + end, total - end, &bytes);
    return copy_bytes(text + at, end - at);
  }
  return word;
}

static const char *expr_colon(void) {
  const char *left = expr_term();
  while (*terms && !strcmp(*terms, ":")) terms++, left = expr_match(left, expr_term());
  return left;
}

static const char *expr_times(void) {
  const char *left = expr_colon();
  while (*terms && (!strcmp(*terms, "*") || !strcmp(*terms, "/") || !strcmp(*terms, "%"))) {
    char operator= **terms++;
    intmax_t a = whole(left), b = whole(expr_colon());
    if (operator!= '*' && !b) die(2, "division by zero");
    left = format_text("%jd", operator== '*' ? a * b : operator== '/' ? a / b : a % b);
  }
  return left;
}

static const char *expr_plus(void) {
  const char *left = expr_times();
  while (*terms && (!strcmp(*terms, "+") || !strcmp(*terms, "-"))) {
    char operator= **terms++;
    intmax_t a = whole(left), b = whole(expr_times());
    left = format_text("%jd", operator== '+' ? a + b : a - b);
  }
  return left;
}

static const char *expr_compare(void) {
  const char *left = expr_plus();
  static const char *const operators[] = {"<", "<=", "=", "==", "!=", ">=", ">", NULL};
  while (*terms) {
    int at = 0;
    while (operators[at] && strcmp(operators[at], *terms)) at++;
    if (!operators[at]) break;
    terms++;
    const char *right = expr_plus();
    intmax_t a, b;
    int order = is_whole(left, &a) && is_whole(right, &b) ? (a > b) - (a < b) : strcmp(left, right);
    bool result = at == 0 ? order < 0 : at == 1 ? order <= 0 : at < 4 ? order == 0 : at == 4 ? order != 0 : at == 5 ? order >= 0 : order > 0;
    left = result ? "1" : "0";
  }
  return left;
}

static const char *expr_and(void) {
  const char *left = expr_compare();
  while (*terms && !strcmp(*terms, "&")) {
    terms++;
    const char *right = expr_compare();
    if (is_null(left) || is_null(right)) left = "0";
  }
  return left;
}

static const char *expr_or(void) {
  const char *left = expr_and();
  while (*terms && !strcmp(*terms, "|")) {
    terms++;
    const char *right = expr_and();
    if (is_null(left)) left = is_null(right) ? "0" : right;
  }
  return left;
}

int expr_main(int argc, char **argv) {
  usage_status = 2;
  terms = argv + 1;
  if (*terms && !strcmp(*terms, "--")) terms++;
  if (!*terms) usage_error("missing operand");
  const char *result = expr_or();
  if (*terms) die(2, "syntax error: unexpected argument %s", quote(*terms));
  puts(result);
  return is_null(result) ? 1 : 0;
}
