/* sed */
#include "cu.h"
#include "regex.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NO_ADDRESS, LINE, STEP, LAST, REGEX, PLUS, MULTIPLE, ZERO };
struct address {
  int kind;
  intmax_t number, step;
  struct regex *regex; /* NULL: the last one that was used */
};

struct command {
  struct address from, to;
  bool negated, active, seen;
  intmax_t until;
  char name;
  char *text;
  size_t length;
  struct regex *regex;
  struct buffer replacement; /* in which bytes 1 to 9 after NUL are groups, and letters change the case */
  int which;                 /* the match that s replaces first */
  bool global, print, evaluate;
  struct sink *sink;
  struct command *target; /* of a branch and of { */
  intmax_t exit;
  char *map; /* of y: pairs of characters */
  size_t map_count;
};

struct sink {
  char *name;
  FILE *file;
  struct sink *next;
};

static struct {
  struct command *commands;
  size_t count, room;
  bool quiet, extended, separate, in_place, zero, unbuffered, posix;
  const char *suffix;
  struct sink *sinks;
  struct regex *last;
} sed;

static const char *script, *script_end;
static int expression_number = 1;
static struct { char *name; size_t at; } *labels;
static size_t label_count;
static struct { char *name; size_t at; } *jumps;
static size_t jump_count;
static size_t open_groups[256], group_count;
static const char *script_start;

static _Noreturn void bad(const char *message) { die(1, "-e expression #%d, char %td: %s", expression_number, script - script_start, message); }

static int peek(void) { return script < script_end ? (unsigned char)*script : -1; }
static int next(void) { return script < script_end ? (unsigned char)*script++ : -1; }
static void skip_blanks(void) { while (peek() == ' ' || peek() == '\t') script++; }
static void skip_spaces(void) { while (peek() != -1 && (isspace(peek()) || peek() == ';')) script++; }

/* Text up to a delimiter, which may stand behind a backslash in it; in brackets of a pattern it is no delimiter. */
static char *read_part(int delimiter, bool pattern, size_t *length) {
  struct buffer text = {0};
  bool set = false;
  for (;;) {
    int c = next();
    if (c == -1 || (c == '\n' && pattern && delimiter != '\n' && !sed.posix && false)) return NULL;
    if (c == '\\') {
      int follows = next();
      if (follows == -1) return NULL;
      if (follows == delimiter && delimiter != '\\') {
        /* The backslash goes, whatever the character then means; in a set it stays, and is one of the set. */
        if (set) buffer_byte(&text, '\\');
        buffer_byte(&text, (char)delimiter);
        if (pattern && !set && delimiter == '[') set = true;
      } else if (follows == 'n' && pattern) buffer_byte(&text, '\n');
      else if (follows == '\n' && !pattern) buffer_text(&text, "\\\n");
      else buffer_byte(&text, '\\'), buffer_byte(&text, (char)follows);
      continue;
    }
    if (c == delimiter && !set) break;
    if (pattern && c == '[' && !set) {
      set = true;
      buffer_byte(&text, (char)c);
      if (peek() == '^') buffer_byte(&text, (char)next());
      if (peek() == ']') buffer_byte(&text, (char)next());
      continue;
    }
    if (set && c == '[' && (peek() == ':' || peek() == '.' || peek() == '=')) {
      int kind = next();
      buffer_byte(&text, '['), buffer_byte(&text, (char)kind);
      while ((c = next()) != -1) {
        buffer_byte(&text, (char)c);
        if (c == kind && peek() == ']') {
          buffer_byte(&text, (char)next());
          break;
        }
      }
      continue;
    }
    if (set && c == ']') set = false;
    buffer_byte(&text, (char)c);
  }
  *length = text.length;
  return buffer_end(&text);
}

/* Escapes that patterns do not know themselves. */
static char *plain_escapes(char *text, size_t *length) {
  struct buffer plain = {0};
  for (size_t at = 0; at < *length; at++) {
    char byte;
    if (text[at] != '\\' || at + 1 >= *length) {
      buffer_byte(&plain, text[at]);
      continue;
    }
    char letter = text[at + 1];
    int used = 0;
    if (strchr("tfva", letter)) used = read_escape(text + at + 1, &byte);
    else if (letter == 'r') byte = '\r', used = 1;
    else if (letter == 'x') used = read_escape(text + at + 1, &byte);
    else if (letter == 'd' || letter == 'o') {
      char *end;
      char digits[4] = "";
      strncpy(digits, text + at + 2, 3);
      long number = strtol(digits, &end, letter == 'd' ? 10 : 8);
      if (end > digits) byte = (char)number, used = 1 + (int)(end - digits);
    }
    if (!used) {
      buffer_byte(&plain, '\\'), buffer_byte(&plain, letter);
      at++;
      continue;
    }
    if (strchr("*.[]^$\\/+?(){}|", byte) && byte) buffer_byte(&plain, '\\');
    buffer_byte(&plain, byte);
    at += (size_t)used;
  }
  *length = plain.length;
  return buffer_end(&plain);
}

