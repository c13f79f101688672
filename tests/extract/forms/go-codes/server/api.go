package server

func (s *Server) info(err error) {
	resp.Error = NewJSNoPeersError(err)
	if s.none {
		resp.Error = NewJSStreamNotFoundError(Unless(err))
	}
	resp.Error = ApiErrors[JSStreamNotFoundErr]
	resp.Error = NewJSGeneralError(err)
	resp.Error = NewJSPurgeFailedError(err)
	other = errors.New("stream not found")
}
