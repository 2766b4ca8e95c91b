/* env, timeout, nohup, sleep: what starts others, or waits */
#include "cu.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

int start_command(char **argv, bool input, double seconds) {
  int status = run_command(argv, input, seconds);
  if (status < 0) warn_errno("%s", quote_name(argv[0])), status = errno == ENOENT ? 127 : 126;
  return status;
}

int env_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"ignore-environment", NO_VALUE, 'i'}, {"unset", NEEDS_VALUE, 'u'}, {"null", NO_VALUE, '0'}, {"chdir", NEEDS_VALUE, 'C'}, {"split-string", NEEDS_VALUE, 'S'}, {0}};
  struct options options;
  char end = '\n';
  const char *folder = NULL;
  char **words = NULL;
  usage_status = 125;
  options_begin(&options, argc, argv, "+iu:0C:S:", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'i') environ = grab_zero(1, sizeof *environ);
    if (c == 'u' && unsetenv(options.value) < 0) die_errno(125, "cannot unset %s", quote(options.value));
    if (c == '0') end = 0;
    if (c == 'C') folder = options.value;
    if (c == 'S') {
      int count = 0;
      words = grab_zero(strlen(options.value) + 2 + (size_t)argc, sizeof *words);
      for (char *word = strtok(options.value, " \t\n"); word; word = strtok(NULL, " \t\n")) words[count++] = word;
    }
  }
  char **operands = options.operands;
  if (words) {
    int count = 0;
    while (words[count]) count++;
    for (int at = 0; at < options.count; at++) words[count++] = options.operands[at];
    operands = words;
  }
  if (*operands && !strcmp(*operands, "-")) environ = grab_zero(1, sizeof *environ), operands++;
  for (; *operands && strchr(*operands, '=') && **operands != '='; operands++) {
    char *equals = strchr(*operands, '=');
    *equals = 0;
    setenv(*operands, equals + 1, 1);
    *equals = '=';
  }
  if (folder && chdir(folder) < 0) die_errno(125, "cannot change directory to %s", quote_name(folder));
  if (*operands) return start_command(operands, true, 0);
  for (char **one = environ; one && *one; one++) fputs(*one, stdout), putchar(end);
  return 0;
}

static bool parse_duration(const char *text, double *seconds) {
  char *end;
  *seconds = strtod(text, &end);
  if (end == text || *seconds < 0 || isspace((unsigned char)*text)) return false;
  if (*end == 'm') *seconds *= 60;
  else if (*end == 'h') *seconds *= 3600;
  else if (*end == 'd') *seconds *= 86400;
  else if (*end && *end != 's') return false;
  return !*end || !end[1];
}

int sleep_main(int argc, char **argv) {
  struct options options;
  double total = 0;
  options_begin(&options, argc, argv, "+", NULL);
  while (options_next(&options) != -1);
  if (!options.count) usage_error("missing operand");
  bool wrong = false;
  for (int at = 0; at < options.count; at++) {
    double seconds;
    if (!parse_duration(options.operands[at], &seconds)) warn("invalid time interval %s", quote(options.operands[at])), wrong = true;
    else total += seconds;
  }
  if (wrong) try_help();
  if (total > 1e9) total = 1e9;
  struct timespec wait = {(time_t)total, (long)((total - (double)(time_t)total) * 1e9)};
  nanosleep(&wait, NULL);
  return 0;
}

static bool is_signal(const char *name) {
  static const char *const names[] = {"HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP",
    "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "POLL", "PWR", "SYS", "EXIT"};
  if (isdigit((unsigned char)*name)) return strspn(name, "0123456789") == strlen(name) && atoi(name) <= 64;
  if (!strncasecmp(name, "SIG", 3)) name += 3;
  for (size_t at = 0; at < sizeof names / sizeof *names; at++)
    if (!strcasecmp(name, names[at])) return true;
  return false;
}

int timeout_main(int argc, char **argv) {
  static const struct long_option longs[] = {{"signal", NEEDS_VALUE, 's'}, {"kill-after", NEEDS_VALUE, 'k'}, {"preserve-status", NO_VALUE, 'p'}, {"foreground", NO_VALUE, 'f'}, {"verbose", NO_VALUE, 'v'}, {0}};
  struct options options;
  bool keep = false, killed = false, verbose = false;
  const char *signal = NULL;
  usage_status = 125;
  options_begin(&options, argc, argv, "+s:k:fpv", longs);
  for (int c; (c = options_next(&options)) != -1;) {
    if (c == 'p') keep = true;
    if (c == 'v') verbose = true;
    if (c == 's') {
      signal = options.value;
      if (!is_signal(signal)) usage_error("%s: invalid signal", quote(signal));
    }
    if (c == 's') killed = !strcasecmp(options.value, "KILL") || !strcasecmp(options.value, "SIGKILL") || !strcmp(options.value, "9");
  }
  if (options.count < 2) {
    try_help();
  }
  double seconds;
  if (!parse_duration(options.operands[0], &seconds)) usage_error("invalid time interval %s", quote(options.operands[0]));
  int status = start_command(options.operands + 1, true, seconds);
  if (status == 124 && verbose) {
    const char *name = !signal ? "TERM" : !strncasecmp(signal, "SIG", 3) ? signal + 3 : signal;
    fprintf(stderr, "%s: sending signal %s to command %s\n", tool, name, quote(options.operands[1]));
  }
  if (status == 124 && killed) return 137;
  return status == 124 && keep ? 143 : status;
}

int nohup_main(int argc, char **argv) {
  usage_status = 125;
  if (argc < 2) usage_error("missing operand");
  return start_command(argv + 1, true, 0);
}

int nice_main(int argc, char **argv) {
  struct options options;
  static const struct long_option longs[] = {{"adjustment", NEEDS_VALUE, 'n'}, {0}};
  usage_status = 125;
  options_begin(&options, argc, argv, "+n:", longs);
  while (options_next(&options) != -1);
  if (!options.count) return puts("0"), 0;
  return start_command(options.operands, true, 0);
}