static struct regex *compile(char *text, size_t length, int flags) {
  if (!length) return NULL;
  const char *error = NULL;
  text = plain_escapes(text, &length);
  struct regex *regex = regex_compile(text, length, flags | (sed.extended ? RE_EXTENDED : 0), &error);
  if (!regex) bad(error);
  return regex;
}

static bool read_address(struct address *address) {
  int c = peek();
  if (c == '$') return script++, address->kind = LAST, true;
  if (isdigit(c)) {
    intmax_t number = 0;
    while (isdigit(peek())) number = number * 10 + next() - '0';
    address->kind = LINE, address->number = number;
    if (peek() == '~') {
      script++;
      address->kind = STEP;
      while (isdigit(peek())) address->step = address->step * 10 + next() - '0';
    }
    return true;
  }
  if (c != '/' && c != '\\') return false;
  script++;
  int delimiter = c == '\\' ? next() : '/';
  size_t length;
  char *text = read_part(delimiter, true, &length);
  if (!text) bad("unterminated address regex");
  int flags = 0;
  for (;; script++)
    if (peek() == 'I') flags |= RE_NO_CASE;
    else if (peek() == 'M') flags |= RE_MULTILINE;
    else break;
  address->kind = REGEX, address->regex = compile(text, length, flags);
  return true;
}

static struct sink *open_sink(char *name) {
  for (struct sink *one = sed.sinks; one; one = one->next)
    if (!strcmp(one->name, name)) return one;
  struct sink *made = grab_zero(1, sizeof *made);
  made->name = name;
  made->file = !strcmp(name, "/dev/stdout") ? stdout : !strcmp(name, "/dev/stderr") ? stderr : fopen(name, "w");
  if (!made->file) die_errno(4, "couldn't open file %s", name);
  made->next = sed.sinks;
  return sed.sinks = made;
}

static char *rest_of_line(void) {
  skip_blanks();
  const char *end = memchr(script, '\n', (size_t)(script_end - script));
  if (!end) end = script_end;
  char *text = copy_bytes(script, (size_t)(end - script));
  script = end;
  return text;
}

static void read_replacement(struct command *command, const char *text, size_t length) {
  struct buffer *to = &command->replacement;
  for (size_t at = 0; at < length; at++) {
    char c = text[at], byte;
    if (c == '&') buffer_byte(to, 0), buffer_byte(to, '0');
    else if (c != '\\' || at + 1 >= length) buffer_byte(to, c);
    else {
      c = text[++at];
      if (isdigit((unsigned char)c)) {
        if (c - '0' > (command->regex ? regex_groups(command->regex) : 9)) {
          die(1, "-e expression #%d, char %td: invalid reference \\%c on `s' command's RHS", expression_number, script - script_start, c);
        }
        buffer_byte(to, 0), buffer_byte(to, c);
      } else if (strchr("LUEluE", c)) buffer_byte(to, 0), buffer_byte(to, c);
      else if (c == 'n') buffer_byte(to, '\n');
      else if (c == 'r') buffer_byte(to, '\r');
      else if (strchr("tfva", c)) read_escape(text + at, &byte), buffer_byte(to, byte);
      else if (c == 'x') {
        int used = read_escape(text + at, &byte);
        if (used) buffer_byte(to, byte), at += (size_t)used - 1;
        else buffer_byte(to, 'x');
      } else buffer_byte(to, c);
    }
  }
}

