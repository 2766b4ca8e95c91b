/* cat, tee, tac, rev, yes, true, false */
#include "cu.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show_byte(unsigned char c, bool tabs) {
  if (c >= 0x80) {
    fputs("M-", stdout);
    c -= 0x80;
    if (c == '\n' || c == '\t') {
      printf("^%c", c + 64);
      return;
    }
  }
  if (c == '\t' && !tabs) putchar(c);
  else if (c < ' ') printf("^%c", c + 64);
  else if (c == 127) fputs("^?", stdout);
  else putchar(c);
}

int cat_main(int argc, char **argv) {
  static const struct long_option longs[] = {
    {"number-nonblank", NO_VALUE, 'b'}, {"number", NO_VALUE, 'n'}, {"squeeze-blank", NO_VALUE, 's'},
    {"show-nonprinting", NO_VALUE, 'v'}, {"show-ends", NO_VALUE, 'E'}, {"show-tabs", NO_VALUE, 'T'},
    {"show-all", NO_VALUE, 'A'}, {0}};
  struct options options;
  bool number = false, nonblank = false, squeeze = false, visible = false, ends = false, tabs = false;
  options_begin(&options, argc, argv, "benstuvAET", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'b') nonblank = number = true;
    if (c == 'n') number = true;
    if (c == 's') squeeze = true;
    if (strchr("vAet", c)) visible = true;
    if (strchr("EAe", c)) ends = true;
    if (strchr("TAt", c)) tabs = true;
  }
  char **files = options.count ? options.operands : NO_FILES;
  bool plain = !number && !squeeze && !visible && !ends && !tabs, at_start = true;
  long lines = 0;
  int blanks = 0;
  for (int at = 0; at < (options.count ? options.count : 1); at++) {
    struct input input;
    char *data;
    size_t length;
    if (!input_open(&input, files[at])) continue;
    if (plain) {
      while (input_some(&input, &data, &length)) {
        fwrite(data, 1, length, stdout);
        fflush(stdout);
      }
    } else
      while (input_line(&input, '\n', &data, &length)) {
        bool blank = at_start && *data == '\n';
        blanks = blank ? blanks + 1 : 0;
        if (squeeze && blanks > 1) continue;
        if (number && at_start && !(nonblank && blank)) printf("%6ld\t", ++lines);
        at_start = data[length - 1] == '\n';
        size_t end = length - (at_start ? 1 : 0);
        if (ends && !visible && at_start && end && data[end - 1] == '\r') {
          fwrite(data, 1, end - 1, stdout);
          fputs("^M", stdout);
          end = 0;
        } else if (!visible && !tabs) fwrite(data, 1, end, stdout);
        else
          for (size_t index = 0; index < end; index++)
            if (visible) show_byte((unsigned char)data[index], tabs);
            else if (data[index] == '\t') fputs("^I", stdout);
            else putchar(data[index]);
        if (at_start) fputs(ends ? "$\n" : "\n", stdout);
      }
    input_close(&input);
  }
  return exit_status;
}

int tee_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"append", NO_VALUE, 'a'}, {"ignore-interrupts", NO_VALUE, 'i'}, {0}};
  struct options options;
  int flags = O_TRUNC;
  options_begin(&options, argc, argv, "aip", longs);
  for (int c; (c = options_next(&options)) != -1;)
    if (c == 'a') flags = O_APPEND;
  int *files = grab_zero((size_t)options.count + 1, sizeof *files);
  for (int at = 0; at < options.count; at++)
    if ((files[at] = open(options.operands[at], O_WRONLY | O_CREAT | flags, 0666)) < 0) warn_errno("%s", name_of(options.operands[at]));
  struct input input;
  char *data;
  size_t length;
  input_from(&input, 0, "-");
  while (input_some(&input, &data, &length)) {
    fwrite(data, 1, length, stdout);
    fflush(stdout);
    for (int at = 0; at < options.count; at++)
      if (files[at] >= 0 && write(files[at], data, length) < 0) {
        warn_errno("%s", name_of(options.operands[at]));
        files[at] = -1;
      }
  }
  return exit_status;
}

int tac_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"before", NO_VALUE, 'b'}, {"separator", NEEDS_VALUE, 's'}, {0}};
  struct options options;
  const char *separator = "\n";
  bool before = false;
  options_begin(&options, argc, argv, "bs:", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 's') separator = options.value;
    if (c == 'b') before = true;
  }
  size_t width = strlen(separator);
  for (int at = 0; at < (options.count ? options.count : 1); at++) {
    char *data;
    size_t length;
    const char *name = options.count ? options.operands[at] : "-";
    struct input input;
    if (strcmp(name, "-")) {
      int fd = open(name, O_RDONLY);
      if (fd < 0) {
        warn_errno("failed to open %s for reading", quote_name(name));
        continue;
      }
      input_from(&input, fd, name);
      if (is_directory(name)) {
        warn("%s: read error: Invalid argument", name_of(name));
        continue;
      }
    } else input_from(&input, 0, name);
    data = input_rest(&input, &length);
    size_t end = length;
    for (size_t from = length; from-- > 0;) {
      if (!width) continue;
      if (from + width > length || memcmp(data + from, separator, width)) continue;
      size_t cut = before ? from : from + width;
      if (cut < end) fwrite(data + cut, 1, end - cut, stdout), end = cut;
      else if (before) end = cut;
    }
    fwrite(data, 1, end, stdout);
    free(data);
  }
  return exit_status;
}

int rev_main(int argc, char **argv) {
  struct options options;
  options_begin(&options, argc, argv, "", NULL);
  while (options_next(&options) != -1);
  char **files = options.count ? options.operands : NO_FILES;
  for (int at = 0; at < (options.count ? options.count : 1); at++) {
    struct input input;
    char *line;
    size_t length;
    long number = 0;
    if (!strcmp(files[at], "-")) input_from(&input, 0, "-");
    else {
      int fd = open(files[at], O_RDONLY);
      if (fd < 0) {
        warn_errno("cannot open %s", files[at]);
        continue;
      }
      input_from(&input, fd, files[at]);
    }
    while (input_line(&input, '\n', &line, &length)) {
      bool ended = line[length - 1] == '\n';
      if (ended) length--;
      if (!is_valid_utf8(line, length)) {
        warn("%s: %ld: Invalid or incomplete multibyte or wide character", strcmp(files[at], "-") ? files[at] : "stdin", number);
        break;
      }
      number++;
      char *turned = grab(length + 1);
      int bytes;
      for (size_t from = 0; from < length; from += (size_t)bytes) {
        read_char(line + from, length - from, &bytes);
        memcpy(turned + length - from - (size_t)bytes, line + from, (size_t)bytes);
      }
      fwrite(turned, 1, length, stdout);
      if (ended) putchar('\n');
      free(turned);
    }
    input_close(&input);
  }
  return exit_status;
}

int yes_main(int argc, char **argv) {
  struct buffer line = {0};
  struct options options;
  options_begin(&options, argc, argv, "+", NULL);
  while (options_next(&options) != -1);
  for (int at = 0; at < options.count; at++) {
    if (at) buffer_byte(&line, ' ');
    buffer_text(&line, options.operands[at]);
  }
  if (!options.count) buffer_byte(&line, 'y');
  buffer_byte(&line, '\n');
  struct buffer many = {0};
  while (many.length < 8192) buffer_add(&many, line.data, line.length);
  for (;;)
    if (write(1, many.data, many.length) < 0) die_errno(1, "standard output");
}

int true_main(int argc, char **argv) { return 0; }
int false_main(int argc, char **argv) { return 1; }
