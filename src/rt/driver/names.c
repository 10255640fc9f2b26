/*
** names.c - names that programs give, of kernels and of Lua chunks. A Runtime
** has one copy of each, with a count of references: from codes (codes.c), and
** from what a stream remembers of its operations (fault.c). The last
** reference frees the name, so a program may use any number of names. Equal
** names are equal pointers, and a held name's address is never reused.
**
** Names that are string literals of tide do not come here.
*/
#include "names.h"

#include <stdlib.h>
#include <string.h>

enum { BINS_FEW = 64, SPARSE = 8 };

/* FNV-1a */
static unsigned hash_of (const char *text) {
  unsigned h = 2166136261u;
  for (; *text != '\0'; text++)
    h = (h ^ (unsigned char)*text) * 16777619u;
  return h;
}

static RtName **bin_of (const RtNames *all, unsigned hash) {
  return &all->bins[hash & (all->nbins - 1)];
}

/* Changes the number of bins. If memory is short it stays as it is. */
static void resize (RtNames *all, unsigned nbins) {
  RtNames old = *all;
  RtName **bins = calloc(nbins, sizeof *bins);
  if (bins == NULL)
    return;
  all->bins = bins;
  all->nbins = nbins;
  for (unsigned i = 0; i < old.nbins; i++) {
    for (RtName *name; (name = old.bins[i]) != NULL;) {
      RtName **bin = bin_of(all, name->hash);
      old.bins[i] = name->next;
      name->next = *bin;
      *bin = name;
    }
  }
  free(old.bins);
}

static RtName *add (RtNames *all, const char *text, unsigned hash) {
  if (all->n == all->nbins)
    resize(all, all->nbins > 0 ? 2 * all->nbins : BINS_FEW);
  size_t size = strlen(text) + 1;
  RtName *name = (all->nbins > 0) ? malloc(sizeof *name + size) : NULL;
  if (name == NULL)
    return NULL;
  memcpy(name->text, text, size);
  name->hash = hash;
  name->refs = 1;
  RtName **bin = bin_of(all, hash);
  name->next = *bin;
  *bin = name;
  all->n++;
  return name;
}

RtName *name_intern (Runtime *rt, const char *text) {
  RtNames *all = &rt->names;
  unsigned hash = hash_of(text);
  RtName *name = (all->nbins > 0) ? *bin_of(all, hash) : NULL;
  for (; name != NULL; name = name->next)
    if (name->hash == hash && strcmp(name->text, text) == 0)
      return name_retain(name);
  return add(all, text, hash);
}

void name_drop (Runtime *rt, RtName *name) {
  RtNames *all = &rt->names;
  if (name == NULL || --name->refs > 0)
    return;
  RtName **at = bin_of(all, name->hash);
  while (*at != name)
    at = &(*at)->next;
  *at = name->next;
  free(name);
  if (--all->n < all->nbins / SPARSE && all->nbins > BINS_FEW)
    resize(all, all->nbins / 2);
}

void name_free_all (Runtime *rt) {
  RtNames *all = &rt->names;
  for (unsigned i = 0; i < all->nbins; i++)
    for (RtName *name; (name = all->bins[i]) != NULL; free(name))
      all->bins[i] = name->next;
  free(all->bins);
}
