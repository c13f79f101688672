; How a C program raises errors; the calls are those of nats.c. docs/extract.md explains
; captures and directives.

(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @function.name parameters: (_) @function.parameters)
    (pointer_declarator
      declarator: (function_declarator declarator: (identifier) @function.name parameters: (_) @function.parameters))
  ]) @function

(preproc_def name: (_) value: (_)) @define.constant
(init_declarator) @define
(assignment_expression) @define

(call_expression function: (identifier) @call.name arguments: (_) @call.arguments) @call

(init_declarator
  declarator: [
    (array_declarator declarator: (identifier) @table.name)
    (pointer_declarator (array_declarator declarator: (identifier) @table.name))
  ]
  value: (initializer_list) @table.body)
(type_definition type: (enum_specifier body: (_) @enum.body) declarator: (type_identifier) @enum.name)
(enum_specifier name: (type_identifier) @enum.name body: (_) @enum.body)

((translation_unit) @settings
  (#kind! "string" "string_literal")
  (#kind! "joined" "concatenated_string")
  (#kind! "concatenation" "binary_expression")
  (#kind! "inner" "parenthesized_expression" "cast_expression")
  (#kind! "name" "identifier")
  (#kind! "member" "field_expression")
  (#kind! "call" "call_expression")
  (#kind! "index" "subscript_expression" "pointer_expression")
  (#kind! "parameter" "parameter_declaration")
  (#kind! "choice" "conditional_expression")
  (#kind! "macro" "preproc_arg")
  (#string-type! "char")

  (#raise! "nats_setError" "exception" "error" "2")
  (#raise! "nats_setErrorReal" "exception" "error" "5")
  (#raise! "nats_setDefaultError" "exception" "error" "1")
  (#raise! "nats_setErrStatusAndTxt" "exception" "error" "2" "optional")
  (#raise! "NATS_UPDATE_ERR_TXT" "exception" "error" "1")
  (#raise! "micro_Errorf" "exception" "error" "1")
  (#raise! "micro_ErrorfCode" "exception" "error" "2" "status" "1")
  (#raise! "microError_Wrapf" "exception" "error" "2")
  (#raise! "fprintf" "log" "error" "2" "when" "1" "stderr")
  (#raise! "perror" "log" "error" "1")

  ; The texts of status codes, and the constants that number them; the first is no error.
  (#text-table! "statusText" "natsStatus" "exception" "error" "2")

  (#text! "PRId64" "d") (#text! "PRIu64" "u") (#text! "PRIi64" "d") (#text! "PRIx64" "x")

  (#error-name! "err")
  (#compares! "strcmp" "strncmp" "strstr" "strcasecmp" "strlen" "memcmp" "assert")

  (#trouble! "no" "not" "none" "without" "invalid" "missing" "fail" "failed" "failure" "error" "cannot" "can't"
    "could" "unable" "unsupported" "unexpected" "unknown" "bad" "empty" "wrong" "too" "must" "denied" "refused")
  (#trouble! "rejected" "mismatch" "corrupt" "malformed" "exceeds" "exceeded" "expired" "stale" "closed" "timeout"
    "lost" "stopped" "disabled" "illegal" "duplicate" "already" "required" "requires")

  (#skip-file! "_test.c")

  (#through-name! "strlen" "nats_GetText" "natsStatus_GetText" "NATS_STR")
  (#name! "s" "status") (#name! "err" "error") (#name! "nc" "connection") (#name! "subj" "subject")
  (#name! "sub" "subscription") (#name! "addr" "address") (#name! "fn" "file") (#name! "fileName" "file")
  (#name! "len" "length") (#name! "msg" "message")
)
