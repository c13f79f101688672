package shop

import (
	"errors"
	"fmt"
)

var (
	ErrClosed   = errors.New("shop is closed")
	errNoTill   = fmt.Errorf("%w: till is missing", ErrClosed)
	notAnError  = "just a text"
	ErrUnknown2 = errors.New("customer %name is unknown")
)

func (s *Shop) Open(name string, size int) error {
	if s == nil {
		return ErrClosed
	}
	if size > 3 {
		return fmt.Errorf("door of %q is %d wide", s.Name, size)
	}
	if errors.Is(s.err, ErrClosed) || s.err == errNoTill {
		return nil
	}
	s.fail(errNoTill)
	return errors.New("no such door")
}

func again() error {
	return fmt.Errorf("door of %q is %d wide",
		shopName(),
		len(doors))
}

func stop() {
	panic("shop can not stop")
}
