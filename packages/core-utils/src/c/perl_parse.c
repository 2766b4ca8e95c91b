/* Perl patterns to programs. A pattern is read into a tree first, because a repeated part is written several times. */
#include "cu.h"
#include "perl_tree.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <wctype.h>

enum { MAX_DEPTH = 250, MAX_NAMES = 100 };

struct parser {
  struct perl *to;
  const char *at, *end, *error;
  int flags, depth;
  struct {
    const char *name;
    size_t length;
    int group;
  } names[MAX_NAMES];
  int name_count;
  int most_referred;
  struct perl_node **groups;
};

static struct perl_node *make(enum perl_kind kind) {
  struct perl_node *node = grab_zero(1, sizeof *node);
  node->kind = kind;
  return node;
}

static struct perl_node *make_code(enum perl_kind kind, int op, int32_t x) {
  struct perl_node *node = make(kind);
  node->code = (struct perl_code){.op = (uint8_t)op, .x = x};
  return node;
}

static struct perl_node *fail(struct parser *in, const char *error) {
  if (!in->error) in->error = error;
  return make(N_EMPTY);
}

static bool next_is(const struct parser *in, const char *text) {
  size_t length = strlen(text);
  return (size_t)(in->end - in->at) >= length && !memcmp(in->at, text, length);
}

static bool take(struct parser *in, const char *text) {
  if (!next_is(in, text)) return false;
  in->at += strlen(text);
  return true;
}

static int32_t take_char(struct parser *in) {
  int bytes;
  int32_t c = read_char(in->at, (size_t)(in->end - in->at), &bytes);
  if (c < 0) c = 0x110000 + (unsigned char)*in->at;
  in->at += bytes;
  return c;
}

static struct perl_node *read_one(struct parser *in, int32_t c) {
  bool folds = in->flags & PERL_NO_CASE && c <= 0x10ffff && (towlower((wint_t)c) != (wint_t)c || towupper((wint_t)c) != (wint_t)c);
  return make_code(N_READ, folds ? P_CHAR_NO_CASE : P_CHAR, folds ? (int32_t)towlower((wint_t)c) : c);
}

/* ---- sets ---- */

static struct perl_set *new_set(struct parser *in, int *index) {
  struct perl *to = in->to;
  if (to->set_count == to->set_room) to->sets = regrab(to->sets, sizeof *to->sets * (size_t)(to->set_room = to->set_room * 2 + 8));
  *index = to->set_count++;
  struct perl_set *set = &to->sets[*index];
  *set = (struct perl_set){.no_case = in->flags & PERL_NO_CASE};
  return set;
}

static void add_item(struct perl_set *set, struct perl_item item) {
  set->items = regrab(set->items, sizeof item * (size_t)(set->count + 1));
  set->items[set->count++] = item;
}

static struct perl_node *read_class(struct parser *in, int class, bool inverse) {
  int index;
  add_item(new_set(in, &index), (struct perl_item){.class = class, .inverse = inverse});
  return make_code(N_READ, P_SET, index);
}

/* The class that a letter after a backslash names, 0 if none; a capital letter is all others. */
static int class_of(char letter, bool *inverse) {
  static const char letters[] = "dwshv";
  static const int classes[] = {CLASS_DIGIT, CLASS_WORD, CLASS_SPACE, CLASS_HORIZONTAL, CLASS_VERTICAL};
  const char *found = letter ? strchr(letters, letter | 32) : NULL;
  *inverse = !(letter & 32);
  return found ? classes[found - letters] : 0;
}

