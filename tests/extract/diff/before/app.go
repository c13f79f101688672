package app

func open(s *Server, err error) {
	s.Errorf("Stream %q can not be opened: %v", s.name, err)
	s.Warnf("Queue is nearly full")
	s.Errorf("Consumer %q is gone", s.name)
	s.Warnf("Disk is slow")
}

func close(s *Server) {
	s.Errorf("Nothing to close")
}
