/*
** flags.c - words in page-locked memory that the host sets and streams wait
** for. They come in pages, which are freed when the device closes.
**
** The words of transfer queues only ever count up. So a device that reads a
** stale value waits longer, and never goes on too early.
**
** Streams wait for 32 bits, the first half of a word. Kernels use all 64 bits
** to tell the host something (index_error.c).
*/
#include "flags.h"

#include <stdlib.h>

#include "device_lock.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"

enum { WORDS_PAGE = 512 };

/* Makes room to take back every word of one more page. */
static Status reserve (RtDevice *dev) {
  int n = dev->nword_pages;
  Status st = status_make_room(dev->rt, &dev->idle_words, n,
                               WORDS_PAGE * sizeof *dev->idle_words);
  return (st != 0) ? st
                   : status_make_room(dev->rt, &dev->word_pages, n,
                                      sizeof *dev->word_pages);
}

static Status new_page (RtDevice *dev) {
  void *p = NULL;
  Status st = reserve(dev);
  if (st == 0)
    st = context_enter(dev);
  if (st != 0)
    return st;
  st = dev->D->cuMemHostAlloc(&p, WORDS_PAGE * sizeof(int64_t),
                              CU_MEMHOSTALLOC_PORTABLE |
                                CU_MEMHOSTALLOC_DEVICEMAP);
  if (st != CUDA_SUCCESS)
    return status_fail(dev->rt, st, "cuMemHostAlloc");
  int64_t *page = p;
  dev->word_pages[dev->nword_pages++] = page;
  for (int i = WORDS_PAGE - 1; i >= 0; i--)
    dev->idle_words[dev->nidle_words++] = &page[i];
  return 0;
}

Status flag_take_word (RtDevice *dev, int64_t **word) {
  Status st = (dev->nidle_words == 0) ? new_page(dev) : 0;
  if (st != 0)
    return st;
  *word = dev->idle_words[--dev->nidle_words];
  flag_clear_word(*word);
  return 0;
}

void flag_return_word (RtDevice *dev, int64_t *word) {
  if (word != NULL)
    dev->idle_words[dev->nidle_words++] = word;
}

void flag_clear_word (int64_t *word) {
  __atomic_store_n(word, 0, __ATOMIC_RELEASE);
}

Status flag_take (RtDevice *dev, uint32_t **flag) {
  int64_t *word;
  Status st = flag_take_word(dev, &word);
  if (st == 0)
    *flag = (uint32_t *)(void *)word;
  return st;
}

void flag_return (RtDevice *dev, uint32_t *flag) {
  flag_return_word(dev, (int64_t *)(void *)flag);
}

void flag_set (uint32_t *flag, uint32_t value) {
  __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

void flag_forget_all (RtDevice *dev) {
  dev->nword_pages = 0;
  flag_free_all(dev);
}

void flag_free_all (RtDevice *dev) {
  for (int i = 0; i < dev->nword_pages; i++)
    device_lock_free_host(dev, dev->word_pages[i]);
  free(dev->word_pages);
  free(dev->idle_words);
  dev->word_pages = dev->idle_words = NULL;
  dev->nword_pages = dev->nidle_words = 0;
}
