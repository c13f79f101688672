"""What the integration tests share: a NATS server, `errata serve`, and a client.

The client speaks the NATS protocol over a socket of its own, so that a test sees
headers, subjects and bytes as they are, and depends on no NATS library.

A test file is run with the path of the errata binary as its first argument. It
exits with 77 (skipped) where no nats-server is installed, unless CI is set.
"""

import atexit
import contextlib
import json
import os
import random
import re
import select
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CATALOG = os.path.join(ROOT, "tests", "fixtures", "catalog")
KEYS = os.path.join(HERE, "keys")
ERRATA = None
SKIPPED = 77
SECRET = "sesame-7f3a"  # the password of the user errata in the configurations of docs/operations.md
PATIENCE = 30.0  # seconds that anything may take, on a busy machine and under a sanitizer


def which(name):
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin:/usr/local/bin")


def which_of(path, name):
    return path if os.access(path, os.X_OK) else which(name)


def main():
    """Takes the binary's path off the command line, and runs the tests of the calling file."""
    global ERRATA
    ERRATA = os.path.abspath(sys.argv.pop(1))
    sys.modules["harness"].ERRATA = ERRATA
    if which("nats-server") is None:
        print("no nats-server is installed; these tests need one")
        sys.exit(1 if os.environ.get("CI") else SKIPPED)
    unittest.main(module="__main__", verbosity=2)


# Every process, and the folder of all folders: nothing stays behind when a test ends in the middle of its set-up.
STARTED = []
FOLDER = tempfile.mkdtemp(prefix="errata-test-")


def popen(*arguments, **more):
    process = subprocess.Popen(*arguments, **more)
    STARTED.append(process)
    return process


@atexit.register
def end_processes():
    for process in STARTED:
        if process.poll() is None:
            process.kill()
            process.wait()
    shutil.rmtree(FOLDER, ignore_errors=True)


def free_port():
    """Below the range that the system gives out by itself, so that it is still free after a restart."""
    while True:
        port = random.SystemRandom().randrange(15000, 32000)
        with contextlib.closing(socket.socket()) as probe:
            with contextlib.suppress(OSError):
                probe.bind(("127.0.0.1", port))
                return port


def wait_for(what, condition, patience=PATIENCE):
    """The first true value of `condition`; fails the test when there is none in time."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError("in vain waited for " + what)


def doc_block(name):
    """The code block of docs/operations.md that is marked with `name`."""
    with open(os.path.join(ROOT, "docs", "operations.md"), encoding="utf-8") as file:
        found = re.search(r"<!-- %s -->\n```[a-z]*\n(.*?)```" % re.escape(name), file.read(), re.S)
    if not found:
        raise AssertionError("docs/operations.md has no block marked " + name)
    return found.group(1)


class Server:
    """A nats-server on a port of its own. Use it with `with`."""

    def __init__(self, config=""):
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="server-", dir=FOLDER)
        self.config = os.path.join(self.folder, "server.conf")
        self.log = os.path.join(self.folder, "log")
        self.process = None
        self.write(config)

    def write(self, config):
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(config)

    def start(self):
        for _ in range(20):
            before = self.text().count("Server is ready")
            self.process = popen(
                [which("nats-server"), "-c", self.config, "-a", "127.0.0.1", "-p", str(self.port), "-l", self.log],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                env=dict(os.environ, ERRATA_PASSWORD=SECRET, CALLER_PASSWORD="open"))
            wait_for("the server to listen or to end", lambda: self.text().count("Server is ready") > before
                     or self.process.poll() is not None)
            if self.process.poll() is None:
                return self
            self.fault = self.process.stderr.read().decode()
            self.process.stderr.close()
            if "address already in use" not in self.text() + self.fault:
                break
            if before == 0:
                self.port = free_port()
            time.sleep(0.2)
        raise AssertionError("nats-server ended: " + self.fault + self.text())

    def text(self):
        try:
            with open(self.log, encoding="utf-8", errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
            self.process.stderr.close()

    def reload(self, config):
        self.write(config)
        self.signal(signal.SIGHUP)
        wait_for("the server to reload", lambda: "Reloaded server configuration" in self.text())

    @property
    def url(self):
        return "nats://127.0.0.1:%d" % self.port

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def clean_environment(home, **more):
    """No setting and no context of the user's comes in. The nats command, and errata with it, ask the account's
    database before HOME, but XDG_CONFIG_HOME before that."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("NATS_", "ERRATA_", "XDG_"))}
    environment.update({"HOME": home, "XDG_CONFIG_HOME": os.path.join(home, ".config"), "NO_COLOR": "1", **more})
    return environment


