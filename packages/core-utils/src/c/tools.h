/* The tools' own main functions. */
#ifndef TOOLS_H
#define TOOLS_H
#define TOOL(name, function) int function(int argc, char **argv);
#include "tools.def"
#undef TOOL
#endif
