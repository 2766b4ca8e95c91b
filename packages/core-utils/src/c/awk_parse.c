/* From the text of an awk program to its tree. */
#include "awk.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct program awk;

enum token { T_END, T_NEWLINE, T_NUMBER, T_TEXT, T_REGEX, T_NAME, T_CALL, T_BUILTIN, T_WORD, T_OTHER };
static enum token token;
static char word[256];           /* of names, keywords and operators */
static struct buffer literal;
static double number;
static const char *at, *start;
static int line = 1;
static bool after_value;         /* a slash would divide */
static int depth;                /* of parentheses */
static bool no_in, no_greater;
static struct function *inside;  /* the function that is read */

static _Noreturn void bad(const char *what) { die(1, "syntax error at source line %d: %s", line, what); }

static const char *const keywords[] = {"BEGIN", "END", "function", "func", "if", "else", "while", "for", "do", "break", "continue", "next", "nextfile", "exit", "return", "delete",
  "in", "getline", "print", "printf", NULL};
static const char *const builtins[] = {"length", "substr", "index", "split", "sub", "gsub", "match", "sprintf", "sin", "cos", "atan2", "exp", "log", "sqrt", "int", "rand", "srand",
  "tolower", "toupper", "system", "close", "fflush", "gensub", "systime", "strftime", "and", "or", "xor", "lshift", "rshift", "compl", NULL};

static int find_word(const char *const *words) {
  for (int index = 0; words[index]; index++)
    if (!strcmp(words[index], word)) return index;
  return -1;
}

static void read_string(void) {
  literal.length = 0;
  for (at++; *at && *at != '"'; at++) {
    char byte;
    if (*at == '\n') bad("a newline in a string");
    if (*at != '\\') {
      buffer_byte(&literal, *at);
      continue;
    }
    at++;
    if (!*at) break;
    if (*at == '\n') {
      line++;
      continue;
    }
    if (*at == '"' || *at == '/') buffer_byte(&literal, *at);
    else {
      int used = read_escape(at, &byte);
      if (used) buffer_byte(&literal, byte), at += used - 1;
      else buffer_byte(&literal, '\\'), buffer_byte(&literal, *at);
    }
  }
  if (!*at) bad("a string does not end");
  at++;
}

static void read_regex(void) {
  bool set = false;
  literal.length = 0;
  for (;; at++) {
    if (!*at || *at == '\n') bad("a regular expression does not end");
    if (*at == '/' && !set) break;
    if (*at == '\\' && at[1]) {
      if (at[1] != '/') buffer_byte(&literal, '\\');
      buffer_byte(&literal, *++at);
      continue;
    }
    if (!set && *at == '[') {
      set = true;
      buffer_byte(&literal, *at);
      if (at[1] == '^') buffer_byte(&literal, *++at);
      if (at[1] == ']') buffer_byte(&literal, *++at);
      continue;
    }
    if (set && *at == '[' && at[1] == ':') {
      const char *end = strstr(at, ":]");
      if (end) {
        buffer_add(&literal, at, (size_t)(end + 2 - at));
        at = end + 1;
        continue;
      }
    }
    if (set && *at == ']') set = false;
    buffer_byte(&literal, *at);
  }
  at++;
}