class Service:
    """`errata serve`, its log as JSON. Use it with `with`: it must then end well."""

    def __init__(self, server, *arguments, catalog=CATALOG, ready=True, env=None, url=None):
        self.folder = tempfile.mkdtemp(prefix="service-", dir=FOLDER)
        self.log = os.path.join(self.folder, "log")
        self.arguments = [ERRATA, "serve", "--catalog", catalog, "--log-format", "json", *arguments]
        if url != "":  # else from a context
            self.arguments += ["--server", url or server.url]
        self.env = clean_environment(self.folder, **(env or {}))
        self.wait_ready = ready
        self.process = None
        self.ended = None

    def start(self):
        with open(self.log, "wb") as log:
            self.process = popen(self.arguments, stdout=subprocess.DEVNULL, stderr=log, env=self.env,
                                            cwd=self.folder)
        if self.wait_ready:
            self.wait_event("ready")
        return self

    def events(self, name=None):
        with open(self.log, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file.read().splitlines() if line.startswith("{")]
        return [line for line in lines if name is None or line["event"] == name]

    def text(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def wait_event(self, name, count=1):
        def look():
            if self.process.poll() is not None and name not in ("stopped", "ended"):
                raise AssertionError("errata ended with %s: %s" % (self.process.returncode, self.text()))
            found = self.events(name)
            return found[count - 1] if len(found) >= count else None
        try:
            return wait_for("event %r" % name, look)
        except AssertionError as error:
            raise AssertionError("%s; log:\n%s" % (error, self.text())) from None

    @property
    def id(self):
        return self.events("ready")[0]["id"]

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, patience=PATIENCE):
        try:
            self.ended = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            raise AssertionError("errata did not end; log:\n" + self.text()) from None
        return self.ended

    def stop(self):
        if self.ended is None:
            self.signal(signal.SIGTERM)
            self.wait()
        return self.ended

    def __enter__(self):
        return self.start()

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                code = self.stop()
                if code != 0 and self.wait_ready:
                    raise AssertionError("errata ended with %d: %s" % (code, self.text()))
        finally:
            self.kill()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def run_errata(*arguments, input=None, env=None, patience=PATIENCE):
    with tempfile.TemporaryDirectory(dir=FOLDER) as home:
        return subprocess.run([ERRATA, *arguments], input=input, capture_output=True, timeout=patience,
                              env=clean_environment(home, **(env or {})), cwd=home)


class Message:
    def __init__(self, subject, reply, headers, data):
        self.subject = subject
        self.reply = reply
        self.headers = headers
        self.data = data

    @property
    def code(self):
        """The microservice's error code, 0 for a good reply."""
        return int(self.headers.get("Nats-Service-Error-Code", "0"))

    @property
    def json(self):
        return json.loads(self.data.decode("utf-8"))

    @property
    def text(self):
        return self.data.decode("utf-8")


