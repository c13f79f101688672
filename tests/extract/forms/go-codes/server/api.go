package server

func (s *Server) info(err error) {
	resp.Error = NewJSNoPeersError(err)
	if s.none {
		resp.Error = NewJSStreamNotFoundError(Unless(err))
	}
	resp.Error = ApiErrors[JSStreamNotFoundErr]
	other = errors.New("stream not found")
}
