"""The built program on the fixture catalog: statuses, input, output, forms. usage: program_test.py PROGRAM"""
import json
import os
import re
import shutil
import subprocess
import socket
import tempfile
import threading
import unittest

from program import CATALOG, CHECKOUT, ERRATA, ProgramCase, environment, errata, on_terminal

TEXT = "cannot place order 17: item \"mug\" is out of stock"
ORDER, ITEM = "49a1f06aa0562e0a", "91605caca46bc33e"


def explain(*words, **options):
    return errata("explain", "--catalog", CATALOG, *words, **options)


class Explain(ProgramCase):
    def test_json_by_every_way_in(self):
        one = json.loads(self.expect(explain("--json", "--", TEXT), 0).out)
        self.assertEqual(one["record"]["id"], ORDER)
        self.assertEqual([c["record"]["id"] for c in one["causes"]], [ITEM])
        for done in (explain(TEXT, "--json"),
                     explain("-j", *TEXT.split(" ")),
                     explain("--json", text=TEXT.encode()),
                     explain("--json", "-", text=TEXT.encode()),
                     errata("--json", "explain", TEXT, env={"ERRATA_CATALOG": CATALOG}),
                     explain("--json", json.dumps({"message": TEXT}))):
            self.assertEqual(json.loads(self.expect(done, 0).out), one)
            self.assertEqual(done.err, "")

    def test_json_is_one_line(self):
        done = explain("--json", "payment declined")
        self.assertTrue(done.out.endswith("}\n"))
        self.assertEqual(done.out.count("\n"), 1)

    def test_page(self):
        done = self.expect(explain("--", TEXT), 0)
        self.assertIn("acme/shop", done.out)
        self.assertNotIn("\x1b", done.out)
        self.assertTrue(done.out.endswith("\n"))
        self.assertFalse(done.out.endswith("\n\n\n"))

    def test_nothing_found(self):
        done = self.expect(explain("--json", "zzz qqq"), 1)
        self.assertEqual(json.loads(done.out)["error"]["code"], 404)
        done = self.expect(explain("zzz qqq"), 1)
        self.assertIn("404", done.out)
        self.assertEqual(done.err, "")

    def test_empty_text(self):
        done = self.expect(explain("--json"), 2)
        self.assertEqual(json.loads(done.out)["error"]["code"], 400)
        done = self.expect(explain(), 2)
        self.assertEqual(done.out, "")
        self.assertNotEqual(done.err, "")
        self.assertEqual(explain("--json", "  ").status, 1)

    def test_text_that_looks_like_an_option(self):
        self.expect(explain("--json", "--", "-ERR 'Authorization Violation'"), 1)
        self.complains(explain("-ERR 'x'"), "unknown option \"-ERR 'x'\"", "put -- before")

    def test_options_of_the_request(self):
        code = "payment declined"
        shop = json.loads(explain("--json", "--repo", "acme/shop", code).out)
        depot = json.loads(explain("--json", "--repo=acme/depot", code).out)
        self.assertEqual((shop["record"]["repo"], depot["record"]["repo"]), ("acme/shop", "acme/depot"))
        few = json.loads(explain("--json", "--fields", "slug,severity", "--repo", "acme/shop", code).out)
        self.assertEqual(set(few["record"]), {"slug", "severity"})
        self.assertEqual(json.loads(explain("--json", "--limit", "0", code).out)["alternatives"], [])
        self.complains(explain("--limit", "51", code), "--limit", "from 0 to 50")
        self.complains(explain("--fields", "slug,nonsense", code), "--fields")

    def test_bytes_that_are_not_utf8(self):
        line = b"payment declined\n\xff\xfe \x80"
        for more in ((), ("--limit", "3")):
            found = json.loads(self.expect(explain("--json", *more, text=line), 0).out)
            self.assertEqual(found["record"]["errorMessage"], "payment declined")

    def test_large_input(self):
        done = explain("--json", text=b"x" * ((8 << 20) + 1))
        self.complains(done, "standard input", "larger than 8388608 bytes")

    def test_terminal_without_a_text(self):
        done = self.expect(on_terminal("explain", "--catalog", CATALOG), 2)
        self.assertIn("no text was given", done.out)
        done = self.expect(on_terminal("explain", "-", "--json", "--catalog", CATALOG,
                                       typed=b"payment declined\n\x04"), 0)
        self.assertIn('"payment declined"', done.out)


