/* Patterns to programs. Sub-expressions are compiled as they are read; repetition copies code. */
#include "cu.h"
#include "regex_program.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <wctype.h>

enum { MAX_CODE = 200000, LAST_CHAR = 0x10ffff };

struct parser {
  struct regex *to;
  const char *at, *end, *begin;
  const char *error;
  bool extended;
  int depth, open_groups;
};

static int emit(struct parser *in, struct instruction one) {
  struct regex *to = in->to;
  if (to->count >= MAX_CODE) return in->error = "Regular expression too big", 0;
  if (to->count == to->room) to->code = regrab(to->code, sizeof *to->code * (size_t)(to->room = to->room * 2 + 32));
  to->code[to->count] = one;
  return to->count++;
}

static int new_table(struct regex *to, int size) {
  if (to->table_count == to->table_room)
    to->tables = regrab(to->tables, sizeof *to->tables * (size_t)(to->table_room = to->table_room * 2 + 8));
  struct table *table = &to->tables[to->table_count];
  memset(table, 0, sizeof *table);
  table->size = size;
  return to->table_count++;
}

/* ---- sets of characters ---- */

struct set {
  struct range {
    int32_t low, high;
  } *ranges;
  int count, room;
  bool negated;
};

static void set_add(struct set *set, int32_t low, int32_t high) {
  if (set->count == set->room) set->ranges = regrab(set->ranges, sizeof *set->ranges * (size_t)(set->room = set->room * 2 + 8));
  set->ranges[set->count++] = (struct range){low, high};
}

static int by_low(const void *a, const void *b) {
  const struct range *x = a, *y = b;
  return x->low < y->low ? -1 : x->low > y->low;
}

/* Sorts, joins and, if it is negated, turns it round. */
static void set_finish(struct set *set, bool no_case) {
  if (no_case)
    for (int at = 0, count = set->count; at < count; at++) {
      struct range range = set->ranges[at];
      if (range.high > 0x2fff) range.high = 0x2fff;
      for (int32_t c = range.low; c <= range.high; c++) {
        int32_t lower = (int32_t)towlower((wint_t)c), upper = (int32_t)towupper((wint_t)c);
        if (lower != c) set_add(set, lower, lower);
        if (upper != c) set_add(set, upper, upper);
      }
    }
  if (set->count) qsort(set->ranges, (size_t)set->count, sizeof *set->ranges, by_low);
  int kept = 0;
  for (int at = 0; at < set->count; at++) {
    struct range *last = &set->ranges[kept - 1], one = set->ranges[at];
    if (kept && one.low <= last->high + 1) {
      if (one.high > last->high) last->high = one.high;
    } else set->ranges[kept++] = one;
  }
  set->count = kept;
  if (!set->negated) return;
  struct set turned = {0};
  int32_t from = 0;
  for (int at = 0; at < set->count; at++) {
    if (set->ranges[at].low > from) set_add(&turned, from, set->ranges[at].low - 1);
    from = set->ranges[at].high + 1;
  }
  if (from <= LAST_CHAR) set_add(&turned, from, LAST_CHAR);
  free(set->ranges);
  *set = turned;
}

/* 1: all of low…high is in the set, 0: nothing, -1: a part. */
static int covers(const struct set *set, int32_t low, int32_t high) {
  for (int at = 0; at < set->count; at++) {
    struct range range = set->ranges[at];
    if (range.high < low) continue;
    if (range.low > high) return 0;
    return range.low <= low && range.high >= high ? 1 : -1;
  }
  return 0;
}

/* Code for the bytes that follow a lead byte; characters low… with `more` bytes to come. 0: none are in the set. */
static int emit_rest(struct parser *in, const struct set *set, int32_t low, int more, int goal, int *whole) {
  int32_t size = 1 << (6 * more), step = size / 64;
  int covered = covers(set, low, low + size - 1);
  /* Only whole rows of valid characters are shared. */
  bool share = covered == 1 && low >= 0x10000 - 0x10000 * (more < 3);
  if (covered == 0) return 0;
  if (share && whole[more]) return whole[more];
  int table = new_table(in->to, 64);
  int code = emit(in, (struct instruction){.op = OP_TABLE, .base = 0x80, .x = table});
  for (int index = 0; index < 64; index++) {
    int32_t from = low + index * step;
    if (from > LAST_CHAR || (more == 2 && from < 0x800) || (more == 3 && from < 0x10000)) continue;
    if (from >= 0xd800 && from < 0xe000 && more > 1) continue;
    int next = more == 1 ? (covers(set, from, from) == 1 ? goal : 0) : emit_rest(in, set, from, more - 1, goal, whole);
    in->to->tables[table].next[index] = next;
  }
  if (covered == 1 && (more == 1 || (more == 2 && low >= 0x1000 && low != 0xd000) || (more == 3 && low >= 0x40000 && low < 0x100000)))
    whole[more] = code;
  return code;
}

