/* Runs awk programs. */
#include "awk.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wctype.h>
#include <unistd.h>

extern char **environ;

/* What a name stands for: a value, or a table that others may share. */
struct slot {
  struct value value;
  struct table *table;
};

enum flow { GO, BREAK, CONTINUE, NEXT, NEXT_FILE, EXIT, RETURN };
static enum flow flow;
static int exit_code;
static struct value returned;
static struct slot *globals, *locals;
static int call_depth;

enum { V_NF, V_NR, V_FNR, V_FS, V_OFS, V_ORS, V_RS, V_SUBSEP, V_CONVFMT, V_OFMT, V_FILENAME, V_RSTART, V_RLENGTH, V_ENVIRON, V_ARGC, V_ARGV, V_COUNT };
static const char *const SPECIAL[] = {"NF", "NR", "FNR", "FS", "OFS", "ORS", "RS", "SUBSEP", "CONVFMT", "OFMT", "FILENAME", "RSTART", "RLENGTH", "ENVIRON", "ARGC", "ARGV"};

static struct value eval(struct node *node);
static void execute(struct node *node);

static struct slot *slot_of(const struct node *node) { return node->slot >= 0 ? &globals[node->slot] : &locals[-1 - node->slot]; }

static struct table *table_of(const struct node *node) {
  struct slot *slot = slot_of(node);
  if (!slot->table) {
    if (slot->value.kind) die(2, "can't use %s as an array: it is a scalar", node->name);
    slot->table = grab_zero(1, sizeof *slot->table);
  }
  return slot->table;
}

static const char *special_text(int index) {
  static struct text *held[V_COUNT];
  drop_text(held[index]);
  held[index] = to_text(&globals[index].value, "%.6g");
  return held[index]->data;
}

static void set_special(int index, struct value value) {
  drop_value(&globals[index].value);
  globals[index].value = value;
}

static struct text *as_text(const struct value *value) { return to_text(value, special_text(V_CONVFMT)); }

static struct text *eval_text(struct node *node) {
  struct value value = eval(node);
  struct text *text = as_text(&value);
  drop_value(&value);
  return text;
}

static double eval_number(struct node *node) {
  struct value value = eval(node);
  double number = to_number(&value);
  drop_value(&value);
  return number;
}

/* ---- patterns ---- */

static struct regex *pattern_of(const char *text, size_t length) {
  enum { KEPT = 64 };
  static struct { char *text; size_t length; struct regex *regex; } kept[KEPT];
  static int next;
  for (int at = 0; at < KEPT; at++)
    if (kept[at].regex && kept[at].length == length && !memcmp(kept[at].text, text, length)) return kept[at].regex;
  const char *error = NULL;
  struct regex *regex = regex_compile(text, length, RE_EXTENDED | RE_AWK, &error);
  if (!regex) die(2, "%s: /%s/", error, text);
  if (kept[next].regex) regex_free(kept[next].regex), free(kept[next].text);
  kept[next].text = copy_bytes(text, length), kept[next].length = length, kept[next].regex = regex;
  next = (next + 1) % KEPT;
  return regex;
}

static struct regex *regex_of(struct node *node) {
  while (node->kind == N_GROUP && !node->list->next) node = node->list;
  if (node->kind == N_REGEX) return node->regex;
  struct text *text = eval_text(node);
  struct regex *regex = pattern_of(text->data, text->length);
  drop_text(text);
  return regex;
}

/* ---- the record and its fields ---- */

static struct text *record;
static struct value *fields; /* from 1 */
static int field_count, field_room;
static bool split_done = true, record_stale;

static void make_fields(int count) {
  if (count >= field_room) {
    int room = count * 2 + 16;
    fields = regrab(fields, (size_t)room * sizeof *fields);
    memset(fields + field_room, 0, (size_t)(room - field_room) * sizeof *fields);
    field_room = room;
  }
}

static void set_count(int count) {
  set_special(V_NF, number_value(count));
  field_count = count;
}

/* Calls `found` with each part of a text. */
static void split_text(const char *data, size_t length, const char *separator, size_t separator_length, struct regex *regex, void (*found)(const char *, size_t, void *), void *with) {
  if (regex == NULL && separator_length == 1 && *separator == ' ') {
    for (size_t at = 0; at < length;) {
      while (at < length && (data[at] == ' ' || data[at] == '\t' || data[at] == '\n')) at++;
      size_t from = at;
      while (at < length && data[at] != ' ' && data[at] != '\t' && data[at] != '\n') at++;
      if (at > from) found(data + from, at - from, with);
    }
    return;
  }
  if (!length) return;
  if (!regex && !separator_length) {
    int bytes;
    for (size_t at = 0; at < length; at += (size_t)bytes) read_char(data + at, length - at, &bytes), found(data + at, (size_t)bytes, with);
    return;
  }
  if (!regex && separator_length == 1 && *separator != '\\') {
    for (size_t from = 0;;) {
      const char *end = memchr(data + from, *separator, length - from);
      found(data + from, end ? (size_t)(end - data) - from : length - from, with);
      if (!end) return;
      from = (size_t)(end - data) + 1;
    }
  }
  if (!regex) regex = pattern_of(separator, separator_length);
  struct span spans[RE_GROUPS];
  size_t from = 0, at = 0;
  while (at <= length && regex_find(regex, data, length, at, spans)) {
    if (spans[0].start == spans[0].end) {
      at = (size_t)spans[0].end + 1;
      continue;
    }
    found(data + from, (size_t)spans[0].start - from, with);
    from = at = (size_t)spans[0].end;
  }
  found(data + from, length - from, with);
}

static void add_field(const char *data, size_t length, void *with) {
  int *count = with;
  make_fields(++*count);
  drop_value(&fields[*count]);
  fields[*count] = input_value(data, length);
}

