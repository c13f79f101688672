"""Start, stop, restart: of the service, of its replicas, and of the server."""

import os
import signal
import tempfile
import time
import unittest

import harness
from harness import Client, Load, Server, Service, main, wait_for


def answers(client):
    reply = client.request("errors.explain", b"payment declined")
    return reply is not None and "record" in reply.json


def first_in(server):
    """A connection to a server that takes one alone, against those that try for it too."""
    for _ in range(50):
        try:
            return Client(server)
        except (ConnectionError, AssertionError):
            server.kill()
            server.start()
    raise AssertionError("never first")


def signals_blocked(pid):
    """Whether the process takes SIGTERM by itself by now."""
    with open("/proc/%d/status" % pid, encoding="utf-8") as file:
        blocked = [line.split()[1] for line in file if line.startswith("SigBlk")][0]
    return int(blocked, 16) >> (signal.SIGTERM - 1) & 1


class Start(unittest.TestCase):
    def test_bad_catalog(self):
        bad = harness.ROOT + "/tests/fixtures/bad-pattern.json"
        with Server() as server, Service(server, catalog=bad, ready=False) as service:
            self.assertEqual(service.wait(), 2)
            self.assertIn("bad-pattern.json", service.events("ended")[0]["reason"])

    def test_bad_names(self):
        for arguments in (("--prefix", "errors.*"), ("--prefix", "a b"), ("--prefix", "$SRV"), ("--prefix", "a..b"),
                          ("--prefix", "x" * 200), ("--queue", "a b"), ("--queue", "q\x01")):
            run = harness.run_errata("serve", "--catalog", harness.CATALOG, "--server", "nats://127.0.0.1:1",
                                     *arguments)
            self.assertEqual(run.returncode, 2, (arguments, run.stderr))

    def test_no_server(self):
        """It waits for one, and then says that there is none."""
        port = harness.free_port()
        run = harness.run_errata("serve", "--catalog", harness.CATALOG, "--server", "nats://127.0.0.1:%d" % port,
                                 "--log-level", "error")
        self.assertEqual(run.returncode, 3)
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        self.assertIn(str(port).encode(), run.stderr)

    def test_server_comes_later(self):
        server = Server()
        service = Service(server, ready=False).start()
        try:
            service.wait_event("no connection, trying again", 2)
            server.start()
            service.wait_event("ready")
            self.assertEqual(service.stop(), 0)
        finally:
            service.__exit__(Exception)
            server.__exit__()

    def test_stop_while_loading(self):
        """A catalog that takes its time."""
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(harness.CATALOG, "depot.ndjson"), "rb") as file:
                lines = file.read()
            with open(os.path.join(folder, "large.ndjson"), "wb") as file:
                for number in range(20000):
                    file.write(lines.splitlines()[0].replace(b"ad64d8b92aae4fc2", b"%016x" % number)
                               .replace(b'"payment-declined"', b'"payment-declined-%d"' % number) + b"\n")
            server = Server()
            service = Service(server, catalog=folder, ready=False)
            service.start()
            try:
                wait_for("the signals to be taken", lambda: signals_blocked(service.process.pid))
                self.assertEqual(service.stop(), 0)
                self.assertIn("stopping", service.text())
            finally:
                service.kill()
                server.__exit__()

    def test_stop_before_connected(self):
        server = Server()
        with Service(server, ready=False) as service:
            service.wait_event("no connection, trying again")
            self.assertEqual(service.stop(), 0)

    def test_stop_while_server_is_silent(self):
        """Something accepts the connection and says nothing."""
        import socket
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen(8)
            url = "nats://127.0.0.1:%d" % listener.getsockname()[1]
            with Service(None, "--drain-timeout", "1s", url=url, ready=False) as service:
                service.wait_event("catalog loaded")
                time.sleep(0.2)
                self.assertEqual(service.stop(), 0)


