/* parse.h - declarations shared by statements.c, expressions.c and the other
** files of the parser. */
#ifndef TIDE_RT_PROGRAM_PARSE_H
#define TIDE_RT_PROGRAM_PARSE_H

#include "kernel_text.h"
#include "lexer.h"

enum {
  MAX_VARIABLES = 64,
  MAX_MASKS = 32,
  MAX_DEPTH = 200,
  MAX_MACROS = 64,
  MAX_FUNCTIONS = 32,
  MAX_ARGUMENTS = 8,
  MAX_SOURCES = 8,
  MACRO_TEXTS = 2048,
  EXPANSIONS = 10000 /* of macros, in all */
};

/* A name that stands for other words: see parse_macros.c. */
typedef struct Macro {
  Word name;
  const char *text;
  const char *first; /* the text that defines it */
} Macro;

/* A text that is being read. */
typedef struct Source {
  const char *at, *first; /* the next word, and the beginning */
  const char *part;       /* its name, or NULL */
  const Macro *macro;     /* whose words these are; NULL: of none */
} Source;

/* Where the parser is. The words of a macro come from a source of their own, in
** the source that uses the macro: from[0] is no macro's. */
typedef struct Mark {
  Word w; /* the current word */
  int nested;
  Source from[MAX_SOURCES];
} Mark;

/* A definition of the preamble: see parse_functions.c. */
typedef struct Function {
  Word name;
  DType t;
  const char *at; /* its parameters, or the '=' of a constant; NULL: it is only
                     declared */
  int nparams;
  bool constexpr, readonly; /* it is declared so */
  bool constant;
  bool early;  /* it may return before its end */
  bool active; /* it is being called */
} Function;

/* A call of a function that is being parsed. */
typedef struct Call {
  Value result;
  int mask; /* of the lanes that have not returned; -1: none has */
} Call;

/* A name of the body: a parameter or a variable. */
typedef struct Variable {
  Word name;
  Value v;    /* its elements; raw: its address */
  Value size; /* raw: the number of elements */
  bool raw, constant;
  bool local;   /* raw: an array that is a variable */
  bool absent;  /* an array, where only numbers are visible */
  bool out;     /* a result: */
  bool partial; /* read, or written in part, before it is all written */
  int written;  /* the step after which it is all written; -1: none */
} Variable;

typedef struct Parser {
  Builder *b;
  const KernelText *text;
  Mark here;
  Word op; /* the operator that is applied, for errors */
  Variable vars[MAX_VARIABLES];
  int nvars;
  int scope;              /* vars[scope ..] are visible, */
  int block;              /* and vars[block ..] are of the innermost block */
  Value masks[MAX_MASKS]; /* lanes that run now: the innermost mask counts */
  int nmasks;
  int lost;   /* masks for which there was no room */
  int depth;  /* nesting depth */
  int loop;   /* masks[loop ..] belong to the innermost loop; -1: none */
  bool joins; /* the text is that of a reduction behind 'map' */
  bool has_lanes;
  Value lanes; /* 'i' */
  Macro macros[MAX_MACROS];
  int nmacros, ncommon; /* those of options and preamble come first */
  int ntexts;           /* bytes of 'texts' */
  char texts[MACRO_TEXTS];
  int expansions;
  Function functions[MAX_FUNCTIONS];
  int nfunctions;
  bool checks;      /* definitions are read, */
  bool initial;     /* and now the value of a constant */
  const Call *call; /* NULL: not in a function */
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

/* Reads the macros and the preamble. */
void parse_start (Parser *p, Builder *b, const KernelText *k, char *error);

/* Goes to the first word of a text, whose macros count from now on. 'part': its
** name, or NULL. */
void parse_begin (Parser *p, const char *text, const char *part);

/* Goes back to where p->here was, unless there was an error. */
void parse_go (Parser *p, const Mark *back);
void parse_declare_params (Parser *p);
void parse_declare_numbers (Parser *p); /* only those; arrays are absent */
void parse_statements (Parser *p);      /* to the end */
void parse_statement (Parser *p);
bool parse_finish (Parser *p); /* true: no error */

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

/* Declares a variable of type t with that value, NULL if there is no room. */
Variable *parse_declare_value (Parser *p, Word name, DType t, Value init);

/* Drops all variables but the first n. */
void parse_forget (Parser *p, int n);

/* Returns the current lanes, as a mask in a register of its own. */
Value parse_lanes (Parser *p);

/* Returns v as bools in a register of its own: a variable may change while its
** old value counts. */
Value parse_condition (Parser *p, Value v);

/* Returns the mask of the current lanes in which 'cond' is true. */
Value parse_narrow (Parser *p, Value cond);
void parse_push_mask (Parser *p, Value mask);
void parse_pop_mask (Parser *p);

/* Takes the current lanes out of masks[from ..], and reads a ';'. */
void parse_leave_masks (Parser *p, int from);

void parse_assign (Parser *p, Variable *var, Value v);
void parse_check_result (Parser *p, const Variable *var); /* it is assigned */
Variable *parse_declare (Parser *p, Word name, Value v);

int parse_find (const Parser *p, const Word *name); /* -1: no variable */

Expr parse_unary (Parser *p);
Value parse_call (Parser *p, const Word *name); /* its arguments come next */

/* Parses the arguments of a call, and returns their number. Beyond
** MAX_ARGUMENTS they are not kept, and the number is larger by one. */
int parse_arguments (Parser *p, Value x[MAX_ARGUMENTS + 1]);

/* parse_macros.c: the directives of a text. */
void parse_macro_read_text (Parser *p, const char *text);
const Macro *parse_macro_find (const Parser *p, const Word *name);

/* parse_functions.c: the preamble, its constants and its functions. */
void parse_function_read_preamble (Parser *p);
bool parse_function_constant (Parser *p,
                              Value *v); /* the current word is its name */
bool parse_function_call (Parser *p, const Word *name,
                          Value *v);    /* see parse_call */
void parse_function_return (Parser *p); /* the word 'return' is read already */

Value parse_rvalue (Parser *p, Expr e);

/* Copies the value of a variable, which may change before it is used. */
Value parse_own (Parser *p, Value v);

/* Gives an element its first value. */
void parse_store_element (Parser *p, int variable, int index, Value v);
Value parse_apply (Parser *p, int op, Value x, Value y);
Value parse_increment (Parser *p, Expr e, int op, bool before);

/* Calls the function "atomic_add" ... with an element of a result; its value is
** what the element was. */
Value parse_atomic (Parser *p, const char *name, Expr e, Value v);

/* Returns the type in which C computes; converts two operands to it. */
DType parse_common_type (DType a, DType b);
DType parse_convert_both (Parser *p, Value *x, Value *y);

#endif
