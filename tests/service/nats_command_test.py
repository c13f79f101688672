"""The real `nats` command: requests, the monitoring of a microservice, and contexts.

It is looked for in $ERRATA_NATS, in build/tools of the checkout, and on the path;
where there is none the test is skipped and says so.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import harness
from harness import SECRET, Server, Service, clean_environment, doc_block, main

NATS = os.environ.get("ERRATA_NATS") or harness.which_of(os.path.join(harness.ROOT, "build", "tools", "nats"), "nats")


class NatsCommand(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server().start()
        cls.services = [Service(cls.server).start() for _ in range(2)]
        cls.ids = {service.id for service in cls.services}

    @classmethod
    def tearDownClass(cls):
        for service in cls.services:
            service.__exit__(None)
        cls.server.__exit__()

    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.home = home.name

    def nats(self, *arguments, input=b"", env=None, headers=False):
        run = subprocess.run([NATS, *arguments], input=input, capture_output=True, timeout=harness.PATIENCE,
                             env=clean_environment(self.home, **(env or {"NATS_URL": self.server.url})))
        self.assertEqual(run.returncode, 0, run.stderr.decode() + run.stdout.decode())
        return run.stdout.decode() + (run.stderr.decode() if headers else "")

    def test_request(self):
        reply = json.loads(self.nats("req", "--raw", "errors.explain", "payment declined"))
        self.assertEqual(reply["record"]["slug"], "payment-declined")
        line = b'[1] 2026/09/02 10:11:12.131415 [ERR] item "$G `x`" is out of stock\n'
        reply = json.loads(self.nats("req", "--raw", "errors.explain", input=line))
        self.assertEqual(reply["match"]["captures"][0]["value"], "$G `x`")
        page = self.nats("req", "--raw", "-H", "Accept:text/plain", "errors.get", "91605caca46bc33e")
        self.assertIn("Thrown at", page)

    def test_service_error(self):
        shown = self.nats("req", "errors.explain", "nobody has ever seen this one", headers=True)
        self.assertIn("Nats-Service-Error-Code: 404", shown)
        self.assertIn('"code":404', shown)

    def test_status_of_all(self):
        shown = self.nats("req", "--replies=0", "--timeout=1s", "--raw", "errors.status", "")
        found = set(re.findall(r'"instance":"(\w+)"', shown))
        self.assertEqual(found, self.ids)

    def test_micro_list(self):
        shown = self.nats("micro", "ls")
        for name in self.ids:
            self.assertIn(name, shown)
        services = json.loads(self.nats("micro", "ls", "--json"))
        self.assertEqual({service["id"] for service in services}, self.ids)

    def test_micro_info(self):
        for name in self.ids:
            shown = self.nats("micro", "info", "errata", name)
            for subject in ("errors.explain", "errors.get", "errors.status"):
                self.assertIn(subject, shown)

    def test_micro_stats(self):
        self.nats("req", "--raw", "errors.explain", '{"message":"x","\\"quoted\\"":1}')
        self.nats("req", "--raw", "errors.explain", '{"message":"x","limit":"\\"quoted\\""}')
        shown = self.nats("micro", "stats", "errata")
        for name in self.ids:
            self.assertIn(name, shown)
        self.assertIn("explain", shown)

    def test_micro_ping(self):
        shown = self.nats("micro", "ping", "errata")
        for name in self.ids:
            self.assertIn(name, shown)

    def test_contexts(self):
        """A context that the command keeps is used by errata, selected or named."""
        with Server(doc_block("service-permissions")) as server:
            own = {"HOME": self.home, "XDG_CONFIG_HOME": os.path.join(self.home, ".config")}
            self.nats("context", "add", "errata", "--server", server.url, "--user", "errata", "--password", SECRET,
                      env=own)
            self.nats("context", "add", "asker", "--server", server.url, "--user", "caller", "--password", "open",
                      "--select", env=own)
            with Service(None, "--context", "errata", url="", env=own) as service:
                reply = json.loads(self.nats("req", "--raw", "errors.explain", "payment declined", env=own))
                self.assertEqual(reply["record"]["slug"], "payment-declined")
                for selected in ([], ["--context", "asker"]):
                    run = subprocess.run([harness.ERRATA, "explain", "--remote", "--json", *selected,
                                          "payment declined"], capture_output=True, timeout=harness.PATIENCE,
                                         env=clean_environment(self.home), cwd=self.home)
                    self.assertEqual(run.returncode, 0, run.stderr)
                self.assertNotIn(SECRET, service.text())


if __name__ == "__main__":
    if NATS is None or not os.access(NATS, os.X_OK):
        print("no nats command: set ERRATA_NATS, or install v0.5.0 on the path")
        sys.exit(harness.SKIPPED)
    main()