static void emit_set(struct parser *in, struct set *set) {
  set_finish(set, in->to->flags & RE_NO_CASE);
  int whole[4] = {0};
  int table = new_table(in->to, 256);
  emit(in, (struct instruction){.op = OP_TABLE, .base = 0, .x = table});
  /* The goal stands before the tables of the bytes that follow, so that it is known. */
  int goal = emit(in, (struct instruction){.op = OP_JUMP});
  for (int byte = 0; byte < 0x80; byte++)
    in->to->tables[table].next[byte] = covers(set, byte, byte) == 1 ? goal : 0;
  if (set->count && set->ranges[set->count - 1].high >= 0x80)
    for (int lead = 0xc2; lead <= 0xf4; lead++) {
      int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
      int code = emit_rest(in, set, (lead & (0x3f >> more)) << (6 * more), more, goal, whole);
      in->to->tables[table].next[lead] = code;
    }
  in->to->code[goal].x = in->to->count;
  free(set->ranges);
}

static void add_class(struct set *set, const char *name) {
  wctype_t class = wctype(name);
  int32_t from = -1;
  for (int32_t c = 0; c <= 0x10000; c++) {
    bool in = c < 0x80 ? iswctype((wint_t)c, class) : c < 0x10000 && iswctype((wint_t)c, class);
    if (in && from < 0) from = c;
    if (!in && from >= 0) set_add(set, from, c - 1), from = -1;
  }
  if (!strcmp(name, "alpha") || !strcmp(name, "alnum") || !strcmp(name, "graph") || !strcmp(name, "print"))
    set_add(set, 0x20000, 0x2fa1f);
}

static void add_word(struct set *set) {
  add_class(set, "alnum");
  set_add(set, '_', '_');
}

/* A character, which may take several bytes; one that is no UTF-8 stands for nothing in a set. */
static int32_t next_char(struct parser *in) {
  int bytes;
  int32_t c = read_char(in->at, (size_t)(in->end - in->at), &bytes);
  if (c < 0) c = 0x110000 + (unsigned char)*in->at;
  in->at += bytes;
  return c;
}

static void parse_bracket(struct parser *in) {
  struct set set = {0};
  if (in->at < in->end && *in->at == '^') set.negated = true, in->at++;
  const char *first = in->at;
  for (;; ) {
    if (in->at >= in->end) {
      in->error = in->at == first ? "Invalid regular expression" : "Unmatched [, [^, [:, [., or [=";
      break;
    }
    if (*in->at == ']' && in->at != first) {
      in->at++;
      break;
    }
    if (in->at[0] == '[' && in->at + 1 < in->end && strchr(":.=", in->at[1])) {
      char kind = in->at[1];
      const char *name = in->at + 2, *close = name;
      while (close + 1 < in->end && !(close[0] == kind && close[1] == ']')) close++;
      if (close + 1 >= in->end) {
        in->error = "Unmatched [, [^, [:, [., or [=";
        break;
      }
      char *word = copy_bytes(name, (size_t)(close - name));
      in->at = close + 2;
      if (kind == ':') {
        if (in->to->flags & RE_NO_CASE && (!strcmp(word, "upper") || !strcmp(word, "lower"))) add_class(&set, "alpha");
        else if (wctype(word)) add_class(&set, word);
        else in->error = "Invalid character class name";
        free(word);
        continue;
      }
      int bytes;
      int32_t c = *word ? read_char(word, strlen(word), &bytes) : -1;
      if (c < 0 || (size_t)bytes != strlen(word)) in->error = "Invalid collation character";
      else set_add(&set, c, c);
      free(word);
      continue;
    }
    if (in->to->flags & RE_AWK && *in->at == '\\' && in->at + 1 < in->end) {
      char byte;
      int used = read_escape(in->at + 1, &byte);
      if (!used) byte = in->at[1], used = 1;
      in->at += 1 + used;
      if (!(in->at + 1 < in->end && in->at[0] == '-' && in->at[1] != ']')) {
        set_add(&set, (unsigned char)byte, (unsigned char)byte);
        continue;
      }
      in->at++;
      int32_t high = next_char(in);
      set_add(&set, (unsigned char)byte, high);
      continue;
    }
    int32_t low = next_char(in), high = low;
    if (in->at + 1 < in->end && in->at[0] == '-' && in->at[1] != ']') {
      in->at++;
      if (in->at[0] == '[' && in->at + 1 < in->end && strchr(".=", in->at[1])) {
        in->at += 2;
        high = next_char(in);
        in->at += 2;
      } else high = next_char(in);
      if (high < low) in->error = "Invalid range end";
    }
    if (low <= LAST_CHAR) set_add(&set, low, high);
  }
  if (!in->error) emit_set(in, &set);
}