class Client:
    """One connection, for one thread."""

    def __init__(self, server, user=None, password=None, tls=None, name="test"):
        self.socket = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.messages = []
        self.errors = []
        self.pongs = 0
        self.next_sid = 0
        try:
            self._greet(user, password, tls, name)
        except Exception:
            self.socket.close()
            raise

    def _greet(self, user, password, tls, name):
        self.info = json.loads(self._line()[5:])
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname="localhost")
        options = {"verbose": False, "pedantic": False, "headers": True, "no_responders": True, "lang": "test",
                   "version": "1", "protocol": 1, "name": name}
        if user is not None:
            options.update(user=user, **{"pass": password})
        self.send(b"CONNECT %s\r\n" % json.dumps(options).encode())
        self.inbox = "_INBOX." + os.urandom(8).hex()
        self.subscribe(self.inbox + ".*")
        self.flush()

    def send(self, data):
        self.socket.sendall(data)

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # --- out ---

    def subscribe(self, subject, queue=""):
        self.next_sid += 1
        self.send(b"SUB %s %s %d\r\n" % (subject.encode(), queue.encode(), self.next_sid))
        return self.next_sid

    def publish(self, subject, data=b"", reply="", headers=None):
        data = data.encode() if isinstance(data, str) else data
        if headers is None:
            self.send(b"PUB %s %s %d\r\n%s\r\n" % (subject.encode(), reply.encode(), len(data), data))
            return
        if isinstance(headers, dict):
            headers = b"NATS/1.0\r\n" + b"".join(b"%s: %s\r\n" % (k.encode(), v.encode())
                                                 for k, v in headers.items()) + b"\r\n"
        self.send(b"HPUB %s %s %d %d\r\n%s%s\r\n" % (subject.encode(), reply.encode(), len(headers),
                                                     len(headers) + len(data), headers, data))

    # --- in ---

    def _more(self, patience):
        if isinstance(self.socket, ssl.SSLSocket) and self.socket.pending():
            pass
        elif not select.select([self.socket], [], [], patience)[0]:
            return False
        data = self.socket.recv(1 << 18)
        if not data:
            raise ConnectionError("the server closed the connection: %s" % self.errors)
        self.buffer += data
        return True

    def _line(self):
        while b"\r\n" not in self.buffer:
            if not self._more(PATIENCE):
                raise AssertionError("the server says nothing")
        line, self.buffer = self.buffer.split(b"\r\n", 1)
        return line.decode()

    def _exactly(self, size):
        while len(self.buffer) < size:
            if not self._more(PATIENCE):
                raise AssertionError("the server says nothing")
        data, self.buffer = self.buffer[:size], self.buffer[size:]
        return data

    def _step(self, patience):
        """Takes one protocol line; False when none came."""
        if b"\r\n" not in self.buffer and not self._more(patience):
            return False
        line = self._line()
        verb, _, rest = line.partition(" ")
        if verb in ("MSG", "HMSG"):
            words = rest.split(" ")
            sizes = 2 if verb == "HMSG" else 1
            total = int(words[-1])
            head = int(words[-2]) if verb == "HMSG" else 0
            reply = words[2] if len(words) - sizes == 3 else None
            data = self._exactly(total + 2)[:-2]
            self.messages.append(Message(words[0], reply, parse_headers(data[:head]), data[head:]))
        elif verb == "PING":
            self.send(b"PONG\r\n")
        elif verb == "PONG":
            self.pongs += 1
        elif verb == "-ERR":
            self.errors.append(rest)
        return True

    def flush(self):
        wanted = self.pongs + 1
        self.send(b"PING\r\n")
        end = time.monotonic() + PATIENCE
        while self.pongs < wanted:
            if time.monotonic() > end:
                raise AssertionError("no PONG")
            self._step(1.0)

    def receive(self, patience=PATIENCE):
        """The next message, or None."""
        end = time.monotonic() + patience
        while not self.messages:
            left = end - time.monotonic()
            if left <= 0 or not self._step(left) and left <= 0:
                return None
        return self.messages.pop(0)

    def request(self, subject, data=b"", headers=None, patience=PATIENCE):
        """The reply, or None. A reply of the server itself has the header Status."""
        reply = self.inbox + "." + os.urandom(4).hex()
        self.publish(subject, data, reply, headers)
        end = time.monotonic() + patience
        while True:
            message = self.receive(end - time.monotonic())
            if message is None or message.subject == reply:
                return message

    def request_all(self, subject, data=b"", count=None, patience=1.0):
        """The replies that come within `patience`, or `count` of them."""
        reply = self.inbox + "." + os.urandom(4).hex()
        self.publish(subject, data, reply)
        replies = []
        end = time.monotonic() + (PATIENCE if count else patience)
        while time.monotonic() < end and (count is None or len(replies) < count):
            message = self.receive(max(0.0, end - time.monotonic()))
            if message is not None and message.subject == reply:
                replies.append(message)
        return replies


def parse_headers(data):
    headers = {}
    lines = data.decode().split("\r\n")
    words = lines[0].split(" ", 1)
    if len(words) == 2:
        headers["Status"] = words[1]
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if colon:
            headers[name] = value.strip()
    return headers


class Load(threading.Thread):
    """Keeps `inflight` requests under way until stopped; each must be answered."""

    def __init__(self, server, subject="errors.explain", data=b"payment declined", inflight=16, check=None):
        super().__init__(daemon=True)
        self.client = Client(server, name="load")
        self.subject = subject
        self.data = data
        self.inflight = inflight
        self.check = check
        self.sent = 0
        self.answered = 0
        self.refused = []  # service errors and the server's 503
        self.failure = None
        self.ending = threading.Event()

    def _send(self):
        self.client.publish(self.subject, self.data, "%s.%d" % (self.client.inbox, self.sent))
        self.sent += 1

    def _take(self, patience):
        message = self.client.receive(patience)
        if message is None:
            return False
        self.answered += 1
        if message.headers:
            self.refused.append(message.headers)
        elif self.check:
            self.check(message)
        return True

    def run(self):
        try:
            for _ in range(self.inflight):
                self._send()
            while not self.ending.is_set():
                if self._take(0.1):
                    self._send()
            while self.answered < self.sent and self._take(PATIENCE):
                pass
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error
        finally:
            self.client.close()

    def at_least(self, more):
        """Waits until so many more were answered."""
        goal = self.answered + more
        wait_for("%d replies under load" % more, lambda: self.answered >= goal or self.failure)

    def finish(self):
        """(sent, answered) once all is answered or given up."""
        self.ending.set()
        self.join(PATIENCE * 2)
        if self.failure:
            raise self.failure
        return self.sent, self.answered
