/* suggest.h - the nearest name to a misspelt one. */
#ifndef TIDE_BASE_SUGGEST_H
#define TIDE_BASE_SUGGEST_H

/*
** Offers a candidate: keeps it in *best if it is nearer to 'name' than what
** was offered before. Start with *best NULL and *distance 0.
*/
void tide_suggest (const char *name, const char *candidate, const char **best,
                   int *distance);

/* What is written here for a name of others, as code, or what there is to know,
** behind a ';'; NULL: nothing is known. 'where' is the class or module. */
const char *tide_phrase (const char *where, const char *name);

/* The nearest of a list that ends with NULL, or NULL. Not cheap: for errors. */
const char *tide_nearest (const char *name, const char *const names[]);

#endif