static void emit_char(struct parser *in, int32_t c) {
  if (c >= 0x110000) {
    emit(in, (struct instruction){.op = OP_BYTE, .byte = (uint8_t)(c - 0x110000)});
    return;
  }
  if (in->to->flags & RE_NO_CASE && (towlower((wint_t)c) != (wint_t)c || towupper((wint_t)c) != (wint_t)c)) {
    struct set set = {0};
    set_add(&set, c, c);
    emit_set(in, &set);
    return;
  }
  char bytes[4];
  int length = write_char(c, bytes);
  for (int at = 0; at < length; at++) emit(in, (struct instruction){.op = OP_BYTE, .byte = (uint8_t)bytes[at]});
}

static void emit_any(struct parser *in) {
  struct set set = {0};
  set_add(&set, 0, LAST_CHAR);
  emit_set(in, &set);
}

/* ---- structure ---- */

static void parse_choice(struct parser *in);

/* Shifts code from `from` on by `by` places, so that something can stand before it. */
static void make_gap(struct parser *in, int from, int by) {
  struct regex *to = in->to;
  int count = to->count;
  for (int at = 0; at < by; at++) emit(in, (struct instruction){.op = OP_JUMP});
  if (in->error) return;
  memmove(to->code + from + by, to->code + from, sizeof *to->code * (size_t)(count - from));
  for (int at = from + by; at < to->count; at++) {
    struct instruction *one = &to->code[at];
    if (one->op == OP_TABLE) {
      struct table *table = &to->tables[one->x];
      for (int index = 0; index < table->size; index++)
        if (table->next[index] >= from) table->next[index] += by;
    } else if (one->op == OP_SPLIT || one->op == OP_JUMP) {
      if (one->x >= from) one->x += by;
      if (one->op == OP_SPLIT && one->y >= from) one->y += by;
    }
  }
}

/* A copy of the code from `from` to `to`, at the end. */
static void copy_code(struct parser *in, const struct instruction *code, int from, int length, const struct table *tables) {
  struct regex *to = in->to;
  int by = to->count - from;
  for (int at = 0; at < length && !in->error; at++) {
    struct instruction one = code[at];
    if (one.op == OP_TABLE) {
      int table = new_table(to, tables[one.x].size);
      for (int index = 0; index < tables[one.x].size; index++) {
        int next = tables[one.x].next[index];
        to->tables[table].next[index] = next ? next + by : 0;
      }
      one.x = table;
    } else if (one.op == OP_SPLIT || one.op == OP_JUMP) one.x += by, one.y += by;
    emit(in, one);
  }
}