static void need_fields(void) {
  if (split_done) return;
  split_done = true;
  int count = 0;
  struct text *separator = to_text(&globals[V_FS].value, "%.6g");
  const char *rs = special_text(V_RS);
  if (!*rs && separator->length == 1 && *separator->data != ' ') {
    /* Paragraphs: a newline separates fields, too. */
    char *both = format_text("[%s\n]", *separator->data == '\\' ? "\\\\" : separator->data);
    split_text(record->data, record->length, both, strlen(both), NULL, add_field, &count);
    free(both);
  } else split_text(record->data, record->length, separator->data, separator->length, NULL, add_field, &count);
  drop_text(separator);
  set_count(count);
}

static void need_record(void) {
  if (!record_stale) return;
  struct buffer text = {0};
  const char *separator = special_text(V_OFS);
  for (int at = 1; at <= field_count; at++) {
    if (at > 1) buffer_text(&text, separator);
    struct text *field = as_text(&fields[at]);
    buffer_add(&text, field->data, field->length);
    drop_text(field);
  }
  drop_text(record);
  record = text_of(text.data, text.length);
  free(text.data);
  record_stale = false;
}

static void set_record(const char *data, size_t length) {
  struct text *made = text_of(data, length);
  drop_text(record);
  record = made;
  split_done = false, record_stale = false;
}

static struct value get_field(int index) {
  if (index < 0) die(2, "attempt to access field %d", index);
  if (!index) {
    need_record();
    struct value value = {.kind = IS_TEXT, .text = hold_text(record)};
    if (looks_numeric(record->data, record->length, &value.number)) value.kind |= LOOKS_NUMBER | IS_NUMBER;
    return value;
  }
  need_fields();
  return index <= field_count ? copy_value(&fields[index]) : (struct value){0};
}

static void resize_fields(int count) {
  need_fields();
  make_fields(count);
  for (int at = field_count + 1; at <= count; at++) drop_value(&fields[at]), fields[at] = text_value("", 0);
  set_count(count);
  record_stale = true;
}

/* Puts a value where a variable, a field or an element is. */
static void assign(struct node *to, struct value value) {
  /* What separates fields counts for the records that follow. */
  if (to->kind == N_VARIABLE && (to->slot == V_FS || to->slot == V_RS)) need_fields();
  if (to->kind == N_FIELD) {
    int index = (int)eval_number(to->a);
    if (index < 0 || index > 1000000) die(2, "attempt to access field %d", index);
    struct text *text = as_text(&value);
    if (!index) set_record(text->data, text->length);
    else {
      need_fields();
      if (index > field_count) resize_fields(index);
      drop_value(&fields[index]);
      fields[index] = copy_value(&value);
      record_stale = true;
    }
    drop_text(text);
    drop_value(&value);
    return;
  }
  if (to->kind == N_INDEX) {
    struct text *subscript(struct node *);
    struct text *key = subscript(to->list);
    struct value *place = table_at(table_of(to->a), key);
    drop_text(key);
    drop_value(place);
    *place = value;
    return;
  }
  struct slot *slot = slot_of(to);
  if (slot->table && slot->table->count) die(2, "can't assign to %s; it's an array name.", to->name);
  if (to->slot == V_NF) {
    int count = (int)to_number(&value);
    drop_value(&value);
    if (count < 0 || count > 1000000) die(2, "NF set to a wrong value");
    resize_fields(count);
    return;
  }
  drop_value(&slot->value);
  slot->value = value;
}

struct text *subscript(struct node *list) {
  struct buffer key = {0};
  for (struct node *one = list; one; one = one->next) {
    if (one != list) buffer_text(&key, special_text(V_SUBSEP));
    struct text *part = eval_text(one);
    if (one == list && !one->next) return part;
    buffer_add(&key, part->data, part->length);
    drop_text(part);
  }
  struct text *text = text_of(key.data, key.length);
  free(key.data);
  return text;
}

/* ---- input and output ---- */

struct stream {
  char *name;
  int kind; /* '<', '|' (read), '>', 'a', 'p' (a command that reads) */
  struct input input;
  FILE *file;
  char *spool;
  struct stream *next;
};
static struct stream *streams;
static int spools;

static char *spool_name(void) { return format_text("/tmp/.awk-%d-%d", (int)arc4random_uniform(1000000000), spools++); }

static int run_line(char *line) { return run_command((char *[]){"sh", "-c", line, NULL}, true, 0); }

static void flush_all(void) {
  fflush(stdout);
  for (struct stream *one = streams; one; one = one->next)
    if (one->file) fflush(one->file);
}

static int close_stream(struct stream *stream) {
  int status = 0;
  if (stream->file && stream->file != stdout && stream->file != stderr) status = fclose(stream->file);
  if (stream->kind == '<' || stream->kind == '|') input_close(&stream->input);
  if (stream->kind == 'p') {
    fflush(stdout);
    status = run_line(format_text("{ %s\n} < %s", stream->name, stream->spool));
  }
  if (stream->spool) unlink(stream->spool);
  return status;
}

static struct stream *find_stream(const char *name, const char *kinds) {
  for (struct stream *one = streams; one; one = one->next)
    if (strchr(kinds, one->kind) && !strcmp(one->name, name)) return one;
  return NULL;
}

static FILE *output_to(int operator, const char *name) {
  int kind = operator== '|' ? 'p' : operator;
  struct stream *found = find_stream(name, operator== '|' ? "p" : ">a");
  if (found) return found->file;
  struct stream *made = grab_zero(1, sizeof *made);
  made->name = copy_text(name), made->kind = kind;
  if (kind == 'p') made->spool = spool_name(), made->file = fopen(made->spool, "w");
  else if (!strcmp(name, "/dev/stdout") || !strcmp(name, "-")) made->file = stdout;
  else if (!strcmp(name, "/dev/stderr")) made->file = stderr;
  else made->file = fopen(name, kind == 'a' ? "a" : "w");
  if (!made->file) die_errno(2, "can't redirect to `%s'", name);
  made->next = streams;
  return (streams = made)->file;
}

static struct stream *input_from_stream(int operator, const char *name) {
  struct stream *found = find_stream(name, operator== '|' ? "|" : "<");
  if (found) return found;
  struct stream *made = grab_zero(1, sizeof *made);
  made->name = copy_text(name), made->kind = operator;
  const char *path = name;
  if (operator== '|') {
    path = made->spool = spool_name();
    flush_all();
    run_line(format_text("{ %s\n} > %s", name, made->spool));
  }
  int fd = !strcmp(path, "-") || !strcmp(path, "/dev/stdin") ? 0 : open(path, O_RDONLY);
  if (fd < 0) {
    free(made->name), free(made);
    return NULL;
  }
  input_from(&made->input, fd, made->name);
  made->next = streams;
  return streams = made;
}

