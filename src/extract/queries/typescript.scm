; How a TypeScript program raises errors. docs/extract.md explains captures and directives.

(function_declaration name: (_) @function.name parameters: (_) @function.parameters) @function
(generator_function_declaration name: (_) @function.name parameters: (_) @function.parameters) @function
(method_definition name: (_) @function.name parameters: (_) @function.parameters) @function
(class_declaration
  name: (_) @function.type
  body: (class_body
    (method_definition name: (_) @function.name parameters: (_) @function.parameters) @function))
[
  (arrow_function parameters: (_) @function.parameters)
  (function_expression parameters: (_) @function.parameters)
] @function.inner

(variable_declarator) @define
(assignment_expression) @define

(call_expression
  function: [
    (identifier) @call.name
    (super) @call.name
    (member_expression object: (_) @call.qualifier property: (_) @call.name)
  ]
  arguments: (arguments) @call.arguments) @call

(throw_statement
  (new_expression
    constructor: [(identifier) @raise.class (member_expression property: (_) @raise.class)]
    arguments: (arguments) @call.arguments) @call)
(new_expression
  constructor: [(identifier) @raise.error (member_expression property: (_) @raise.error)]
  arguments: (arguments) @call.arguments) @call

((program) @settings
  (#kind! "string" "string")
  (#kind! "template" "template_string")
  (#kind! "hole" "template_substitution")
  (#kind! "concatenation" "binary_expression")
  (#kind! "inner" "parenthesized_expression" "await_expression" "as_expression" "non_null_expression" "satisfies_expression")
  (#kind! "name" "identifier")
  (#kind! "member" "member_expression")
  (#kind! "call" "call_expression")
  (#kind! "index" "subscript_expression")
  (#kind! "parameter" "required_parameter" "optional_parameter")
  (#kind! "spread" "spread_element")
  (#kind! "choice" "ternary_expression")

  (#raise! "<thrown>" "exception" "error" "1")
  (#raise! "super" "exception" "error" "1" "optional" "typed")
  (#raise! "*.fatal" "log" "fatal" "1")
  (#raise! "*.error" "log" "error" "1" "optional")
  (#raise! "*.warn" "log" "warning" "1" "optional")
  (#raise! "Promise.reject" "exception" "error" "1" "optional")

  (#error-name! "err" "exception")
  (#through! "String" "1")
  (#compares! "parseInt" "require" "isNaN")

  (#trouble! "no" "not" "none" "without" "invalid" "missing" "fail" "failed" "failure" "error" "cannot" "can't"
    "could" "unable" "unsupported" "unexpected" "unknown" "bad" "empty" "wrong" "too" "must" "denied" "refused")
  (#trouble! "rejected" "mismatch" "corrupt" "malformed" "exceeds" "exceeded" "expired" "stale" "closed" "timeout"
    "lost" "stopped" "disabled" "illegal" "duplicate" "already" "required" "requires")

  (#skip-file! ".test.ts" ".spec.ts" ".d.ts" "_test.ts")

  (#through-name! "String" "Number")
  (#generic! "name" "value" "id" "length" "message" "toString")
  (#name! "e" "error") (#name! "err" "error") (#name! "ex" "error") (#name! "opts" "options")
  (#name! "msg" "message") (#name! "addr" "address") (#name! "subj" "subject")
)