/* After \p or \P: one letter, or a name in braces. */
static int read_property(struct parser *in, bool *inverse) {
  char name[16] = "";
  size_t length = 0;
  if (take(in, "{")) {
    if (take(in, "^")) *inverse = !*inverse;
    for (; in->at < in->end && *in->at != '}' && length < 15; in->at++) name[length++] = *in->at;
    if (!take(in, "}")) return fail(in, "malformed \\P or \\p sequence"), 0;
  } else if (in->at < in->end) name[length++] = *in->at++;
  static const struct {
    const char *name;
    int class;
  } known[] = {{"L", CLASS_LETTER}, {"Lu", CLASS_UPPER}, {"Ll", CLASS_LOWER}, {"N", CLASS_NUMBER}, {"Nd", CLASS_NUMBER}, {"P", CLASS_PUNCTUATION},
    {"S", CLASS_PUNCTUATION}, {"Z", CLASS_SPACE}, {"Zs", CLASS_HORIZONTAL}, {"Xwd", CLASS_WORD}, {"Xsp", CLASS_SPACE}, {"Any", CLASS_ANY}};
  for (size_t at = 0; at < sizeof known / sizeof *known; at++)
    if (!strcmp(known[at].name, name)) return known[at].class;
  return fail(in, "unknown property after \\P or \\p"), 0;
}

/* A character that stands after a backslash; -1 if what stands there is none. */
static int32_t read_escaped(struct parser *in, bool in_set) {
  static const char letters[] = "\aa\033e\ff\nn\rr\tt";
  char c = *in->at;
  for (const char *at = letters; *at; at += 2)
    if (at[1] == c) return in->at++, at[0];
  if (in_set && c == 'b') return in->at++, '\b';
  if (c == 'x') {
    in->at++;
    bool braces = take(in, "{");
    int32_t value = 0;
    for (int digits = 0; in->at < in->end && isxdigit((unsigned char)*in->at) && digits < (braces ? 6 : 2); digits++, in->at++)
      value = value * 16 + (isdigit((unsigned char)*in->at) ? *in->at - '0' : (*in->at | 32) - 'a' + 10);
    if (braces && !take(in, "}")) fail(in, "non-hex character in \\x{} (closing brace missing?)");
    return value;
  }
  if (c == 'c' && in->at + 1 < in->end) return in->at += 2, toupper((unsigned char)in->at[-1]) ^ 64;
  if (c == '0' || (in_set && c >= '1' && c <= '7')) {
    int32_t value = 0;
    for (int digits = 0; digits < 3 && in->at < in->end && *in->at >= '0' && *in->at <= '7'; digits++) value = value * 8 + *in->at++ - '0';
    return value;
  }
  if (isalnum((unsigned char)c)) return -1;
  return take_char(in);
}

static struct perl_node *read_set(struct parser *in) {
  int index;
  struct perl_set *set = new_set(in, &index);
  set->negated = take(in, "^");
  for (bool first = true; !in->error; first = false) {
    if (in->at >= in->end) return fail(in, "missing terminating ] for character class");
    if (*in->at == ']' && !first) {
      in->at++;
      break;
    }
    const char *close;
    if (next_is(in, "[:") && (close = memmem(in->at + 2, (size_t)(in->end - in->at - 2), ":]", 2))) {
      bool inverse = in->at[2] == '^';
      char *name = copy_bytes(in->at + 2 + inverse, (size_t)(close - in->at - 2 - inverse));
      int class = !strcmp(name, "word") ? CLASS_WORD : !strcmp(name, "digit") ? CLASS_DIGIT : (int)wctype(name);
      free(name);
      if (!class) return fail(in, "unknown POSIX class name");
      add_item(set, (struct perl_item){.class = class, .inverse = inverse});
      in->at = close + 2;
      continue;
    }
    int32_t low;
    if (*in->at == '\\' && in->at + 1 < in->end) {
      bool inverse;
      int class = class_of(in->at[1], &inverse);
      if (!class && (in->at[1] | 32) == 'p') {
        inverse = in->at[1] == 'P';
        in->at += 2;
        class = read_property(in, &inverse);
        add_item(set, (struct perl_item){.class = class, .inverse = inverse});
        continue;
      }
      if (class) {
        in->at += 2;
        add_item(set, (struct perl_item){.class = class, .inverse = inverse});
        continue;
      }
      in->at++;
      low = read_escaped(in, true);
      if (low < 0) return fail(in, "escape sequence is invalid in character class");
    } else low = take_char(in);
    int32_t high = low;
    if (in->at + 1 < in->end && in->at[0] == '-' && in->at[1] != ']') {
      bool ignored;
      if (in->at[1] != '\\') in->at++, high = take_char(in);
      else if (in->at + 2 < in->end && !class_of(in->at[2], &ignored)) in->at += 2, high = read_escaped(in, true);
      if (high < low) return fail(in, "range out of order in character class");
    }
    add_item(set, (struct perl_item){.low = low, .high = high});
  }
  return make_code(N_READ, P_SET, index);
}

