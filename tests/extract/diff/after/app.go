package app

func open(s *Server, err error) {
	s.Errorf("Stream %q could not be opened: %v", s.name, err)
	s.Errorf("Queue is nearly full")
	s.Warnf("Memory is short")
	s.Warnf("Disk is slow")
}

func shut(s *Server) {
	s.Errorf("Nothing to close")
}
