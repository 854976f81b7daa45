/* The tokens of LF for tree-sitter, as lfc/syntax/grammar/lexer.py cuts them; included by parser.c, which names them.
 * A lexical state says which meanings a word may have where the parser stands. */

#define OR_SEPARATES 1 /* the branches of a CHOICE */
#define BEHIND_SEMICOLON 2
#define IS_MONITOR 4
#define IS_ON 8

static bool is_letter(int32_t c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

static bool is_digit(int32_t c) {
  return c >= '0' && c <= '9';
}

static bool is_blank(int32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool found(TSLexer *lexer, TSSymbol symbol) {
  lexer->mark_end(lexer);
  lexer->result_symbol = symbol;
  return true;
}

static void next(TSLexer *lexer) {
  lexer->advance(lexer, false);
}

/* The token that ends behind the next character. */
static bool take(TSLexer *lexer, TSSymbol symbol) {
  next(lexer);
  return found(lexer, symbol);
}

/* One of two characters if `second` follows, else one of one. */
static bool either(TSLexer *lexer, int32_t second, TSSymbol two, TSSymbol one) {
  next(lexer);
  return lexer->lookahead == second ? take(lexer, two) : found(lexer, one);
}

static bool spells(const char *word, const char *name) {
  for (; *word && *word == *name; word++, name++)
    ;
  return *word == *name;
}

static bool lex_word(TSLexer *lexer, TSStateId state, bool first_of_line) {
  char word[LONGEST_KEYWORD + 1];
  unsigned length = 0;
  for (; is_letter(lexer->lookahead) || is_digit(lexer->lookahead); next(lexer))
    if (length <= LONGEST_KEYWORD)
      word[length++] = (char)lexer->lookahead;
  if (length > LONGEST_KEYWORD)
    return found(lexer, T_IDENT);
  word[length] = 0;
  if (spells(word, "OR")) {
    bool separates = (state & OR_SEPARATES) && (first_of_line || (state & BEHIND_SEMICOLON));
    return found(lexer, separates ? T_OR_BRANCH : T_OR);
  }
  if ((spells(word, "MONITOR") && !(state & IS_MONITOR)) || (spells(word, "ON") && !(state & IS_ON)))
    return found(lexer, T_IDENT);
  for (unsigned i = 0; i < sizeof KEYWORDS / sizeof *KEYWORDS; i++)
    if (spells(word, KEYWORDS[i].name))
      return found(lexer, KEYWORDS[i].symbol);
  return found(lexer, T_IDENT);
}

/* 12, 0FFH, 0DX, 12.5; of `1..9` the first digit only. */
static bool lex_number(TSLexer *lexer) {
  int32_t last = 0;
  for (; is_letter(lexer->lookahead) || is_digit(lexer->lookahead); next(lexer))
    last = lexer->lookahead;
  found(lexer, last == 'X' ? T_CHARACTER : T_INTEGER);
  if (lexer->lookahead != '.')
    return true;
  next(lexer);
  if (!is_digit(lexer->lookahead))
    return true; /* the end that was marked */
  while (is_letter(lexer->lookahead) || is_digit(lexer->lookahead))
    next(lexer);
  return found(lexer, T_DECIMAL);
}

static bool lex_quoted(TSLexer *lexer, int32_t quote) {
  unsigned length = 0;
  next(lexer);
  if (quote == '\'' && lexer->lookahead == '\'') { /* ''' is the quote itself, '' an empty string */
    take(lexer, T_STRING);
    return lexer->lookahead == '\'' ? take(lexer, T_CHARACTER) : true;
  }
  for (; lexer->lookahead != quote; length++) {
    if (lexer->lookahead == '\n' || lexer->eof(lexer))
      return false;
    next(lexer);
  }
  return take(lexer, quote == '\'' && length == 1 ? T_CHARACTER : T_STRING);
}

/* Behind its first bracket; comments nest. */
static bool lex_comment(TSLexer *lexer) {
  unsigned depth = 1;
  next(lexer);
  while (depth > 0) {
    if (lexer->eof(lexer))
      return false;
    int32_t c = lexer->lookahead;
    next(lexer);
    if (c == '(' && lexer->lookahead == '*') {
      depth++;
      next(lexer);
    } else if (c == '*' && lexer->lookahead == ')') {
      depth--;
      next(lexer);
    }
  }
  return found(lexer, T_COMMENT);
}

/* < <= <> <-> */
static bool lex_less(TSLexer *lexer) {
  take(lexer, T_LESSTHAN);
  if (lexer->lookahead == '=')
    return take(lexer, T_LESS_EQUAL);
  if (lexer->lookahead == '>')
    return take(lexer, T_EVENTUALLY);
  if (lexer->lookahead != '-')
    return true;
  next(lexer);
  return lexer->lookahead == '>' ? take(lexer, T_IFF) : true;
}

static bool lex_punctuation(TSLexer *lexer) {
  switch (lexer->lookahead) {
  case '(':
    take(lexer, T_LPAR);
    return lexer->lookahead == '*' ? lex_comment(lexer) : true;
  case '<':
    return lex_less(lexer);
  case ':':
    return either(lexer, '=', T_BECOMES, T_COLON);
  case '.':
    return either(lexer, '.', T_RANGE, T_DOT);
  case '>':
    return either(lexer, '=', T_GREATER_EQUAL, T_MORETHAN);
  case '-':
    return either(lexer, '>', T_IMPLIES, T_MINUS);
  case '[':
    return either(lexer, ']', T_ALWAYS, T_LSQB);
  }
  for (unsigned i = 0; i < sizeof SINGLE / sizeof *SINGLE; i++)
    if (lexer->lookahead == SINGLE[i].character)
      return take(lexer, SINGLE[i].symbol);
  return false;
}

static bool lex(TSLexer *lexer, TSStateId state) {
  bool first_of_line = false;
  for (; is_blank(lexer->lookahead); lexer->advance(lexer, true))
    first_of_line |= lexer->lookahead == '\n';
  if (lexer->eof(lexer))
    return found(lexer, 0);
  if (is_letter(lexer->lookahead))
    return lex_word(lexer, state, first_of_line);
  if (is_digit(lexer->lookahead))
    return lex_number(lexer);
  if (lexer->lookahead == '"' || lexer->lookahead == '\'')
    return lex_quoted(lexer, lexer->lookahead);
  return lex_punctuation(lexer);
}
