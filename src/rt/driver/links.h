/* links.h - lists of objects that begin with their links, the oldest first. */
#ifndef TIDE_RT_DRIVER_LINKS_H
#define TIDE_RT_DRIVER_LINKS_H

#include <stdbool.h>
#include <stddef.h>

/* The neighbours of an object in its list; the object may be in one only. */
typedef struct Link {
  struct Link *before, *after;
} Link;

typedef struct List {
  Link *first, *last;
  int n;
} List;

/* The first object of type T; the one after 'o'; NULL: there is none. */
#define LIST_FIRST(T, list) ((T *)(list)->first)
#define LIST_NEXT(T, o) ((T *)((const Link *)(o))->after)

/* Loops over the objects, which must stay in the list. */
#define LIST_EACH(T, o, list) \
  for (T *o = LIST_FIRST(T, list); o != NULL; o = LIST_NEXT(T, o))

/* Adds an object behind another one; NULL: at the front. */
static inline void links_add_behind (List *list, Link *before, Link *o) {
  o->before = before;
  o->after = (before != NULL) ? before->after : list->first;
  *(before != NULL ? &before->after : &list->first) = o;
  *(o->after != NULL ? &o->after->before : &list->last) = o;
  list->n++;
}

/* Adds an object at the end. */
static inline void links_add (List *list, Link *o) {
  links_add_behind(list, list->last, o);
}

static inline void links_remove (List *list, Link *o) {
  *(o->before != NULL ? &o->before->after : &list->first) = o->after;
  *(o->after != NULL ? &o->after->before : &list->last) = o->before;
  o->before = o->after = NULL;
  list->n--;
}

/* Removes the first object, which there is. */
static inline Link *links_take (List *list) {
  Link *o = list->first;
  links_remove(list, o);
  return o;
}

/* Tells whether an object that is in no other list is in this one. */
static inline bool links_has (const List *list, const Link *o) {
  return o->before != NULL || list->first == o;
}

#endif
