package app

func ask(s *Server, name string) error {
	s.Errorf(texts.NoAnswer, name)
	if name == "" {
		return texts.ErrEmpty
	}
	return errors.New(texts.Unknown)
}