static void read_substitution(struct command *command) {
  int delimiter = next();
  if (delimiter == -1 || delimiter == '\n' || delimiter == '\\') bad("unterminated `s' command");
  size_t length, replacement_length;
  char *pattern = read_part(delimiter, true, &length);
  char *replacement = pattern ? read_part(delimiter, false, &replacement_length) : NULL;
  if (!replacement) bad("unterminated `s' command");
  int flags = 0;
  command->which = 1;
  for (;;) {
    int c = peek();
    if (c == 'g') command->global = true;
    else if (c == 'p') command->print = true;
    else if (c == 'i' || c == 'I') flags |= RE_NO_CASE;
    else if (c == 'm' || c == 'M') flags |= RE_MULTILINE;
    else if (c == 'e') bad("this sed runs no commands");
    else if (isdigit(c)) {
      command->which = 0;
      while (isdigit(peek())) command->which = command->which * 10 + next() - '0';
      if (!command->which) bad("number option to `s' command may not be zero");
      continue;
    } else if (c == 'w') {
      script++;
      command->sink = open_sink(rest_of_line());
      break;
    } else break;
    script++;
  }
  command->regex = compile(pattern, length, flags);
  read_replacement(command, replacement, replacement_length);
}

static void read_map(struct command *command) {
  int delimiter = next();
  size_t from_length, to_length;
  char *from = read_part(delimiter, false, &from_length), *to = from ? read_part(delimiter, false, &to_length) : NULL;
  if (!to) bad("unterminated `y' command");
  char *sides[2] = {from, to};
  size_t lengths[2] = {from_length, to_length};
  int32_t *characters[2];
  size_t counts[2];
  for (int side = 0; side < 2; side++) {
    characters[side] = grab((lengths[side] + 1) * sizeof **characters);
    counts[side] = 0;
    for (size_t at = 0; at < lengths[side];) {
      int bytes = 1;
      int32_t c = read_char(sides[side] + at, lengths[side] - at, &bytes);
      if (c == '\\' && at + 1 < lengths[side]) {
        char byte = sides[side][at + 1];
        if (byte == 'n') c = '\n';
        else if (byte == 't') c = '\t';
        else c = (unsigned char)byte;
        bytes = 2;
      }
      characters[side][counts[side]++] = c;
      at += (size_t)bytes;
    }
  }
  if (counts[0] != counts[1]) bad("strings for `y' command are different lengths");
  command->map_count = counts[0];
  int32_t *map = grab((counts[0] * 2 + 1) * sizeof *map);
  for (size_t at = 0; at < counts[0]; at++) map[at * 2] = characters[0][at], map[at * 2 + 1] = characters[1][at];
  command->map = (char *)map;
}

/* The text of a, i and c: on the same line, or on those that follow a backslash. */
static void read_text(struct command *command) {
  struct buffer text = {0};
  skip_blanks();
  if (peek() == -1) bad("expected \\ after `a', `c' or `i'");
  if (peek() == '\\') {
    script++;
    if (peek() == -1) {
      command->text = copy_text("");
      return;
    }
    const char *start = script;
    skip_blanks();
    /* Blanks that begin a text stand behind the backslash. */
    if (peek() == '\n') script++;
    else script = start;
  }
  for (int c; (c = next()) != -1;) {
    if (c == '\\') {
      if ((c = next()) == -1) break;
      char byte = (char)c;
      int used = strchr("afnrtvx", c) ? read_escape(script - 1, &byte) : 0;
      if (used > 1) script += used - 1;
      buffer_byte(&text, used ? byte : (char)c);
    } else if (c == '\n') break;
    else buffer_byte(&text, (char)c);
  }
  buffer_byte(&text, '\n');
  command->length = text.length;
  command->text = buffer_end(&text);
}

static void end_of_command(void) {
  skip_blanks();
  int c = peek();
  if (c == -1 || c == '\n' || c == ';') {
    if (c != -1) script++;
  } else if (c != '}' && c != '#') bad("extra characters after command");
}

static char *read_label(void) {
  skip_blanks();
  const char *end = script;
  while (end < script_end && *end != '\n' && *end != ';' && !(isspace((unsigned char)*end))) end++;
  char *text = copy_bytes(script, (size_t)(end - script));
  script = end;
  return text;
}