class Terminal(ProgramCase):
    def test_colours(self):
        words = ("explain", "--catalog", CATALOG, TEXT)
        self.assertIn("\x1b[", on_terminal(*words).out)
        self.assertNotIn("\x1b", on_terminal(*words, env={"NO_COLOR": "1"}).out)
        self.assertIn("\x1b[", on_terminal(*words, env={"NO_COLOR": ""}).out)
        self.assertNotIn("\x1b", on_terminal(*words, env={"TERM": "dumb"}).out)
        self.assertNotIn("\x1b", on_terminal("explain", "--json", "--catalog", CATALOG, TEXT).out)

    def test_width(self):
        def widest(columns):
            page = on_terminal("get", "--catalog", CATALOG, ORDER, columns=columns, env={"NO_COLOR": "1"}).out
            lines = [line for line in page.split("\n") if "http" not in line]
            return max(len(line) for line in lines)
        self.assertLessEqual(widest(60), 60)
        self.assertLessEqual(widest(200), 100)
        self.assertGreater(widest(200), 80)
        self.assertLessEqual(widest(0), 80)
        self.assertGreater(widest(10), 10)  # 40 at the least
        piped = errata("get", "--catalog", CATALOG, ORDER).out.split("\n")
        self.assertLessEqual(max(len(line) for line in piped if "http" not in line), 80)