class Stop(unittest.TestCase):
    def test_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Server() as server, Service(server) as service:
                service.signal(number)
                self.assertEqual(service.wait(), 0)
                service.wait_event("stopped")

    def test_drain_under_load(self):
        """One of two replicas stops; no request is lost and none is refused."""
        with Server() as server, Service(server) as stays, Service(server) as goes:
            loads = [Load(server, inflight=32) for _ in range(2)]
            for load in loads:
                load.start()
                load.at_least(200)
            self.assertEqual(goes.stop(), 0)
            for load in loads:
                load.at_least(200)
                sent, answered = load.finish()
                self.assertEqual(answered, sent)
                self.assertEqual(load.refused, [])
            with Client(server) as client:
                self.assertEqual(len(client.request_all("errors.status")), 1)
            self.assertEqual(stays.events("connection lost"), [])

    def test_last_one_answers_what_it_took(self):
        """With no other replica a request is answered, or the server says at once that nobody is there."""
        with Server() as server, Service(server) as service:
            load = Load(server, inflight=64)
            load.start()
            load.at_least(200)
            self.assertEqual(service.stop(), 0)
            sent, answered = load.finish()
            self.assertEqual(answered, sent)
            self.assertEqual({headers["Status"] for headers in load.refused}, {"503"})

    def test_server_is_gone(self):
        with Server() as server, Service(server) as service:
            server.kill()
            service.wait_event("connection lost")
            began = time.monotonic()
            self.assertEqual(service.stop(), 0)
            self.assertLess(time.monotonic() - began, 10)

    def test_server_hangs(self):
        """The server takes nothing and says nothing: the drain timeout bounds the stop."""
        with Server() as server, Service(server, "--drain-timeout", "1s") as service:
            server.signal(signal.SIGSTOP)
            self.assertEqual(service.stop(), 0)
            self.assertTrue(service.events("not drained in time, closing"))

    def test_second_signal(self):
        with Server() as server, Service(server, "--drain-timeout", "5m") as service:
            server.signal(signal.SIGSTOP)
            service.signal(signal.SIGTERM)
            service.wait_event("stopping")
            service.signal(signal.SIGINT)
            self.assertEqual(service.wait(), 128 + signal.SIGINT)
            service.wait_ready = False  # it was not to end with 0


class Reconnect(unittest.TestCase):
    def test_server_restarts(self):
        with Server() as server, Service(server) as service:
            for round_ in range(1, 4):
                server.kill()
                service.wait_event("connection lost", round_)
                server.start()
                service.wait_event("ready again", round_)
                with Client(server) as client:
                    self.assertTrue(answers(client))
                    ping = client.request("$SRV.PING.errata." + service.id)
                    self.assertEqual(ping.json["id"], service.id)
                    stats = client.request("$SRV.STATS.errata").json
                    self.assertEqual(stats["endpoints"][0]["data"]["connectionsLost"], round_)

    def test_restart_under_load(self):
        """What is asked after the restart is answered, and the service is not stuck with what was before."""
        with Server() as server, Service(server) as service:
            load = Load(server, inflight=64)
            load.start()
            load.at_least(500)
            server.kill()
            load.join()
            self.assertIsInstance(load.failure, OSError)
            server.start()
            service.wait_event("ready again")
            again = Load(server, inflight=64)
            again.start()
            again.at_least(500)
            sent, answered = again.finish()
            self.assertEqual(answered, sent)

    def test_server_is_full(self):
        """The server lets nobody in: an error that nats.c would not survive. It tries on until there is room."""
        with Server() as server, Service(server) as service:
            server.kill()
            service.wait_event("connection lost")
            server.write("max_connections: 1\n")
            server.start()
            service.wait_event("ready again")
            server.kill()
            server.start()
            only = first_in(server)
            before = len(service.events("no connection, trying again"))
            wait_for("refusals", lambda: len(service.events("no connection, trying again")) > before + 2)
            only.close()
            service.wait_event("ready again", 2)

    def test_another_server_of_the_cluster(self):
        """One is configured, the other was told of."""
        config = "cluster { name: c, listen: 127.0.0.1:%d, routes: [nats://127.0.0.1:%d] }\n"
        ports = harness.free_port(), harness.free_port()
        with Server(config % (ports[0], ports[1])) as first, Server(config % (ports[1], ports[0])) as second:
            with Client(first) as client:
                def both():
                    if len(client.info.get("connect_urls", [])) > 1:
                        return True
                    client.close()
                    client.__init__(first)
                    return False
                wait_for("the cluster", both)
            with Service(first) as service:
                first.kill()
                again = service.wait_event("ready again")
                self.assertIn(str(second.port), again["server"])
                with Client(second) as client:
                    self.assertTrue(answers(client))

    def test_credentials_change_while_connected(self):
        """Refused at a reconnect it tries on, and is back once the server takes it again."""
        config = 'authorization { users: [ {user: "svc", password: "%s"} ] }'
        env = {"NATS_USER": "svc", "NATS_PASSWORD": "first-secret"}
        with Server(config % "first-secret") as server, Service(server, env=env) as service:
            server.kill()
            server.write(config % "second-secret")
            server.start()
            wait_for("refusals", lambda: len(service.events("no connection, trying again")) > 2)
            server.kill()
            server.write(config % "first-secret")
            server.start()
            service.wait_event("ready again")
            self.assertNotIn("secret", service.text())