static void parse_script(const char *text, size_t length) {
  script = script_start = text, script_end = text + length;
  for (;;) {
    skip_spaces();
    if (peek() == -1) break;
    if (peek() == '#') {
      if (script == script_start && length >= 2 && script[1] == 'n' && (length == 2 || script[2] == '\n') && expression_number == 1) sed.quiet = true;
      while (peek() != -1 && peek() != '\n') script++;
      continue;
    }
    if (sed.count == sed.room) sed.commands = regrab(sed.commands, (sed.room = sed.room * 2 + 32) * sizeof *sed.commands);
    struct command *command = &sed.commands[sed.count];
    *command = (struct command){0};
    if (read_address(&command->from)) {
      skip_blanks();
      if (peek() == ',') {
        script++;
        skip_blanks();
        if (peek() == '+' || peek() == '~') {
          command->to.kind = next() == '+' ? PLUS : MULTIPLE;
          while (isdigit(peek())) command->to.number = command->to.number * 10 + next() - '0';
        } else if (!read_address(&command->to)) bad("unexpected `,'");
      }
      if (command->from.kind == LINE && !command->from.number) {
        if (command->to.kind != REGEX) bad("invalid usage of line address 0");
        command->from.kind = ZERO, command->active = true;
      }
    }
    skip_blanks();
    while (peek() == '!') command->negated = true, script++, skip_blanks();
    int name = next();
    if (name == -1 || name == '\n' || name == ';') bad("missing command");
    command->name = (char)name;
    sed.count++;
    switch (name) {
      case '{':
        if (group_count == 256) bad("groups are too deep");
        open_groups[group_count++] = sed.count - 1;
        break;
      case '}':
        if (!group_count) bad("unexpected `}'");
        if (command->from.kind) bad("} doesn't want any addresses");
        sed.commands[open_groups[--group_count]].exit = (intmax_t)(sed.count - 1);
        end_of_command();
        break;
      case 's': read_substitution(command), end_of_command(); break;
      case 'y': read_map(command), end_of_command(); break;
      case 'a': case 'i': case 'c': read_text(command); break;
      case ':': {
        if (command->from.kind) bad(": doesn't want any addresses");
        skip_blanks();
        const char *end = script;
        while (end < script_end && *end != '\n' && *end != ';') end++;
        const char *stop = end;
        while (stop > script && isspace((unsigned char)stop[-1])) stop--;
        labels = regrab(labels, (label_count + 1) * sizeof *labels);
        labels[label_count].name = copy_bytes(script, (size_t)(stop - script));
        labels[label_count++].at = sed.count - 1;
        script = end;
        break;
      }
      case 'b': case 't': case 'T':
        jumps = regrab(jumps, (jump_count + 1) * sizeof *jumps);
        jumps[jump_count].name = read_label();
        size_t size = strlen(jumps[jump_count].name);
        if (size && jumps[jump_count].name[size - 1] == '}') jumps[jump_count].name[size - 1] = 0, script--;
        jumps[jump_count++].at = sed.count - 1;
        end_of_command();
        break;
      case 'r': case 'R': case 'w': case 'W':
        command->text = rest_of_line();
        if (!*command->text) bad("missing filename in r/R/w/W commands");
        if (name == 'w' || name == 'W') command->sink = open_sink(command->text);
        break;
      case 'q': case 'Q': case 'l': case 'L':
        skip_blanks();
        while (isdigit(peek())) command->exit = command->exit * 10 + next() - '0';
        end_of_command();
        break;
      case '=': case 'd': case 'D': case 'g': case 'G': case 'h': case 'H': case 'n': case 'N': case 'p': case 'P': case 'x': case 'z': case 'F': end_of_command(); break;
      case 'e': bad("this sed runs no commands");
      default: die(1, "-e expression #%d, char %td: unknown command: `%c'", expression_number, script - script_start, name);
    }
  }
  expression_number++;
}

/* ---- running ---- */

static struct {
  char **files;
  int count, at;
  struct input input;
  bool open;
  char *ahead;
  size_t ahead_length;
  bool has_ahead, ahead_ended;
  FILE *out;
  const char *name;
  char *draft;
} io;

static intmax_t line_number;
static struct buffer pattern, hold;
static bool pattern_ended = true;
static struct queued { char *text; size_t length; bool file; } *queue;
static size_t queue_count;

static void close_file(void) {
  if (!io.open) return;
  input_close(&io.input);
  io.open = false;
  if (sed.in_place && io.out && io.out != stdout) {
    fclose(io.out);
    if (*sed.suffix) {
      char *star = strchr(sed.suffix, '*');
      char *kept = star ? format_text("%.*s%s%s", (int)(star - sed.suffix), sed.suffix, io.name, star + 1) : format_text("%s%s", io.name, sed.suffix);
      rename(io.name, kept);
    }
    int mode = mode_of(io.name, true);
    rename(io.draft, io.name);
    if (mode >= 0) change_mode(io.name, mode);
    io.out = NULL;
  }
}

