; How a Go program raises errors. docs/extract.md explains captures and directives.

(package_clause (package_identifier) @package)
(import_spec path: (_) @import)

(function_declaration
  name: (_) @function.name
  parameters: (_) @function.parameters) @function

(method_declaration
  receiver: (parameter_list (parameter_declaration
    name: (identifier)? @function.self
    type: [
      (type_identifier) @function.type
      (generic_type type: (type_identifier) @function.type)
      (pointer_type (type_identifier) @function.type)
      (pointer_type (generic_type type: (type_identifier) @function.type))
    ]))
  name: (_) @function.name
  parameters: (_) @function.parameters) @function

(func_literal parameters: (_) @function.parameters) @function.inner

(const_spec) @define.constant
[(var_spec) (short_var_declaration) (assignment_statement)] @define

(call_expression
  function: [
    (identifier) @call.name
    (selector_expression operand: (_) @call.qualifier field: (_) @call.name)
  ]
  arguments: (_) @call.arguments) @call

; A value given to a member: `health.Error = text` is read as a call of `Error`.
(assignment_statement
  left: (expression_list (selector_expression operand: (_) @call.qualifier field: (_) @call.name))
  right: (expression_list) @call.arguments) @call

(composite_literal
  type: [
    (type_identifier) @literal.type
    (qualified_type name: (_) @literal.type)
  ]
  body: (_) @literal.body)

(type_spec name: (_) @type.name type: (struct_type (field_declaration_list) @type.fields))

(return_statement (expression_list (_) @return))
(return_statement (expression_list [(identifier) (selector_expression)] @use))
(assignment_statement right: (expression_list [(identifier) (selector_expression)] @use))
(short_var_declaration right: (expression_list [(identifier) (selector_expression)] @use))
(send_statement value: [(identifier) (selector_expression)] @use)
(literal_element [(identifier) (selector_expression)] @use)
(index_expression operand: (identifier) @code.table index: (_) @code)

