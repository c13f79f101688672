; How a Python program raises errors. docs/extract.md explains captures and directives.

(function_definition name: (_) @function.name parameters: (_) @function.parameters) @function
(class_definition
  name: (_) @function.type
  body: (block [
    (function_definition name: (_) @function.name parameters: (_) @function.parameters) @function
    (decorated_definition
      definition: (function_definition name: (_) @function.name parameters: (_) @function.parameters) @function)
  ]))
(lambda) @function.inner

(assignment) @define
(augmented_assignment) @define

(call
  function: [
    (identifier) @call.name
    (attribute object: (_) @call.qualifier attribute: (_) @call.name)
  ]
  arguments: (argument_list) @call.arguments) @call

(raise_statement
  (call
    function: [(identifier) @raise.class (attribute attribute: (_) @raise.class)]
    arguments: (argument_list) @call.arguments) @call)

(return_statement (_) @return)

((module) @settings
  (#kind! "template" "string")
  (#kind! "hole" "interpolation")
  (#kind! "joined" "concatenated_string")
  (#kind! "concatenation" "binary_operator")
  (#kind! "inner" "parenthesized_expression" "await")
  (#kind! "name" "identifier")
  (#kind! "member" "attribute")
  (#kind! "call" "call")
  (#kind! "index" "subscript")
  (#kind! "list" "tuple" "expression_list" "pattern_list")
  (#kind! "parameter" "typed_parameter" "default_parameter" "typed_default_parameter")
  (#kind! "spread" "list_splat")
  (#kind! "choice" "conditional_expression")

  (#raise! "<thrown>" "exception" "error" "1")
  (#raise! "super.__init__" "exception" "error" "1" "optional" "typed")
  (#raise! "*.critical" "log" "fatal" "1")
  (#raise! "*.fatal" "log" "fatal" "1")
  (#raise! "*.error" "log" "error" "1")
  (#raise! "*.exception" "log" "error" "1")
  (#raise! "*.warning" "log" "warning" "1")
  (#raise! "*.warn" "log" "warning" "1")
  (#raise! "sys.exit" "log" "fatal" "1" "optional")

  (#describes! "__str__" "__repr__")
  (#error-name! "err" "exception" "warning")
  (#format-method! "format")
  (#through! "str" "1")
  (#compares! "isinstance" "len" "print")

  (#trouble! "no" "not" "none" "without" "invalid" "missing" "fail" "failed" "failure" "error" "cannot" "can't"
    "could" "unable" "unsupported" "unexpected" "unknown" "bad" "empty" "wrong" "too" "must" "denied" "refused")
  (#trouble! "rejected" "mismatch" "corrupt" "malformed" "exceeds" "exceeded" "expired" "stale" "closed" "timeout"
    "lost" "stopped" "disabled" "illegal" "duplicate" "already" "required" "requires")

  (#skip-file! "_test.py" "conftest.py")
  (#skip-import! "unittest" "pytest")

  (#through-name! "str" "repr" "len" "int" "type" "list")
  (#generic! "name" "value" "id")
  (#name! "e" "error") (#name! "err" "error") (#name! "exc" "error") (#name! "ex" "error")
  (#name! "msg" "message") (#name! "addr" "address") (#name! "subj" "subject")
)