/* Records that no single byte ends: all that is left of an input, and where one is. */
struct rest {
  struct input *of;
  char *data;
  size_t length, at;
};

static bool next_record(struct input *input, char **data, size_t *length) {
  static struct rest rests[16];
  const char *rs = special_text(V_RS);
  if (rs[0] && !rs[1]) {
    if (!input_line(input, (unsigned char)*rs, data, length)) return false;
    if ((*data)[*length - 1] == *rs) --*length;
    return *length || *rs == '\n' || !input->over || input->at < input->end || (*data)[*length] == *rs;
  }
  struct rest *rest = NULL;
  for (int at = 0; at < 16 && !rest; at++)
    if (rests[at].of == input && rests[at].data) rest = &rests[at];
  if (!rest) {
    for (int at = 0; at < 16 && !rest; at++)
      if (!rests[at].data) rest = &rests[at];
    if (!rest) die(2, "too many inputs");
    rest->of = input;
    rest->data = input_rest(input, &rest->length);
    rest->at = 0;
  }
  if (!*rs)
    while (rest->at < rest->length && rest->data[rest->at] == '\n') rest->at++;
  if (rest->at >= rest->length) {
    free(rest->data);
    *rest = (struct rest){0};
    return false;
  }
  struct span spans[RE_GROUPS];
  *data = rest->data + rest->at;
  size_t left = rest->length - rest->at;
  if (regex_find(pattern_of(*rs ? rs : "\n\n+", *rs ? strlen(rs) : 3), *data, left, 0, spans) && spans[0].end > spans[0].start) {
    *length = (size_t)spans[0].start;
    rest->at += (size_t)spans[0].end;
  } else {
    *length = left;
    rest->at = rest->length;
    if (!*rs && *length && (*data)[*length - 1] == '\n') --*length;
  }
  return true;
}

static struct input main_input;
static bool main_open, main_used;
static int next_operand = 1;

static void count_up(int which) { set_special(which, number_value(to_number(&globals[which].value) + 1)); }

static void command_line_assign(const char *text) {
  const char *equals = strchr(text, '=');
  char *name = copy_bytes(text, (size_t)(equals - text));
  struct buffer value = {0};
  for (const char *at = equals + 1; *at; at++) {
    char byte;
    int used = *at == '\\' && at[1] ? read_escape(at + 1, &byte) : 0;
    if (used) buffer_byte(&value, byte), at += used;
    else if (*at == '\\' && at[1] == '"') buffer_byte(&value, *++at);
    else buffer_byte(&value, *at);
  }
  size_t before = awk.name_count;
  int slot = global_slot(name);
  if (awk.name_count > before) {
    globals = regrab(globals, awk.name_count * sizeof *globals);
    globals[slot] = (struct slot){0};
  }
  struct node to = {.kind = N_VARIABLE, .slot = slot, .name = name};
  assign(&to, input_value(value.length ? value.data : "", value.length));
  free(value.data);
}

static bool is_assignment(const char *text) {
  if (!isalpha((unsigned char)*text) && *text != '_') return false;
  while (isalnum((unsigned char)*text) || *text == '_') text++;
  return *text == '=';
}

static bool open_operand(void) {
  for (; next_operand < (int)to_number(&globals[V_ARGC].value); next_operand++) {
    char digits[32];
    struct text *key = text_of(digits, (size_t)sprintf(digits, "%d", next_operand));
    bool there = table_has(globals[V_ARGV].table, key);
    struct text *name = there ? as_text(table_at(globals[V_ARGV].table, key)) : text_of("", 0);
    drop_text(key);
    if (!name->length) continue;
    if (is_assignment(name->data)) {
      command_line_assign(name->data);
      continue;
    }
    main_used = true;
    if (!strcmp(name->data, "-")) input_from(&main_input, 0, "-");
    else {
      int fd = open(name->data, O_RDONLY);
      if (fd < 0) {
        flush_all();
        die_errno(2, "fatal: cannot open file `%s' for reading", name->data);
      }
      if (is_directory(name->data)) {
        fprintf(stderr, "%s: warning: command line argument `%s' is a directory: skipped\n", tool, name->data);
        close(fd);
        continue;
      }
      input_from(&main_input, fd, copy_text(name->data));
    }
    set_special(V_FILENAME, text_value(strcmp(name->data, "-") ? name->data : "", strcmp(name->data, "-") ? name->length : 0));
    set_special(V_FNR, number_value(0));
    next_operand++;
    return main_open = true;
  }
  if (main_used) return false;
  main_used = true;
  input_from(&main_input, 0, "-");
  return main_open = true;
}

static bool next_main(char **data, size_t *length) {
  for (;;) {
    if (!main_open && !open_operand()) return false;
    if (next_record(&main_input, data, length)) {
      count_up(V_NR), count_up(V_FNR);
      return true;
    }
    input_close(&main_input);
    main_open = false;
  }
}

static struct value run_getline(struct node *node) {
  char *data;
  size_t length;
  if (node->operator) {
    struct text *name = eval_text(node->b);
    struct stream *from = input_from_stream(node->operator, name->data);
    drop_text(name);
    if (!from) return number_value(-1);
    if (!next_record(&from->input, &data, &length)) return number_value(0);
    if (node->operator== '|') count_up(V_NR);
  } else if (!next_main(&data, &length)) return number_value(0);
  if (node->a) assign(node->a, input_value(data, length));
  else set_record(data, length);
  return number_value(1);
}

/* ---- functions ---- */