/* ---- structure ---- */

static struct perl_node *read_choice(struct parser *in);

static int read_number(struct parser *in) {
  int value = 0;
  for (; in->at < in->end && isdigit((unsigned char)*in->at); in->at++) value = value > 99999 ? value : value * 10 + *in->at - '0';
  return value;
}

static int read_name(struct parser *in, char close, bool defines) {
  const char *name = in->at;
  while (in->at < in->end && *in->at != close) in->at++;
  size_t length = (size_t)(in->at - name);
  if (in->at++ >= in->end) return fail(in, "syntax error in subpattern name (missing terminator?)"), 0;
  if (!length) return fail(in, "subpattern name expected"), 0;
  for (int at = 0; at < in->name_count && !defines; at++)
    if (in->names[at].length == length && !memcmp(in->names[at].name, name, length)) return in->names[at].group;
  if (!defines) return fail(in, "reference to non-existent subpattern"), 0;
  if (in->name_count == MAX_NAMES) return fail(in, "too many named subpatterns (maximum 10000)"), 0;
  in->names[in->name_count].name = name;
  in->names[in->name_count].length = length;
  in->names[in->name_count++].group = in->to->groups + 1;
  return 0;
}

static struct perl_node *back_to(struct parser *in, int group) {
  if (group > in->most_referred) in->most_referred = group;
  return make_code(N_BACK, in->flags & PERL_NO_CASE ? P_BACK_NO_CASE : P_BACK, group);
}

static struct perl_node *call_of(struct parser *in, int group) {
  if (group > in->most_referred) in->most_referred = group;
  return make_code(N_CALL, P_CALL, group);
}

static struct perl_node *group_of(struct parser *in, enum perl_kind kind, bool negative) {
  struct perl_node *node = make(kind);
  int flags = in->flags, number = kind == N_GROUP ? ++in->to->groups : 0;
  if (++in->depth > MAX_DEPTH) return fail(in, "parentheses are too deeply nested");
  node->negative = negative;
  node->number = number;
  node->child = read_choice(in);
  in->depth--;
  in->flags = flags;
  if (!in->error && !take(in, ")")) fail(in, "missing closing parenthesis");
  if (number) {
    in->groups = regrab(in->groups, sizeof node * (size_t)(in->to->groups + 1));
    in->groups[number] = node;
  }
  return node;
}

/* After "(?": letters that switch flags, for the rest of the group or for one of its own. */
static struct perl_node *read_flags(struct parser *in) {
  bool on = true;
  int flags = in->flags;
  if (take(in, "^")) flags &= ~(PERL_NO_CASE | PERL_DOT_ALL | PERL_SPACED);
  for (; in->at < in->end && *in->at != ')' && *in->at != ':'; in->at++) {
    int flag = *in->at == 'i' ? PERL_NO_CASE : *in->at == 'm' ? PERL_MULTILINE : *in->at == 's' ? PERL_DOT_ALL : *in->at == 'x' ? PERL_SPACED : 0;
    if (*in->at == '-') on = false;
    else if (!flag) return fail(in, "unrecognized character after (? or (?-");
    flags = on ? flags | flag : flags & ~flag;
  }
  int before = in->flags;
  in->flags = flags;
  if (take(in, ")")) return make(N_EMPTY);
  if (!take(in, ":")) return fail(in, "missing closing parenthesis");
  struct perl_node *group = group_of(in, N_PLAIN, false);
  in->flags = before;
  return group;
}

