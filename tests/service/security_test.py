"""Permissions, accounts, TLS and credentials, as docs/operations.md has them."""

import os
import shutil
import ssl
import subprocess
import tempfile
import unittest

import harness
from harness import KEYS, SECRET, Client, Server, Service, doc_block, main, wait_for

ENV = {"NATS_USER": "errata", "NATS_PASSWORD": SECRET}


def caller(server, **more):
    return Client(server, user="caller", password="open", **more)


def ends(test, server, *arguments, env=None, status=3):
    """The service must end by itself, with one line and no secret in it. Returns the line."""
    run = harness.run_errata("serve", "--catalog", harness.CATALOG, "--server", server.url, "--log-level", "error",
                             *arguments, env=env)
    text = run.stderr.decode()
    test.assertEqual(run.returncode, status, text)
    test.assertEqual(len(text.splitlines()), 1, text)
    test.assertNotIn("sesame", text)
    return text


class Credentials(unittest.TestCase):
    def test_wrong_password(self):
        with Server(doc_block("service-permissions")) as server:
            for env in ({"NATS_USER": "errata", "NATS_PASSWORD": "sesame-wrong"}, {"NATS_TOKEN": "sesame-token"}, {}):
                text = ends(self, server, env=env)
                self.assertIn("uthorization", text)
            at = "nats://errata:sesame-wrong@127.0.0.1:%d" % server.port
            ends(self, server, env={"NATS_URL": at})

    def test_password_in_url(self):
        """It connects, and is printed nowhere: neither in the log nor in the list of processes' titles."""
        with Server(doc_block("service-permissions")) as server:
            url = "nats://errata:%s@127.0.0.1:%d" % (SECRET, server.port)
            with Service(server, "--log-level", "debug", url=url) as service:
                with open("/proc/%d/comm" % service.process.pid, encoding="utf-8") as file:
                    self.assertEqual(file.read().strip(), "errata")
                server.kill()
                service.wait_event("no connection, trying again")
                server.start()
                service.wait_event("ready again")
                self.assertNotIn(SECRET, service.text())

    def test_nkey(self):
        with Server(doc_block("nkey")) as server:
            with Service(server, "--nkey", os.path.join(KEYS, "user.nk")), caller(server) as client:
                self.assertIn("record", client.request("errors.explain", b"payment declined").json)
            ends(self, server)

    def test_creds(self):
        """An operator's server; the JWT of the service holds its least permissions."""
        with open(os.path.join(KEYS, "account.conf"), encoding="utf-8") as file:
            config = "operator: %s/operator.jwt\n%s" % (KEYS, file.read())
        with Server(config) as server:
            with Service(server, "--creds", os.path.join(KEYS, "service.creds")) as service:
                ask = ["explain", "--remote", "--json", "--server", server.url,
                       "--creds", os.path.join(KEYS, "caller.creds"), "payment declined"]
                run = harness.run_errata(*ask)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn(b'"payment-declined"', run.stdout)
                server.kill()
                server.start()
                service.wait_event("ready again")
                self.assertEqual(harness.run_errata(*ask).returncode, 0)
            ends(self, server)

    def test_broken_creds(self):
        with Server() as server, tempfile.NamedTemporaryFile("w") as file:
            file.write("sesame, but no credentials")
            file.flush()
            ends(self, server, "--creds", file.name, status=2)
            ends(self, server, "--creds", "/nowhere/at/all.creds", status=2)


class Permissions(unittest.TestCase):
    def check(self, block):
        with Server(doc_block(block)) as server, Service(server, env=ENV) as service:
            with caller(server) as client:
                self.assertIn("record", client.request("errors.explain", b"payment declined").json)
                self.assertIn("record", client.request("errors.get", b"34450a0de03b288b").json)
                self.assertEqual(client.request("errors.explain", b"").code, 400)
                self.assertEqual(client.request("errors.status").json["instance"], service.id)
                self.assertEqual(client.errors, [])
                return server, service, client

    def test_with_allow_responses(self):
        self.check("service-permissions")
        with Server(doc_block("service-permissions")) as server, Service(server, env=ENV) as service:
            with caller(server) as client:
                for verb in ("PING", "INFO", "STATS"):
                    for rest in ("", ".errata", ".errata." + service.id):
                        self.assertEqual(client.request("$SRV." + verb + rest).json["id"], service.id)

    def test_without_allow_responses(self):
        self.check("service-permissions-without-allow-responses")

    def test_reply_that_is_denied(self):
        """A caller names a subject where the service may not publish; the next one is served all the same."""
        with Server(doc_block("service-permissions-without-allow-responses")) as server:
            with Service(server, env=ENV) as service, caller(server) as client:
                for _ in range(3):
                    client.publish("errors.explain", b"payment declined", "secret.place")
                self.assertIn("record", client.request("errors.explain", b"payment declined").json)
                service.wait_event("reply denied by the server")
                self.assertEqual(len(service.events("reply denied by the server")), 1)

    def test_each_denied_subscription(self):
        subjects = ["errors.explain errata", "errors.get errata", "errors.status", "$SRV.*", "$SRV.*.errata",
                    "$SRV.*.errata.*"]
        for left_out in subjects:
            allowed = ", ".join('"%s"' % subject for subject in subjects if subject != left_out)
            config = ('authorization { users = [ { user: errata, password: "%s", permissions { subscribe = [%s]\n'
                      ' allow_responses = true } } ] }\n' % (SECRET, allowed))
            with Server(config) as server:
                text = ends(self, server, env=ENV)
                start = left_out.split(" ")[0].split("*")[0]
                self.assertIn('"' + start, text)
                self.assertIn("denies the subscription", text)

    def test_denied_later(self):
        """The server's permissions change; the service finds out when it reconnects."""
        allowed = doc_block("service-permissions")
        with Server(allowed) as server, Service(server, env=ENV, ready=False) as service:
            service.wait_event("ready")
            server.reload(allowed.replace('"errors.get errata", ', ""))
            self.assertEqual(service.wait(), 3)
            self.assertIn('"errors.get"', service.events("ended")[0]["reason"])

    def test_other_queue(self):
        with Server(doc_block("service-permissions")) as server:
            text = ends(self, server, "--queue", "other", env=ENV)
            self.assertRegex(text, r'"errors\.(explain|get)"')