/* As printf of awk; the text is the caller's. */
static struct buffer format_values(struct node *list) {
  struct buffer out = {0};
  if (!list) die(2, "printf: no arguments");
  struct text *format = eval_text(list);
  struct node *next = list->next;
  for (size_t at = 0; at < format->length; at++) {
    if (format->data[at] != '%') {
      buffer_byte(&out, format->data[at]);
      continue;
    }
    if (format->data[at + 1] == '%') {
      buffer_byte(&out, '%'), at++;
      continue;
    }
    char spec[64] = "%";
    size_t size = 1, begun = at++;
    int width = -1, precision = -1;
    bool left = false;
    for (; at < format->length && strchr("-+ #0", format->data[at]); at++) {
      if (format->data[at] == '-') left = true;
      if (size < 16) spec[size++] = format->data[at];
    }
    for (int part = 0; part < 2; part++) {
      int *number = part ? &precision : &width;
      if (part) {
        if (format->data[at] != '.') break;
        at++;
        *number = 0;
      }
      if (format->data[at] == '*') {
        *number = next ? (int)eval_number(next) : 0;
        if (next) next = next->next;
        if (!part && *number < 0) left = true, spec[size++] = '-', *number = -*number;
        at++;
      } else if (isdigit((unsigned char)format->data[at])) {
        *number = 0;
        while (isdigit((unsigned char)format->data[at])) *number = *number * 10 + format->data[at++] - '0';
      }
    }
    while (format->data[at] == 'l' || format->data[at] == 'h') at++;
    if (width > 1000000 || precision > 1000000) die(2, "printf: a field is too wide");
    char letter = format->data[at];
    if (!letter || !strchr("cdiouxXeEfFgGaAs", letter)) {
      buffer_add(&out, format->data + begun, at - begun + (letter ? 1 : 0));
      continue;
    }
    if (!next) die(2, "fatal: not enough arguments to satisfy format string\n\t`%s'", format->data);
    struct value value = eval(next);
    next = next->next;
    if (letter == 's' || letter == 'c') {
      char one[8];
      struct text *text;
      if (letter == 's') text = as_text(&value);
      else if (value.kind & IS_NUMBER && !(value.kind & IS_TEXT)) text = text_of(one, value.number < 128 ? (one[0] = (char)value.number, 1u) : (size_t)write_char((int32_t)value.number, one));
      else {
        text = as_text(&value);
        /* Nothing is shown as NUL. */
        int bytes = 1;
        if (text->length) read_char(text->data, text->length, &bytes);
        struct text *first = text_of(text->data, (size_t)bytes);
        drop_text(text);
        text = first;
      }
      size_t used = text->length;
      if (letter == 's' && precision >= 0) {
        int bytes;
        used = 0;
        for (int count = 0; used < text->length && count < precision; count++) read_char(text->data + used, text->length - used, &bytes), used += (size_t)bytes;
      }
      int fill = width - (int)count_chars(text->data, used);
      if (!left) while (fill-- > 0) buffer_byte(&out, ' ');
      buffer_add(&out, text->data, used);
      if (left) while (fill-- > 0) buffer_byte(&out, ' ');
      drop_text(text);
    } else {
      double number = to_number(&value);
      if (width >= 0) size += (size_t)sprintf(spec + size, "%d", width);
      if (precision >= 0) size += (size_t)sprintf(spec + size, ".%d", precision);
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
      if (strchr("diouxX", letter) && isfinite(number) && fabs(number) < 9e18) {
        sprintf(spec + size, "ll%c", letter == 'i' ? 'd' : letter);
        buffer_format(&out, spec, (long long)number);
      } else if (strchr("diouxX", letter)) {
        strcpy(spec + size, isfinite(number) ? ".0f" : "f");
        buffer_format(&out, spec, number);
      } else {
        spec[size++] = letter, spec[size] = 0;
        buffer_format(&out, spec, number);
      }
#pragma clang diagnostic pop
    }
    drop_value(&value);
  }
  drop_text(format);
  return out;
}

static size_t byte_of(const char *data, size_t length, size_t character) {
  size_t at = 0;
  int bytes;
  while (at < length && character--) read_char(data + at, length - at, &bytes), at += (size_t)bytes;
  return at;
}

struct splitting { struct table *table; int count; };

static void add_element(const char *data, size_t length, void *with) {
  struct splitting *into = with;
  char digits[32];
  struct text *key = text_of(digits, (size_t)sprintf(digits, "%d", ++into->count));
  *table_at(into->table, key) = input_value(data, length);
  drop_text(key);
}

static void add_replacement(struct buffer *to, const struct text *with, const char *data, const struct span *spans, bool groups) {
  for (size_t at = 0; at < with->length; at++) {
    char c = with->data[at];
    if (c == '\\' && at + 1 < with->length) {
      char next = with->data[at + 1];
      if (next == '&' || next == '\\') buffer_byte(to, next), at++;
      else if (groups && isdigit((unsigned char)next)) {
        const struct span *span = &spans[next - '0'];
        if (span->start >= 0) buffer_add(to, data + span->start, (size_t)(span->end - span->start));
        at++;
      } else buffer_byte(to, c);
    } else if (c == '&') buffer_add(to, data + spans[0].start, (size_t)(spans[0].end - spans[0].start));
    else buffer_byte(to, c);
  }
}

/* Replaces match number `which`, or all from the first on if it is 0. The number of replacements. */
static int replace(struct regex *regex, const struct text *with, const struct text *in, int which, bool groups, struct buffer *out) {
  struct span spans[RE_GROUPS];
  size_t at = 0, copied = 0;
  int seen = 0, done = 0;
  ptrdiff_t before = -1;
  while (at <= in->length && regex_find(regex, in->data, in->length, at, spans)) {
    size_t begin = (size_t)spans[0].start, end = (size_t)spans[0].end;
    int bytes = 1;
    if (begin < in->length) read_char(in->data + begin, in->length - begin, &bytes);
    if (begin == end && (ptrdiff_t)begin == before) {
      at = begin + (size_t)bytes, before = -1;
      continue;
    }
    before = (ptrdiff_t)end;
    if (++seen == which || !which) {
      buffer_add(out, in->data + copied, begin - copied);
      add_replacement(out, with, in->data, spans, groups);
      copied = end;
      done++;
      if (which) break;
    }
    at = end > begin ? end : begin + (size_t)bytes;
  }
  buffer_add(out, in->data + copied, in->length - copied);
  return done;
}