static bool open_next(void) {
  while (io.at < io.count) {
    io.name = io.files[io.at++];
    struct stat about;
    if (!strcmp(io.name, "-") && !sed.in_place) input_from(&io.input, 0, "-");
    else {
      if (stat(io.name, &about) < 0) {
        fflush(stdout);
        fprintf(stderr, "%s: can't read %s: %s\n", tool, io.name, strerror(errno));
        exit_status = 2;
        continue;
      }
      if (S_ISDIR(about.st_mode)) {
        fflush(stdout);
        if (sed.in_place) fprintf(stderr, "%s: couldn't edit %s: not a regular file\n", tool, io.name), exit_status = 4;
        else fprintf(stderr, "%s: couldn't read %s: Is a directory\n", tool, io.name), exit_status = 2;
        if (!sed.in_place) fprintf(stderr, "%s", "");
        continue;
      }
      int fd = open(io.name, O_RDONLY);
      if (fd < 0) {
        fprintf(stderr, "%s: can't read %s: %s\n", tool, io.name, strerror(errno));
        exit_status = 2;
        continue;
      }
      input_from(&io.input, fd, io.name);
    }
    io.open = true;
    if (sed.in_place) {
      io.draft = format_text("%s.sed-new", io.name);
      io.out = fopen(io.draft, "w");
      if (!io.out) die_errno(4, "couldn't open temporary file %s", io.draft);
    }
    if (sed.in_place || sed.separate) line_number = 0;
    return true;
  }
  return false;
}

/* The next line of the files that belong together, into `ahead`. */
static bool look_ahead(bool across) {
  while (!io.has_ahead) {
    if (!io.open) {
      if (!across || !open_next()) return false;
    }
    char *line;
    size_t length;
    int delimiter = sed.zero ? 0 : '\n';
    if (input_line(&io.input, delimiter, &line, &length)) {
      io.ahead_ended = (unsigned char)line[length - 1] == delimiter;
      free(io.ahead);
      io.ahead_length = length - (io.ahead_ended ? 1 : 0);
      io.ahead = copy_bytes(line, io.ahead_length);
      io.has_ahead = true;
      break;
    }
    if (!across) return false;
    close_file();
  }
  return true;
}

static bool read_line(struct buffer *into, bool append) {
  if (!look_ahead(true)) return false;
  if (!append) into->length = 0;
  else buffer_byte(into, sed.zero ? 0 : '\n');
  buffer_add(into, io.ahead, io.ahead_length);
  pattern_ended = io.ahead_ended;
  io.has_ahead = false;
  line_number++;
  return true;
}

static bool is_last(void) {
  if (sed.in_place || sed.separate) return !look_ahead(false);
  return !look_ahead(true);
}

static void put(FILE *to, const char *text, size_t length, bool ended) {
  static FILE *owes[8];
  for (int at = 0; at < 8; at++)
    if (owes[at] == to && to) fputc(sed.zero ? 0 : '\n', to), owes[at] = NULL;
  fwrite(text, 1, length, to);
  if (ended) fputc(sed.zero ? 0 : '\n', to);
  else
    for (int at = 0; at < 8; at++)
      if (!owes[at]) {
        owes[at] = to;
        break;
      }
  if (sed.unbuffered || to != stdout) fflush(to);
}

static FILE *output(void) { return io.out ? io.out : stdout; }

static void flush_queue(void) {
  for (size_t at = 0; at < queue_count; at++)
    if (!queue[at].file && !queue[at].length) continue;
    else if (!queue[at].file) put(output(), queue[at].text, queue[at].length - 1, true);
    else {
      struct input input;
      int fd = !strcmp(queue[at].text, "/dev/stdin") ? 0 : open(queue[at].text, O_RDONLY);
      if (fd < 0 || is_directory(queue[at].text)) continue;
      input_from(&input, fd, queue[at].text);
      size_t length;
      char *data = input_rest(&input, &length);
      if (length) {
        bool ended = data[length - 1] == '\n';
        put(output(), data, length - ended, ended);
      }
      free(data);
      input_close(&input);
    }
  queue_count = 0;
}

static void enqueue(char *text, size_t length, bool file) {
  queue = regrab(queue, (queue_count + 1) * sizeof *queue);
  queue[queue_count++] = (struct queued){text, length, file};
}

static bool matches(struct regex *regex) {
  if (!regex) regex = sed.last;
  if (!regex) die(1, "no previous regular expression");
  sed.last = regex;
  return regex_test(regex, pattern.data ? pattern.data : "", pattern.length);
}

static bool address_matches(const struct address *address) {
  switch (address->kind) {
    case LINE: return line_number == address->number;
    case STEP: return address->step <= 0 ? line_number == address->number : line_number >= address->number && (line_number - address->number) % address->step == 0;
    case LAST: return is_last();
    case REGEX: return matches(address->regex);
    default: return true;
  }
}