class Output(ProgramCase):
    WORDS = ("explain", "--catalog", CATALOG, TEXT)

    def test_closed(self):
        for words in (self.WORDS, ("help",), ("version",), ("check", CATALOG, "--json")):
            done = subprocess.run(["sh", "-c", 'exec "$0" "$@" >&-', ERRATA, *words], capture_output=True,
                                  env=environment(), timeout=60)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(b"standard output", done.stderr)

    def test_full(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([ERRATA, *self.WORDS], stdout=full, stderr=subprocess.PIPE, env=environment(),
                                  timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"No space left", done.stderr)

    def test_reader_went_away(self):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([ERRATA, *self.WORDS], stdout=write, stderr=subprocess.PIPE, env=environment(),
                              timeout=60)
        os.close(write)
        self.assertEqual((done.returncode, done.stderr), (2, b""))

    def test_closed_input_and_errors(self):
        done = subprocess.run(["sh", "-c", 'exec "$0" "$@" <&-', ERRATA, "explain", "--catalog", CATALOG],
                              capture_output=True, env=environment(), timeout=60)
        self.assertEqual(done.returncode, 2)
        done = subprocess.run(["sh", "-c", 'exec "$0" "$@" <&- 2>&-', ERRATA, *self.WORDS, "--json"],
                              capture_output=True, env=environment(), timeout=60)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(json.loads(done.stdout)["record"]["id"], ORDER)


class Get(ProgramCase):
    def test_every_name(self):
        def got(name, **options):
            return json.loads(self.expect(errata("get", "--json", "--catalog", CATALOG, name, **options), 0).out)
        for name in (ORDER, "cannot-place-order-d-v", "acme/shop/cannot-place-order-d-v", f"/api/errors/{ORDER}",
                     f" {ORDER}\n"):
            self.assertEqual(got(name)["record"]["id"], ORDER)
        self.assertEqual(list(got(ORDER)), ["record", "datasetVersion"])
        self.assertEqual(got("-", text=f"{ORDER}\n".encode())["record"]["id"], ORDER)

    def test_failures(self):
        done = self.expect(errata("get", "--json", "--catalog", CATALOG, "4020"), 2)  # two repos have it
        self.assertEqual(len(json.loads(done.out)["nearest"]), 2)
        done = self.expect(errata("get", "--catalog", CATALOG, "4020"), 2)
        self.assertEqual(done.out, "")
        self.assertIn("acme/depot", done.err)
        self.expect(errata("get", "--catalog", CATALOG, "no-such-slug"), 1)
        self.complains(errata("get", "--catalog", CATALOG, "a", "b"), "takes one argument")


class Usage(ProgramCase):
    def test_commands_and_options(self):
        self.complains(errata("explian", "x"), 'unknown command "explian", did you mean explain?')
        self.complains(errata("frobnicate"), 'unknown command "frobnicate"')
        self.complains(errata("explain", "--jsno", "x"), 'unknown option "--jsno", did you mean --json?')
        self.complains(errata("explain", "--queue", "q", "x"), "--queue is not an option of explain")
        self.complains(errata("explain", "--server", "h", "x"), "--server has no effect without --remote")
        self.complains(errata("explain", "--remote", "--catalog", "c", "x"), "--catalog has no effect with --remote")
        self.complains(errata("serve", "x"), "serve takes no arguments")
        self.complains(errata("serve", "--kv", "bucket"), "--kv: is not yet supported")
        self.complains(errata("serve", env={"ERRATA_KV": "bucket"}), "ERRATA_KV: is not yet supported")
        self.complains(errata("serve", "--drain-timeout", "soon"), "--drain-timeout: must be a duration")
        done = self.expect(errata(), 2)
        self.assertIn("usage: errata COMMAND", done.err)
        self.complains(errata("ex\x1b[31mplain\n"), 'unknown command "ex?[31mplain?"')

    def test_help_and_version(self):
        listed = self.expect(errata("help"), 0).out
        self.assertEqual(listed, errata("--help").out)
        for command in ("serve", "explain", "get", "check", "extract", "version", "help"):
            self.assertRegex(listed, rf"(?m)^  {command} ")
            page = self.expect(errata("help", command), 0).out
            self.assertEqual(page, errata(command, "--help").out if command != "extract" else page)
            self.assertIn(f"usage: errata {command}", page)
            for line in page.split("\n"):
                self.assertLessEqual(len(line), 80, line)
        self.complains(errata("help", "nothing"), 'no command "nothing"')
        version = self.expect(errata("version"), 0).out
        self.assertRegex(version, r"^errata \d+\.\d+\.\d+\n$")
        self.assertEqual(errata("--version").out, version)
        self.assertEqual("errata " + json.loads(errata("version", "--json").out)["version"] + "\n", version)

    def test_extract(self):
        done = errata("extract", "--nonsense")
        self.assertEqual(done.status, 2, done)

    def test_catalog(self):
        self.complains(errata("explain", "--catalog", "/nonexistent", "x"), "/nonexistent")
        self.complains(errata("explain", "x", env={"ERRATA_CATALOG": "/nonexistent"}), "/nonexistent")
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "build", "dev"))
            program = shutil.copy(ERRATA, os.path.join(folder, "build", "dev", "errata"))
            link = os.path.join(folder, "errata")
            os.symlink(program, link)
            shutil.copytree(CATALOG, os.path.join(folder, "catalog"))
            with open(os.path.join(folder, "catalog", "tags.json"), "w") as tags:
                tags.write("[]\n")
            for path in (program, link):
                done = subprocess.run([path, "get", "--json", ORDER], capture_output=True, env=environment(), cwd="/",
                                      timeout=60)
                self.assertEqual(done.returncode, 0, done)
            done = subprocess.run([program, "get", "--json", ORDER], capture_output=True, timeout=60,
                                  env=environment(ERRATA_CATALOG="/nonexistent"))
            self.assertEqual(done.returncode, 2, done)

    def test_secret_is_not_in_the_title(self):
        # a FIFO as standard input keeps the process there while its arguments are read
        with tempfile.TemporaryDirectory() as folder:
            fifo = os.path.join(folder, "fifo")
            os.mkfifo(fifo)
            process = subprocess.Popen(["sh", "-c", 'exec "$0" "$@" < "$FIFO"', ERRATA, "explain", "--remote",
                                        "--password", "sesame1", "--token=sesame2", "-snats://u:sesame3@h",
                                        "--server", "nats://u:sesame4@127.0.0.1:1", "--user", "u", "--seed", "sesame5",
                                        "--jwt=sesame6"],
                                       env=environment(FIFO=fifo), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            writer = os.open(fifo, os.O_WRONLY)  # the program is there, or will be in a moment
            title = b"sh"
            while not title.startswith(ERRATA.encode()) or b"sesame6" in title:
                self.assertIsNone(process.poll())
                with open(f"/proc/{process.pid}/cmdline", "rb") as file:
                    title = file.read()
            self.assertNotIn(b"sesame", title)
            self.assertIn(b"--password\0xxxxxxx\0", title)
            self.assertIn(b"nats://xxxxxxxxx@127.0.0.1:1", title)
            os.write(writer, b"x")
            os.close(writer)
            errors = process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, 3, errors)
            self.assertNotIn(b"sesame", errors)