static struct value call_builtin(struct node *node) {
  struct node *a = node->list, *b = a ? a->next : NULL, *c = b ? b->next : NULL, *d = c ? c->next : NULL;
  const char *name = node->name;
#define NAMED(text) (!strcmp(name, text))
#define NEED(node) \
  if (!(node)) die(2, "%s: too few arguments", name)
  if (NAMED("length")) {
    if (a && a->kind == N_VARIABLE && slot_of(a)->table) return number_value((double)slot_of(a)->table->count);
    struct value whole = get_field(0);
    struct text *text = a ? eval_text(a) : as_text(&whole);
    size_t length = 0;
    int bytes;
    for (size_t at = 0; at < text->length; at += (size_t)bytes, length++) read_char(text->data + at, text->length - at, &bytes);
    drop_text(text);
    drop_value(&whole);
    return number_value((double)length);
  }
  if (NAMED("substr")) {
    NEED(b);
    struct text *text = eval_text(a);
    double start = eval_number(b), count = c ? eval_number(c) : INFINITY;
    start = rint(start), count = c ? rint(count) : count;
    double from = start < 1 ? 1 : start, to = start + count;
    if (isnan(to) || to <= from) from = to = 1;
    size_t first = byte_of(text->data, text->length, from > 1e9 ? (size_t)1e9 : (size_t)(from - 1));
    size_t end = to > 1e9 ? text->length : first + byte_of(text->data + first, text->length - first, (size_t)(to - from));
    struct value value = text_value(text->data + first, end - first);
    drop_text(text);
    return value;
  }
  if (NAMED("index")) {
    NEED(b);
    struct text *text = eval_text(a), *part = eval_text(b);
    size_t found = 0;
    for (size_t at = 0; at + part->length <= text->length; at++)
      if (!memcmp(text->data + at, part->data, part->length)) {
        found = count_chars(text->data, at) + 1;
        break;
      }
    drop_text(text), drop_text(part);
    return number_value((double)found);
  }
  if (NAMED("split")) {
    NEED(b);
    struct text *text = eval_text(a);
    struct splitting into = {table_of(b), 0};
    struct text *separator = c && c->kind == N_REGEX ? text_of("", 0) : c ? eval_text(c) : to_text(&globals[V_FS].value, "%.6g");
    table_clear(into.table);
    split_text(text->data, text->length, separator->data, separator->length, c && c->kind == N_REGEX && c->operator ? c->regex : NULL, add_element, &into);
    drop_text(text), drop_text(separator);
    return number_value(into.count);
  }
  if (NAMED("sub") || NAMED("gsub")) {
    NEED(b);
    struct regex *regex = regex_of(a);
    struct text *with = eval_text(b);
    static struct node whole = {.kind = N_FIELD}, zero = {.kind = N_NUMBER, .value = {.kind = IS_NUMBER}};
    whole.a = &zero;
    struct node *to = c ? c : &whole;
    while (to->kind == N_GROUP && !to->list->next) to = to->list;
    struct text *in = eval_text(to);
    struct buffer out = {0};
    int count = replace(regex, with, in, name[0] == 'g' ? 0 : 1, false, &out);
    if (count && (to->kind == N_VARIABLE || to->kind == N_FIELD || to->kind == N_INDEX)) assign(to, text_value(out.length ? out.data : "", out.length));
    drop_text(with), drop_text(in);
    free(out.data);
    return number_value(count);
  }
  if (NAMED("gensub")) {
    NEED(c);
    struct regex *regex = regex_of(a);
    struct text *with = eval_text(b), *how = eval_text(c);
    struct value record_value = get_field(0);
    struct text *in = d ? eval_text(d) : as_text(&record_value);
    struct buffer out = {0};
    int which = how->length && (*how->data | 32) == 'g' ? 0 : atoi(how->data);
    replace(regex, with, in, which < 0 ? 1 : which, true, &out);
    struct value value = text_value(out.length ? out.data : "", out.length);
    drop_text(with), drop_text(how), drop_text(in), drop_value(&record_value);
    free(out.data);
    return value;
  }
  if (NAMED("match")) {
    NEED(b);
    struct text *text = eval_text(a);
    struct regex *regex = regex_of(b);
    struct span spans[RE_GROUPS];
    bool found = regex_find(regex, text->data, text->length, 0, spans);
    double start = found ? (double)count_chars(text->data, (size_t)spans[0].start) + 1 : 0;
    double length = found ? (double)count_chars(text->data + spans[0].start, (size_t)(spans[0].end - spans[0].start)) : -1;
    set_special(V_RSTART, number_value(start)), set_special(V_RLENGTH, number_value(length));
    if (c) {
      struct table *table = table_of(c);
      table_clear(table);
      for (int group = 0; found && group <= regex_groups(regex) && group < RE_GROUPS; group++) {
        if (spans[group].start < 0) continue;
        char digits[32];
        struct text *key = text_of(digits, (size_t)sprintf(digits, "%d", group));
        *table_at(table, key) = input_value(text->data + spans[group].start, (size_t)(spans[group].end - spans[group].start));
        drop_text(key);
      }
    }
    drop_text(text);
    return number_value(start);
  }
  if (NAMED("sprintf")) {
    struct buffer out = format_values(a);
    struct value value = text_value(out.length ? out.data : "", out.length);
    free(out.data);
    return value;
  }
  if (NAMED("tolower") || NAMED("toupper")) {
    NEED(a);
    struct text *text = eval_text(a), *changed = text_of(text->data, text->length);
    for (size_t at = 0; at < changed->length; at++)
      if ((unsigned char)changed->data[at] < 128) changed->data[at] = (char)(name[2] == 'l' ? tolower(changed->data[at]) : toupper(changed->data[at]));
      else changed->data[at] = 0;
    if (memchr(changed->data, 0, changed->length)) {
      /* Letters beyond ASCII may take more bytes, or fewer. */
      struct buffer out = {0};
      char one[8];
      int bytes;
      for (size_t at = 0; at < text->length; at += (size_t)bytes) {
        int32_t c = read_char(text->data + at, text->length - at, &bytes);
        if (c < 0) buffer_byte(&out, text->data[at]);
        else buffer_add(&out, one, (size_t)write_char((int32_t)(name[2] == 'l' ? towlower((wint_t)c) : towupper((wint_t)c)), one));
      }
      drop_text(changed);
      changed = text_of(out.data, out.length);
      free(out.data);
    }
    drop_text(text);
    return (struct value){.kind = IS_TEXT, .text = changed};
  }
  if (NAMED("system")) {
    NEED(a);
    struct text *line = eval_text(a);
    flush_all();
    int status = run_line(line->data);
    drop_text(line);
    return number_value(status);
  }
  if (NAMED("close")) {
    NEED(a);
    struct text *text = eval_text(a);
    int status = -1;
    for (struct stream **one = &streams; *one;) {
      struct stream *stream = *one;
      if (strcmp(stream->name, text->data)) {
        one = &stream->next;
        continue;
      }
      *one = stream->next;
      status = close_stream(stream);
    }
    drop_text(text);
    return number_value(status);
  }
  if (NAMED("fflush")) return flush_all(), number_value(0);
  if (NAMED("systime")) return number_value((double)time(NULL));
  if (NAMED("strftime")) {
    struct text *format = a ? eval_text(a) : text_of("%a %b %e %H:%M:%S %Z %Y", 23);
    time_t when = b ? (time_t)eval_number(b) : time(NULL);
    char *text = format_time(format->data, (struct timespec){when, 0});
    drop_text(format);
    return text_value(text, strlen(text));
  }
  static double seed = 1;
  static unsigned long long state = 1;
  if (NAMED("srand")) {
    double next = a ? eval_number(a) : (double)time(NULL), before = seed;
    seed = next;
    state = (unsigned long long)seed * 2862933555777941757ULL + 3037000493ULL;
    return number_value(before);
  }
  if (NAMED("rand")) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return number_value((double)(state >> 11) / 9007199254740992.0);
  }
  NEED(a);
  double x = eval_number(a), y = b ? eval_number(b) : 0;
  if (NAMED("int")) return number_value(trunc(x));
  if (NAMED("sqrt")) return number_value(sqrt(x));
  if (NAMED("exp")) return number_value(exp(x));
  if (NAMED("log")) return number_value(log(x));
  if (NAMED("sin")) return number_value(sin(x));
  if (NAMED("cos")) return number_value(cos(x));
  if (NAMED("atan2")) return number_value(atan2(x, y));
  unsigned long long left = (unsigned long long)x, right = (unsigned long long)y;
  if (NAMED("and") || NAMED("or") || NAMED("xor")) {
    for (struct node *more = b; more; more = more->next) {
      if (more != b) right = (unsigned long long)eval_number(more);
      left = *name == 'a' ? left & right : *name == 'o' ? left | right : left ^ right;
    }
    return number_value((double)left);
  }
  if (NAMED("lshift")) return number_value((double)(left << (right & 63)));
  if (NAMED("rshift")) return number_value((double)(left >> (right & 63)));
  return number_value((double)(~left & 0x1fffffffffffffULL));
}