static void advance(void) {
  for (;;) {
    while (*at == ' ' || *at == '\t' || *at == '\r') at++;
    if (*at == '\\' && at[1] == '\n') at += 2, line++;
    else if (*at == '\\' && at[1] == '\r' && at[2] == '\n') at += 3, line++;
    else if (*at == '#') while (*at && *at != '\n') at++;
    else break;
  }
  word[0] = 0;
  if (!*at) {
    token = T_END;
    return;
  }
  if (*at == '\n') {
    at++, line++;
    token = T_NEWLINE, after_value = false;
    return;
  }
  if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
    char *end;
    if (*at == '0' && (at[1] | 32) == 'x' && isxdigit((unsigned char)at[2])) number = (double)strtoll(at, &end, 16);
    else number = strtod(at, &end);
    /* As GNU's awk: a constant of octal digits that begins with 0. */
    if (*at == '0' && end - at > 1 && strspn(at, "01234567") == (size_t)(end - at)) number = (double)strtoll(at, &end, 8);
    at = end, token = T_NUMBER, after_value = true;
    return;
  }
  if (isalpha((unsigned char)*at) || *at == '_') {
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_') length++;
    if (length >= sizeof word) bad("a name is too long");
    memcpy(word, at, length);
    word[length] = 0;
    at += length;
    if (find_word(keywords) >= 0) token = T_WORD, after_value = false;
    else if (find_word(builtins) >= 0) token = T_BUILTIN, after_value = !strcmp(word, "length");
    else token = *at == '(' ? T_CALL : T_NAME, after_value = true;
    return;
  }
  if (*at == '"') {
    read_string();
    token = T_TEXT, after_value = true;
    return;
  }
  if (*at == '/' && !after_value) {
    at++;
    read_regex();
    token = T_REGEX, after_value = true;
    return;
  }
  static const char *const operators[] = {"**=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "==", "<=", ">=", "!=", ">>", "**", "!~", NULL};
  token = T_OTHER;
  for (int index = 0; operators[index]; index++)
    if (!strncmp(at, operators[index], strlen(operators[index]))) {
      strcpy(word, operators[index]);
      at += strlen(word);
      after_value = (!strcmp(word, "++") || !strcmp(word, "--")) && after_value;
      if (!strcmp(word, "**")) strcpy(word, "^");
      if (!strcmp(word, "**=")) strcpy(word, "^=");
      return;
    }
  word[0] = *at++, word[1] = 0;
  after_value = strchr(")]$", word[0]) != NULL && word[0] != '$';
  if (!strchr("{}()[];,+-*/%^!<>|?:~$=", word[0])) bad(format_text("unexpected character '%c'", word[0]));
}

static bool is(const char *text) { return (token == T_OTHER || token == T_WORD) && !strcmp(word, text); }
static bool accept(const char *text) { return is(text) ? advance(), true : false; }
static void expect(const char *text) {
  if (!accept(text)) bad(format_text("'%s' is missing", text));
}
static void skip_newlines(void) { while (token == T_NEWLINE) advance(); }
static void skip_ends(void) { while (token == T_NEWLINE || is(";")) advance(); }

static struct node *make(enum node_kind kind, struct node *a, struct node *b) {
  struct node *node = grab_zero(1, sizeof *node);
  node->kind = kind, node->a = a, node->b = b;
  return node;
}

int global_slot(const char *name) {
  for (size_t index = 0; index < awk.name_count; index++)
    if (!strcmp(awk.names[index], name)) return (int)index;
  awk.names = regrab(awk.names, (awk.name_count + 1) * sizeof *awk.names);
  awk.names[awk.name_count] = copy_text(name);
  return (int)awk.name_count++;
}

static struct node *variable(const char *name) {
  struct node *node = make(N_VARIABLE, NULL, NULL);
  node->name = copy_text(name);
  for (int index = 0; inside && index < inside->count; index++)
    if (!strcmp(inside->params[index], name)) return node->slot = -1 - index, node;
  node->slot = global_slot(name);
  return node;
}

static int function_at(const char *name) {
  for (size_t index = 0; index < awk.function_count; index++)
    if (!strcmp(awk.functions[index].name, name)) return (int)index;
  awk.functions = regrab(awk.functions, (awk.function_count + 1) * sizeof *awk.functions);
  awk.functions[awk.function_count] = (struct function){.name = copy_text(name)};
  return (int)awk.function_count++;
}

static struct node *expression(void);
static struct node *ternary(void);

static struct node *expression_list(const char *end) {
  struct node *first = NULL, **last = &first;
  skip_newlines();
  while (!is(end)) {
    *last = expression();
    while (*last) last = &(*last)->next;
    skip_newlines();
    if (!accept(",")) break;
    skip_newlines();
  }
  return first;
}

static bool is_target(const struct node *node) { return node->kind == N_VARIABLE || node->kind == N_FIELD || node->kind == N_INDEX; }

