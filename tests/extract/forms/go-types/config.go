package server

type configErr struct {
	token  token
	reason string
}

func (e *configErr) Error() string {
	if e.token != nil {
		return fmt.Sprintf("%s: %s", e.Source(), e.reason)
	}
	return e.reason
}

type fieldErr struct {
	configErr
	field string
}

func (e *fieldErr) Error() string {
	return fmt.Sprintf("%s: unknown field %q", e.Source(), e.field)
}

func parse(tk token, v any) error {
	if tk == nil {
		return &configErr{tk, fmt.Sprintf("expected a number, got %T", v)}
	}
	if v == nil {
		return &configErr{
			token:  tk,
			reason: "value is missing",
		}
	}
	return &fieldErr{configErr: configErr{token: tk}, field: "x"}
}