static struct value call_function(struct node *node) {
  struct function *function = &awk.functions[node->slot];
  if (++call_depth > 5000) die(2, "function %s is called too deep", function->name);
  struct slot *frame = grab_zero((size_t)function->count + 1, sizeof *frame);
  bool *borrowed = grab_zero((size_t)function->count + 1, sizeof *borrowed);
  int given = 0;
  for (struct node *one = node->list; one; one = one->next, given++) {
    if (given >= function->count) die(2, "function %s called with more arguments than declared", function->name);
    if (one->kind == N_VARIABLE) {
      struct slot *slot = slot_of(one);
      /* What was never set may become a table in there. */
      if (!slot->value.kind && one->slot != V_NF) {
        frame[given].table = slot->table ? slot->table : (slot->table = grab_zero(1, sizeof *slot->table));
        borrowed[given] = true;
        continue;
      }
    }
    frame[given].value = eval(one);
  }
  struct slot *before = locals;
  locals = frame;
  execute(function->body);
  locals = before;
  for (int at = 0; at < function->count; at++) {
    drop_value(&frame[at].value);
    if (frame[at].table && !borrowed[at]) table_clear(frame[at].table), free(frame[at].table);
  }
  free(frame), free(borrowed);
  call_depth--;
  if (flow == RETURN) flow = GO;
  struct value value = returned;
  returned = (struct value){0};
  return value;
}

/* ---- expressions ---- */

static int compare(const struct value *left, const struct value *right) {
  bool numbers = (!left->kind || left->kind & IS_NUMBER) && (!right->kind || right->kind & IS_NUMBER);
  if (numbers) {
    double a = to_number(left), b = to_number(right);
    return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2;
  }
  struct text *a = as_text(left), *b = as_text(right);
  size_t length = a->length < b->length ? a->length : b->length;
  int order = memcmp(a->data, b->data, length);
  if (!order) order = a->length < b->length ? -1 : a->length > b->length;
  drop_text(a), drop_text(b);
  return order < 0 ? -1 : order > 0;
}

static double calculate(int operator, double a, double b) {
  switch (operator) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/':
      if (b == 0) die(2, "fatal: division by zero attempted");
      return a / b;
    case '%':
      if (b == 0) die(2, "fatal: division by zero attempted in `%%'");
      return fmod(a, b);
    default: return pow(a, b);
  }
}

static bool matches(struct node *text_node, struct regex *regex) {
  struct text *text;
  if (text_node) text = eval_text(text_node);
  else need_record(), text = hold_text(record);
  bool found = regex_test(regex, text->data, text->length);
  drop_text(text);
  return found;
}

static bool eval_true(struct node *node) {
  struct value value = eval(node);
  bool truth = is_true(&value);
  drop_value(&value);
  return truth;
}

