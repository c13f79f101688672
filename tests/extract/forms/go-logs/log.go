package server

func (s *Server) Warnf(format string, v ...any) {
	s.logger.Warnf(format, v...)
}

func (c *client) run(acc *Account, err error) {
	c.Errorf("publish by %s failed: %v", acc.Name, err)
	c.srv.Warnf("queue of %s is long", acc.Name)
	c.RateLimitWarnf("still long: %d", len(c.queue))
	s.RateLimitErrorf("slow: %v", c.rtt)
	s.Fatalf("can not listen on %s:%d", opts.Host, opts.Port)
	s.Noticef("listening on %s", addr)
	s.Debugf("not looked at: %s", addr)
	c.Tracef("not looked at")
	s.Warnf("publish by %s failed: %v", mset.account().Name, err)
}
