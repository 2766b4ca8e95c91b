/* tar --transform: names changed as sed's s command would change them */
#include "regex.h"
#include "tar.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static struct change {
  struct regex *regex;
  char *replacement;
  bool all;
  long which;
  char kinds[4]; /* of r, h and s, those that it changes */
} *changes;
static size_t change_count;

static _Noreturn void refuse(const char *why) { die(2, "Invalid transform expression: %s", why); }

static void set_kind(char *kinds, char flag) {
  char kind = (char)tolower((unsigned char)flag), *there = strchr(kinds, kind);
  if (flag != kind) {
    if (there) memmove(there, there + 1, strlen(there));
  } else if (!there) {
    size_t length = strlen(kinds);
    kinds[length] = kind, kinds[length + 1] = 0;
  }
}

/* A part up to the delimiter, which a backslash may protect. */
static const char *read_part(const char *at, char delimiter, char **part) {
  struct buffer text = {0};
  for (; *at && *at != delimiter; at++) {
    if (*at == '\\' && at[1] == delimiter) at++;
    else if (*at == '\\' && at[1]) buffer_byte(&text, *at++);
    buffer_byte(&text, *at);
  }
  if (!*at) refuse("missing delimiter");
  *part = buffer_end(&text);
  return at + 1;
}

void add_transform(const char *text) {
  static char kinds[4] = "rhs";
  const char *at = text;
  while (*at) {
    if (!strncmp(at, "flags=", 6)) {
      char given[4] = "";
      for (at += 6; *at && *at != ';'; at++) {
        if (!strchr("rRhHsS", *at)) refuse("unknown flag");
        set_kind(given, *at);
      }
      strcpy(kinds, given);
    } else if (*at == 's' && at[1]) {
      struct change change = {.which = 1};
      char *pattern;
      int flags = 0;
      strcpy(change.kinds, kinds);
      char delimiter = at[1];
      at = read_part(at + 2, delimiter, &pattern);
      at = read_part(at, delimiter, &change.replacement);
      for (; *at && *at != ';'; at++) {
        if (*at == 'g') change.all = true;
        else if (*at == 'i') flags |= RE_NO_CASE;
        else if (*at == 'x') flags |= RE_EXTENDED;
        else if (isdigit((unsigned char)*at)) {
          char *end;
          change.which = strtol(at, &end, 10);
          at = end - 1;
        } else if (strchr("rRhHsS", *at)) set_kind(change.kinds, *at);
        else refuse("unknown flag");
      }
      const char *error = NULL;
      change.regex = regex_compile(pattern, strlen(pattern), flags, &error);
      if (!change.regex) refuse(error);
      changes = regrab(changes, (change_count + 1) * sizeof *changes);
      changes[change_count++] = change;
    } else refuse("expected s/…/…/");
    if (*at == ';') at++;
  }
}

/* \U and \L hold until \E, \u and \l for one letter. */
static void add_replaced(struct buffer *to, const char *replacement, const char *text, const struct span *spans) {
  char lasting = 0, once = 0;
  for (const char *at = replacement; *at; at++) {
    int group = -1;
    if (*at == '&') group = 0;
    else if (*at == '\\' && isdigit((unsigned char)at[1])) group = *++at - '0';
    else if (*at == '\\' && at[1] && strchr("ULE", at[1])) {
      lasting = *++at;
      continue;
    } else if (*at == '\\' && (at[1] == 'u' || at[1] == 'l')) {
      once = *++at;
      continue;
    } else if (*at == '\\' && at[1]) at++;
    const char *from = group < 0 ? at : text + spans[group].start;
    size_t length = group < 0 ? 1 : spans[group].start < 0 ? 0 : (size_t)(spans[group].end - spans[group].start);
    for (size_t index = 0; index < length; index++) {
      int letter = (unsigned char)from[index];
      if (once ? once == 'u' : lasting == 'U') letter = toupper(letter);
      else if (once || lasting == 'L') letter = tolower(letter);
      once = 0;
      buffer_byte(to, (char)letter);
    }
  }
}

static char *apply(const struct change *change, const char *text) {
  struct buffer out = {0};
  struct span spans[RE_GROUPS];
  size_t length = strlen(text), at = 0;
  for (long seen = 1; at <= length && regex_find(change->regex, text, length, at, spans); seen++) {
    size_t start = (size_t)spans[0].start, end = (size_t)spans[0].end;
    buffer_add(&out, text + at, start - at);
    if (seen == change->which || (seen > change->which && change->all)) add_replaced(&out, change->replacement, text, spans);
    else buffer_add(&out, text + start, end - start);
    at = end;
    if (start == end && at < length) buffer_byte(&out, text[at++]);
    else if (start == end) break;
    if (seen >= change->which && !change->all) break;
  }
  if (at < length) buffer_text(&out, text + at);
  return buffer_end(&out);
}

char *transform_name(const char *name, char kind) {
  size_t length = strlen(name);
  /* A folder is called without its slash, and gets it back. */
  bool folder = length > 1 && name[length - 1] == '/';
  char *changed = copy_bytes(name, length - folder);
  for (size_t at = 0; at < change_count; at++)
    if (strchr(changes[at].kinds, kind)) changed = apply(&changes[at], changed);
  if (!folder || !*changed) return changed;
  return format_text("%s%s", changed, changed[strlen(changed) - 1] == '/' ? "" : "/");
}
