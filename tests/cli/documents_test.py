"""The man page and the completion say what the tables say. usage: documents_test.py PROGRAM"""
import os
import re
import shutil
import subprocess
import unittest

from program import CATALOG, CHECKOUT, EMPTY, ERRATA, environment, errata

import json

MAN = os.path.join(CHECKOUT, "docs", "errata.1")
COMPLETION = os.path.join(CHECKOUT, "scripts", "completion.bash")
COMMANDS = re.findall(r"(?m)^  ([a-z]+) +\S", errata("help").out.split("Commands:")[1].split("Try:")[0])


def options_of(command):
    """Name → (letter, takes a value, variable), from the help that is made of the table."""
    found = {}
    for entry in re.split(r"\n(?=  (?:-\w,|    --))", errata("help", command).out):
        match = re.match(r"  (?:-(\w), |    )--([a-z-]+)(?: (\S+))?(?=  |\n|$)", entry)
        if match:
            variable = re.search(r"\[([A-Z_]+)\]", entry)
            found[match[2]] = (match[1], match[3] is not None, variable and variable[1])
    return found


OPTIONS = {name: option for command in COMMANDS for name, option in options_of(command).items()}


# The extractor's own, which the tables of the command line do not hold; a build without it
# can not be asked.
EXTRACT = {"repo", "sha", "at", "new-records", "update", "releases", "tags", "cache", "no-cache", "unresolved", "date",
           "jobs", "diff", "json", "help"}


class Help(unittest.TestCase):
    def test_it_was_read(self):
        self.assertEqual(len(COMMANDS), 7)
        self.assertEqual(len(OPTIONS), 33)
        self.assertEqual(OPTIONS["server"], ("s", True, "NATS_URL"))
        self.assertEqual(OPTIONS["tlsfirst"], (None, False, None))
        self.assertEqual(OPTIONS["drain-timeout"], (None, True, "ERRATA_DRAIN_TIMEOUT"))


class Man(unittest.TestCase):
    def test_every_option_and_command(self):
        with open(MAN, encoding="utf-8") as file:
            text = file.read()
        plain = re.sub(r"\\f.", "", text.replace("\\-", "-").replace("\\ ", " "))
        heads = "\n".join(re.findall(r"(?m)^\.TP\n(.*)$", plain))
        for name, (letter, value, variable) in OPTIONS.items():
            self.assertRegex(heads, rf"--{name}(?![a-z-])")
            if letter:
                self.assertRegex(heads, rf"-{letter} ,  ?--{name}(?![a-z-])")
            if variable:
                self.assertRegex(plain, rf"(?m)^\.BR {variable} .* --{name}$")
        for command in COMMANDS:
            self.assertRegex(plain, rf"(?m)^\.TP\n\.B {command}$")
            self.assertRegex(plain, rf"(?m)^\.B errata {command}$")
        listed = set(re.findall(r"--([a-z]+(?:-[a-z]+)*)", plain))
        self.assertEqual(listed - {"name"} - set(OPTIONS) - EXTRACT, set())

    def test_renders_without_warnings(self):
        if not shutil.which("groff"):
            self.skipTest("no groff")
        done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", MAN], capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn(b"explain error messages", done.stdout)


def complete(*words, folder=None):
    """What bash offers for the last word."""
    script = (f'source "{COMPLETION}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _errata; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "-uc", script, "bash", "errata", *words], capture_output=True, text=True,
                          env=environment(), timeout=60, cwd=folder or EMPTY.name)
    if done.stderr:
        raise AssertionError(done.stderr)
    return [word for word in done.stdout.split("\n") if word]


@unittest.skipUnless(shutil.which("bash"), "no bash")
class Completion(unittest.TestCase):
    def test_commands(self):
        self.assertEqual(sorted(complete("")), sorted(COMMANDS))
        self.assertEqual(complete("ex"), ["explain", "extract"])
        self.assertEqual(sorted(complete("help", "")), sorted(COMMANDS))
        self.assertEqual(complete("explain", "e"), [])

    def test_options_of_each_command(self):
        for command in COMMANDS:
            names = EXTRACT if command == "extract" else options_of(command)
            expected = {"--" + name for name in names}
            self.assertEqual(set(complete(command, "--")), expected, command)
        self.assertEqual(complete("serve", "--dr"), ["--drain-timeout"])
        self.assertEqual(complete("explain", "--json", "--li"), ["--limit"])
        self.assertEqual(complete("explain", "--", "--"), [])

    def test_options_of_the_extractor(self):
        shown = errata("extract", "--help")
        if shown.status != 0:
            self.skipTest("this build has no extractor")
        self.assertEqual(set(re.findall(r"(?m)^  --([a-z-]+)", shown.out)) | {"help"}, EXTRACT)

    def test_every_value(self):
        for name, (letter, value, _) in OPTIONS.items():
            for spelled in [f"--{name}"] + ([f"-{letter}"] if letter else []):
                after_option = complete("serve", spelled, "--")
                self.assertEqual(after_option == [], value, spelled)

    def test_values(self):
        self.assertEqual(complete("serve", "--log-level", ""), ["debug", "info", "warn", "error", "off"])
        self.assertEqual(complete("serve", "--log-format", "=", "j"), ["json"])
        fields = list(json.loads(errata("get", "--json", "--catalog", CATALOG, "49a1f06aa0562e0a").out)["record"])
        self.assertEqual(sorted(complete("explain", "--fields", "")), sorted(fields))
        folder = os.path.join(EMPTY.name, "nats", "context")
        os.makedirs(folder)
        for name in ("prod.json", "test.json", "notes.txt"):
            open(os.path.join(folder, name), "w").close()
        self.assertEqual(complete("explain", "--context", ""), ["prod", "test"])
        open(os.path.join(EMPTY.name, "my.creds"), "w").close()
        self.assertEqual(complete("explain", "--creds", "my"), ["my.creds"])
        self.assertEqual(complete("check", "my"), ["my.creds"])


if __name__ == "__main__":
    unittest.main()