static struct value eval(struct node *node) {
  switch (node->kind) {
    case N_NUMBER: case N_TEXT: return copy_value(&node->value);
    case N_REGEX: return number_value(matches(NULL, node->regex));
    case N_VARIABLE:
      if (node->slot == V_NF) need_fields();
      return copy_value(&slot_of(node)->value);
    case N_FIELD: return get_field((int)eval_number(node->a));
    case N_INDEX: {
      struct text *key = subscript(node->list);
      struct value value = copy_value(table_at(table_of(node->a), key));
      drop_text(key);
      return value;
    }
    case N_GROUP: {
      if (!node->list->next) return eval(node->list);
      struct text *key = subscript(node->list);
      return (struct value){.kind = IS_TEXT, .text = key};
    }
    case N_ASSIGN: {
      struct value value;
      if (node->operator) {
        double right = eval_number(node->b);
        value = number_value(calculate(node->operator, eval_number(node->a), right));
      } else value = eval(node->b);
      /* What is assigned looks like a number only if it came so. */
      assign(node->a, copy_value(&value));
      return value;
    }
    case N_CONDITION: return eval(eval_true(node->a) ? node->b : node->c);
    case N_OR: return number_value(eval_true(node->a) || eval_true(node->b));
    case N_AND: return number_value(eval_true(node->a) && eval_true(node->b));
    case N_NOT: return number_value(!eval_true(node->a));
    case N_IN: {
      struct text *key = subscript(node->list);
      bool there = table_has(table_of(node->b), key);
      drop_text(key);
      return number_value(there);
    }
    case N_MATCH: return number_value(matches(node->a, regex_of(node->b)));
    case N_NOT_MATCH: return number_value(!matches(node->a, regex_of(node->b)));
    case N_LESS: case N_LESS_EQUAL: case N_EQUAL: case N_NOT_EQUAL: case N_MORE: case N_MORE_EQUAL: {
      struct value left = eval(node->a), right = eval(node->b);
      int order = compare(&left, &right);
      drop_value(&left), drop_value(&right);
      bool holds = node->kind == N_LESS ? order == -1 : node->kind == N_LESS_EQUAL ? order == -1 || order == 0 : node->kind == N_EQUAL ? order == 0 :
        node->kind == N_NOT_EQUAL ? order != 0 : node->kind == N_MORE ? order == 1 : order == 1 || order == 0;
      return number_value(holds);
    }
    case N_JOIN: {
      struct text *left = eval_text(node->a), *right = eval_text(node->b);
      struct text *both = grab(sizeof *both + left->length + right->length + 1);
      both->holders = 1, both->length = left->length + right->length;
      memcpy(both->data, left->data, left->length);
      memcpy(both->data + left->length, right->data, right->length + 1);
      drop_text(left), drop_text(right);
      return (struct value){.kind = IS_TEXT, .text = both};
    }
    case N_ADD: case N_SUBTRACT: case N_MULTIPLY: case N_DIVIDE: case N_REMAINDER: case N_POWER: {
      double left = eval_number(node->a), right = eval_number(node->b);
      return number_value(calculate("+-*/%^"[node->kind - N_ADD], left, right));
    }
    case N_MINUS: return number_value(-eval_number(node->a));
    case N_PLUS: return number_value(eval_number(node->a));
    case N_BEFORE: case N_AFTER: {
      double before = eval_number(node->a);
      assign(node->a, number_value(before + node->operator));
      return number_value(node->kind == N_AFTER ? before : before + node->operator);
    }
    case N_CALL: return call_function(node);
    case N_BUILTIN: return call_builtin(node);
    case N_GETLINE: return run_getline(node);
    default: die(2, "this is no expression");
  }
}

/* ---- statements ---- */

static void print(struct node *node) {
  struct buffer out = {0};
  if (node->kind == N_PRINTF) {
    struct node *list = node->list && !node->list->next && node->list->kind == N_GROUP ? node->list->list : node->list;
    out = format_values(list);
  } else {
    if (!node->list) need_record(), buffer_add(&out, record->data, record->length);
    for (struct node *one = node->list; one; one = one->next) {
      if (one != node->list) buffer_text(&out, special_text(V_OFS));
      struct value value = eval(one);
      struct text *text = to_text(&value, special_text(V_OFMT));
      buffer_add(&out, text->data, text->length);
      drop_text(text), drop_value(&value);
    }
    buffer_text(&out, special_text(V_ORS));
  }
  FILE *to = stdout;
  if (node->operator) {
    struct text *name = eval_text(node->b);
    to = output_to(node->operator, name->data);
    drop_text(name);
    if (to == stderr) fflush(stdout);
  }
  if (out.length) fwrite(out.data, 1, out.length, to);
  free(out.data);
}

static bool loop_goes_on(void) {
  if (flow == CONTINUE) flow = GO;
  if (flow == BREAK) return flow = GO, false;
  return flow == GO;
}

static void run_for_in(struct node *node) {
  struct table *table = table_of(node->b);
  /* The keys as they are now: the body may remove some. */
  size_t count = 0;
  struct text **keys = grab((table->count + 1) * sizeof *keys);
  for (size_t at = 0; at < table->buckets; at++)
    for (struct cell_entry *entry = table->heads[at]; entry; entry = entry->next) keys[count++] = hold_text(entry->key);
  for (size_t at = 0; at < count; at++) {
    if (flow == GO) {
      assign(node->a, input_value(keys[at]->data, keys[at]->length));
      execute(node->c);
      if (!loop_goes_on() && flow == GO) {
        while (at < count) drop_text(keys[at++]);
        break;
      }
    }
    drop_text(keys[at]);
  }
  free(keys);
}

