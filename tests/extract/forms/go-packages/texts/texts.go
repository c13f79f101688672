package texts

import "errors"

const NoAnswer = "responder %s gave no answer"

var ErrEmpty = errors.New("response is empty")
