/* awk, in three parts: what programs are (awk_parse.c), what values are (awk_value.c), and running (awk_run.c). */
#ifndef AWK_H
#define AWK_H

#include "cu.h"
#include "regex.h"

struct text {
  int holders;
  size_t length;
  char data[];
};

enum { IS_NUMBER = 1, IS_TEXT = 2, LOOKS_NUMBER = 4 };
struct value {
  int kind; /* 0: never set */
  double number;
  struct text *text;
};

struct cell_entry {
  struct text *key;
  struct value value;
  struct cell_entry *next;
};
struct table {
  size_t count, buckets;
  struct cell_entry **heads;
};

enum node_kind { N_NUMBER, N_TEXT, N_REGEX, N_VARIABLE, N_FIELD, N_INDEX, N_ASSIGN, N_CONDITION, N_OR, N_AND, N_IN, N_MATCH, N_NOT_MATCH, N_LESS, N_LESS_EQUAL, N_EQUAL, N_NOT_EQUAL,
  N_MORE, N_MORE_EQUAL, N_JOIN, N_ADD, N_SUBTRACT, N_MULTIPLY, N_DIVIDE, N_REMAINDER, N_POWER, N_NOT, N_MINUS, N_PLUS, N_BEFORE, N_AFTER, N_CALL, N_BUILTIN, N_GETLINE, N_GROUP,
  N_BLOCK, N_IF, N_WHILE, N_DO, N_FOR, N_FOR_IN, N_NEXT, N_NEXTFILE, N_EXIT, N_RETURN, N_BREAK, N_CONTINUE, N_DELETE, N_PRINT, N_PRINTF, N_EXPRESSION };

struct node {
  enum node_kind kind;
  int operator; /* of an assignment: what it does first; of a redirection: '>', 'a', '|' */
  struct node *a, *b, *c, *d, *next;
  struct node *list; /* arguments, subscripts or statements, linked by `next` */
  struct value value;
  struct regex *regex;
  int slot; /* of a variable: global if it is 0 or more, else local -1 - slot */
  const char *name;
};

struct rule {
  enum { RULE_BEGIN, RULE_END, RULE_MAIN, RULE_RANGE } kind;
  struct node *from, *to, *action;
  bool active, plain; /* without an action */
  struct rule *next;
};

struct function {
  const char *name;
  char **params;
  int count;
  struct node *body;
  bool defined;
};

struct program {
  struct rule *rules;
  struct function *functions;
  size_t function_count;
  char **names; /* of globals */
  size_t name_count;
};

extern struct program awk;
void awk_parse(const char *text, const char *where);
int global_slot(const char *name);

/* values */
struct text *text_of(const char *data, size_t length);
struct text *hold_text(struct text *text);
void drop_text(struct text *text);
struct value number_value(double number);
struct value text_value(const char *data, size_t length);
/* A text from outside, which may look like a number. */
struct value input_value(const char *data, size_t length);
struct value copy_value(const struct value *value);
void drop_value(struct value *value);
double to_number(const struct value *value);
/* The caller drops it. */
struct text *to_text(const struct value *value, const char *format);
bool is_true(const struct value *value);
bool looks_numeric(const char *data, size_t length, double *number);

struct value *table_at(struct table *table, struct text *key);
bool table_has(struct table *table, struct text *key);
void table_remove(struct table *table, struct text *key);
void table_clear(struct table *table);
#endif
