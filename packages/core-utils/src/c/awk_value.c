/* The values of awk: numbers, texts, and tables of them. */
#include "awk.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct text *text_of(const char *data, size_t length) {
  struct text *text = grab(sizeof *text + length + 1);
  text->holders = 1;
  text->length = length;
  if (length) memcpy(text->data, data, length);
  text->data[length] = 0;
  return text;
}

struct text *hold_text(struct text *text) { return text->holders++, text; }

void drop_text(struct text *text) {
  if (text && !--text->holders) free(text);
}

struct value number_value(double number) { return (struct value){.kind = IS_NUMBER, .number = number}; }
struct value text_value(const char *data, size_t length) { return (struct value){.kind = IS_TEXT, .text = text_of(data, length)}; }

bool looks_numeric(const char *data, size_t length, double *number) {
  const char *end = data + length;
  while (data < end && isspace((unsigned char)*data)) data++;
  while (end > data && isspace((unsigned char)end[-1])) end--;
  const char *at = data;
  if (at < end && (*at == '+' || *at == '-')) at++;
  if (at == end || !(isdigit((unsigned char)*at) || (*at == '.' && at + 1 < end && isdigit((unsigned char)at[1])))) return false;
  if (*at == '0' && at + 1 < end && (at[1] | 32) == 'x') return false;
  char *stop;
  *number = strtod(data, &stop);
  return stop == end;
}

struct value input_value(const char *data, size_t length) {
  struct value value = text_value(data, length);
  if (looks_numeric(value.text->data, length, &value.number)) value.kind |= LOOKS_NUMBER | IS_NUMBER;
  return value;
}

struct value copy_value(const struct value *value) {
  struct value copy = *value;
  if (copy.text) copy.text->holders++;
  return copy;
}

void drop_value(struct value *value) {
  drop_text(value->text);
  *value = (struct value){0};
}

double to_number(const struct value *value) {
  if (value->kind & IS_NUMBER) return value->number;
  if (!value->text) return 0;
  const char *at = value->text->data;
  while (isspace((unsigned char)*at)) at++;
  const char *digits = *at == '+' || *at == '-' ? at + 1 : at;
  if (!isdigit((unsigned char)*digits) && *digits != '.') return 0;
  if (*digits == '0' && (digits[1] | 32) == 'x') return 0;
  return strtod(at, NULL);
}

struct text *to_text(const struct value *value, const char *format) {
  if (value->text) return hold_text(value->text);
  if (!(value->kind & IS_NUMBER)) return text_of("", 0);
  char text[400];
  if (value->number == (double)(long long)value->number && fabs(value->number) < 1e16) return text_of(text, (size_t)sprintf(text, "%lld", (long long)value->number));
  if (isnan(value->number)) return text_of(signbit(value->number) ? "-nan" : "nan", signbit(value->number) ? 4 : 3);
  if (isinf(value->number)) return text_of(value->number < 0 ? "-inf" : "inf", value->number < 0 ? 4 : 3);
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
  int length = snprintf(text, sizeof text, value->number == floor(value->number) ? "%.0f" : format, value->number);
#pragma clang diagnostic pop
  return text_of(text, length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

bool is_true(const struct value *value) {
  if (value->kind & LOOKS_NUMBER || !(value->kind & IS_TEXT)) return value->number != 0;
  return value->text && value->text->length > 0;
}

/* ---- tables ---- */

static size_t hash(const struct text *key) {
  size_t sum = 5381;
  for (size_t at = 0; at < key->length; at++) sum = sum * 33 + (unsigned char)key->data[at];
  return sum;
}

static struct cell_entry **place_of(struct table *table, const struct text *key) {
  struct cell_entry **at = &table->heads[hash(key) % table->buckets];
  while (*at && ((*at)->key->length != key->length || memcmp((*at)->key->data, key->data, key->length))) at = &(*at)->next;
  return at;
}

bool table_has(struct table *table, struct text *key) { return table->buckets && *place_of(table, key); }

struct value *table_at(struct table *table, struct text *key) {
  if (table->count >= table->buckets) {
    size_t buckets = table->buckets * 2 + 16;
    struct cell_entry **heads = grab_zero(buckets, sizeof *heads);
    for (size_t at = 0; at < table->buckets; at++)
      for (struct cell_entry *entry = table->heads[at], *next; entry; entry = next) {
        next = entry->next;
        struct cell_entry **end = &heads[hash(entry->key) % buckets];
        while (*end) end = &(*end)->next;
        entry->next = NULL;
        *end = entry;
      }
    free(table->heads);
    table->heads = heads, table->buckets = buckets;
  }
  struct cell_entry **at = place_of(table, key);
  if (!*at) {
    *at = grab_zero(1, sizeof **at);
    (*at)->key = hold_text(key);
    table->count++;
  }
  return &(*at)->value;
}

void table_remove(struct table *table, struct text *key) {
  if (!table->buckets) return;
  struct cell_entry **at = place_of(table, key), *entry = *at;
  if (!entry) return;
  *at = entry->next;
  drop_text(entry->key);
  drop_value(&entry->value);
  free(entry);
  table->count--;
}

void table_clear(struct table *table) {
  for (size_t at = 0; at < table->buckets; at++)
    for (struct cell_entry *entry = table->heads[at], *next; entry; entry = next) {
      next = entry->next;
      drop_text(entry->key);
      drop_value(&entry->value);
      free(entry);
    }
  free(table->heads);
  *table = (struct table){0};
}
