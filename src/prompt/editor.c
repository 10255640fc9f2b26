/*
** editor.c - GNU readline, of which a process has one: Lua's own prompt and
** lua-readline share it. The latter has it read from a file of its own, which
** is closed whenever a line has come, and leaves it there: the next line that
** Lua's prompt asks for would come from a closed file.
*/
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/class.h"
#include "openers.h"

/*
** What is its, or NULL. A Lua that has it for its own prompt has it for all; or
** it came with lua-readline, for that alone.
*/
static void *find (const char *name) {
  static const char *const libraries[] = {
    "libreadline.so.8", "libreadline.so.7", "libreadline.so", NULL
  };
  void *found = dlsym(RTLD_DEFAULT, name);
  for (int i = 0; found == NULL && libraries[i] != NULL; i++) {
    void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL) {
      found = dlsym(library, name);
      dlclose(library);
    }
  }
  return found;
}

static void set_file (const char *name, FILE *file) {
  FILE **variable = find(name);
  if (variable != NULL)
    *variable = file;
}

static void set_flag (const char *name, int value) {
  int *variable = find(name);
  if (variable != NULL)
    *variable = value;
}

/* restore_readline(): as if no line had been read. Ctrl-D once would have it
** end each line to come with an empty one. */
static int system_restore_readline (lua_State *L) {
  (void)L;
  set_file("rl_instream", stdin);
  set_file("rl_outstream", stdout);
  set_flag("rl_eof_found", 0);
  return 0;
}

static void call (const char *name) {
  void (*function) (void) = NULL;
  void *found = find(name);
  memcpy(&function, &found, sizeof found);  /* ISO C has no cast for it */
  if (function != NULL)
    function();
}

/* drop_line(): what was typed is no line, nor is a search, a number before a
** key or a macro that it is in the middle of. They are readline's own state,
** which the next line would go on with. */
static int system_drop_line (lua_State *L) {
  (void)L;
  call("rl_free_line_state");
  call("rl_callback_sigcleanup");  /* readline 7 */
  return 0;
}

static const Function functions[] = {
  {"drop_line", system_drop_line, 0},
  {"restore_readline", system_restore_readline, 0},
  {NULL, NULL, 0}
};

void tide_openeditor (lua_State *L) { tide_setfuncs(L, functions); }
