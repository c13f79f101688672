package shop

func TestNothing() { panic("not looked at: a test") }
