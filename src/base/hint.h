/* hint.h - the nearest name to a misspelt one. */
#ifndef TIDE_BASE_HINT_H
#define TIDE_BASE_HINT_H

/* A name of another library, and the name here. */
typedef const char *Meaning[2];

/* The search for the name that a misspelt one is meant to be. */
typedef struct Guess {
  const char *name;
  const char *best;        /* the nearest candidate so far, or NULL, */
  int distance;            /* its distance; 0: it is a meaning of 'name' */
  const Meaning *meanings; /* of 'name', or NULL: then any candidate counts */
  const Meaning *in_place; /* meanings of clamp, if the name is clamp_ */
} Guess;

/* Begins a search. The name must stay. */
void hint_start (Guess *g, const char *name);

/* Offers a candidate, which must stay: keeps it if it is nearer than earlier
** ones. A name of another library is near to its meanings only. */
void hint_offer (Guess *g, const char *candidate);

/* Returns what to write here for a name of another library, as code, or a
** remark behind a ';'. NULL: nothing is known. 'where' is the class or
** module. */
const char *hint_translate (const char *where, const char *name);

/* Returns the nearest of a list that ends with NULL, or NULL. */
const char *hint_nearest (const char *name, const char *const names[]);

#endif
