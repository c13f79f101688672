"""Running the program from a test: bounded, in a clean environment, with or without a terminal."""
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import unittest

import fcntl
import termios

ERRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "errata"
CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CATALOG = os.path.join(CHECKOUT, "tests", "fixtures", "catalog")
SECONDS = 60


def environment(**more):
    """That of the test without what would change an answer; contexts are looked for in an empty folder."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ERRATA_", "NATS_")) and k != "NO_COLOR"}
    kept["XDG_CONFIG_HOME"] = EMPTY.name
    kept["TERM"] = "xterm"
    kept.update(more)
    return kept


EMPTY = tempfile.TemporaryDirectory(prefix="errata-cli-")


class Done:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    def __repr__(self):
        return f"status {self.status}\n--- output\n{self.out}\n--- errors\n{self.err}"


def errata(*words, text=b"", env=None, **options):
    """Runs it; output and errors are bytes decoded as UTF-8."""
    done = subprocess.run([ERRATA, *words], input=text, capture_output=True, timeout=SECONDS,
                          env=environment(**(env or {})), **options)
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def on_terminal(*words, columns=80, env=None, typed=None):
    """The same with a terminal for input, output and errors; all that it printed, with "\\r\\n" as "\\n"."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([ERRATA, *words], stdin=slave, stdout=slave, stderr=slave,
                               env=environment(**(env or {})), start_new_session=True)
    os.close(slave)
    if typed is not None:
        os.write(master, typed)
    shown = b""
    try:
        while True:
            if not select.select([master], [], [], SECONDS)[0]:
                raise TimeoutError("nothing came from the program")
            try:
                part = os.read(master, 65536)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            shown += part
        status = process.wait(SECONDS)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        os.close(master)
    return Done(status, shown.decode().replace("\r\n", "\n"), "")


class ProgramCase(unittest.TestCase):
    maxDiff = None

    def expect(self, done, status):
        self.assertEqual(done.status, status, done)
        return done

    def complains(self, done, *parts, status=2):
        """One line on standard error that begins with the program's name, and nothing on standard output."""
        self.expect(done, status)
        self.assertEqual(done.out, "", done)
        self.assertTrue(done.err.startswith("errata: "), done)
        self.assertEqual(done.err.count("\n"), 1, done)
        for part in parts:
            self.assertIn(part, done.err)
        return done
