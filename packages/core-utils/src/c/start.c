/* env, xargs, timeout, nohup, sleep: what starts others, or waits */
#include "cu.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static int start(char **argv, bool input, double seconds) {
  int status = run_command(argv, input, seconds);
  if (status < 0) warn_errno("%s", quote_name(argv[0])), status = errno == ENOENT ? 127 : 126;
  return status;
}

int env_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"ignore-environment", NO_VALUE, 'i'}, {"unset", NEEDS_VALUE, 'u'}, {"null", NO_VALUE, '0'}, {"chdir", NEEDS_VALUE, 'C'}, {"split-string", NEEDS_VALUE, 'S'}, {0}};
  struct options options;
  char end = '\n';
  const char *folder = NULL;
  char **words = NULL;
  usage_status = 125;
  options_begin(&options, argc, argv, "+iu:0C:S:", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'i') environ = grab_zero(1, sizeof *environ);
    if (c == 'u' && unsetenv(options.value) < 0) die_errno(125, "cannot unset %s", quote(options.value));
    if (c == '0') end = 0;
    if (c == 'C') folder = options.value;
    if (c == 'S') {
      int count = 0;
      words = grab_zero(strlen(options.value) + 2 + (size_t)argc, sizeof *words);
      for (char *word = strtok(options.value, " \t\n"); word; word = strtok(NULL, " \t\n")) words[count++] = word;
    }
  }
  char **operands = options.operands;
  if (words) {
    int count = 0;
    while (words[count]) count++;
    for (int at = 0; at < options.count; at++) words[count++] = options.operands[at];
    operands = words;
  }
  if (*operands && !strcmp(*operands, "-")) environ = grab_zero(1, sizeof *environ), operands++;
  for (; *operands && strchr(*operands, '=') && **operands != '='; operands++) {
    char *equals = strchr(*operands, '=');
    *equals = 0;
    setenv(*operands, equals + 1, 1);
    *equals = '=';
  }
  if (folder && chdir(folder) < 0) die_errno(125, "cannot change directory to %s", quote_name(folder));
  if (*operands) return start(operands, true, 0);
  for (char **one = environ; one && *one; one++) fputs(*one, stdout), putchar(end);
  return 0;
}

static bool parse_duration(const char *text, double *seconds) {
  char *end;
  *seconds = strtod(text, &end);
  if (end == text || *seconds < 0 || isspace((unsigned char)*text)) return false;
  if (*end == 'm') *seconds *= 60;
  else if (*end == 'h') *seconds *= 3600;
  else if (*end == 'd') *seconds *= 86400;
  else if (*end && *end != 's') return false;
  return !*end || !end[1];
}

int sleep_main(int argc, char **argv) {
  struct options options;
  double total = 0;
  options_begin(&options, argc, argv, "+", NULL);
  while (options_next(&options) != -1);
  if (!options.count) usage_error("missing operand");
  bool wrong = false;
  for (int at = 0; at < options.count; at++) {
    double seconds;
    if (!parse_duration(options.operands[at], &seconds)) warn("invalid time interval %s", quote(options.operands[at])), wrong = true;
    else total += seconds;
  }
  if (wrong) try_help();
  if (total > 1e9) total = 1e9;
  struct timespec wait = {(time_t)total, (long)((total - (double)(time_t)total) * 1e9)};
  nanosleep(&wait, NULL);
  return 0;
}

int timeout_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"signal", NEEDS_VALUE, 's'}, {"kill-after", NEEDS_VALUE, 'k'}, {"preserve-status", NO_VALUE, 'p'}, {"foreground", NO_VALUE, 'f'}, {"verbose", NO_VALUE, 'v'}, {0}};
  struct options options;
  bool keep = false, killed = false;
  usage_status = 125;
  options_begin(&options, argc, argv, "+s:k:fpv", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'p') keep = true;
    if (c == 's') killed = !strcasecmp(options.value, "KILL") || !strcasecmp(options.value, "SIGKILL") || !strcmp(options.value, "9");
  }
  if (options.count < 2) {
    try_help();
  }
  double seconds;
  if (!parse_duration(options.operands[0], &seconds)) usage_error("invalid time interval %s", quote(options.operands[0]));
  int status = start(options.operands + 1, true, seconds);
  if (status == 124 && killed) return 137;
  return status == 124 && keep ? 143 : status;
}

