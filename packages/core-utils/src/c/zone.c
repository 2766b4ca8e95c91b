/* Time zones, as TZ names them: "Europe/Berlin", or POSIX's rules such as "CET-1CEST,M3.5.0,M10.5.0/3". */
#include "cu.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A zone's rule of today is taken for all times: what was decided otherwise in years gone by is not known. */
static const struct { const char *rule, *names; } known[] = {
#define ZONES(rule, names) {rule, names},
#include "zones.def"
#undef ZONES
};

/* The day on which a change comes: of a month's week, of the year, or of the year without 29 February. */
struct change {
  char kind;
  int month, week, day;
  long second;
};

static struct {
  bool ready, changes;
  char names[2][16];
  long offsets[2];
  struct change begin, end;
} zone;

static const char *read_name(const char *at, char *name) {
  size_t length;
  if (*at == '<') {
    length = strcspn(++at, ">");
    if (at[length] != '>') return NULL;
  } else
    for (length = 0; isalpha((unsigned char)at[length]); length++);
  if (length < 3 || length > 15) return NULL;
  memcpy(name, at, length);
  name[length] = 0;
  return at + length + (at[length] == '>');
}

/* "[+-]hh[:mm[:ss]]" */
static const char *read_offset(const char *at, long *seconds) {
  int sign = *at == '-' ? -1 : 1;
  if (*at == '-' || *at == '+') at++;
  if (!isdigit((unsigned char)*at)) return NULL;
  long unit = 3600;
  *seconds = 0;
  for (;; at++) {
    char *end;
    *seconds += strtol(at, &end, 10) * unit;
    at = end;
    unit /= 60;
    if (*at != ':' || !unit) break;
  }
  *seconds *= sign;
  return at;
}

static const char *read_change(const char *at, struct change *change) {
  char *end;
  *change = (struct change){.kind = *at, .second = 7200};
  if (*at == 'M') {
    change->month = (int)strtol(at + 1, &end, 10);
    if (*end != '.') return NULL;
    change->week = (int)strtol(end + 1, &end, 10);
    if (*end != '.') return NULL;
    change->day = (int)strtol(end + 1, &end, 10);
  } else {
    if (*at != 'J') change->kind = 'D';
    change->day = (int)strtol(at + (*at == 'J'), &end, 10);
  }
  return *end == '/' ? read_offset(end + 1, &change->second) : end;
}

/* False if it is no rule; the zone may then be anything. */
static bool read_rule(const char *at) {
  zone.changes = false;
  if (!(at = read_name(at, zone.names[0])) || !(at = read_offset(at, &zone.offsets[0]))) return false;
  zone.offsets[0] = -zone.offsets[0];
  if (!*at) return true;
  if (!(at = read_name(at, zone.names[1]))) return false;
  zone.offsets[1] = zone.offsets[0] + 3600;
  if (*at && *at != ',') {
    if (!(at = read_offset(at, &zone.offsets[1]))) return false;
    zone.offsets[1] = -zone.offsets[1];
  }
  if (!*at) at = ",M3.2.0,M11.1.0";
  zone.changes = *at == ',' && (at = read_change(at + 1, &zone.begin)) && *at == ',' && read_change(at + 1, &zone.end);
  return zone.changes;
}

static const char *rule_of(const char *name) {
  size_t length = strlen(name);
  for (size_t at = 0; at < sizeof known / sizeof *known; at++)
    for (const char *word = known[at].names; *word; word += strcspn(word, " "), word += *word == ' ')
      if (!strncmp(word, name, length) && (word[length] == ' ' || !word[length])) return known[at].rule;
  return NULL;
}

void zone_use(const char *name) {
  zone.ready = true;
  if (!name || !*name) name = "UTC0";
  if (*name == ':') name++;
  const char *rule = rule_of(name);
  if (read_rule(rule ? rule : name)) return;
  /* As the C library has it: what is unknown is UTC, under the name that it was given. */
  zone.changes = false, zone.offsets[0] = 0;
  if (!read_name(name, zone.names[0])) strcpy(zone.names[0], "UTC");
}

static long days_of(int year, int month, int day) {
  struct tm when = {.tm_year = year - 1900, .tm_mon = month, .tm_mday = day};
  return (long)(timegm(&when) / 86400);
}

/* When a change comes in a year, in seconds as the clock on the wall shows them. */
static time_t moment(const struct change *change, int year) {
  long days;
  if (change->kind == 'M') {
    long first = days_of(year, change->month - 1, 1), next = days_of(year, change->month, 1);
    int weekday = (int)((first + 4) % 7 + 7) % 7;
    days = first + (change->day - weekday + 7) % 7 + 7 * (change->week - 1);
    if (days >= next) days -= 7;
  } else {
    days = days_of(year, 0, 1) + change->day;
    if (change->kind == 'J') days += days_of(year, 2, 1) - days_of(year, 0, 1) == 60 && change->day > 59 ? 0 : -1;
  }
  return (time_t)days * 86400 + change->second;
}

long zone_at(time_t time, const char **name) {
  if (!zone.ready) zone_use(getenv("TZ"));
  bool summer = false;
  if (zone.changes) {
    time_t local = time + zone.offsets[0];
    struct tm when;
    gmtime_r(&local, &when);
    time_t begin = moment(&zone.begin, when.tm_year + 1900) - zone.offsets[0], end = moment(&zone.end, when.tm_year + 1900) - zone.offsets[1];
    summer = begin < end ? time >= begin && time < end : time >= begin || time < end;
  }
  if (name) *name = zone.names[summer];
  return zone.offsets[summer];
}

void local_time(time_t time, struct tm *when) {
  time_t local = time + zone_at(time, NULL);
  gmtime_r(&local, when);
}

time_t from_local(struct tm *when) {
  time_t local = timegm(when), guess = local - zone_at(local, NULL);
  /* In the hour that a change leaves out, what was before goes on. */
  time_t time = local - zone_at(guess, NULL);
  return time + zone_at(time, NULL) == local ? time : guess > time ? guess : time;
}
