package server

const badRequestT = "Malformed request: %q"

const (
	prefix  = "over "
	overT   = prefix + "limit of %d" + " bytes"
	rawText = `raw \n text of "%s"`
)

func f(s *Server, msg []byte, err error, max int) error {
	const connT = "Error connecting to %s: %v"
	s.Warnf(badRequestT, msg)
	s.Warnf(connT, s.host, err)
	s.Errorf(overT, max)
	s.Errorf(rawText, s.name)
	s.Warnf("first half, " +
		"second half of %s", s.name)
	s.Errorf(`spans
two lines`)
	s.Errorf("tab\t quote\" slash\\ byte\x41 rune\u00e9 octal\101")
	s.Warnf(badRequestT, other)
	return errors.New("limit for " + s.user + " reached")
}
