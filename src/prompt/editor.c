/*
** editor.c - GNU readline. A process has only one, which Lua's own prompt and
** lua-readline share. lua-readline makes it read from a file of its own, closes
** the file after each line, and leaves it there. The next line of Lua's prompt
** would then come from a closed file.
*/
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/class.h"
#include "openers.h"

/*
** Returns a symbol of readline, or NULL. A Lua that uses it for its own prompt
** has it for all; otherwise lua-readline has loaded it, for itself only.
*/
static void *find (const char *name) {
  static const char *const libraries[] = {
    "libreadline.so.8", "libreadline.so.7", "libreadline.so", NULL};
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

/* restore_readline(): puts readline back to its state before any line was read.
** After one Ctrl-D it would otherwise end each further line with an empty
** one. */
static int system_restore_readline (lua_State *L) {
  (void)L;
  set_file("rl_instream", stdin);
  set_file("rl_outstream", stdout);
  set_flag("rl_eof_found", 0);
  return 0;
}

static void call (const char *name) {
  void (*function)(void) = NULL;
  void *found = find(name);
  memcpy(&function, &found, sizeof found); /* ISO C has no cast for this */
  if (function != NULL)
    function();
}

/* drop_line(): drops the typed text, and a search, a numeric argument or a
** macro that is under way. These are readline's own state, with which the next
** line would go on. */
static int system_drop_line (lua_State *L) {
  (void)L;
  call("rl_free_line_state");
  call("rl_callback_sigcleanup"); /* readline 7 */
  return 0;
}

static const Function functions[] = {
  {"drop_line", system_drop_line, 0},
  {"restore_readline", system_restore_readline, 0},
  {NULL, NULL, 0},
};

void open_editor (lua_State *L) { class_set_funcs(L, functions); }
