"""The command line against a NATS server and a service. usage: remote_test.py PROGRAM

Needs nats-server; without it the test is skipped, and fails where CI is set.
"""
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from program import CATALOG, ERRATA, ProgramCase, environment, errata, on_terminal

NATS_SERVER = shutil.which("nats-server", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/bin")
ORDER = "49a1f06aa0562e0a"
SECONDS = 30

CONFIG = """
authorization {
  users = [
    {user: "service", password: "s3cret"}
    {user: "asker", password: "as\\"k\\\\er", permissions: {publish: ["errors.>"], subscribe: ["_INBOX.>"]}}
    {user: "silent", password: "pw", permissions: {publish: ["other"], subscribe: ["_INBOX.>"]}}
    {user: "deaf", password: "pw", permissions: {publish: ["errors.>"], subscribe: ["other"]}}
    {user: "own", password: "pw", permissions: {publish: ["errors.>"], subscribe: ["_MINE.>"]}}
    {nkey: "UAB2CB576PHBBPQ5ODORRZ2LYCMWPZGWGCN2KDK7DXOIMZASKUY3RLKK"}
  ]
}
"""
SEED = "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4H776Y"


class Process:
    """A started program whose standard error goes to a file; ended by its own id."""

    def __init__(self, *words):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(words, stdout=self.log, stderr=self.log, env=environment())

    def text(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def await_line(self, part):
        end = time.monotonic() + SECONDS
        while part not in self.text():
            if self.process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"no {part!r}: {self.text()}")
            time.sleep(0.02)

    def stop(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(SECONDS)
        self.log.close()
        return status


class Server(Process):
    def __init__(self, folder, name, *words):
        ports = tempfile.mkdtemp(dir=folder)
        super().__init__(NATS_SERVER, "-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", ports, *words)
        try:
            self.await_line("Server is ready")
        except AssertionError:
            self.stop()
            raise
        end = time.monotonic() + SECONDS
        found = []
        while not found:
            if time.monotonic() > end:
                raise AssertionError("no file with the port")
            found = glob.glob(os.path.join(ports, "*.ports"))
            if found:
                with open(found[0]) as file:
                    text = file.read()
                found = found if text.strip().endswith("}") else []
            time.sleep(0.02)
        self.url = json.loads(text)["nats"][0]
        self.address = self.url.split("//")[1]


class Remote(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="errata-remote-")
        cls.addClassCleanup(cls.folder.cleanup)
        config = os.path.join(cls.folder.name, "server.conf")
        with open(config, "w") as file:
            file.write(CONFIG)
        cls.server = Server(cls.folder.name, "users", "-c", config)
        cls.addClassCleanup(cls.server.stop)
        cls.service = cls.start_service()

    @classmethod
    def start_service(cls, *words):
        service = Process(ERRATA, "serve", "--catalog", CATALOG, "--server", cls.server.url, "--user", "service",
                          "--password", "s3cret", *words)
        try:
            service.await_line("ready")
        except AssertionError:
            service.stop()
            raise
        return service

    @classmethod
    def tearDownClass(cls):
        status = cls.service.stop()
        assert status == 0, status

    def ask(self, *words, user="asker", password='as"k\\er', more=(), **options):
        login = ("--user", user, "--password", password) if user else ()
        return errata(*words, "--remote", "--server", self.server.url, *login, "--timeout", "5s", *more, **options)

    def test_same_as_the_local_catalog(self):
        texts = ("payment declined", "cannot place order 17: item \"mug\" is out of stock", "zzz qqq", "",
                 '{"message":"payment declined","limit":1}', '{"message":"payment declined","limit":"x"}')
        for text in texts:
            for form in ((), ("--json",)):
                local = errata("explain", "--catalog", CATALOG, *form, text=text.encode())
                remote = self.ask("explain", *form, text=text.encode())
                self.assertEqual(repr(remote), repr(local), text)
        for name in (ORDER, "acme/shop/payment-declined", "4020", "nothing"):
            local = errata("get", "--catalog", CATALOG, "--json", name)
            self.assertEqual(repr(self.ask("get", "--json", name)), repr(local), name)

    def test_options_of_the_request(self):
        done = self.expect(self.ask("explain", "--json", "--repo", "acme/depot", "--fields", "repo", "payment declined"),
                           0)
        self.assertEqual(json.loads(done.out)["record"], {"repo": "acme/depot"})

    def test_bytes(self):
        line = b"payment declined\n\xff\xfe\x00\x80"
        self.expect(self.ask("explain", text=line), 0)

    def test_too_large(self):
        done = self.expect(self.ask("explain", "--json", text=b"x" * (64 * 1024 + 1)), 2)
        self.assertEqual(json.loads(done.out)["error"]["code"], 413)
        self.complains(self.ask("explain", text=b"x" * (2 << 20)), "2097152 bytes", "1048576")

    def test_no_service(self):
        self.complains(self.ask("explain", "x", "--prefix", "errors.none"),
                       f"no errata service answers on errors.none.explain at {self.server.url}", status=3)

    def test_another_prefix(self):
        service = self.start_service("--prefix", "errors.test.deep", "--queue", "q")
        try:
            self.expect(self.ask("get", "--json", ORDER, "--prefix", "errors.test.deep"), 0)
            self.expect(self.ask("get", "--json", ORDER, env={"ERRATA_PREFIX": "errors.test.deep"}), 0)
        finally:
            self.assertEqual(service.stop(signal.SIGINT), 0)

    def test_permissions(self):
        done = self.complains(self.ask("explain", "x", user="asker", password="wrong"), "refuses these credentials",
                              status=3)
        self.assertNotIn("wrong", done.err)
        self.complains(self.ask("explain", "x", user="silent", password="pw"), "Permissions Violation for Publish",
                       "errors.explain", status=3)
        self.complains(self.ask("explain", "x", user="deaf", password="pw"), "Permissions Violation for Subscription",
                       status=3)
        self.complains(self.ask("explain", "x", user="own", password="pw"), "Permissions Violation", status=3)
        self.expect(self.ask("get", ORDER, user="own", password="pw", more=("--inbox-prefix", "_MINE")), 0)

    def test_user_in_url(self):
        url = f"nats://asker:as%22k%5Cer@{self.server.address}"
        self.expect(errata("get", "--remote", "--server", url, ORDER), 0)
        done = self.complains(errata("get", "--remote", "--server", url, "--prefix", "errors.none", ORDER), status=3)
        self.assertNotIn("as%22k", done.err)

    def test_nkey(self):
        path = os.path.join(self.folder.name, "user.nk")
        with open(path, "w") as file:
            file.write(SEED + "\n")
        self.expect(self.ask("get", ORDER, user=None, more=("--nkey", path)), 0)
        self.expect(self.ask("get", ORDER, user=None, env={"NATS_NKEY": path}), 0)

    def test_context(self):
        folder = os.path.join(self.folder.name, "nats", "context")
        os.makedirs(folder)
        with open(os.path.join(folder, "shop.json"), "w") as file:
            json.dump({"description": "", "url": self.server.url, "user": "asker", "password": 'as"k\\er'}, file)
        there = {"XDG_CONFIG_HOME": self.folder.name}
        self.expect(errata("get", "--remote", "--context", "shop", ORDER, env=there), 0)
        self.expect(errata("get", "--remote", ORDER, env={**there, "NATS_CONTEXT": "shop"}), 0)
        self.expect(errata("get", "--remote", "--context", os.path.join(folder, "shop.json"), ORDER), 0)
        with open(os.path.join(self.folder.name, "nats", "context.txt"), "w") as file:
            file.write("shop")
        self.expect(errata("get", "--remote", ORDER, env=there), 0)
        self.complains(errata("get", "--remote", "--no-context", "--server", self.server.url, ORDER, env=there),
                       "refuses these credentials", status=3)

    def test_no_answer_in_time(self):
        """A subscriber that never replies: the service, stopped."""
        service = self.start_service("--prefix", "errors.asleep")
        try:
            service.process.send_signal(signal.SIGSTOP)
            self.complains(self.ask("get", ORDER, more=("--prefix", "errors.asleep", "--timeout", "300ms")),
                           "no reply from errors.asleep.get", "within 300 ms", status=3)
        finally:
            service.process.send_signal(signal.SIGCONT)
            service.stop()

    def test_terminal(self):
        done = on_terminal("get", ORDER, "--remote", "--server", self.server.url, "--user", "asker", "--password",
                           'as"k\\er')
        self.expect(done, 0)
        self.assertNotIn("\x1b", done.out)

    def test_serve_without_standard_error(self):
        """Its log must not reach what is opened next, which would get the number 2: the epoll, or the socket."""
        words = ("serve", "--catalog", CATALOG, "--server", self.server.url, "--user", "service", "--password",
                 "s3cret", "--prefix", "errors.mute", "--log-level", "debug")
        process = subprocess.Popen(["sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-', ERRATA, *words], env=environment())
        try:
            end = time.monotonic() + SECONDS
            while self.ask("get", ORDER, more=("--prefix", "errors.mute")).status != 0:
                self.assertIsNone(process.poll())
                self.assertLess(time.monotonic(), end)
            for number in range(3):
                name = os.readlink(f"/proc/{process.pid}/fd/{number}")
                self.assertEqual(name, "/dev/null", number)
        finally:
            process.terminate()
            self.assertEqual(process.wait(SECONDS), 0)

    def test_serve_faults(self):
        serve = ("serve", "--catalog", CATALOG, "--log-level", "off")
        self.complains(errata(*serve, "--server", self.server.url, "--user", "service", "--password", "sesame"),
                       status=3)
        done = self.complains(errata(*serve, "--server", self.server.url, "--user", "asker", "--password", 'as"k\\er'),
                              "denies the subscription", status=3)
        self.assertNotIn("as\"k", done.err)

    @unittest.skipUnless(shutil.which("nats"), "the nats command is not installed")
    def test_context_of_the_nats_command(self):
        with tempfile.TemporaryDirectory(dir=self.folder.name) as home:
            there = {"XDG_CONFIG_HOME": home}
            done = subprocess.run(["nats", "context", "add", "shop", "--server", self.server.url, "--user", "asker",
                                   "--password", 'as"k\\er', "--select"], env=environment(**there), timeout=SECONDS,
                                  capture_output=True, stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 0, done)
            self.expect(errata("get", "--remote", ORDER, env=there), 0)
            self.expect(errata("get", "--remote", "--context", "shop", ORDER, env=there), 0)


@unittest.skipUnless(shutil.which("openssl"), "no openssl to make certificates with")
class Tls(ProgramCase):
    """A server that wants a client's certificate; no service stands behind it, so that the answer is that none does."""

    ANSWER = "no errata service answers"

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="errata-tls-")
        cls.addClassCleanup(cls.folder.cleanup)
        for name in ("ca", "other"):
            cls.openssl("req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout", name + ".key", "-out", name + ".pem",
                        "-days", "2", "-subj", "/CN=" + name)
        cls.certificate("server", "subjectAltName=DNS:localhost,IP:127.0.0.1")
        cls.certificate("client", "subjectAltName=DNS:client")
        cls.certificate("stranger", "subjectAltName=DNS:elsewhere.invalid")
        cls.server = cls.start("server", "")
        cls.first = cls.start("server", "handshake_first: true")
        cls.stranger = cls.start("stranger", "")

    @classmethod
    def openssl(cls, *words):
        done = subprocess.run(["openssl", *words], cwd=cls.folder.name, capture_output=True, timeout=SECONDS)
        assert done.returncode == 0, done

    @classmethod
    def certificate(cls, name, extension):
        with open(os.path.join(cls.folder.name, "ext"), "w") as file:
            file.write(extension)
        cls.openssl("req", "-newkey", "ed25519", "-nodes", "-keyout", name + ".key", "-out", name + ".csr", "-subj",
                    "/CN=" + name)
        cls.openssl("x509", "-req", "-in", name + ".csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                    "-out", name + ".pem", "-days", "2", "-extfile", "ext")

    @classmethod
    def file(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def start(cls, name, more):
        config = cls.file(name + str(len(more)) + ".conf")
        with open(config, "w") as file:
            file.write(f'tls {{ cert_file: "{cls.file(name)}.pem", key_file: "{cls.file(name)}.key", '
                       f'ca_file: "{cls.file("ca.pem")}", verify: true, {more} }}')
        server = Server(cls.folder.name, name, "-c", config)
        cls.addClassCleanup(server.stop)
        return server

    def ask(self, server, *words, ca="ca", client="client", scheme="tls://", **options):
        files = ("--tlscert", self.file(client + ".pem"), "--tlskey", self.file(client + ".key")) if client else ()
        return errata("get", "--remote", "--server", scheme + server.address.replace("127.0.0.1", "localhost"),
                      *files, *(("--tlsca", self.file(ca + ".pem")) if ca else ()), *words, ORDER, **options)

    def test_accepted(self):
        self.complains(self.ask(self.server), self.ANSWER, status=3)
        self.complains(self.ask(self.server, scheme=""), self.ANSWER, status=3)
        self.complains(self.ask(self.first, "--tlsfirst"), self.ANSWER, status=3)
        self.complains(self.ask(self.server, ca=None, client=None, env={
            "NATS_CA": self.file("ca.pem"), "NATS_CERT": "$NATS_FOLDER/client.pem",
            "NATS_KEY": "file://${NATS_FOLDER}/client.key", "NATS_FOLDER": self.folder.name}), self.ANSWER, status=3)

    def test_refused(self):
        for done in (self.ask(self.server, ca=None), self.ask(self.server, ca="other"), self.ask(self.stranger)):
            self.complains(done, "TLS with tls://localhost:", "failed", status=3)
            self.assertNotIn(self.ANSWER, done.err)
        done = self.complains(self.ask(self.server, client=None), status=3)
        self.assertNotIn(self.ANSWER, done.err)
        plain = Server(self.folder.name, "plain")
        try:
            done = self.complains(self.ask(plain), status=3)
            self.assertNotIn(self.ANSWER, done.err)
        finally:
            plain.stop()


if __name__ == "__main__":
    if NATS_SERVER is None:
        print("nats-server is not installed")
        sys.exit(1 if os.environ.get("CI") else 77)
    unittest.main()
