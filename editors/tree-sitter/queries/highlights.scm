; Colours for tree-sitter. Later patterns win.

(identifier) @variable
(comment) @comment
[(integer_literal) (decimal_literal)] @number
(character_literal) @character
(string_literal) @string

[
  "ACCEPT" "AT" "BEGIN" "BY" "CASE" "CHOICE" "CREATE" "DEADLINE" "DO" "ELSE" "ELSIF" "END" "EXIT" "EXTERNAL" "FOR"
  "IF" "LIVE" "LOOP" "MAX" "NOMOVE" "NONATOMIC" "OF" "READS" "REPEAT" "RESCHEDULE" "RETURN" "SELECT" "SERVER"
  "STRONG" "THEN" "TO" "WEAK" "WHEN" "WHILE" "WITHIN" "WRITES"
] @keyword

[
  "ARRAY" "ASSUME" "CONST" "ENVIRONMENT" "IMPORT" "MODULE" "MONITOR" "ON" "PORT" "PROCEDURE" "PROCESS"
  "PROPERTY" "RECORD" "TYPE" "VAR"
] @keyword.declaration

["ALWAYS" "EVENTUALLY" "NEXT" "UNTIL" "WEAKUNTIL" "RELEASE" "IMPLIES" "IFF"] @keyword.operator.temporal
["DIV" "MOD" "OR" "IN"] @keyword.operator

["+" "-" "*" "/" "&" "~" "=" "#" "<" "<=" ">" ">=" ":=" ".." "!" "?"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["." "," ";" ":" "|"] @punctuation.delimiter

(module (identifier) @module)
(plain_import (identifier) @module)
(alias_import (identifier) @module)
(named_type (ident (identifier) @type))
(type_declaration (identdef (identifier) @type))
(process (identdef (identifier) @function))
(procedure (identdef (identifier) @function))
(property_formula . "PROPERTY" (identifier) @function)
(property_process . "PROPERTY" (identifier) @function)
(call . (ident (identifier) @function.call))
(constant (identdef (identifier) @constant))
(field (name (identifier) @property))
((identifier) @constant.builtin (#any-of? @constant.builtin "TRUE" "FALSE"))
