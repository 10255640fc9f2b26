/* parser.h - declarations shared by statements.c, expressions.c and the other
** files of the parser. */
#ifndef TIDE_RT_PROGRAM_PARSER_H
#define TIDE_RT_PROGRAM_PARSER_H

#include "lexer.h"
#include "statements.h"

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

/* Begins at k->body; c_next reads its first word. */
void c_start (Parser *p, Builder *b, const KernelText *k, char *error);
void c_declareparams (Parser *p);
void c_statements (Parser *p); /* to the end */
bool c_finish (Parser *p);     /* true: no error */

/* Enters a nested construct: false, and an error, if it is too deep. */
bool c_enter (Parser *p);
void c_leave (Parser *p);

void c_next (Parser *p);
bool c_is (const Parser *p, const char *text);
bool c_accept (Parser *p, const char *text);
void c_expect (Parser *p, const char *text);

/* Returns the line of the body, from 1, that a word is in, and its column. */
int c_line (const Parser *p, const Word *w, int *column);

/* Reports an error. The first error counts; afterwards there are no words
** left. */
void c_fail (Parser *p, const char *what, const Word *about);
void c_syntax (Parser *p, const char *what, const Word *about);

/* Reads a type, if there is one. */
bool c_type (Parser *p, DType *t);

Value c_number (Parser *p);
Value c_character (Parser *p);
Value c_expression (Parser *p);     /* with commas */
Value c_assignment (Parser *p);     /* without */
Value c_truth (Parser *p, Value v); /* as a bool */

/* Returns the mask of the current lanes in which 'cond' is true. */
Value c_narrow (Parser *p, Value cond);
void c_pushmask (Parser *p, Value mask);
void c_popmask (Parser *p);

void c_assign (Parser *p, Variable *var, Value v);
Variable *c_declare (Parser *p, Word name, Value v);

int c_find (const Parser *p, const Word *name); /* -1: no variable */

Expr c_unary (Parser *p);
Value c_call (Parser *p, const Word *name); /* its arguments come next */
Value c_rvalue (Parser *p, Expr e);
Value c_apply (Parser *p, int op, Value x, Value y);
Value c_addone (Parser *p, Expr e, int op, bool before);

/* Returns the type in which C computes; converts two operands to it. */
DType c_common (DType a, DType b);
DType c_bringtogether (Parser *p, Value *x, Value *y);

#endif
