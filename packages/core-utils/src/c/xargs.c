/* xargs */
#include "cu.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static struct {
  char *const *command;
  int command_count;
  const char *replace;
  bool trace, empty_too;
  char **words;
  int count, room;
  size_t size;
  int status;
  bool input; /* commands read what xargs itself does not */
  size_t base; /* what the command takes of `-s` before it has arguments */
} xargs;

static void add_word(char ***words, int *count, int *room, char *word) {
  if (*count + 1 >= *room) *words = regrab(*words, (size_t)(*room = *room * 2 + 16) * sizeof **words);
  (*words)[(*count)++] = word;
  (*words)[*count] = NULL;
}

static void xargs_run(void);

/* Takes one more argument; what waits is run first if both do not fit into `most` bytes. */
static void take_word(char *word, intmax_t most) {
  size_t needed = strlen(word) + 1;
  if (xargs.count && (intmax_t)(xargs.size + needed) > most) xargs_run();
  if ((intmax_t)(xargs.size + needed) > most) {
    warn(xargs.base + needed > (size_t)most && most < 6 ? "cannot fit single argument within argument list size limit" : "argument line too long");
    finish(1);
  }
  add_word(&xargs.words, &xargs.count, &xargs.room, word);
  xargs.size += needed;
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
  int status = start_command(argv, xargs.input, 0);
  xargs.count = 0, xargs.size = xargs.base;
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
    {"max-chars", NEEDS_VALUE, 's'}, {"exit", NO_VALUE, 'x'}, {"process-slot-var", NEEDS_VALUE, 1}, {"open-tty", NO_VALUE, 'o'}, {"interactive", NO_VALUE, 'p'}, {"eof", MAY_HAVE_VALUE, 'E'}, {0}};
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
    /* One command at a time: its place is always the first. */
    if (c == 1) setenv(options.value, "0", 1);
  }
  static char *echo[] = {"echo", NULL};
  xargs.command = options.count ? options.operands : echo;
  xargs.command_count = options.count ? options.count : 1;
  for (int at = 0; at < xargs.command_count; at++) xargs.base += strlen(xargs.command[at]) + 1;
  xargs.size = xargs.base, xargs.input = file != NULL;
  if ((intmax_t)xargs.base > chars) die(1, "cannot fit single argument within argument list size limit");
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
      if (xargs.replace) add_word(&xargs.words, &xargs.count, &xargs.room, word);
      else take_word(word, chars);
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
      take_word(text, chars);
      if (line_ends) seen++;
      if ((most && xargs.count >= most) || (lines && seen >= lines)) xargs_run(), seen = 0;
    }
  }
  if (!xargs.replace && (xargs.count || (!any && xargs.empty_too))) xargs_run();
  return xargs.status;
}
