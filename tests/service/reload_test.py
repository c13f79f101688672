"""SIGHUP: a new catalog is swapped in whole, under load; a bad one leaves the old in service."""

import json
import os
import shutil
import signal
import tempfile
import unittest

import harness
from harness import CATALOG, Client, Load, Server, Service, main, wait_for


class Reload(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="catalog-", dir=harness.FOLDER)
        self.addCleanup(shutil.rmtree, self.folder)
        self.catalog = os.path.join(self.folder, "catalog")
        shutil.copytree(CATALOG, self.catalog)
        self.path = os.path.join(self.catalog, "shop", "payment-declined.json")
        with open(self.path, encoding="utf-8") as file:
            self.document = json.load(file)

    def rewrite(self, documentation):
        self.document["record"]["documentation"] = documentation
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.document, file)
        os.rename(self.path + ".new", self.path)

    def documentation(self, client):
        return client.request("errors.get", "acme/shop/payment-declined").json["record"]["documentation"]

    def test_good_and_bad_under_load(self):
        request = json.dumps({"message": "payment declined", "repo": "acme/shop"}).encode()
        seen = set()
        with Server() as server, Service(server, catalog=self.catalog) as service, Client(server) as client:
            load = Load(server, data=request, check=lambda m: seen.add(m.json["record"]["documentation"]))
            load.start()
            hashes = {client.request("errors.status").json["hash"]}
            for number in range(1, 6):
                self.rewrite("edition %d" % number)
                service.signal(signal.SIGHUP)
                wait_for("the new catalog", lambda: self.documentation(client) == "edition %d" % number)
                hashes.add(client.request("errors.status").json["hash"])
                load.at_least(100)
            self.assertEqual(len(hashes), 6)

            good = client.request("errors.status").json["hash"]
            for number, broken in enumerate((b'{"record": {"id": "broken"', b"", b'{"record":{}}'), 1):
                with open(os.path.join(self.catalog, "shop", "zz-broken.json"), "wb") as file:
                    file.write(broken)
                service.signal(signal.SIGHUP)
                refused = service.wait_event("catalog refused, the old one stays in service", number)
                self.assertIn("zz-broken.json", refused["reason"])
                self.assertEqual(client.request("errors.status").json["hash"], good)
                load.at_least(100)
            shutil.rmtree(self.catalog)
            service.signal(signal.SIGHUP)
            service.wait_event("catalog refused, the old one stays in service", 4)
            load.at_least(100)

            sent, answered = load.finish()
            self.assertEqual(answered, sent)
            self.assertEqual(load.refused, [])
            self.assertEqual({text for text in seen if text.startswith("edition")},
                             {"edition %d" % number for number in range(1, 6)})
            data = client.request("$SRV.STATS.errata").json["endpoints"][0]["data"]
            self.assertEqual((data["reloads"], data["reloadFailures"], data["hash"]), (5, 4, good))

    def test_many_signals(self):
        """However they come, the last state of the folder is what is served in the end."""
        with Server() as server, Service(server, catalog=self.catalog) as service, Client(server) as client:
            for number in range(50):
                self.rewrite("edition %d" % number)
                service.signal(signal.SIGHUP)
            wait_for("the last edition", lambda: self.documentation(client) == "edition 49")

    def test_while_disconnected(self):
        with Server() as server, Service(server, catalog=self.catalog) as service:
            server.kill()
            service.wait_event("connection lost")
            self.rewrite("written in between")
            service.signal(signal.SIGHUP)
            service.wait_event("catalog loaded", 2)
            server.start()
            service.wait_event("ready again")
            with Client(server) as client:
                self.assertEqual(self.documentation(client), "written in between")

    def test_while_stopping(self):
        with Server() as server, Service(server, catalog=self.catalog) as service:
            for _ in range(5):
                service.signal(signal.SIGHUP)
            self.assertEqual(service.stop(), 0)


class Logs(unittest.TestCase):
    def test_text_of_a_request(self):
        """At debug only; and whatever it holds, it forges no line and no field."""
        hostile = b'secret-7 "} \n{"time":"x","event":"forged"}\r\n2026-01-01T00:00:00.000Z INF forged \x1b[31m'
        with Server() as server, Client(server) as client:
            with Service(server, "--log-level", "info") as service:
                client.request("errors.explain", hostile)
                client.request("errors.get", hostile)
                client.request("errors.explain", b'{"message":1,"secret-7":1}')
                self.assertEqual(service.stop(), 0)
                self.assertNotIn("secret-7", service.text())
            with Service(server, "--log-level", "debug") as service:
                client.request("errors.explain", hostile)
                requests = service.wait_event("request")
                self.assertTrue(requests["text"].startswith('secret-7 "} \n'))
                self.assertEqual(service.events("forged"), [])
                self.assertEqual(service.stop(), 0)
                for line in service.text().splitlines():
                    json.loads(line)
            with Service(server, "--log-level", "debug", "--log-format", "text", ready=False) as service:
                wait_for("ready", lambda: " ready " in service.text())
                client.request("errors.explain", hostile)
                wait_for("the request", lambda: "secret-7" in service.text())
                self.assertFalse([line for line in service.text().splitlines() if line.startswith("2026-01-01")])
                self.assertNotIn("\x1b", service.text())


if __name__ == "__main__":
    main()