static struct node *target(void);

static struct node *regex_node(void) {
  struct node *node = make(N_REGEX, NULL, NULL);
  const char *error = NULL;
  node->operator = literal.length > 0;
  node->regex = regex_compile(buffer_end(&literal), literal.length, RE_EXTENDED | RE_AWK, &error);
  if (!node->regex) bad(error);
  return node;
}

static struct node *primary(void) {
  struct node *node;
  bool saved_in = no_in, saved_greater = no_greater;
  switch (token) {
    case T_NUMBER:
      node = make(N_NUMBER, NULL, NULL);
      node->value = number_value(number);
      advance();
      return node;
    case T_TEXT:
      node = make(N_TEXT, NULL, NULL);
      node->value = text_value(literal.data, literal.length);
      advance();
      return node;
    case T_REGEX: node = regex_node(); advance(); return node;
    case T_BUILTIN: {
      node = make(N_BUILTIN, NULL, NULL);
      node->slot = find_word(builtins);
      node->name = copy_text(word);
      advance();
      if (accept("(")) {
        no_in = no_greater = false;
        node->list = expression_list(")");
        no_in = saved_in, no_greater = saved_greater;
        expect(")");
      } else if (strcmp(node->name, "length")) bad(format_text("'%s' needs parentheses", node->name));
      return node;
    }
    case T_CALL:
      node = make(N_CALL, NULL, NULL);
      node->slot = function_at(word);
      advance();
      expect("(");
      no_in = no_greater = false;
      node->list = expression_list(")");
      no_in = saved_in, no_greater = saved_greater;
      expect(")");
      return node;
    case T_NAME: return target();
    default: break;
  }
  if (is("$")) return target();
  if (is("(")) {
    advance();
    depth++;
    no_in = no_greater = false;
    struct node *list = expression_list(")");
    no_in = saved_in, no_greater = saved_greater;
    depth--;
    if (!list) bad("nothing between parentheses");
    expect(")");
    if (list->next) {
      node = make(N_GROUP, NULL, NULL);
      node->list = list;
      if (is("in")) {
        advance();
        if (token != T_NAME) bad("a name is missing after 'in'");
        struct node *in = make(N_IN, NULL, variable(word));
        in->list = list;
        advance();
        return in;
      }
      return node;
    }
    node = make(N_GROUP, NULL, NULL);
    node->list = list;
    return node;
  }
  if (is("!") || is("-") || is("+")) {
    char sign = word[0];
    advance();
    struct node *inner = sign == '!' ? primary() : primary();
    /* A power binds tighter than its sign. */
    if (is("^")) {
      advance();
      inner = make(N_POWER, inner, primary());
    }
    return make(sign == '!' ? N_NOT : sign == '-' ? N_MINUS : N_PLUS, inner, NULL);
  }
  if (is("++") || is("--")) {
    int step = word[0] == '+' ? 1 : -1;
    advance();
    node = make(N_BEFORE, target(), NULL);
    node->operator= step;
    return node;
  }
  if (is("getline")) {
    advance();
    node = make(N_GETLINE, NULL, NULL);
    if (token == T_NAME || is("$")) node->a = target();
    if (is("<")) {
      advance();
      node->operator= '<';
      node->b = primary();
    }
    return node;
  }
  bad(token == T_END ? "the program ends too early" : token == T_NEWLINE ? "unexpected newline" : format_text("unexpected '%s'", word));
}

static struct node *target(void) {
  if (accept("$")) {
    if (is("++") || is("--")) {
      struct node *inner = primary();
      return make(N_FIELD, inner, NULL);
    }
    struct node *inner = is("-") || is("+") || is("!") ? primary() : is("$") ? target() : primary();
    return make(N_FIELD, inner, NULL);
  }
  if (token != T_NAME && token != T_CALL) bad("a variable is missing");
  struct node *node = variable(word);
  advance();
  if (!is("[")) return node;
  advance();
  bool saved_in = no_in, saved_greater = no_greater;
  no_in = no_greater = false;
  struct node *subscripts = expression_list("]");
  no_in = saved_in, no_greater = saved_greater;
  expect("]");
  struct node *index = make(N_INDEX, node, NULL);
  index->list = subscripts;
  return index;
}