class Check(ProgramCase):
    GOOD = os.path.join(CHECKOUT, "tests", "check", "catalog")  # by the rules for authors too

    def test_good(self):
        done = self.expect(errata("check", "--catalog", self.GOOD), 0)
        self.assertEqual(done.out, "")
        self.assertRegex(done.err, r"^errata: .*: 2 records, 0 findings\n$")
        done = self.expect(errata("check", "--draft", "--json", self.GOOD), 0)
        self.assertEqual(json.loads(done.out), {"findings": [], "records": 2, "unknownIds": 0, "coverage": None})
        self.assertRegex(done.err, r"^errata: .*: 2 records, 0 findings, 0 unknown ids\n$")

    def test_every_fault_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(self.GOOD, folder, dirs_exist_ok=True)
            with open(os.path.join(folder, "cut.json"), "w") as file:
                file.write('{"record": {"id": ')
            with open(os.path.join(folder, "empty.json"), "w") as file:
                file.write("{}")
            done = self.expect(errata("check", folder), 1)
            lines = done.out.strip().split("\n")
            self.assertEqual(len(lines), 2, done)
            self.assertTrue(lines[0].startswith(os.path.join(folder, "cut.json") + ": "), done)
            self.assertTrue(lines[1].startswith(os.path.join(folder, "empty.json") + ": "), done)
            self.assertIn("2 findings", done.err)
            told = json.loads(self.expect(errata("check", "--json", folder), 1).out)
            self.assertEqual([os.path.basename(f["file"]) for f in told["findings"]], ["cut.json", "empty.json"])
            self.assertEqual({f["rule"] for f in told["findings"]}, {"form"})

    def test_sites(self):
        with tempfile.TemporaryDirectory() as folder:
            sites = os.path.join(folder, "sites.ndjson")
            site = {"repo": "acme/depot", "filePath": "store/new.go", "lineNumber": 3, "severity": "error",
                    "errorMessage": "new", "id": "00000000000000ab"}
            with open(sites, "w") as file:
                json.dump(site, file)
            done = self.expect(errata("check", "--sites", sites, self.GOOD), 1)
            self.assertIn(": record.errorMessage: is not in the source any more\n", done.out)
            self.assertIn("\ncoverage: 0 of 1 (0.0 %) messages have a record\n", done.out)
            self.assertTrue(done.out.endswith("  acme/depot store/new.go:3: error: new\n"), done)
            told = json.loads(self.expect(errata("check", "--json", "--sites", sites, self.GOOD), 1).out)
            self.assertEqual(told["coverage"]["messages"], 1)
            with open(sites, "w") as file:
                file.write("{}\n{")
            self.complains(errata("check", "--sites", sites, self.GOOD), "line 2")
            self.complains(errata("check", "--sites", folder + "/none", self.GOOD), folder + "/none")

    def test_pattern(self):
        bad = os.path.join(CHECKOUT, "tests", "fixtures", "bad-pattern.json")
        done = self.expect(errata("check", bad), 1)
        self.assertIn("messagePattern", done.out)
        self.assertIn(bad, done.out)

    def test_capture_names(self):
        with open(os.path.join(CATALOG, "shop", "item-q-is-out-of-stock.json")) as file:
            document = json.load(file)
        document["guide"]["captureNames"] = ["item", "shelf"]
        document["guide"].pop("examples", None)
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "item.json"), "w") as file:
                json.dump(document, file)
            done = self.expect(errata("check", folder), 1)
            self.assertIn(os.path.join(folder, "item.json"), done.out)
            self.assertIn("captureNames", done.out)

    def test_no_catalog(self):
        self.complains(errata("check", "/nonexistent"), "/nonexistent")


class Settings(ProgramCase):
    def test_faults_of_remote_settings(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "nats", "context"))
            with open(os.path.join(folder, "nats", "context", "c.json"), "w") as file:
                file.write('{"url":"nats://h","creds":"/nonexistent/my.creds"}')
            there = {"XDG_CONFIG_HOME": folder}
            ask = ("explain", "--remote", "x")
            self.complains(errata(*ask, "--context", "c", env=there), "/nonexistent/my.creds", "creds")
            self.complains(errata(*ask, "--context", "none", env=there), 'there is no context "none"')
            self.complains(errata(*ask, env={"NATS_CONTEXT": "../x"}), "NATS_CONTEXT")
            self.complains(errata(*ask, env={"NATS_CREDS": "/nonexistent"}), "NATS_CREDS", "/nonexistent")
            self.complains(errata(*ask, "--nkey", "/nonexistent"), "--nkey", "/nonexistent")
            self.complains(errata(*ask, "--server", "nats://u:sesame@h:x"), "--server", "port")
            self.complains(errata(*ask, env={"NATS_TIMEOUT": "5"}), "NATS_TIMEOUT", "duration")
            self.complains(errata(*ask, "--server", "127.0.0.1:1", "--timeout", "2s"), "no NATS server answers at "
                           "127.0.0.1:1", status=3)
            done = errata("serve", "--catalog", CATALOG, "--creds", "/nonexistent", "--log-level", "off")
            self.complains(done, "--creds", "/nonexistent")

    def test_serve_logs_its_end_as_json(self):
        done = self.expect(errata("serve", "--catalog", "/nonexistent", "--log-format", "json"), 2)
        last = json.loads(done.err.strip().split("\n")[-1])
        self.assertEqual(last["level"], "error")
        self.assertIn("/nonexistent", last["reason"])