class Replicas(unittest.TestCase):
    def test_three(self):
        """They share the load; status is answered by each."""
        with Server() as server, Service(server) as one, Service(server) as two, Service(server) as three:
            everyone = {one.id, two.id, three.id}
            with Client(server) as client:
                for _ in range(300):
                    self.assertTrue(answers(client))
                replies = [reply.json for reply in client.request_all("errors.status", count=3)]
                self.assertEqual({reply["instance"] for reply in replies}, everyone)
                self.assertEqual(len({reply["hash"] for reply in replies}), 1)
                self.assertEqual(sum(reply["hits"] for reply in replies), 300)
                self.assertTrue(all(reply["hits"] > 30 for reply in replies), replies)
                pings = client.request_all("$SRV.PING.errata", count=3)
                self.assertEqual({ping.json["id"] for ping in pings}, everyone)

    def test_rolling_restart(self):
        """Start the new one, wait until it is ready, stop the old one; three times over, under load."""
        with Server() as server:
            running = [Service(server).start() for _ in range(3)]
            load = Load(server, inflight=48)
            try:
                load.start()
                load.at_least(200)
                for _ in range(3):
                    running.append(Service(server).start())
                    self.assertEqual(running.pop(0).stop(), 0)
                    load.at_least(200)
                sent, answered = load.finish()
                self.assertEqual(answered, sent)
                self.assertEqual(load.refused, [])
            finally:
                for service in running:
                    service.stop()


class Storm(unittest.TestCase):
    CONFIG = 'max_pending: 2MB\nwrite_deadline: "1s"\nmax_payload: 1MB\n'

    def test_slow_consumer(self):
        """The service stands still until the server gives it up; then it comes back by itself."""
        with Server(self.CONFIG) as server, Service(server) as service, Client(server) as client:
            service.signal(signal.SIGSTOP)
            for _ in range(400):
                client.publish("errors.explain", b"x" * 60000, client.inbox + ".storm")
            wait_for("the server to give up", lambda: "Slow Consumer" in server.text())
            service.signal(signal.SIGCONT)
            service.wait_event("connection lost")
            service.wait_event("ready again")
            self.assertTrue(answers(client))

    def test_reader_that_stalls(self):
        """Who asks does not read: its replies wait at the server, and others are served."""
        with Server(self.CONFIG) as server, Service(server), Client(server) as greedy, Client(server) as other:
            for _ in range(20000):
                greedy.publish("errors.explain", b"payment declined", greedy.inbox + ".x")
            for _ in range(20):
                self.assertTrue(answers(other))

    def test_storm(self):
        """More than can be answered at once: all is answered, in the end."""
        with Server() as server, Service(server) as service:
            loads = [Load(server, inflight=512) for _ in range(3)]
            for load in loads:
                load.start()
            for load in loads:
                load.at_least(2000)
            with Client(server) as client:
                self.assertEqual(client.request("$SRV.PING.errata").json["id"], service.id)
            for load in loads:
                sent, answered = load.finish()
                self.assertEqual(answered, sent)
                self.assertEqual(load.refused, [])


if __name__ == "__main__":
    main()
