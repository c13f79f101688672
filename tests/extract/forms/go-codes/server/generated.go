package server

func NewJSStreamNotFoundError(opts ...ErrorOption) *ApiError {
	return ApiErrors[JSStreamNotFoundErr]
}