static void execute(struct node *node) {
  if (!node || flow != GO) return;
  struct value value;
  switch (node->kind) {
    case N_BLOCK:
      for (struct node *one = node->list; one && flow == GO; one = one->next) execute(one);
      return;
    case N_EXPRESSION:
      value = eval(node->a);
      drop_value(&value);
      return;
    case N_PRINT: case N_PRINTF: print(node); return;
    case N_IF: execute(eval_true(node->a) ? node->b : node->c); return;
    case N_WHILE:
      while (eval_true(node->a)) {
        execute(node->b);
        if (!loop_goes_on()) return;
      }
      return;
    case N_DO:
      do {
        execute(node->b);
        if (!loop_goes_on()) return;
      } while (eval_true(node->a));
      return;
    case N_FOR:
      for (execute(node->a); !node->b || eval_true(node->b); execute(node->c)) {
        execute(node->d);
        if (!loop_goes_on()) return;
      }
      return;
    case N_FOR_IN: run_for_in(node); return;
    case N_DELETE:
      if (node->a->kind == N_INDEX) {
        struct text *key = subscript(node->a->list);
        table_remove(table_of(node->a->a), key);
        drop_text(key);
      } else table_clear(table_of(node->a));
      return;
    case N_NEXT: flow = NEXT; return;
    case N_NEXTFILE: flow = NEXT_FILE; return;
    case N_BREAK: flow = BREAK; return;
    case N_CONTINUE: flow = CONTINUE; return;
    case N_EXIT:
      if (node->a) exit_code = (int)eval_number(node->a);
      flow = EXIT;
      return;
    case N_RETURN:
      if (node->a) {
        value = eval(node->a);
        drop_value(&returned);
        returned = value;
      }
      flow = RETURN;
      return;
    default: die(2, "this is no statement");
  }
}

static bool rule_matches(struct rule *rule) {
  if (rule->kind == RULE_MAIN) return !rule->from || eval_true(rule->from);
  if (!rule->active && !eval_true(rule->from)) return false;
  rule->active = !eval_true(rule->to);
  return true;
}

static void run_records(void) {
  char *data;
  size_t length;
  while (flow == GO && next_main(&data, &length)) {
    set_record(data, length);
    for (struct rule *rule = awk.rules; rule && flow == GO; rule = rule->next) {
      if (rule->kind == RULE_BEGIN || rule->kind == RULE_END || !rule_matches(rule)) continue;
      if (rule->plain) {
        need_record();
        fwrite(record->data, 1, record->length, stdout);
        fputs(special_text(V_ORS), stdout);
      } else execute(rule->action);
    }
    if (flow == NEXT_FILE) input_close(&main_input), main_open = false;
    if (flow == NEXT || flow == NEXT_FILE) flow = GO;
  }
}

static void run_rules(int kind) {
  for (struct rule *rule = awk.rules; rule && flow == GO; rule = rule->next)
    if ((int)rule->kind == kind) execute(rule->action);
}

static void set_element(struct table *table, const char *key, const char *value) {
  struct text *name = text_of(key, strlen(key));
  *table_at(table, name) = input_value(value, strlen(value));
  drop_text(name);
}

int awk_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"field-separator", NEEDS_VALUE, 'F'}, {"assign", NEEDS_VALUE, 'v'}, {"file", NEEDS_VALUE, 'f'}, {"characters-as-bytes", NO_VALUE, 'b'}, {0}};
  struct options options;
  struct buffer source = {0};
  const char *separator = NULL;
  char **assigned = grab_zero((size_t)argc + 1, sizeof *assigned);
  int assigned_count = 0;
  bool given = false;
  usage_status = 2;
  for (int index = 0; index < V_COUNT; index++) global_slot(SPECIAL[index]);
  options_begin(&options, argc, argv, "+F:v:f:b", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'F') separator = options.value;
    if (c == 'b') text_is_bytes = true;
    if (c == 'v') {
      if (!is_assignment(options.value)) die(2, "`%s' argument to `-v' not in `var=value' form", options.value);
      assigned[assigned_count++] = options.value;
    }
    if (c == 'f') {
      char *text;
      size_t length;
      struct input input;
      int fd = !strcmp(options.value, "-") ? 0 : open(options.value, O_RDONLY);
      if (fd < 0) die_errno(2, "fatal: cannot open source file `%s' for reading", options.value);
      input_from(&input, fd, options.value);
      text = input_rest(&input, &length);
      input_close(&input);
      buffer_add(&source, text, length);
      buffer_byte(&source, '\n');
      given = true;
    }
  }
  char **operands = options.operands;
  if (!given) {
    if (!options.count) usage_error("no program");
    buffer_text(&source, *operands++);
    options.count--;
  }
  awk_parse(buffer_end(&source), "program");
  globals = grab_zero(awk.name_count + 1, sizeof *globals);
  record = text_of("", 0);
  static const struct { int slot; const char *value; } starts[] = {{V_FS, " "}, {V_OFS, " "}, {V_ORS, "\n"}, {V_RS, "\n"}, {V_SUBSEP, "\034"}, {V_CONVFMT, "%.6g"}, {V_OFMT, "%.6g"}, {V_FILENAME, ""}};
  for (size_t index = 0; index < sizeof starts / sizeof *starts; index++) globals[starts[index].slot].value = text_value(starts[index].value, strlen(starts[index].value));
  for (int index = V_NF; index <= V_FNR; index++) globals[index].value = number_value(0);
  globals[V_RLENGTH].value = number_value(-1);
  globals[V_ENVIRON].table = grab_zero(1, sizeof(struct table));
  for (char **one = environ; one && *one; one++) {
    char *equals = strchr(*one, '=');
    if (!equals) continue;
    char *name = copy_bytes(*one, (size_t)(equals - *one));
    set_element(globals[V_ENVIRON].table, name, equals + 1);
    free(name);
  }
  globals[V_ARGV].table = grab_zero(1, sizeof(struct table));
  set_element(globals[V_ARGV].table, "0", "awk");
  for (int index = 0; index < options.count; index++) set_element(globals[V_ARGV].table, format_text("%d", index + 1), operands[index]);
  globals[V_ARGC].value = number_value(options.count + 1);
  if (separator) command_line_assign(format_text("FS=%s", !strcmp(separator, "t") ? "\\t" : separator));
  for (int index = 0; index < assigned_count; index++) command_line_assign(assigned[index]);
  bool reads = false;
  for (struct rule *rule = awk.rules; rule; rule = rule->next)
    if (rule->kind != RULE_BEGIN) reads = true;
  run_rules(RULE_BEGIN);
  if (flow == GO && reads) run_records();
  flow = GO;
  run_rules(RULE_END);
  flush_all();
  for (struct stream *one = streams; one; one = one->next) close_stream(one);
  return exit_code ? exit_code : exit_status;
}
