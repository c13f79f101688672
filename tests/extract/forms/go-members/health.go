package shop

import "fmt"

type report struct {
	Status string
	Error  string
}

func (s *shop) health(name string, behind bool) *report {
	health := &report{}
	if s.closed {
		health.Error = "the shop is closed for today"
		return health
	}
	if behind {
		desc := "orders are still being recovered"
		health.Error = desc
	}
	if err := s.check(name); err != nil {
		health.Status = "unavailable"
		health.Error = fmt.Sprintf("shelf '%s' is not current: %s", name, err)
		health.Error = err.Error()
	}
	return health
}