((source_file) @settings
  ; What the evaluator does with a node.
  (#kind! "string" "interpreted_string_literal")
  (#kind! "raw-string" "raw_string_literal")
  (#kind! "concatenation" "binary_expression")
  (#kind! "inner" "parenthesized_expression" "unary_expression" "type_conversion_expression" "literal_element")
  (#kind! "name" "identifier")
  (#kind! "member" "selector_expression")
  (#kind! "call" "call_expression")
  (#kind! "index" "index_expression" "slice_expression" "type_assertion_expression")
  (#kind! "list" "expression_list")
  (#kind! "parameter" "parameter_declaration" "variadic_parameter_declaration")
  (#kind! "spread" "variadic_argument")
  (#kind! "pair" "keyed_element")
  (#string-type! "string" "[]byte")

  ; What raises: callee, kind, severity, the argument that is the text, the one that is a status.
  (#raise! "errors.New" "exception" "error" "1")
  (#raise! "fmt.Errorf" "exception" "error" "1")
  (#raise! "NewErrorCtx" "exception" "error" "2")
  (#raise! "panic" "exception" "fatal" "1")
  (#raise! "PrintAndDie" "log" "fatal" "1")
  (#raise! "*.PrintAndDie" "log" "fatal" "1")
  (#raise! "*.Fatalf" "log" "fatal" "1")
  (#raise! "*.Errorf" "log" "error" "1")
  (#raise! "*.RateLimitErrorf" "log" "error" "1")
  (#raise! "*.Errorc" "log" "error" "1" "reason")
  (#raise! "*.Errorsc" "log" "error" "2" "reason")
  (#raise! "logf" "log" "error" "1")
  (#raise! "*.Error" "exception" "error" "1" "optional")
  (#raise! "*.Warnf" "log" "warning" "1")
  (#raise! "*.RateLimitWarnf" "log" "warning" "1")
  (#raise! "*.rateLimitFormatWarnf" "log" "warning" "1")
  (#raise! "*.Noticef" "log" "info" "1")
  (#raise! "*.sendErr" "protocol" "error" "1")
  (#raise! "sendErr" "protocol" "error" "2" "status" "1")
  (#raise! "*.errorf" "exception" "error" "1")
  (#raise! "http.Error" "protocol" "error" "2" "status" "3")

  ; A status line that is sent as a header: the text behind the three digits.
  (#status-line! "NATS/1.0 ")

  ; Words that tell a reason from a name, in a text that fills another one's placeholder.
  (#trouble! "no" "not" "none" "without" "invalid" "missing" "lacks" "fail" "failed" "failure" "error" "errored"
    "errors" "cannot" "can't" "could" "couldn't" "unable" "unsupported" "unexpected" "unknown" "unrecognized" "bad")
  (#trouble! "empty" "wrong" "too" "must" "denied" "refused" "rejected" "mismatch" "mismatched" "overrun" "corrupt"
    "corrupted" "malformed" "short" "exceeds" "exceeded" "greater" "expired" "stale" "closed" "timeout" "timed"
    "lost" "stopped" "disabled" "disallowed" "forbidden" "illegal" "duplicate" "already" "required" "requires")

  ; A type's own text: the method that gives it, and how grave it is where that is known.
  (#describes! "Error")
  (#type! "configErr" "exception" "fatal")
  (#type! "unknownConfigFieldErr" "exception" "fatal")
  (#type! "configWarningErr" "exception" "warning")
  (#error-name! "err")
  (#text-of! "Error" "String")

  ; Definitions with codes: the table's name, prefix and suffix of a code's constructor.
  (#codes! "ApiErrors" "New" "Error")

  (#format! "fmt.Sprintf" "1")
  (#format! "fmt.Appendf" "2")
  (#format! "fmt.Errorf" "1")
  (#through! "errors.New" "1")
  (#through! "string" "1")
  (#through! "bytesToString" "1")
  (#through! "strings.TrimSpace" "1")
  (#through! "fmt.Sprint" "1")
  (#through! "*.format" "1")
  (#through! "*.formatNoClientInfo" "1")
  (#compares! "errors.Is" "errors.As" "IsNatsErr" "strings.Contains" "strings.HasPrefix" "len" "append")

  (#skip-file! "_test.go" ".pb.go")
  (#skip-import! "testing")

  ; Names for captures.
  (#generic! "Name" "name" "ID" "Id" "String" "Error" "Value" "Load" "Unwrap")
  (#through-name! "string" "len" "strings.Join" "strings.TrimSpace" "strings.ToLower" "time.Duration"
    "friendlyBytes" "comma" "fmt.Sprint" "bytesToString" "int" "int64" "uint64" "float64")
  (#name! "err" "error") (#name! "e" "error") (#name! "errs" "errors") (#name! "cerr" "error")
  (#name! "acc" "account") (#name! "a" "account") (#name! "accName" "account") (#name! "aname" "account")
  (#name! "accountName" "account") (#name! "mset" "stream") (#name! "sa" "stream") (#name! "sname" "stream")
  (#name! "streamName" "stream") (#name! "stream_name" "stream") (#name! "o" "consumer")
  (#name! "ca" "consumer") (#name! "cname" "consumer") (#name! "consumerName" "consumer")
  (#name! "subj" "subject") (#name! "addr" "address") (#name! "cfg" "config") (#name! "opts" "options")
  (#name! "fn" "file") (#name! "fname" "file") (#name! "filename" "file") (#name! "dir" "directory")
  (#name! "seq" "sequence") (#name! "mb" "block") (#name! "tk" "token") (#name! "mk" "field")
  (#name! "mv" "value") (#name! "v" "value") (#name! "s" "server") (#name! "c" "connection")
  (#name! "rc" "code") (#name! "dur" "duration") (#name! "ln" "leafnode") (#name! "gw" "gateway")
  (#name! "gwName" "gateway") (#name! "u" "url") (#name! "hp" "address") (#name! "msg" "message")
  (#name! "pl" "payload") (#name! "cid" "client_id") (#name! "ci" "client")
)