static bool selected(struct command *command) {
  if (!command->from.kind) return true;
  if (!command->to.kind) return address_matches(&command->from);
  if (!command->active) {
    if (!address_matches(&command->from)) return false;
    if (command->to.kind == LINE && command->to.number <= line_number) return true;
    command->active = true;
    if (command->to.kind == PLUS) command->until = line_number + command->to.number;
    if (command->to.kind == MULTIPLE) command->until = command->to.number ? (line_number + command->to.number - 1) / command->to.number * command->to.number : line_number;
    if ((command->to.kind == PLUS || command->to.kind == MULTIPLE) && command->until <= line_number) command->active = false;
    if (command->to.kind == LAST && is_last()) command->active = false;
    return true;
  }
  switch (command->to.kind) {
    case LINE:
      if (line_number >= command->to.number) command->active = false;
      return line_number <= command->to.number;
    case PLUS: case MULTIPLE:
      if (line_number >= command->until) command->active = false;
      return true;
    default:
      if (address_matches(&command->to)) {
        command->active = false;
        if (command->from.kind == ZERO) command->from.kind = LINE, command->from.number = 0;
      }
      return true;
  }
}

static void add_cased(struct buffer *to, const char *text, size_t length, char *once, char mode) {
  int bytes;
  for (size_t at = 0; at < length; at += (size_t)bytes) {
    int32_t c = read_char(text + at, length - at, &bytes);
    char how = *once ? *once : mode;
    *once = 0;
    if (c >= 0 && c < 128 && (how == 'U' || how == 'u')) buffer_byte(to, (char)toupper(c));
    else if (c >= 0 && c < 128 && (how == 'L' || how == 'l')) buffer_byte(to, (char)tolower(c));
    else buffer_add(to, text + at, (size_t)bytes);
  }
}

static bool substitute(struct command *command) {
  struct regex *regex = command->regex ? command->regex : sed.last;
  if (!regex) die(1, "no previous regular expression");
  sed.last = regex;
  struct buffer result = {0};
  struct span spans[RE_GROUPS];
  size_t at = 0, copied = 0;
  int seen = 0;
  bool done = false;
  ptrdiff_t before = -1;
  const char *text = pattern.data ? pattern.data : "";
  while (at <= pattern.length && regex_find(regex, text, pattern.length, at, spans)) {
    size_t start = (size_t)spans[0].start, end = (size_t)spans[0].end;
    if (start == end && (ptrdiff_t)start == before) {
      /* Nothing, right behind the last match: that is none. */
      if (start >= pattern.length) break;
      int bytes;
      read_char(text + start, pattern.length - start, &bytes);
      at = start + (size_t)bytes;
      before = -1;
      continue;
    }
    before = (ptrdiff_t)end;
    if (++seen >= command->which) {
      buffer_add(&result, text + copied, start - copied);
      char once = 0, mode = 0;
      for (size_t from = 0; from < command->replacement.length; from++) {
        char c = command->replacement.data[from];
        if (c) {
          add_cased(&result, &c, 1, &once, (unsigned char)c < 128 ? mode : 0);
          continue;
        }
        c = command->replacement.data[++from];
        if (c == 'E') mode = once = 0;
        else if (c == 'U' || c == 'L') mode = c;
        else if (c == 'u' || c == 'l') once = c;
        else if (spans[c - '0'].start >= 0) add_cased(&result, text + spans[c - '0'].start, (size_t)(spans[c - '0'].end - spans[c - '0'].start), &once, mode);
      }
      copied = end;
      done = true;
      if (!command->global) break;
    }
    if (end > start) at = end;
    else {
      if (start >= pattern.length) break;
      int bytes;
      read_char(text + start, pattern.length - start, &bytes);
      at = start + (size_t)bytes;
    }
  }
  if (!done) return false;
  buffer_add(&result, text + copied, pattern.length - copied);
  free(pattern.data);
  pattern = result;
  return true;
}

static void show_plain(intmax_t width) {
  struct buffer line = {0};
  size_t column = 0;
  char piece[8];
  if (width == 0) width = 70;
  for (size_t at = 0; at < pattern.length; at++) {
    unsigned char c = (unsigned char)pattern.data[at];
    const char *letters = "\aa\bb\ff\nn\rr\tt\vv\\\\";
    const char *letter = NULL;
    for (const char *one = letters; *one; one += 2)
      if ((unsigned char)*one == c) letter = one + 1;
    if (letter) sprintf(piece, "\\%c", *letter);
    else if (c < ' ' || c >= 127) sprintf(piece, "\\%03o", c);
    else sprintf(piece, "%c", c);
    if (width > 1 && column + strlen(piece) > (size_t)width - 1) buffer_text(&line, "\\\n"), column = 0;
    buffer_text(&line, piece);
    column += strlen(piece);
  }
  buffer_byte(&line, '$');
  put(output(), line.data, line.length, true);
}