static void repeat(struct parser *in, int from, int least, int most) {
  struct regex *to = in->to;
  int length = to->count - from;
  if (least == 0 && most == -1) {
    make_gap(in, from, 1);
    if (in->error) return;
    emit(in, (struct instruction){.op = OP_JUMP, .x = from});
    to->code[from] = (struct instruction){.op = OP_SPLIT, .x = from + 1, .y = to->count};
    return;
  }
  if (least == 1 && most == -1) {
    int split = emit(in, (struct instruction){.op = OP_SPLIT, .x = from});
    to->code[split].y = to->count;
    return;
  }
  if (least == 0 && most == 1) {
    make_gap(in, from, 1);
    if (in->error) return;
    to->code[from] = (struct instruction){.op = OP_SPLIT, .x = from + 1, .y = to->count};
    return;
  }
  struct instruction *code = grab(sizeof *code * (size_t)(length + 1));
  memcpy(code, to->code + from, sizeof *code * (size_t)length);
  int tables = to->table_count;
  struct table *kept = grab(sizeof *kept * (size_t)(tables + 1));
  memcpy(kept, to->tables, sizeof *kept * (size_t)tables);
  to->count = from;
  /* The first copy is at `from`; the jumps in it are right as they are. */
  for (int done = 0; done < least && !in->error; done++) {
    int here = to->count;
    if (here == from) {
      for (int at = 0; at < length; at++) emit(in, code[at]);
    } else copy_code(in, code, from, length, kept);
    if (done == least - 1 && most == -1) {
      int split = emit(in, (struct instruction){.op = OP_SPLIT, .x = here});
      to->code[split].y = to->count;
    }
  }
  if (most != -1) {
    int count = most - least;
    int *splits = grab(sizeof *splits * (size_t)(count + 1));
    for (int done = 0; done < count && !in->error; done++) {
      splits[done] = emit(in, (struct instruction){.op = OP_SPLIT, .x = to->count + 1});
      /* Copied also if it is the first: its tables may have lain elsewhere. */
      copy_code(in, code, from, length, kept);
    }
    if (!in->error)
      for (int done = 0; done < count; done++) to->code[splits[done]].y = to->count;
    free(splits);
  }
  free(code);
  free(kept);
}

static bool read_interval(struct parser *in, int *least, int *most) {
  const char *at = in->at;
  *least = 0, *most = -1;
  bool digits = false;
  for (; at < in->end && isdigit((unsigned char)*at); at++) digits = true, *least = *least > 40000 ? 40000 : *least * 10 + *at - '0';
  if (at < in->end && *at == ',') {
    at++;
    if (at < in->end && isdigit((unsigned char)*at)) {
      *most = 0;
      for (; at < in->end && isdigit((unsigned char)*at); at++) *most = *most > 40000 ? 40000 : *most * 10 + *at - '0';
    }
  } else if (digits) *most = *least;
  else return false;
  if (!in->extended) {
    if (at >= in->end || *at != '\\') return false;
    at++;
  }
  if (at >= in->end || *at != '}') return false;
  in->at = at + 1;
  return true;
}

static bool at_repeat(struct parser *in, int *least, int *most) {
  if (in->at >= in->end) return false;
  const char *start = in->at;
  char c = *in->at;
  bool escaped = c == '\\' && in->at + 1 < in->end;
  char special = escaped ? in->at[1] : c;
  if (c == '*') return in->at++, *least = 0, *most = -1, true;
  if (escaped == in->extended || !strchr("+?{", special)) return false;
  in->at += escaped ? 2 : 1;
  if (special == '+') return *least = 1, *most = -1, true;
  if (special == '?') return *least = 0, *most = 1, true;
  if (!read_interval(in, least, most)) {
    if (in->extended) return in->at = start, false;
    if (memchr(in->at, '}', (size_t)(in->end - in->at))) in->error = "Invalid content of \\{\\}";
    else in->error = "Unmatched \\{";
    return false;
  }
  if (*most != -1 && *least > *most) return in->error = "Invalid content of \\{\\}", false;
  if (*least > 32767 || *most > 32767) return in->error = "Regular expression too big", false;
  return true;
}

static void parse_group(struct parser *in) {
  int number = ++in->to->groups;
  if (++in->depth > 200) {
    in->error = "Regular expression too big";
    return;
  }
  bool kept = number < RE_GROUPS;
  if (kept) emit(in, (struct instruction){.op = OP_SAVE, .byte = (uint8_t)(number * 2)});
  in->open_groups++;
  parse_choice(in);
  in->open_groups--;
  in->depth--;
  if (in->error) return;
  if (in->extended) {
    if (in->at >= in->end) in->error = "Unmatched ( or \\(";
    else in->at++;
  } else if (in->at + 1 < in->end && in->at[0] == '\\' && in->at[1] == ')') in->at += 2;
  else in->error = "Unmatched ( or \\(";
  if (kept) emit(in, (struct instruction){.op = OP_SAVE, .byte = (uint8_t)(number * 2 + 1)});
}

static void emit_assertion(struct parser *in, int which) {
  emit(in, (struct instruction){.op = OP_ASSERT, .byte = (uint8_t)which});
}

