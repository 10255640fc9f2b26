/* class.h - how a type of tide is defined. See class.c. */
#ifndef TIDE_BASE_CLASS_H
#define TIDE_BASE_CLASS_H

#include <limits.h>

#include "state.h"

/* A function and its name in Lua. Lists of them end with a NULL. */
typedef struct Function {
  const char *name;
  lua_CFunction f;
  int most;  /* arguments that it takes, with its object: see door.c */
} Function;

enum { ANY = INT_MAX };

/*
** A type: what Lua calls it, its methods, its fields (functions that get the
** object and push the value), its metamethods. Field and method names are
** looked up in that order; any other name is an error that suggests the
** nearest one. 'index' and 'newindex', if not NULL, see keys that are not
** strings.
*/
typedef struct Class {
  const char *name;                 /* "tide.Stream" */
  const Function *methods;
  const Function *fields;
  const Function *metamethods;
  lua_CFunction index;
  const struct Class *other;  /* or NULL; that has names that this lacks, */
  const char *hint;           /* of which errors say this */
} Class;

/* Every object begins with its class: a check is two compares. */
typedef struct Object {
  const Class *class;
  State *state;  /* of the lua_State that it belongs to */
} Object;

/* Makes the metatable. Called once per State and class, at open. */
void tide_newclass (lua_State *L, const Class *class);

/*
** Pushes a new object of 'size' bytes, all zero (that is: closed) but for its
** class, with 'nuv' user values.
*/
void *tide_newobject (lua_State *L, size_t size, const Class *class, int nuv);

/* tide_newobject where the State is at hand. */
void *tide_newobjectof (lua_State *L, State *st, size_t size,
                        const Class *class, int nuv);

/*
** Pushes n bytes that are no object, whatever is there: what has been freed
** leaves its class behind, and a program's bytes may be anything, while calls
** look for objects among all that is on their stack (tide_drop).
*/
void *tide_newmemory (lua_State *L, size_t n);

/* The object at 'arg', or NULL. A userdata of others may be smaller than a
** pointer. */
static inline void *tide_asobject (lua_State *L, int arg, const Class *class) {
  Object *o = lua_touserdata(L, arg);
  if (o != NULL && lua_rawlen(L, arg) >= sizeof(Object) && o->class == class)
    return o;
  return NULL;
}

/* Raises: says what is wrong with what is there. */
void *tide_wrongobject (lua_State *L, int arg, const Class *class);

/*
** The object at 'arg': raises a type error, or NULL, if it is another thing.
** Both raise once the State is closed: what a finaliser of others made while
** the lua_State closed is never finalised, and its resource is gone.
*/
static inline void *tide_checkobject (lua_State *L, int arg,
                                      const Class *class) {
  Object *o = tide_asobject(L, arg, class);
  if (o == NULL || o->state->closed)
    return tide_wrongobject(L, arg, class);
  return o;
}

/* For finalizers: the object at 1, of either class, also once tide is
** closed. */
void *tide_endobject (lua_State *L, const Class *class, const Class *other);
void *tide_testobject (lua_State *L, int arg, const Class *class);

/*
** A name in a list may begin with the mark of a group that host programs
** can leave out: 1 + log2 of its bit in tide.h.
*/
#define GROUP_POINTERS "\1"  /* gives or takes raw addresses */
#define GROUP_KERNELS "\2"   /* takes code for the device */
#define GROUP_FILES "\3"     /* opens, reads or writes files */
#define GROUP_RESET "\4"     /* destroys what other Lua states have */
enum { GROUP_LAST = 4 };

/* The mark of a function that calls the program's own functions, which may
** yield, and queues nothing itself: it is behind no door. After that of the
** group. */
#define CALLS_BACK "\5"

/*
** Sets functions in the table on the top, each with the State as upvalue and
** behind a door (door.h), which refuses what is more than they take; but for
** finalizers. Those left out become functions
** that raise an error.
*/
void tide_setfuncs (lua_State *L, const Function *list);

/* Pushes the table of methods of the class whose metatable is at 'idx'. */
void tide_pushmethods (lua_State *L, int idx);

/* Adds methods to a class that is made already. */
void tide_addmethods (lua_State *L, const Class *class, const Function *list);

/* The same with Lua functions, those of the table at 'list'. They are behind no
** door, but what they call is. */
void tide_addluamethods (lua_State *L, const Class *class, int list);

/* Within a call of tide: pushes the method of an object, or what its field
** gives, as hooks may run other calls where Lua looks one up. */
void tide_pushmethod (lua_State *L, int idx, const char *name);
void tide_pushfield (lua_State *L, int idx, const char *name);

/* Pushes one C function with the State as its upvalue; the same behind a
** door. */
void tide_pushfunction (lua_State *L, lua_CFunction f);
void tide_pushdoor (lua_State *L, lua_CFunction f, int most);

/* The table on top of the stack can be called, as that function, by whose name
** errors call it where Lua has none; its arguments come after the table. */
void tide_setcall (lua_State *L, const char *name, lua_CFunction f);

/*
** Checks a table of options: every key must be in 'names' (NULL-terminated).
** nil or none is an empty table of options. Which are there: bit i is that of
** names[i].
*/
unsigned tide_checkoptions (lua_State *L, int arg, const char *const names[]);

/* Which of the names the string at 'arg' is; 'def' (-1: none) if there is
** none. */
int tide_checkchoice (lua_State *L, int arg, int def,
                      const char *const names[]);

/* Options that are all flags: bit i is that of names[i], false by default. */
unsigned tide_checkflags (lua_State *L, int arg, const char *const names[]);

/* Pushes an option of a table, which is read without metamethods; its type. */
int tide_getoption (lua_State *L, int arg, const char *name);

/* An option's value, with its default; raises naming the option. */
bool tide_optflag (lua_State *L, int arg, const char *name, bool def);
lua_Integer tide_optint (lua_State *L, int arg, const char *name,
                         lua_Integer def);
lua_Number tide_optnum (lua_State *L, int arg, const char *name,
                        lua_Number def);

#endif