static void translate(const struct command *command) {
  const int32_t *map = (const int32_t *)(const void *)command->map;
  struct buffer result = {0};
  int bytes;
  for (size_t at = 0; at < pattern.length; at += (size_t)bytes) {
    int32_t c = read_char(pattern.data + at, pattern.length - at, &bytes);
    size_t index = 0;
    while (index < command->map_count && map[index * 2] != c) index++;
    if (c < 0 || index == command->map_count) buffer_add(&result, pattern.data + at, (size_t)bytes);
    else {
      char text[4];
      buffer_add(&result, text, (size_t)write_char(map[index * 2 + 1], text));
    }
  }
  free(pattern.data);
  pattern = result;
}

enum outcome { NEXT_CYCLE, NO_PRINT, RESTART, QUIT, QUIT_SILENT };

static int quit_status;

static enum outcome run_commands(void) {
  bool replaced = false;
  for (size_t at = 0; at < sed.count; at++) {
    struct command *command = &sed.commands[at];
    bool hit = selected(command) != command->negated;
    if (command->name == '{') {
      if (!hit) at = (size_t)command->exit;
      continue;
    }
    if (!hit) continue;
    char *newline;
    switch (command->name) {
      case '}': case ':': break;
      case '=': fprintf(output(), "%jd\n", line_number); break;
      case 'a': enqueue(command->text, command->length, false); break;
      case 'i': if (command->length) put(output(), command->text, command->length - 1, true); break;
      case 'c':
        if (!command->to.kind || command->negated || !command->active) if (command->length) put(output(), command->text, command->length - 1, true);
        return NO_PRINT;
      case 'd': return NO_PRINT;
      case 'D':
        newline = pattern.length ? memchr(pattern.data, sed.zero ? 0 : '\n', pattern.length) : NULL;
        if (!newline) return NO_PRINT;
        pattern.length -= (size_t)(newline + 1 - pattern.data);
        memmove(pattern.data, newline + 1, pattern.length);
        return RESTART;
      case 'e': break;
      case 'F': put(output(), io.name, strlen(io.name), true); break;
      case 'g': pattern.length = 0, buffer_add(&pattern, hold.data, hold.length); break;
      case 'G': buffer_byte(&pattern, sed.zero ? 0 : '\n'), buffer_add(&pattern, hold.data, hold.length); break;
      case 'h': hold.length = 0, buffer_add(&hold, pattern.data, pattern.length); break;
      case 'H': buffer_byte(&hold, sed.zero ? 0 : '\n'), buffer_add(&hold, pattern.data, pattern.length); break;
      case 'l': show_plain(command->exit); break;
      case 'n':
        if (is_last() && !look_ahead(true)) return sed.posix ? NO_PRINT : QUIT;
        if (!sed.quiet) put(output(), pattern.data, pattern.length, pattern_ended);
        flush_queue();
        if (!read_line(&pattern, false)) return QUIT_SILENT;
        break;
      case 'N':
        flush_queue();
        if (!look_ahead(!(sed.in_place || sed.separate))) return NEXT_CYCLE;
        read_line(&pattern, true);
        break;
      case 'p': put(output(), pattern.data, pattern.length, pattern_ended); break;
      case 'P':
        newline = pattern.length ? memchr(pattern.data, sed.zero ? 0 : '\n', pattern.length) : NULL;
        put(output(), pattern.data, newline ? (size_t)(newline - pattern.data) : pattern.length, true);
        break;
      case 'q': quit_status = (int)command->exit; return QUIT;
      case 'Q': quit_status = (int)command->exit; return QUIT_SILENT;
      case 'r': case 'R': enqueue(command->text, 0, true); break;
      case 's':
        if (!substitute(command)) break;
        replaced = true;
        if (command->print) put(output(), pattern.data, pattern.length, pattern_ended);
        if (command->sink) put(command->sink->file == stdout ? output() : command->sink->file, pattern.data, pattern.length, true);
        break;
      case 't': case 'T':
        if (replaced != (command->name == 't')) {
          replaced = false;
          break;
        }
        replaced = false;
        /* falls through */
      case 'b':
        if (!command->target) return NEXT_CYCLE;
        at = (size_t)(command->target - sed.commands);
        break;
      case 'w': put(command->sink->file == stdout ? output() : command->sink->file, pattern.data, pattern.length, true); break;
      case 'W':
        newline = pattern.length ? memchr(pattern.data, sed.zero ? 0 : '\n', pattern.length) : NULL;
        put(command->sink->file, pattern.data, newline ? (size_t)(newline - pattern.data) : pattern.length, true);
        break;
      case 'x': {
        struct buffer other = pattern;
        pattern = hold, hold = other;
        break;
      }
      case 'y': translate(command); break;
      case 'z': pattern.length = 0; break;
    }
  }
  return NEXT_CYCLE;
}