static struct node *postfix(void) {
  struct node *node = primary();
  if (is_target(node) && (is("++") || is("--"))) {
    struct node *after = make(N_AFTER, node, NULL);
    after->operator= word[0] == '+' ? 1 : -1;
    after_value = true;
    advance();
    return after;
  }
  return node;
}

static struct node *power(void) {
  struct node *left = postfix();
  if (!is("^")) return left;
  advance();
  /* To the right; a sign may stand before the exponent. */
  if (is("-") || is("+") || is("!")) {
    char sign = word[0];
    advance();
    struct node *exponent = power();
    return make(N_POWER, left, make(sign == '!' ? N_NOT : sign == '-' ? N_MINUS : N_PLUS, exponent, NULL));
  }
  return make(N_POWER, left, power());
}

static struct node *unary(void) {
  if (is("!") || is("-") || is("+")) {
    char sign = word[0];
    advance();
    return make(sign == '!' ? N_NOT : sign == '-' ? N_MINUS : N_PLUS, unary(), NULL);
  }
  return power();
}

static struct node *product(void) {
  struct node *left = unary();
  while (is("*") || is("/") || is("%")) {
    enum node_kind kind = word[0] == '*' ? N_MULTIPLY : word[0] == '/' ? N_DIVIDE : N_REMAINDER;
    advance();
    left = make(kind, left, unary());
  }
  return left;
}

static struct node *sum(void) {
  struct node *left = product();
  while (is("+") || is("-")) {
    enum node_kind kind = word[0] == '+' ? N_ADD : N_SUBTRACT;
    advance();
    left = make(kind, left, product());
  }
  return left;
}

static bool begins_value(void) {
  if (token == T_NUMBER || token == T_TEXT || token == T_REGEX || token == T_NAME || token == T_CALL || token == T_BUILTIN) return true;
  return is("$") || is("(") || is("!") || is("-") || is("+") || is("++") || is("--");
}

static struct node *joined(void) {
  struct node *left = sum();
  while (begins_value() && !is("in")) left = make(N_JOIN, left, sum());
  return left;
}

static struct node *compared(void) {
  struct node *left = joined();
  static const struct { const char *text; enum node_kind kind; } operators[] = {{"<", N_LESS}, {"<=", N_LESS_EQUAL}, {"==", N_EQUAL}, {"!=", N_NOT_EQUAL}, {">", N_MORE}, {">=", N_MORE_EQUAL}};
  for (size_t index = 0; index < sizeof operators / sizeof *operators; index++)
    if (is(operators[index].text) && !(no_greater && operators[index].kind == N_MORE)) {
      advance();
      return make(operators[index].kind, left, joined());
    }
  return left;
}

static struct node *piped(void) {
  struct node *left = compared();
  while (is("|") && !strncmp(at + strspn(at, " \t"), "getline", 7)) {
    advance();
    advance();
    struct node *node = make(N_GETLINE, NULL, left);
    node->operator= '|';
    if (token == T_NAME || is("$")) node->a = target();
    left = node;
  }
  return left;
}

static struct node *matched(void) {
  struct node *left = piped();
  while (is("~") || is("!~")) {
    enum node_kind kind = word[0] == '~' ? N_MATCH : N_NOT_MATCH;
    advance();
    left = make(kind, left, piped());
  }
  return left;
}

static struct node *member(void) {
  struct node *left = matched();
  while (!no_in && is("in")) {
    advance();
    if (token != T_NAME) bad("a name is missing after 'in'");
    struct node *in = make(N_IN, NULL, variable(word));
    in->list = left;
    advance();
    left = in;
  }
  return left;
}

static struct node *conjunction(void) {
  struct node *left = member();
  while (is("&&")) {
    advance();
    skip_newlines();
    left = make(N_AND, left, member());
  }
  return left;
}