static void parse_escape(struct parser *in) {
  char c = *in->at++;
  struct set set = {.negated = c == 'W' || c == 'S'};
  const char *assertions = "`'bB<>", *found = strchr(assertions, c);
  static const int which[] = {AT_START, AT_END, AT_WORD_EDGE, AT_NO_EDGE, AT_WORD_START, AT_WORD_END};
  char byte;
  int used;
  if (in->to->flags & RE_AWK && c == 'y') emit_assertion(in, AT_WORD_EDGE);
  else if (in->to->flags & RE_AWK && c != 'B' && (used = read_escape(in->at - 1, &byte)) > 0)
    in->at += used - 1, emit_char(in, (unsigned char)byte);
  else if (found && c) emit_assertion(in, which[found - assertions]);
  else if (c == 'w' || c == 'W') add_word(&set), emit_set(in, &set);
  else if (c == 's' || c == 'S') add_class(&set, "space"), emit_set(in, &set);
  else if (c >= '1' && c <= '9' && !(in->to->flags & RE_AWK)) {
    if (c - '0' > in->to->groups) in->error = "Invalid back reference";
    in->to->back_references = true;
    emit(in, (struct instruction){.op = OP_BACK, .byte = (uint8_t)(c - '0')});
  } else {
    in->at--;
    emit_char(in, next_char(in));
  }
}

/* Whether a branch ends here. */
static bool branch_ends(struct parser *in) {
  if (in->at >= in->end) return true;
  if (in->extended) return *in->at == '|' || (*in->at == ')' && in->open_groups);
  return in->at[0] == '\\' && in->at + 1 < in->end && (in->at[1] == '|' || (in->at[1] == ')' && in->open_groups));
}

static void parse_branch(struct parser *in) {
  bool first = true;
  while (!branch_ends(in) && !in->error) {
    int from = in->to->count;
    char c = *in->at;
    bool escaped = c == '\\';
    if (escaped && in->at + 1 >= in->end) {
      in->error = "Trailing backslash";
      return;
    }
    int least, most;
    const char *before = in->at;
    if (first && (c == '*' || (in->extended && at_repeat(in, &least, &most)))) {
      /* A star with nothing before it is itself in a BRE; in an ERE it repeats nothing. */
      if (!in->extended) in->at = before + 1, emit_char(in, '*');
      else if (c == '*') in->at++;
      if (in->extended) continue;
    } else if (escaped && ((!in->extended && in->at[1] == '(') )) in->at += 2, parse_group(in);
    else if (in->extended && c == '(') in->at++, parse_group(in);
    else if (escaped && !in->extended && in->at[1] == ')') {
      in->error = "Unmatched ) or \\)";
    } else if (escaped) in->at++, parse_escape(in);
    else if (c == '[') in->at++, parse_bracket(in);
    else if (c == '.') in->at++, emit_any(in);
    else if (c == '^' && (in->extended || first)) {
      in->at++, emit_assertion(in, AT_BOL);
      if (!in->extended) continue;
    } else if (c == '$' && (in->extended || in->at + 1 >= in->end ||
                          (in->at + 2 < in->end && in->at[1] == '\\' && strchr("|)", in->at[2]))))
      in->at++, emit_assertion(in, AT_EOL);
    else emit_char(in, next_char(in));
    first = false;
    while (!in->error && at_repeat(in, &least, &most)) {
      if (most == 0) in->to->count = from;
      else repeat(in, from, least, most);
    }
  }
}

static void parse_choice(struct parser *in) {
  int from = in->to->count;
  parse_branch(in);
  while (!in->error && in->at < in->end && (in->extended ? *in->at == '|' : in->at[0] == '\\' && in->at[1] == '|')) {
    in->at += in->extended ? 1 : 2;
    make_gap(in, from, 1);
    int jump = emit(in, (struct instruction){.op = OP_JUMP});
    if (in->error) return;
    in->to->code[from] = (struct instruction){.op = OP_SPLIT, .x = from + 1, .y = in->to->count};
    /* The branches that follow are one choice, so that jumps stay few. */
    parse_choice(in);
    in->to->code[jump].x = in->to->count;
  }
}

bool regex_parse(struct regex *into, const char *pattern, size_t length, const char **error) {
  struct parser in = {.to = into, .at = pattern, .begin = pattern, .end = pattern + length, .extended = into->flags & RE_EXTENDED};
  emit(&in, (struct instruction){.op = OP_JUMP, .x = 1});
  if (into->flags & RE_LITERAL)
    while (in.at < in.end && !in.error) emit_char(&in, next_char(&in));
  else {
    parse_choice(&in);
    if (!in.error && in.at < in.end) in.error = "Unmatched ) or \\)";
  }
  emit(&in, (struct instruction){.op = OP_MATCH});
  if (in.error) *error = in.error;
  return !in.error;
}
