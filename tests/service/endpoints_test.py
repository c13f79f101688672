"""Every endpoint, every error code, headers and forms, and the monitoring of a microservice."""

import glob
import json
import os
import unittest

import harness
from harness import CATALOG, Client, Server, Service, main

LIMIT = 64 * 1024
SUBJECTS = ["errors.explain", "errors.get", "errors.status"]


def records():
    """Every record of the fixture, as its file has it."""
    found = []
    for path in glob.glob(os.path.join(CATALOG, "**", "*.*json"), recursive=True):
        with open(path, encoding="utf-8") as file:
            documents = file.read().splitlines() if path.endswith(".ndjson") else [file.read()]
        found += [json.loads(document)["record"] for document in documents]
    return found


class WithService(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server().start()
        cls.service = Service(cls.server).start()

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__(None)
        cls.server.__exit__()

    def setUp(self):
        self.client = Client(self.server)
        self.addCleanup(self.client.close)

    def refused(self, reply, code):
        """A service error, with the same in headers and body."""
        self.assertEqual(reply.code, code)
        self.assertEqual(reply.json["error"]["code"], code)
        self.assertEqual(reply.json["error"]["description"], reply.headers["Nats-Service-Error"])
        self.assertNotIn("\n", reply.headers["Nats-Service-Error"])


class Explain(WithService):
    def test_text(self):
        reply = self.client.request("errors.explain", "[7] 2026/09/02 10:11:12.131415 [ERR] payment declined")
        self.assertEqual(reply.headers, {})
        self.assertEqual(reply.json["record"]["slug"], "payment-declined")
        self.assertEqual(reply.json["match"]["text"], "payment declined")
        self.assertIn("datasetVersion", reply.json)

    def test_object(self):
        request = {"message": 'item "lamp" is out of stock', "repo": "acme/shop", "fields": ["id"], "limit": 1}
        reply = self.client.request("errors.explain", json.dumps(request))
        self.assertEqual(reply.json["record"], {"id": "91605caca46bc33e"})
        self.assertEqual([c["value"] for c in reply.json["match"]["captures"]], ["lamp"])

    def test_empty(self):
        self.refused(self.client.request("errors.explain", b""), 400)

    def test_wrong_member(self):
        reply = self.client.request("errors.explain", b'{"message":"payment declined","limit":"5"}')
        self.refused(reply, 400)
        self.assertIn("limit", reply.json["error"]["description"])

    def test_nothing_matches(self):
        reply = self.client.request("errors.explain", b"nobody has ever seen this one")
        self.refused(reply, 404)
        self.assertIn("nearest", reply.json)
        self.refused(self.client.request("errors.explain", b"   "), 404)

    def test_size(self):
        text = b"payment declined\n"
        reply = self.client.request("errors.explain", text + b"x" * (LIMIT - len(text)))
        self.assertEqual(reply.code, 0)
        reply = self.client.request("errors.explain", text + b"x" * (LIMIT - len(text) + 1))
        self.refused(reply, 413)
        self.assertIn(str(LIMIT), reply.json["error"]["description"])
        self.assertIn(str(LIMIT + 1), reply.json["error"]["description"])

    def test_bytes(self):
        for text in [bytes(range(256)) * 8, b"\xff\xfe payment declined \x80\x00", b"\x00", b"\xed\xa0\x80" * 100,
                     b'{"message":"\\ud800 payment declined"}', b'{"message":', b"[" * 60000]:
            reply = self.client.request("errors.explain", text)
            self.assertIn(reply.code, (0, 400, 404))
            self.assertIsInstance(reply.json, dict)

    def test_page(self):
        for accept in ({"Accept": "text/plain"}, {"accept": "text/markdown; q=1"}):
            reply = self.client.request("errors.explain", b"payment declined", accept)
            self.assertEqual(reply.code, 0)
            self.assertIn("payment declined", reply.text)
            self.assertIn("Thrown at", reply.text)
            self.assertRaises(ValueError, json.loads, reply.text)
        reply = self.client.request("errors.explain", b"nobody has ever seen this one", {"Accept": "text/plain"})
        self.assertEqual(reply.code, 404)
        self.assertRaises(ValueError, json.loads, reply.text)
        reply = self.client.request("errors.explain", b"payment declined", {"Accept": "application/json"})
        self.assertEqual(reply.json["record"]["slug"], "payment-declined")

    def test_broken_headers(self):
        for headers in (b"NATS/1.0\r\nno colon\r\n\r\n", b"NATS/1.0\r\nAccept:\r\n\r\n", b"NATS/1.0 503\r\n\r\n",
                        b"nonsense\r\n\r\n", b"NATS/1.0\r\n\r\n"):
            reply = self.client.request("errors.explain", b"payment declined", headers)
            self.assertEqual(reply.json["record"]["slug"], "payment-declined")
        self.client.publish("errors.explain", b"", self.client.inbox + ".x", b"NATS/1.0 503\r\n\r\n")
        self.assertEqual(self.client.request("errors.explain", b"payment declined").code, 0)


class Get(WithService):
    def test_every_record(self):
        for record in records():
            for key in (record["id"], record["repo"] + "/" + record["slug"], "/api/errors/" + record["id"]):
                reply = self.client.request("errors.get", key)
                self.assertEqual(list(reply.json), ["record", "datasetVersion"])
                self.assertEqual(list(reply.json["record"].items()), list(record.items()))

    def test_slug(self):
        reply = self.client.request("errors.get", "item-q-is-out-of-stock")
        self.assertEqual(reply.json["record"]["id"], "91605caca46bc33e")

    def test_several(self):
        for key in ("payment-declined", "4020"):
            reply = self.client.request("errors.get", key)
            self.refused(reply, 400)
            self.assertEqual({near["repo"] for near in reply.json["nearest"]}, {"acme/depot", "acme/shop"})

    def test_unknown(self):
        self.refused(self.client.request("errors.get", "0000000000000000"), 404)
        self.refused(self.client.request("errors.get", b""), 400)
        self.refused(self.client.request("errors.get", b"x" * (LIMIT + 1)), 413)

    def test_page(self):
        reply = self.client.request("errors.get", "91605caca46bc33e", {"Accept": "text/plain"})
        self.assertIn("acme/shop", reply.text)


class Status(WithService):
    def test_status(self):
        before = self.client.request("errors.status").json
        self.assertEqual(before["instance"], self.service.id)
        self.assertEqual(before["records"], {"acme/depot": 2, "acme/shop": 4})
        self.assertEqual(len(before["hash"]), 64)
        self.client.request("errors.explain", b"payment declined")
        self.client.request("errors.get", b"34450a0de03b288b")
        self.client.request("errors.explain", b"nobody has ever seen this one")
        self.client.request("errors.explain", b"")
        after = self.client.request("errors.status").json
        self.assertEqual(after["hits"], before["hits"] + 2)
        self.assertEqual(after["misses"], before["misses"] + 1)


class Monitor(WithService):
    def ask(self, verb, *rest):
        return self.client.request(".".join(["$SRV", verb, *rest])).json

    def endpoint(self, name):
        return [e for e in self.ask("STATS", "errata", self.service.id)["endpoints"] if e["name"] == name][0]

    def test_subjects(self):
        for verb, kind in (("PING", "ping"), ("INFO", "info"), ("STATS", "stats")):
            for rest in ((), ("errata",), ("errata", self.service.id)):
                reply = self.ask(verb, *rest)
                self.assertEqual(reply["type"], "io.nats.micro.v1.%s_response" % kind)
                self.assertEqual(reply["name"], "errata")
                self.assertEqual(reply["id"], self.service.id)
                self.assertRegex(reply["version"], r"^\d+\.\d+\.\d+$")
                self.assertIsInstance(reply["metadata"], dict)

    def test_info(self):
        info = self.ask("INFO", "errata")
        self.assertTrue(info["description"])
        self.assertEqual([e["subject"] for e in info["endpoints"]], SUBJECTS)
        self.assertEqual([e["queue_group"] for e in info["endpoints"]], ["errata", "errata", ""])
        for endpoint in info["endpoints"]:
            self.assertEqual(sorted(endpoint["metadata"]), ["accept", "reply", "request"])

    def test_counts(self):
        before = self.endpoint("explain")
        self.client.request("errors.explain", b"payment declined")
        self.client.request("errors.explain", b"payment declined")
        self.client.request("errors.explain", b"nobody has ever seen this one")
        after = self.endpoint("explain")
        self.assertEqual(after["num_requests"], before["num_requests"] + 3)
        self.assertEqual(after["num_errors"], before["num_errors"] + 1)
        self.assertTrue(after["last_error"].startswith("404:"))
        self.assertGreater(after["processing_time"], before["processing_time"])
        self.assertEqual(after["average_processing_time"], after["processing_time"] // after["num_requests"])
        self.assertEqual(after["data"]["hits"], before["data"]["hits"] + 2)
        self.assertEqual(after["data"]["misses"], before["data"]["misses"] + 1)
        self.assertEqual(len(after["data"]["hash"]), 64)
        self.assertRegex(self.ask("STATS")["started"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_without_reply(self):
        before = self.endpoint("explain")
        for data in (b"payment declined", b"", b"x" * (LIMIT + 1)):
            self.client.publish("errors.explain", data)
        self.client.publish("$SRV.STATS", b"")
        self.client.request("errors.get", b"34450a0de03b288b")
        after = self.endpoint("explain")
        for member in ("num_requests", "num_errors", "last_error"):
            self.assertEqual(after[member], before[member])
        self.assertEqual(after["data"]["ignored"], before["data"]["ignored"] + 3)

    def test_quotes(self):
        """JSON stays JSON whatever an error's text holds."""
        self.client.request("errors.explain", b'{"message":"x","limit":1e99,"\\"quoted\\"\\r\\n":1}')
        self.client.request("errors.explain", b'{"message":"payment declined","fields":["\\"quoted\\"\\r\\nPUB x 0"]}')
        self.client.request("errors.get", b'"quoted"\r\nPUB x 0')
        for name in ("explain", "get"):
            self.assertGreater(self.endpoint(name)["num_errors"], 0)


class Settings(unittest.TestCase):
    def test_prefix_and_queue(self):
        with Server() as server, Service(server, "--prefix", 'why."not"', "--queue", "pool"), Client(server) as client:
            reply = client.request('why."not".explain', b"payment declined")
            self.assertEqual(reply.json["record"]["slug"], "payment-declined")
            info = client.request("$SRV.INFO.errata").json
            self.assertEqual(info["endpoints"][0]["subject"], 'why."not".explain')
            self.assertEqual(info["endpoints"][0]["queue_group"], "pool")
            self.assertEqual(client.request("errors.status").headers["Status"], "503")

    def test_max_request(self):
        with Server() as server, Service(server, "--max-request", "100"), Client(server) as client:
            self.assertEqual(client.request("errors.explain", b"x" * 100).code, 404)
            self.assertEqual(client.request("errors.explain", b"x" * 101).code, 413)

    def test_max_payload(self):
        """A small server: the limit of a request is cut, and a reply that does not fit becomes an error that does."""
        with Server("max_payload: 700") as server, Service(server) as service, Client(server) as client:
            self.assertEqual(service.events("max-request cut to the server's max_payload")[0]["max_payload"], 700)
            reply = client.request("errors.explain", b"payment declined")
            self.assertEqual(reply.code, 413)
            self.assertIn("fields", reply.json["error"]["description"])
            small = b'{"message":"payment declined","repo":"acme/depot","fields":["id"],"limit":1}'
            reply = client.request("errors.explain", small)
            self.assertIn(reply.code, (0, 413))
            self.assertEqual(client.request("$SRV.STATS.errata").code, 413)
            self.assertEqual(client.request("$SRV.PING.errata").json["id"], service.id)
            self.assertEqual(client.request("errors.status").code, 0)


if __name__ == "__main__":
    main()
