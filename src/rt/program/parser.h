/* parser.h - what statements.c (statements) and expressions.c (expressions)
** share. */
#ifndef TIDE_RT_PROGRAM_PARSER_H
#define TIDE_RT_PROGRAM_PARSER_H

#include "lexer.h"
#include "statements.h"

enum { MAX_VARIABLES = 64, MAX_MASKS = 32, MAX_DEPTH = 200 };

/* A name of the body: a parameter or a variable. */
typedef struct Variable {
  Word name;
  Value v;         /* where its elements are; raw: its address */
  Value size;      /* raw: how many elements */
  bool raw, constant;
  bool out;        /* a result: */
  bool partial;    /* it is read, or written in part, before */
  int written;     /* the step after which it is all written; -1: none */
} Variable;

typedef struct Parser {
  Builder *b;
  const KernelText *text;
  const char *at;
  Word w;          /* the word that is looked at */
  Word op;         /* the operator that is applied: what it refuses is there */
  Variable vars[MAX_VARIABLES];
  int nvars;
  Value masks[MAX_MASKS];  /* of what runs now: the innermost one counts */
  int nmasks;
  int lost;        /* masks for which there was no room */
  int depth;       /* of what is read inside of what */
  int loop;        /* masks[loop ..] are of the innermost loop; -1: none */
  bool has_raw, has_lanes;
  Value lanes;     /* 'i' */
  char *error;
  bool failed;
  bool syntax;     /* at what no C compiler takes */
} Parser;

/* An expression: its value, or a place that has one. */
typedef struct Expr {
  Value v;         /* or, of an element, its index */
  int variable;    /* -1: just a value */
  bool element;    /* of that variable, */
  uint16_t line;   /* in that line of the body */
} Expr;

/* Begins, with k->body; c_next reads its first word. */
void c_start (Parser *p, Builder *b, const KernelText *k, char *error);
void c_declareparams (Parser *p);
void c_statements (Parser *p);  /* all there are */
bool c_finish (Parser *p);      /* no error? */

/* Around what may contain itself: false, and an error, if that is too deep. */
bool c_enter (Parser *p);
void c_leave (Parser *p);

void c_next (Parser *p);
bool c_is (const Parser *p, const char *text);
bool c_accept (Parser *p, const char *text);
void c_expect (Parser *p, const char *text);

/* The line of the body, from 1, that a word is in, and its column. */
int c_line (const Parser *p, const Word *w, int *column);

/* The first error counts; afterwards there are no words left. */
void c_fail (Parser *p, const char *what, const Word *about);
void c_syntax (Parser *p, const char *what, const Word *about);

/* Reads a type, if there is one. */
bool c_type (Parser *p, DType *t);

Value c_number (Parser *p);
Value c_character (Parser *p);
Value c_expression (Parser *p);      /* with commas */
Value c_assignment (Parser *p);      /* without */
Value c_truth (Parser *p, Value v);  /* as a bool */

/* The part of the lanes that runs now in which 'cond' is true, as a mask. */
Value c_narrow (Parser *p, Value cond);
void c_pushmask (Parser *p, Value mask);
void c_popmask (Parser *p);

void c_assign (Parser *p, Variable *var, Value v);
Variable *c_declare (Parser *p, Word name, Value v);

int c_find (const Parser *p, const Word *name);  /* -1: no variable */

Expr c_unary (Parser *p);
Value c_call (Parser *p, const Word *name);  /* its arguments are next */
Value c_rvalue (Parser *p, Expr e);
Value c_apply (Parser *p, int op, Value x, Value y);
Value c_addone (Parser *p, Expr e, int op, bool before);

/* What C computes in; brings two operands to that. */
DType c_common (DType a, DType b);
DType c_bringtogether (Parser *p, Value *x, Value *y);

#endif