static struct node *disjunction(void) {
  struct node *left = conjunction();
  while (is("||")) {
    advance();
    skip_newlines();
    left = make(N_OR, left, conjunction());
  }
  return left;
}

static struct node *ternary(void) {
  struct node *condition = disjunction();
  if (!is("?")) return condition;
  advance();
  skip_newlines();
  struct node *node = make(N_CONDITION, condition, expression());
  skip_newlines();
  expect(":");
  skip_newlines();
  node->c = expression();
  return node;
}

static struct node *expression(void) {
  struct node *left = ternary();
  static const char *const operators[] = {"=", "+=", "-=", "*=", "/=", "%=", "^=", NULL};
  struct node *to = left;
  /* "! x = y" and "a b = c" assign to what stands right before the sign. */
  struct node **place = &left;
  while (to && !is_target(to) && (to->kind == N_NOT || to->kind == N_MINUS)) place = &to->a, to = to->a;
  if (!to || !is_target(to)) {
    place = &left, to = left;
    while (to && (to->kind == N_JOIN || to->kind == N_AND || to->kind == N_OR || (to->kind >= N_LESS && to->kind <= N_MORE_EQUAL) || to->kind == N_MATCH)) place = &to->b, to = to->b;
  }
  for (int index = 0; operators[index]; index++)
    if (is(operators[index]) && to && is_target(to)) {
      char operator= index ? word[0] : 0;
      advance();
      skip_newlines();
      struct node *assign = make(N_ASSIGN, to, expression());
      assign->operator= operator;
      *place = assign;
      return left;
    }
  return left;
}

static struct node *statement(void);

static struct node *block(void) {
  struct node *node = make(N_BLOCK, NULL, NULL), **last = &node->list;
  expect("{");
  skip_ends();
  while (!is("}")) {
    if (token == T_END) bad("a '}' is missing");
    *last = statement();
    last = &(*last)->next;
    skip_ends();
  }
  after_value = false;
  advance();
  return node;
}

static void end_statement(void) {
  if (is("}") || token == T_END) return;
  if (token != T_NEWLINE && !is(";")) bad(format_text("unexpected '%s'", word));
  advance();
}

static struct node *body(void) {
  skip_newlines();
  if (accept(";")) return make(N_BLOCK, NULL, NULL);
  return statement();
}

static struct node *simple(void) {
  if (is("print") || is("printf")) {
    struct node *node = make(word[5] ? N_PRINTF : N_PRINT, NULL, NULL);
    advance();
    no_greater = true;
    struct node **last = &node->list;
    while (!is(";") && !is("}") && !is(">") && !is(">>") && !is("|") && token != T_NEWLINE && token != T_END) {
      *last = expression();
      last = &(*last)->next;
      if (!accept(",")) break;
      skip_newlines();
    }
    no_greater = false;
    /* print (a, b) > "file" */
    if (node->list && !node->list->next && node->list->kind == N_GROUP && node->list->list->next) node->list = node->list->list;
    if (is(">") || is(">>") || is("|")) {
      node->operator= word[0] == '|' ? '|' : word[1] ? 'a' : '>';
      advance();
      no_greater = true;
      node->b = joined();
      no_greater = false;
    }
    return node;
  }
  if (accept("delete")) {
    if (token != T_NAME) bad("a name is missing after 'delete'");
    return make(N_DELETE, target(), NULL);
  }
  return make(N_EXPRESSION, expression(), NULL);
}

