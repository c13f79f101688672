package server

func NewJSStreamNotFoundError(opts ...ErrorOption) *ApiError {
	return ApiErrors[JSStreamNotFoundErr]
}

func NewJSGeneralError(err error, opts ...ErrorOption) *ApiError {
	e := ApiErrors[JSGeneralErrorF]
	return &ApiError{Description: strings.NewReplacer(args...).Replace(e.Description)}
}

func NewJSPurgeFailedError(err error, opts ...ErrorOption) *ApiError {
	e := ApiErrors[JSPurgeFailedF]
	return &ApiError{Description: strings.NewReplacer(args...).Replace(e.Description)}
}