class FakeService:
    """A NATS server, and behind it a service that gives one reply whatever is asked."""

    def __init__(self, body, *headers):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = "nats://127.0.0.1:%d" % self.listener.getsockname()[1]
        self.body, self.asked = body, b""
        self.headers = b"NATS/1.0\r\n" + b"".join(h.encode() + b"\r\n" for h in headers) + b"\r\n"
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        client = self.listener.accept()[0]
        client.settimeout(60)
        client.sendall(b'INFO {"server_id":"x","version":"2.10.0","proto":1,"headers":true,"max_payload":1048576}\r\n')
        sent = 0
        while True:
            part = client.recv(65536)
            if not part:
                break
            self.asked += part
            while sent < self.asked.count(b"PING\r\n"):
                client.sendall(b"PONG\r\n")
                sent += 1
                subscribed = re.search(rb"SUB (\S+)  ?(\d+)\r\n", self.asked)
                if subscribed:
                    total = len(self.headers) + len(self.body)
                    client.sendall(b"HMSG %s %s %d %d\r\n%s%s\r\n" % (*subscribed.groups(), len(self.headers), total,
                                                                     self.headers, self.body))
        client.close()

    def end(self):
        self.thread.join(60)
        self.listener.close()


class Foreign(ProgramCase):
    """What another program replies is not trusted."""

    def ask(self, body, *headers, run=errata, words=()):
        service = FakeService(body, *headers)
        try:
            done = run("explain", "--remote", "--server", service.url, *words, "x y")
            self.asked = service.asked
        finally:
            service.end()
        return done

    def test_form_that_is_asked_for(self):
        self.expect(self.ask(b"page"), 0)
        self.assertRegex(self.asked, rb"HPUB errors\.explain \S+ \d+ \d+\r\nNATS/1\.0\r\nAccept: ?text/plain\r\n\r\nx y\r\n")
        self.expect(self.ask(b"{}", words=("--json",)), 0)
        self.assertRegex(self.asked, rb"PUB errors\.explain \S+ 3\r\nx y\r\n")
        self.assertNotIn(b"Accept", self.asked)
        self.ask(b"{}", words=("--json", "--limit", "007", "--repo", 'a"b'))
        self.assertIn(b'\r\n{"message":"x y","repo":"a\\"b","limit":7}\r\n', self.asked)

    def test_codes(self):
        error, code = "Nats-Service-Error: it says why", "Nats-Service-Error-Code: "
        for headers, status in (((), 0), ((error, code + "404"), 1), ((error, code + "400"), 2), ((error, code + "413"), 2),
                                ((error, code + "500"), 3), ((error, code + "503"), 3), ((error,), 3),
                                ((error, code + "zero"), 3), ((error, code + "200"), 3), ((code + "404",), 1)):
            done = self.expect(self.ask(b"text", *headers), status)
            self.assertEqual((done.out, done.err), ("text\n", "") if status < 2 else ("", "text\n"), headers)
            done = self.expect(self.ask(b"{}", *headers, words=("--json",)), status)
            self.assertEqual((done.out, done.err), ("{}\n", ""))

    def test_it_does_not_steer_the_terminal(self):
        body = b"\x1b[2Jpa\xc2\x9bge\x07\r\t\xc3\xa9\x00\n"
        shown = self.ask(body, run=on_terminal).out
        for wrong in ("\x1b", "\x9b", "\x07", "\r", "\x00"):
            self.assertNotIn(wrong, shown)
        self.assertIn("?[2Jpa??ge??\t\xe9?", shown.replace(" " * 8, "\t"))
        self.assertEqual(self.ask(body).out.encode(), body)  # a file gets the bytes

    def test_empty_reply(self):
        self.assertEqual(self.expect(self.ask(b""), 0).out, "\n")


if __name__ == "__main__":
    unittest.main()
