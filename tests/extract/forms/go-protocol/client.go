package server

var ErrTooMany = errors.New("maximum connections exceeded")

func (c *client) refuse(subject string) {
	c.sendErr("Authorization Violation")
	c.sendErrAndErr(ErrTooMany.Error())
	errTxt := fmt.Sprintf("Permissions Violation for %q", subject)
	c.sendErr(errTxt)
	sendErr(409, "Consumer is push based")
	hdr := []byte("NATS/1.0 404 No Messages\r\nNats-X: %d\r\n\r\n")
	ok := []byte("NATS/1.0 100 Idle Heartbeat\r\n\r\n")
	http.Error(w, "not a websocket request", 400)
	use(hdr, ok)
}

func (c *client) sendErrAndErr(err string) {
	c.sendErr(err)
	c.Errorf(err)
}
