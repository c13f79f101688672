package server

func dark(s *Server, err error, table map[int]string) error {
	s.Errorf(err.Error())
	s.Warnf("%s: %v", s.name, err)
	s.Errorf(table[3])
	s.Noticef(pick())
	return errors.New(elsewhere.Text)
}
