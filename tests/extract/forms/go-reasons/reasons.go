package server

func (s *Server) check(acc *Account, cfg config) error {
	var reason string
	if cfg.Old {
		reason = "unsupported configuration"
	} else {
		reason = fmt.Sprintf("required level is %d", cfg.Level)
	}
	s.Warnf("Stream %q stopped: %s", acc.Name, reason)

	text := fmt.Sprintf("Account %q is gone", acc.Name)
	if cfg.Loud {
		text = "Account is gone, loudly"
	}
	s.Errorf(text)

	msg := fmt.Sprintf("Queue %q is full", cfg.Queue)
	return errors.New(msg)
}

func (fs *store) warn(format string, args ...any) {
	fs.srv.Warnf(fmt.Sprintf("Store [%s] %s", fs.name, format), args...)
}

func (fs *store) open(err error) error {
	fs.warn("Block %d could not be read: %v", fs.block, err)
	return fail("cannot be opened now", "message block")
}

func fail(reason, kind string) error {
	return fmt.Errorf("store %q: %s", kind, reason)
}
