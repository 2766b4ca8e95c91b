/* Which tool to be: the last part of argv[0] says it. */
#include "cu.h"
#include "tools.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
} tools[] = {
#define TOOL(name, function) {name, function},
#include "tools.def"
#undef TOOL
};

int main(int argc, char **argv) {
  tool = argc ? argv[0] : "core-utils";
  const char *name = base_of(tool);
  enter_first_folder();
  setvbuf(stdout, NULL, isatty(1) ? _IOLBF : _IOFBF, 32768);
  for (size_t at = 0; at < sizeof tools / sizeof *tools; at++)
    if (!strcmp(tools[at].name, name)) {
      if (argc == 2 && !strcmp(argv[1], "--version")) printf("%s (core-utils)\n", name), finish(0);
      int status = tools[at].run(argc, argv);
      finish(status ? status : exit_status);
    }
  die(127, "there is no such tool");
}
