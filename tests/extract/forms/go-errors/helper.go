package shop

import "testing"

func help(t *testing.T) { t.Fatalf("not looked at: %v", errors.New("only tests import this")) }