static struct perl_node *read_group(struct parser *in) {
  if (take(in, "*")) return fail(in, "(*VERB) not recognized or malformed");
  if (!take(in, "?")) return group_of(in, N_GROUP, false);
  if (take(in, "#")) {
    while (in->at < in->end && *in->at != ')') in->at++;
    if (!take(in, ")")) fail(in, "missing ) after (?# comment");
    return make(N_EMPTY);
  }
  if (take(in, ":")) return group_of(in, N_PLAIN, false);
  if (take(in, ">")) return group_of(in, N_ONCE, false);
  if (take(in, "=")) return group_of(in, N_LOOK, false);
  if (take(in, "!")) return group_of(in, N_LOOK, true);
  if (take(in, "<=")) return group_of(in, N_BEHIND, false);
  if (take(in, "<!")) return group_of(in, N_BEHIND, true);
  if (take(in, "P=")) return back_to(in, read_name(in, ')', false));
  bool perl = take(in, "P<") || take(in, "<");
  if (perl || take(in, "'")) return read_name(in, perl ? '>' : '\'', true), group_of(in, N_GROUP, false);
  if (take(in, "&") || take(in, "P>")) return call_of(in, read_name(in, ')', false));
  if (in->at < in->end && (*in->at == 'R' || isdigit((unsigned char)*in->at))) {
    int group = take(in, "R") ? 0 : read_number(in);
    if (!take(in, ")")) fail(in, "(?R (recursive pattern call) must be followed by a closing parenthesis");
    return call_of(in, group);
  }
  return read_flags(in);
}

static struct perl_node *read_escape_node(struct parser *in) {
  if (in->at >= in->end) return fail(in, "\\ at end of pattern");
  static const struct {
    char letter;
    int assertion;
  } assertions[] = {{'b', P_WORD_EDGE}, {'B', P_NO_EDGE}, {'A', P_TEXT_START}, {'Z', P_TEXT_END}, {'z', P_TEXT_END}, {'G', P_SEARCH_START}};
  char c = *in->at;
  bool inverse;
  for (size_t at = 0; at < sizeof assertions / sizeof *assertions; at++)
    if (assertions[at].letter == c) return in->at++, make_code(N_ASSERT, P_ASSERT, assertions[at].assertion);
  int class = class_of(c, &inverse);
  if (class) return in->at++, read_class(in, class, inverse);
  if (take(in, "K")) return make(N_KEEP);
  if (take(in, "R")) return make_code(N_READ, P_NEWLINE, 0);
  if (take(in, "N")) return make_code(N_READ, P_ANY, 0);
  if (take(in, "X")) return make_code(N_READ, P_ALL, 0);
  if (c == 'p' || c == 'P') {
    in->at++;
    inverse = c == 'P';
    class = read_property(in, &inverse);
    return read_class(in, class, inverse);
  }
  if (take(in, "g{-")) {
    int back = read_number(in);
    if (!take(in, "}")) fail(in, "a numbered reference must not be zero");
    if (back > in->to->groups) fail(in, "reference to non-existent subpattern");
    return back_to(in, in->to->groups + 1 - back);
  }
  if (take(in, "k{") || take(in, "g{")) {
    if (in->at < in->end && !isdigit((unsigned char)*in->at)) return back_to(in, read_name(in, '}', false));
    int group = read_number(in);
    if (!take(in, "}")) fail(in, "a numbered reference must not be zero");
    return back_to(in, group);
  }
  if (take(in, "k<")) return back_to(in, read_name(in, '>', false));
  if (take(in, "k'")) return back_to(in, read_name(in, '\'', false));
  if (take(in, "g") || (c >= '1' && c <= '9')) return back_to(in, read_number(in));
  int32_t character = read_escaped(in, false);
  if (character < 0) return fail(in, "unrecognized character follows \\");
  return read_one(in, character);
}

