/* Messages and quoting, as GNU's tools have them in UTF-8. */
#include "cu.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *tool;
int usage_status = 1;
const char *usage_line;
bool hints_named;
int exit_status = 0;
int warn_status = 1;

static void say(int code, const char *format, va_list args) {
  fflush(stdout);
  fprintf(stderr, "%s: ", tool);
  vfprintf(stderr, format, args);
  if (code) fprintf(stderr, ": %s", strerror(code));
  fputc('\n', stderr);
}

#define SAY(code)          \
  va_list args;            \
  va_start(args, format);  \
  say(code, format, args); \
  va_end(args)

void warn(const char *format, ...) {
  SAY(0);
  exit_status = warn_status;
}

void warn_errno(const char *format, ...) {
  SAY(errno);
  exit_status = warn_status;
}

void die(int status, const char *format, ...) {
  SAY(0);
  finish(status);
}

void die_errno(int status, const char *format, ...) {
  SAY(errno);
  finish(status);
}

bool confirm(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fflush(stdout);
  fprintf(stderr, "%s: ", tool);
  vfprintf(stderr, format, args);
  fputs("? ", stderr);
  va_end(args);
  bool yes = false, first = true;
  for (char byte; read(0, &byte, 1) == 1 && byte != '\n'; first = false)
    if (first) yes = byte == 'y' || byte == 'Y';
  return yes;
}

void try_help(void) {
  if (usage_line) fprintf(stderr, "%s\n", usage_line);
  if (hints_named) fprintf(stderr, "%s: ", tool);
  fprintf(stderr, "Try '%s --help' for more information.\n", tool);
  finish(usage_status);
}

void usage_error(const char *format, ...) {
  SAY(0);
  try_help();
}

void finish(int status) {
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "%s: write error: %s\n", tool, strerror(errno));
    _Exit(status ? status : 1);
  }
  _Exit(status);
}

/* Several quoted texts may stand in one message. */
static char *slot(size_t size) {
  static char *slots[8];
  static int next;
  next = (next + 1) % 8;
  return slots[next] = regrab(slots[next], size);
}

const char *quote(const char *text) {
  char *quoted = slot(strlen(text) * 4 + 7);
  char *to = quoted + sprintf(quoted, "‘");
  for (; *text; text++)
    if ((unsigned char)*text < ' ' || *text == 127) {
      const char *letters = "\aa\bb\tt\nn\vv\ff\rr";
      const char *letter = strchr(letters, *text);
      to += letter ? sprintf(to, "\\%c", letter[1]) : sprintf(to, "\\%03o", *text);
    } else *to++ = *text;
  strcpy(to, "’");
  return quoted;
}

/* The shell's quoting. `always` also quotes what needs none. */
static const char *shell_quote(const char *text, bool always) {
  bool controls = false, single = false, special = !*text;
  for (const char *at = text; *at; at++) {
    unsigned char c = (unsigned char)*at;
    if (c < ' ' || c == 127) controls = true;
    else if (c == '\'') single = true;
    else if (strchr(" !\"$&()*;<=>?[\\^`|:", c) || (at == text && strchr("#~", c))) special = true;
  }
  size_t bytes;
  int one;
  for (const char *at = text; *at; at += one)
    if (read_char(at, strlen(at), &one) < 0) controls = true;
  if (!always && !controls && !single && !special) return text;
  bytes = strlen(text) * 8 + 16;
  char *quoted = slot(bytes), *to = quoted;
  if (!controls && single && !strpbrk(text, "\"$`\\!")) {
    sprintf(quoted, "\"%s\"", text);
    return quoted;
  }
  bool escaped = false;
  *to++ = '\'';
  for (const char *at = text; *at;) {
    unsigned char c = (unsigned char)*at;
    bool broken = read_char(at, strlen(at), &one) < 0;
    bool control = c < ' ' || c == 127 || broken;
    if (control && !escaped) to += sprintf(to, "'$'"), escaped = true;
    if (!control && escaped) to += sprintf(to, "''"), escaped = false;
    if (control) {
      const char *letters = "\aa\bb\tt\nn\vv\ff\rr";
      const char *letter = c ? strchr(letters, c) : NULL;
      to += letter ? sprintf(to, "\\%c", letter[1]) : sprintf(to, "\\%03o", c);
      at++;
    } else if (c == '\'') to += sprintf(to, "'\\''"), at++;
    else
      while (one--) *to++ = *at++;
  }
  *to++ = '\'';
  *to = 0;
  return quoted;
}

const char *quote_name(const char *name) { return shell_quote(name, true); }
const char *name_of(const char *name) { return shell_quote(name, false); }