static struct node *statement(void) {
  struct node *node;
  if (is("{")) return block();
  if (accept("if")) {
    expect("(");
    node = make(N_IF, expression(), NULL);
    expect(")");
    node->b = body();
    const char *back = at;
    int back_line = line;
    enum token back_token = token;
    char back_word[256];
    strcpy(back_word, word);
    bool back_after = after_value;
    while (token == T_NEWLINE || is(";")) advance();
    if (accept("else")) node->c = body();
    else at = back, line = back_line, token = back_token, strcpy(word, back_word), after_value = back_after;
    return node;
  }
  if (accept("while")) {
    expect("(");
    node = make(N_WHILE, expression(), NULL);
    expect(")");
    if (accept(";")) return node->b = make(N_BLOCK, NULL, NULL), node;
    node->b = body();
    return node;
  }
  if (accept("do")) {
    node = make(N_DO, NULL, body());
    skip_ends();
    expect("while");
    expect("(");
    node->a = expression();
    expect(")");
    end_statement();
    return node;
  }
  if (accept("for")) {
    expect("(");
    if (token == T_NAME) {
      const char *after = at + strspn(at, " \t");
      if (!strncmp(after, "in", 2) && !isalnum((unsigned char)after[2]) && after[2] != '_') {
        struct node *key = variable(word);
        const char *back = at;
        int back_line = line;
        char name[256];
        strcpy(name, word);
        advance();
        advance();
        if (token == T_NAME) {
          struct node *table = variable(word);
          advance();
          if (is(")")) {
            after_value = false;
            advance();
            node = make(N_FOR_IN, key, table);
            node->c = body();
            return node;
          }
        }
        at = back, line = back_line, token = T_NAME, strcpy(word, name), after_value = true;
      }
    }
    node = make(N_FOR, NULL, NULL);
    if (!is(";")) node->a = simple();
    expect(";");
    skip_newlines();
    if (!is(";")) node->b = expression();
    expect(";");
    skip_newlines();
    if (!is(")")) node->c = simple();
    expect(")");
    node->d = body();
    return node;
  }
  static const struct { const char *name; enum node_kind kind; } plain[] = {{"next", N_NEXT}, {"nextfile", N_NEXTFILE}, {"break", N_BREAK}, {"continue", N_CONTINUE}, {"exit", N_EXIT}, {"return", N_RETURN}};
  for (size_t index = 0; index < sizeof plain / sizeof *plain; index++)
    if (is(plain[index].name)) {
      advance();
      node = make(plain[index].kind, NULL, NULL);
      if (plain[index].kind >= N_EXIT && plain[index].kind <= N_RETURN && !is(";") && !is("}") && token != T_NEWLINE && token != T_END) node->a = expression();
      end_statement();
      return node;
    }
  node = simple();
  end_statement();
  return node;
}

void awk_parse(const char *text, const char *where) {
  struct rule **last = &awk.rules;
  while (*last) last = &(*last)->next;
  at = start = text;
  line = 1;
  after_value = false;
  advance();
  skip_ends();
  while (token != T_END) {
    if (is("function") || is("func")) {
      advance();
      if (token != T_NAME && token != T_CALL) bad("a function needs a name");
      int index = function_at(word);
      struct function made = {.name = awk.functions[index].name, .defined = true};
      if (awk.functions[index].defined) bad("a function is defined twice");
      advance();
      expect("(");
      skip_newlines();
      while (token == T_NAME) {
        made.params = regrab(made.params, (size_t)(made.count + 1) * sizeof *made.params);
        made.params[made.count++] = copy_text(word);
        advance();
        skip_newlines();
        if (!accept(",")) break;
        skip_newlines();
      }
      after_value = false;
      expect(")");
      skip_newlines();
      inside = &made;
      made.body = block();
      inside = NULL;
      awk.functions[index] = made;
      skip_ends();
      continue;
    }
    struct rule *rule = grab_zero(1, sizeof *rule);
    rule->kind = RULE_MAIN;
    if (accept("BEGIN")) rule->kind = RULE_BEGIN;
    else if (accept("END")) rule->kind = RULE_END;
    else if (!is("{")) {
      rule->from = expression();
      if (accept(",")) skip_newlines(), rule->kind = RULE_RANGE, rule->to = expression();
    }
    if (is("{")) rule->action = block();
    else if (rule->kind == RULE_MAIN || rule->kind == RULE_RANGE) rule->plain = true;
    else bad("BEGIN and END need an action");
    *last = rule;
    last = &rule->next;
    skip_ends();
  }
  for (size_t index = 0; index < awk.function_count; index++)
    if (!awk.functions[index].defined) die(2, "function %s never defined", awk.functions[index].name);
}