static void link_jumps(void) {
  if (group_count) die(1, "-e expression #%d, char 0: unmatched `{'", expression_number - 1);
  for (size_t jump = 0; jump < jump_count; jump++) {
    if (!*jumps[jump].name) continue;
    size_t label = 0;
    while (label < label_count && strcmp(labels[label].name, jumps[jump].name)) label++;
    if (label == label_count) die(4, "can't find label for jump to `%s'", jumps[jump].name);
    sed.commands[jumps[jump].at].target = &sed.commands[labels[label].at];
  }
}

int sed_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"quiet", NO_VALUE, 'n'}, {"silent", NO_VALUE, 'n'}, {"expression", NEEDS_VALUE, 'e'}, {"file", NEEDS_VALUE, 'f'}, {"in-place", MAY_HAVE_VALUE, 'i'},
    {"regexp-extended", NO_VALUE, 'E'}, {"separate", NO_VALUE, 's'}, {"null-data", NO_VALUE, 'z'}, {"unbuffered", NO_VALUE, 'u'}, {"posix", NO_VALUE, 'p'}, {"line-length", NEEDS_VALUE, 'l'},
    {"sandbox", NO_VALUE, 1}, {0}};
  struct options options;
  struct buffer text = {0};
  bool given = false;
  options_begin(&options, argc, argv, "ne:f:i::Ersuzl:", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'n') sed.quiet = true;
    if (c == 'E' || c == 'r') sed.extended = true;
    if (c == 's') sed.separate = true;
    if (c == 'z') sed.zero = true;
    if (c == 'u') sed.unbuffered = true;
    if (c == 'p') sed.posix = true;
    if (c == 'i') sed.in_place = true, sed.suffix = options.value ? options.value : "";
    if (c == 'e' || c == 'f') {
      if (given) buffer_byte(&text, '\n');
      given = true;
      if (c == 'e') buffer_text(&text, options.value);
      else {
        char *data;
        size_t length;
        struct input input;
        if (!strcmp(options.value, "-")) input_from(&input, 0, "-");
        else {
          int fd = open(options.value, O_RDONLY);
          if (fd < 0) die_errno(4, "couldn't open file %s", options.value);
          input_from(&input, fd, options.value);
        }
        data = input_rest(&input, &length);
        if (length && data[length - 1] == '\n') length--;
        buffer_add(&text, data, length);
      }
    }
  }
  char **operands = options.operands;
  if (!given) {
    if (!options.count) {
      fprintf(stderr, "Usage: %s [OPTION]... {script-only-if-no-other-script} [input-file]...\n", tool);
      finish(1);
    }
    buffer_text(&text, *operands++);
    options.count--;
  }
  parse_script(buffer_end(&text), text.length);
  link_jumps();
  io.files = options.count ? operands : NO_FILES;
  io.count = options.count ? options.count : 1;
  io.name = "-";
  bool restart = false;
  while (restart || read_line(&pattern, false)) {
    restart = false;
    enum outcome outcome = run_commands();
    if ((outcome == NEXT_CYCLE || outcome == QUIT) && !sed.quiet) put(output(), pattern.data, pattern.length, pattern_ended);
    if (outcome != QUIT_SILENT) flush_queue();
    if (outcome == RESTART) restart = true;
    if (outcome == QUIT || outcome == QUIT_SILENT) {
      if (sed.in_place && io.open) {
        /* What was not read stays as it was. */
        char *line;
        size_t length;
        if (io.has_ahead) put(output(), io.ahead, io.ahead_length, io.ahead_ended);
        while (input_some(&io.input, &line, &length)) fwrite(line, 1, length, output());
      }
      close_file();
      for (struct sink *one = sed.sinks; one; one = one->next) fflush(one->file);
      return quit_status ? quit_status : exit_status;
    }
  }
  for (struct sink *one = sed.sinks; one; one = one->next) fflush(one->file);
  return exit_status;
}
