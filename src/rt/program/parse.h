/* parse.h - declarations shared by statements.c, expressions.c and the other
** files of the parser. */
#ifndef TIDE_RT_PROGRAM_PARSE_H
#define TIDE_RT_PROGRAM_PARSE_H

#include "kernel_text.h"
#include "lexer.h"

enum { MAX_VARIABLES = 64, MAX_MASKS = 32, MAX_DEPTH = 200 };

/* A name of the body: a parameter or a variable. */
typedef struct Variable {
  Word name;
  Value v;    /* its elements; raw: its address */
  Value size; /* raw: the number of elements */
  bool raw, constant;
  bool out;     /* a result: */
  bool partial; /* read, or written in part, before it is all written */
  int written;  /* the step after which it is all written; -1: none */
} Variable;

typedef struct Parser {
  Builder *b;
  const KernelText *text;
  const char *at;
  Word w;  /* the current word */
  Word op; /* the operator that is applied, for errors */
  Variable vars[MAX_VARIABLES];
  int nvars;
  Value masks[MAX_MASKS]; /* lanes that run now: the innermost mask counts */
  int nmasks;
  int lost;  /* masks for which there was no room */
  int depth; /* nesting depth */
  int loop;  /* masks[loop ..] belong to the innermost loop; -1: none */
  bool has_raw, has_lanes;
  Value lanes; /* 'i' */
  char *error;
  bool failed;
  bool syntax; /* the error is one of C's syntax */
} Parser;

/* An expression: its value, or a place with a value. */
typedef struct Expr {
  Value v;       /* or an element's index */
  int variable;  /* -1: just a value */
  bool element;  /* of that variable, */
  uint16_t line; /* in that line of the body */
} Expr;

/* Begins at k->body; parse_next reads its first word. */
void parse_start (Parser *p, Builder *b, const KernelText *k, char *error);
void parse_declare_params (Parser *p);
void parse_statements (Parser *p); /* to the end */
bool parse_finish (Parser *p);     /* true: no error */

/* Enters a nested construct: false, and an error, if it is too deep. */
bool parse_enter (Parser *p);
void parse_leave (Parser *p);

void parse_next (Parser *p);
bool parse_is (const Parser *p, const char *text);
bool parse_accept (Parser *p, const char *text);
void parse_expect (Parser *p, const char *text);

/* Returns the line of the body, from 1, that a word is in, and its column. */
int parse_line (const Parser *p, const Word *w, int *column);

/* Reports an error. The first error counts; afterwards there are no words
** left. */
void parse_fail (Parser *p, const char *what, const Word *about);
void parse_fail_syntax (Parser *p, const char *what, const Word *about);

/* Reads a type, if there is one. */
bool parse_type (Parser *p, DType *t);

Value parse_number (Parser *p);
Value parse_character (Parser *p);
Value parse_expression (Parser *p);     /* with commas */
Value parse_assignment (Parser *p);     /* without */
Value parse_truth (Parser *p, Value v); /* as a bool */

/* Returns the mask of the current lanes in which 'cond' is true. */
Value parse_narrow (Parser *p, Value cond);
void parse_push_mask (Parser *p, Value mask);
void parse_pop_mask (Parser *p);

void parse_assign (Parser *p, Variable *var, Value v);
Variable *parse_declare (Parser *p, Word name, Value v);

int parse_find (const Parser *p, const Word *name); /* -1: no variable */

Expr parse_unary (Parser *p);
Value parse_call (Parser *p, const Word *name); /* its arguments come next */
Value parse_rvalue (Parser *p, Expr e);
Value parse_apply (Parser *p, int op, Value x, Value y);
Value parse_increment (Parser *p, Expr e, int op, bool before);

/* Returns the type in which C computes; converts two operands to it. */
DType parse_common_type (DType a, DType b);
DType parse_convert_both (Parser *p, Value *x, Value *y);

#endif