int nohup_main(int argc, char **argv) {
  usage_status = 125;
  if (argc < 2) usage_error("missing operand");
  return start(argv + 1, true, 0);
}

int nice_main(int argc, char **argv) {
  struct options options;
  static const struct long_option longs[] = {{"adjustment", NEEDS_VALUE, 'n'}, {0}};
  usage_status = 125;
  options_begin(&options, argc, argv, "+n:", longs);
  while (options_next(&options) != -1);
  if (!options.count) return puts("0"), 0;
  return start(options.operands, true, 0);
}

/* ---- xargs ---- */

static struct {
  char *const *command;
  int command_count;
  const char *replace;
  bool trace, empty_too;
  char **words;
  int count, room;
  size_t size;
  int status;
} xargs;

static void add_word(char ***words, int *count, int *room, char *word) {
  if (*count + 1 >= *room) *words = regrab(*words, (size_t)(*room = *room * 2 + 16) * sizeof **words);
  (*words)[(*count)++] = word;
  (*words)[*count] = NULL;
}

static void xargs_run(void) {
  char **argv = NULL;
  int count = 0, room = 0;
  for (int at = 0; at < xargs.command_count; at++) {
    char *word = xargs.command[at];
    if (xargs.replace && at && strstr(word, xargs.replace)) {
      struct buffer text = {0};
      size_t length = strlen(xargs.replace);
      for (char *from = word; *from;)
        if (!strncmp(from, xargs.replace, length)) buffer_text(&text, xargs.words[0]), from += length;
        else buffer_byte(&text, *from++);
      word = buffer_end(&text);
    }
    add_word(&argv, &count, &room, word);
  }
  if (!xargs.replace)
    for (int at = 0; at < xargs.count; at++) add_word(&argv, &count, &room, xargs.words[at]);
  if (xargs.trace) {
    for (int at = 0; at < count; at++) fprintf(stderr, "%s%s", at ? " " : "", name_of(argv[at]));
    fputc('\n', stderr);
  }
  int status = start(argv, false, 0);
  xargs.count = 0, xargs.size = 0;
  free(argv);
  if (status == 255) {
    warn("%s: exited with status 255; aborting", xargs.command[0]);
    finish(124);
  }
  if (status == 126 || status == 127) finish(status);
  if (status) xargs.status = 123;
}

/* A word as xargs reads it without -0 and -d: blanks separate, quotes and backslashes protect. False at the end. */
static bool quoted_word(struct input *input, struct buffer *word, bool *line_ends) {
  int c;
  bool any = false;
  *line_ends = false;
  while ((c = input_byte(input)) != -1) {
    if (c == '\n' || c == ' ' || c == '\t') {
      if (!any) {
        if (c == '\n') *line_ends = true;
        continue;
      }
      if (c == '\n') *line_ends = true;
      break;
    }
    any = true;
    if (c == '\\') {
      if ((c = input_byte(input)) == -1) break;
      buffer_byte(word, (char)c);
    } else if (c == '"' || c == '\'') {
      int end = c;
      while ((c = input_byte(input)) != end) {
        if (c == -1 || c == '\n') {
          warn("unmatched %s quote; by default quotes are special to xargs unless you use the -0 option", end == '"' ? "double" : "single");
          finish(1);
        }
        buffer_byte(word, (char)c);
      }
    } else buffer_byte(word, (char)c);
  }
  return any;
}