static struct perl_node *read_atom(struct parser *in) {
  char c = *in->at;
  if (take(in, "(")) return read_group(in);
  if (take(in, "[")) return read_set(in);
  if (take(in, "\\")) return read_escape_node(in);
  if (take(in, ".")) return make_code(N_READ, in->flags & PERL_DOT_ALL ? P_ALL : P_ANY, 0);
  if (take(in, "^")) return make_code(N_ASSERT, P_ASSERT, in->flags & PERL_MULTILINE ? P_LINE_START : P_TEXT_START);
  if (take(in, "$")) return make_code(N_ASSERT, P_ASSERT, in->flags & PERL_MULTILINE ? P_LINE_END : P_TEXT_END);
  if (c == '*' || c == '+' || c == '?') return fail(in, "quantifier does not follow a repeatable item");
  return read_one(in, take_char(in));
}

static bool read_bounds(struct parser *in, int *least, int *most) {
  if (take(in, "*")) return *least = 0, *most = -1, true;
  if (take(in, "+")) return *least = 1, *most = -1, true;
  if (take(in, "?")) return *least = 0, *most = 1, true;
  const char *start = in->at;
  if (!take(in, "{")) return false;
  if (in->at < in->end && isdigit((unsigned char)*in->at)) {
    *least = *most = read_number(in);
    if (take(in, ",")) *most = in->at < in->end && isdigit((unsigned char)*in->at) ? read_number(in) : -1;
    if (take(in, "}")) {
      if (*most != -1 && *most < *least) fail(in, "numbers out of order in {} quantifier");
      if (*least > 65535 || *most > 65535) fail(in, "number too big in {} quantifier");
      return true;
    }
  }
  return in->at = start, false;
}

static void skip_space(struct parser *in) {
  while (in->flags & PERL_SPACED && in->at < in->end && (isspace((unsigned char)*in->at) || *in->at == '#')) {
    bool comment = *in->at++ == '#';
    while (comment && in->at < in->end && *in->at != '\n') in->at++;
  }
}

static struct perl_node *read_sequence(struct parser *in) {
  struct perl_node *sequence = make(N_SEQUENCE), **last = &sequence->child;
  for (skip_space(in); !in->error && in->at < in->end && *in->at != '|' && *in->at != ')'; skip_space(in)) {
    if (take(in, "\\Q")) {
      for (; in->at < in->end && !next_is(in, "\\E"); last = &(*last)->next) *last = read_one(in, take_char(in));
      take(in, "\\E");
      continue;
    }
    if (take(in, "\\E")) continue;
    struct perl_node *atom = read_atom(in);
    int least, most;
    for (skip_space(in); !in->error && read_bounds(in, &least, &most); skip_space(in)) {
      struct perl_node *loop = make(N_REPEAT);
      loop->child = atom, loop->least = least, loop->most = most;
      loop->mode = take(in, "?") ? LAZY : take(in, "+") ? POSSESSIVE : GREEDY;
      atom = loop;
      if (in->at < in->end && strchr("*+?", *in->at)) fail(in, "quantifier does not follow a repeatable item");
    }
    *last = atom;
    last = &atom->next;
  }
  return sequence;
}

static struct perl_node *read_choice(struct parser *in) {
  struct perl_node *choice = make(N_CHOICE), **last = &choice->child;
  do {
    *last = read_sequence(in);
    last = &(*last)->next;
  } while (!in->error && take(in, "|"));
  return choice;
}

struct perl_node *perl_read(struct perl *to, const char *pattern, size_t length, int flags, struct perl_node ***groups, const char **error) {
  struct parser in = {.to = to, .at = pattern, .end = pattern + length, .flags = flags};
  struct perl_node *root = read_choice(&in);
  if (!in.error && in.at < in.end) in.error = "unmatched closing parenthesis";
  if (!in.error && in.most_referred > to->groups) in.error = "reference to non-existent subpattern";
  in.groups = regrab(in.groups, sizeof root * (size_t)(to->groups + 1));
  in.groups[0] = root;
  *groups = in.groups;
  *error = in.error;
  return in.error ? NULL : root;
}