class Accounts(unittest.TestCase):
    def test_other_account(self):
        with Server(doc_block("accounts")) as server:
            with Service(server, env=ENV) as one, Service(server, env=ENV) as two, caller(server) as client:
                self.assertIn("record", client.request("errors.explain", b"payment declined").json)
                self.assertIn("record", client.request("errors.get", b"34450a0de03b288b").json)
                self.assertEqual(client.request("errors.explain", b"nobody has seen this").code, 404)
                instances = {reply.json["instance"] for reply in client.request_all("errors.status", count=2)}
                self.assertEqual(instances, {one.id, two.id})


def make_certificates(folder):
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=errata test CA", "-keyout", "ca.key", "-out", "ca.pem")
    for name, usage in (("server", "serverAuth"), ("client", "clientAuth")):
        with open(os.path.join(folder, name + ".ext"), "w", encoding="utf-8") as file:
            file.write("subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=%s\n" % usage)
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=" + name,
                "-keyout", name + ".key", "-out", name + ".csr")
        openssl("x509", "-req", "-in", name + ".csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                "-days", "2", "-extfile", name + ".ext", "-out", name + ".pem")


@unittest.skipUnless(shutil.which("openssl"), "needs the openssl command")
class Tls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="tls-", dir=harness.FOLDER)
        make_certificates(cls.folder)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def file(self, name):
        return os.path.join(self.folder, name)

    def config(self, more=""):
        block = doc_block("tls").replace("verify: true", "verify: true\n" + more)
        for name in ("server.pem", "server.key", "ca.pem"):
            block = block.replace('"%s"' % name, '"%s"' % self.file(name))
        return block

    def context(self):
        context = ssl.create_default_context(cafile=self.file("ca.pem"))
        context.load_cert_chain(self.file("client.pem"), self.file("client.key"))
        return context

    def options(self):
        return ["--tlsca", self.file("ca.pem"), "--tlscert", self.file("client.pem"),
                "--tlskey", self.file("client.key")]

    def url(self, server):
        return "tls://127.0.0.1:%d" % server.port

    def test_both_sides(self):
        with Server(self.config()) as server:
            with Service(server, *self.options(), url=self.url(server)) as service:
                with Client(server, tls=self.context()) as client:
                    big = b"payment declined\n" + b"x" * 60000
                    for text in [b"payment declined", big] * 20:
                        self.assertIn("record", client.request("errors.explain", text).json)
                for round_ in (1, 2):
                    server.kill()
                    server.start()
                    service.wait_event("ready again", round_)
                with Client(server, tls=self.context()) as client:
                    self.assertIn("record", client.request("errors.explain", b"payment declined").json)

    def test_tls_first(self):
        with Server(self.config("handshake_first: true")) as server:
            with Service(server, *self.options(), "--tlsfirst", url=self.url(server)):
                run = harness.run_errata("explain", "--remote", "--json", "--server", self.url(server), "--tlsfirst",
                                         *self.options(), "payment declined")
                self.assertEqual(run.returncode, 0, run.stderr)

    def test_server_is_not_trusted(self):
        with Server(self.config()) as server:
            for arguments in ([], ["--tlsca", self.file("client.pem")]):
                run = harness.run_errata("serve", "--catalog", harness.CATALOG, "--server", self.url(server),
                                         "--log-level", "error", *arguments)
                self.assertEqual(run.returncode, 3, run.stderr)
                self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)

    def test_no_client_certificate(self):
        with Server(self.config()) as server:
            run = harness.run_errata("serve", "--catalog", harness.CATALOG, "--server", self.url(server),
                                     "--log-level", "error", "--tlsca", self.file("ca.pem"))
            self.assertEqual(run.returncode, 3, run.stderr)


if __name__ == "__main__":
    main()