int xargs_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"null", NO_VALUE, '0'}, {"delimiter", NEEDS_VALUE, 'd'}, {"max-args", NEEDS_VALUE, 'n'}, {"max-lines", NEEDS_VALUE, 'L'},
    {"replace", MAY_HAVE_VALUE, 'i'}, {"no-run-if-empty", NO_VALUE, 'r'}, {"verbose", NO_VALUE, 't'}, {"max-procs", NEEDS_VALUE, 'P'}, {"arg-file", NEEDS_VALUE, 'a'},
    {"max-chars", NEEDS_VALUE, 's'}, {"exit", NO_VALUE, 'x'}, {"eof", MAY_HAVE_VALUE, 'E'}, {0}};
  struct options options;
  int delimiter = -1;
  intmax_t most = 0, lines = 0, chars = 131072;
  const char *file = NULL, *end = NULL;
  xargs.empty_too = true;
  options_begin(&options, argc, argv, "+0d:n:L:I:irtP:a:s:xE:", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == '0') delimiter = 0;
    if (c == 'd') {
      char byte = *options.value;
      if (byte == '\\') read_escape(options.value + 1, &byte);
      delimiter = (unsigned char)byte;
    }
    if (c == 'n' && (!parse_count(options.value, &most) || most < 1)) usage_error("invalid number \"%s\" for -n option", options.value);
    if (c == 'L' && (!parse_count(options.value, &lines) || lines < 1)) usage_error("invalid number \"%s\" for -L option", options.value);
    if (c == 's') parse_count(options.value, &chars);
    if (c == 'I') xargs.replace = options.value;
    if (c == 'i') xargs.replace = options.value ? options.value : "{}";
    if (c == 'r') xargs.empty_too = false;
    if (c == 't') xargs.trace = true;
    if (c == 'a') file = options.value;
    if (c == 'E') end = options.value;
  }
  static char *echo[] = {"echo", NULL};
  xargs.command = options.count ? options.operands : echo;
  xargs.command_count = options.count ? options.count : 1;
  struct input input;
  if (file ? !input_open(&input, file) : (input_from(&input, 0, "-"), false)) return 1;
  bool any = false;
  intmax_t seen = 0;
  if (xargs.replace || delimiter >= 0) {
    char *line;
    size_t length;
    int until = delimiter >= 0 ? delimiter : '\n';
    while (input_line(&input, until, &line, &length)) {
      if (length && (unsigned char)line[length - 1] == until) length--;
      if (xargs.replace && delimiter < 0) {
        while (length && isblank((unsigned char)*line)) line++, length--;
        if (!length) continue;
        struct buffer plain = {0};
        int quote = 0;
        for (size_t at = 0; at < length; at++) {
          if (!quote && (line[at] == '"' || line[at] == '\'')) quote = line[at];
          else if (quote && line[at] == quote) quote = 0;
          else if (!quote && line[at] == '\\' && at + 1 < length) buffer_byte(&plain, line[++at]);
          else buffer_byte(&plain, line[at]);
        }
        line = buffer_end(&plain), length = plain.length;
      }
      char *word = copy_bytes(line, length);
      if (end && !strcmp(word, end)) break;
      any = true;
      if (!xargs.replace && xargs.count && (intmax_t)(xargs.size + length + 1) > chars) xargs_run();
      add_word(&xargs.words, &xargs.count, &xargs.room, word);
      xargs.size += length + 1;
      if (xargs.replace || (most && xargs.count >= most) || lines == 1) xargs_run();
    }
  } else {
    for (;;) {
      struct buffer word = {0};
      bool line_ends;
      if (!quoted_word(&input, &word, &line_ends)) break;
      char *text = buffer_end(&word);
      if (end && !strcmp(text, end)) break;
      any = true;
      if (xargs.count && (intmax_t)(xargs.size + word.length + 1) > chars) xargs_run();
      add_word(&xargs.words, &xargs.count, &xargs.room, text);
      xargs.size += word.length + 1;
      if (line_ends) seen++;
      if ((most && xargs.count >= most) || (lines && seen >= lines)) xargs_run(), seen = 0;
    }
  }
  if (!xargs.replace && (xargs.count || (!any && xargs.empty_too))) xargs_run();
  return xargs.status;
}
