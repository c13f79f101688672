#include "bench/wording.h"

#include "base/memory.h"
#include "catalog/rules.h"

#include <stdio.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define PICK(list)  (list)[bench_random_below(random, COUNT(list))]
#define OFTEN(list) (list)[bench_random_skewed(random, COUNT(list))]

/* The words that the vocabulary begins with, the most frequent first; others are made of them. */
static const char *const first_words[] = {
    "stream",     "consumer",     "account",     "remote",    "connection", "local",    "message",
    "durable",    "subject",      "pending",     "cluster",   "last",       "route",    "first",
    "server",     "subscription", "block",       "system",    "index",      "invalid",  "snapshot",
    "internal",   "peer",         "mirror",      "leafnode",  "source",     "gateway",  "raft",
    "user",       "duplicate",    "client",      "expected",  "queue",      "missing",  "replica",
    "outbound",   "request",      "inbound",     "response",  "stale",      "header",   "encrypted",
    "config",     "compressed",   "certificate", "default",   "token",      "maximum",  "permission",
    "minimum",    "import",       "requested",   "export",    "assigned",   "claim",    "pinned",
    "operator",   "priority",     "resolver",    "ephemeral", "store",      "shared",   "cache",
    "service",    "key",          "implicit",    "value",     "explicit",   "bucket",   "temporary",
    "object",     "orphaned",     "sequence",    "previous",  "checksum",   "current",  "record",
    "upstream",   "entry",        "log",         "file",      "directory",  "leaf",     "mapping",
    "retained",   "filter",       "reserved",    "limit",     "virtual",    "quota",    "active",
    "tier",       "standby",      "placement",   "direct",    "tag",        "ordered",  "leader",
    "delivery",   "proposal",     "ack",         "quorum",    "inactive",   "vote",     "expired",
    "heartbeat",  "truncated",    "timer",       "partial",   "deadline",   "external", "session",
    "private",    "packet",       "public",      "payload",   "trusted",    "frame",    "unsigned",
    "topic",      "nested",       "interval",    "duration",  "address",    "listener", "port",
    "socket",     "handshake",    "cipher",      "signature", "nonce",      "nkey",     "seed",
    "revocation", "monitor",      "endpoint",    "proxy",     "worker",     "task",     "schedule",
    "migration",  "transform",    "partition",   "shard",     "lease",      "counter",  "batch",
    "tombstone",  "compaction",   "segment",     "buffer",    "pool",       "lock",
};

static const char *const prefixes[] = {
    "",      "sub", "re", "pre", "multi", "auto", "non",   "inter",
    "super", "co",  "un", "max", "min",   "over", "under", "cross",
};

static const char *const suffixes[] = {
    "",     "set",   "map",  "group", "list",  "name",   "Id",    "Size",  "er",   "_key",  "ing",    "Type",
    "less", "_path", "able", "point", "space", "Policy", "State", "Count", "info", "chain", "Handle", "-mode",
};

/* In four forms: infinitive, participle, gerund, noun. */
static const char *const verbs[][4] = {
    {"create", "created", "creating", "creation"},
    {"delete", "deleted", "deleting", "deletion"},
    {"load", "loaded", "loading", "load"},
    {"update", "updated", "updating", "update"},
    {"read", "read", "reading", "read"},
    {"write", "written", "writing", "write"},
    {"parse", "parsed", "parsing", "parse"},
    {"decode", "decoded", "decoding", "decode"},
    {"encode", "encoded", "encoding", "encode"},
    {"send", "sent", "sending", "send"},
    {"receive", "received", "receiving", "receipt"},
    {"open", "opened", "opening", "open"},
    {"close", "closed", "closing", "close"},
    {"process", "processed", "processing", "processing"},
    {"restore", "restored", "restoring", "restore"},
    {"recover", "recovered", "recovering", "recovery"},
    {"validate", "validated", "validating", "validation"},
    {"verify", "verified", "verifying", "verification"},
    {"assign", "assigned", "assigning", "assignment"},
    {"remove", "removed", "removing", "removal"},
    {"register", "registered", "registering", "registration"},
    {"resolve", "resolved", "resolving", "resolution"},
    {"fetch", "fetched", "fetching", "fetch"},
    {"apply", "applied", "applying", "application"},
    {"lookup", "looked up", "looking up", "lookup"},
    {"store", "stored", "storing", "store"},
    {"replicate", "replicated", "replicating", "replication"},
    {"migrate", "migrated", "migrating", "migration"},
    {"encrypt", "encrypted", "encrypting", "encryption"},
    {"decrypt", "decrypted", "decrypting", "decryption"},
    {"sign", "signed", "signing", "signature"},
    {"compact", "compacted", "compacting", "compaction"},
    {"truncate", "truncated", "truncating", "truncation"},
    {"purge", "purged", "purging", "purge"},
    {"seal", "sealed", "sealing", "sealing"},
    {"bind", "bound", "binding", "bind"},
    {"accept", "accepted", "accepting", "acceptance"},
    {"reject", "rejected", "rejecting", "rejection"},
    {"schedule", "scheduled", "scheduling", "scheduling"},
    {"cancel", "cancelled", "cancelling", "cancellation"},
    {"negotiate", "negotiated", "negotiating", "negotiation"},
    {"flush", "flushed", "flushing", "flush"},
    {"rebuild", "rebuilt", "rebuilding", "rebuild"},
    {"generate", "generated", "generating", "generation"},
};

static const char *const adjectives[] = {
    "found",       "allowed", "supported", "available", "enabled",   "valid",     "configured",
    "ready",       "unique",  "empty",     "known",     "specified", "permitted", "complete",
    "initialized", "current", "reachable", "assigned",  "writable",  "expected",
};

static const char *const systems[] = {
    "JetStream", "RAFT",  "Filestore", "MQTT",    "Websocket", "OCSP",   "TLS",  "Leafnode",
    "Gateway",   "Route", "Monitor",   "JWT",     "Account",   "Config", "Auth", "Memstore",
    "KV",        "Proxy", "Resolver",  "Service", "Catalog",   "Audit",
};

static const char *const reasons[] = {
    "timeout",          "out of range",   "checksum mismatch",    "no space left",  "not a leader",
    "too many retries", "already in use", "permission violation", "unexpected end", "wrong version",
    "bad signature",    "shutting down",  "limit exceeded",       "no responders",  "state is inconsistent",
};

/*
 * V, P, G and N are the forms of a verb; A an adjective, M and O words of the
 * vocabulary, S a part of the program, R a reason. Capitals of the message itself are
 * written in braces. Forms at the front are taken more often.
 */
static const char *const forms[] = {
    "M O not A",
    "M O O not A",
    "{E}rror G M O %q: %v",
    "{F}ailed to V M O %q in O %q: %v",
    "could not V M O: %w",
    "M O can not be P while O is P",
    "O not A",
    "{U}nable to V O: %v",
    "S O {E}rror G O for '%s > %s': %v",
    "unable to V O %s, M O is not A",
    "{U}nknown field %q G M O",
    "M O M O R",
    "S M O %q: R",
    "M O %s exceeds O limit of %d bytes",
    "{I}nvalid M O %q, expected %s, got %T",
    "{W}aiting for M O to be P, %d of %d are A",
    "M O N R",
    "M O must be P before O N",
    "no A O for M O %q",
    "{R}eceived M O from unknown O %q",
    "O %d of M O is not A (%d != %d)",
    "S M O N took too long: %v",
    "{D}ropping M O for O '%s': R",
    "{S}elf G of M O after O N",
    "{M}aximum number of M O reached (%d), %s not P",
    "M O %s: %d vs %d",
    "expected M O %d, got %d in O %q",
    "{O}peration of M O N not permitted",
    "S [%s] O N of M O %d failed with %s",
    "{E}xception while G M O, G O: R",
};

static const char *verb_form(const char *const forms_of_verb[4], char letter)
{
    switch (letter) {
    case 'V':
        return forms_of_verb[0];
    case 'P':
        return forms_of_verb[1];
    case 'G':
        return forms_of_verb[2];
    default:
        return forms_of_verb[3];
    }
}

static bool remember(bench_wording *wording, er_slice word)
{
    if (!word.at) {
        return false;
    }
    if (wording->count == wording->capacity) {
        size_t capacity = wording->capacity ? wording->capacity * 2 : 4096;
        er_slice *written = er_realloc(wording->written, capacity * sizeof *written);
        if (!written) {
            return false;
        }
        wording->written = written;
        wording->capacity = capacity;
    }
    wording->written[wording->count++] = word;
    return true;
}

er_status bench_wording_start(bench_wording *wording, bench_random *random)
{
    *wording = (bench_wording){.random = random};
    for (size_t i = 0; i < COUNT(first_words); i++) {
        for (size_t times = 0; times < 1 + 2 * COUNT(first_words) / (i + 2); times++) {
            if (!remember(wording, er_slice_string(first_words[i]))) {
                return ER_NO_MEMORY;
            }
        }
    }
    return ER_OK;
}

void bench_wording_free(bench_wording *wording)
{
    er_free(wording->written);
    er_arena_free(&wording->arena);
    *wording = (bench_wording){0};
}

static er_slice coin(bench_wording *wording)
{
    bench_random *random = wording->random;
    char text[64];
    int length = snprintf(text, sizeof text, "%s%s%s", PICK(prefixes), PICK(first_words), PICK(suffixes));
    return er_arena_copy(&wording->arena, er_slice_of(text, (size_t)length));
}

/* A word of the vocabulary. By Heaps' law V = 35 sqrt(n), the n-th word is a new one
   with the probability 17.5 / sqrt(n). */
static er_slice next_word(bench_wording *wording)
{
    double draw = (double)(bench_random_next(wording->random) >> 11) / 9007199254740992.0;
    er_slice word = wording->written[bench_random_below(wording->random, wording->count)];
    if (draw * draw * (double)wording->count < 17.5 * 17.5) {
        word = coin(wording);
    }
    return remember(wording, word) ? word : (er_slice){0};
}

/* An empty slice for a letter that stands for itself. */
static er_slice fixed_word(bench_random *random, char letter)
{
    switch (letter) {
    case 'V':
    case 'P':
    case 'G':
    case 'N':
        return er_slice_string(verb_form(OFTEN(verbs), letter));
    case 'A':
        return er_slice_string(OFTEN(adjectives));
    case 'S':
        return er_slice_string(OFTEN(systems));
    case 'R':
        return er_slice_string(PICK(reasons));
    default:
        return (er_slice){0};
    }
}

/* One letter of a form; returns how many bytes of the form were used, 0 without memory. */
static size_t add_part(bench_wording *wording, const char *at, er_buffer *out)
{
    if (*at == '{') { /* a capital that is one: {F} */
        er_buffer_add_char(out, at[1]);
        return 3;
    }
    if (*at == '%' && at[1] != '\0') {
        er_buffer_add(out, er_slice_of(at, 2));
        return 2;
    }
    bool grows = *at == 'M' || *at == 'O';
    er_slice word = grows ? next_word(wording) : fixed_word(wording->random, *at);
    if (grows && !word.at) {
        return 0;
    }
    er_buffer_add(out, word.at ? word : er_slice_of(at, 1));
    return 1;
}

er_status bench_wording_message(bench_wording *wording, er_buffer *out)
{
    bench_random *random = wording->random;
    for (const char *at = OFTEN(forms); *at != '\0';) {
        size_t used = add_part(wording, at, out);
        if (used == 0) {
            return ER_NO_MEMORY;
        }
        at += used;
    }
    return out->status;
}

static void add_name(bench_random *random, er_buffer *out)
{
    static const char *const names[] = {
        "ORDERS",
        "orders.eu.new",
        "A",
        "billing-worker-7",
        "$JS.API.STREAM.INFO.ORDERS",
        "KV_sessions",
        "n1-eu-central-1a",
        "APP",
        "S-R3F-qJ8h2LkP",
        "_INBOX.7WbOlzQyR1cK5p9m.3",
        "telemetry.*.in",
        "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4",
    };
    er_buffer_add_string(out, PICK(names));
}

static void add_value(bench_random *random, er_buffer *out)
{
    static const char *const errors[] = {
        "read tcp 10.0.0.5:4222->10.0.0.9:51234: i/o timeout",
        "EOF",
        "open /var/lib/nats/jetstream/$G/streams/ORDERS/msgs/17.blk: no such file or directory",
        "write: broken pipe",
        "context deadline exceeded",
        "x509: certificate signed by unknown authority",
        "unexpected end of JSON input",
        "stat /etc/nats/certs/server.pem: permission denied",
    };
    switch (bench_random_below(random, 4)) {
    case 0:
        er_buffer_add_string(out, PICK(errors));
        break;
    case 1:
        er_buffer_add_uint(out, bench_random_below(random, 100000));
        break;
    default:
        add_name(random, out);
    }
}

static void add_placeholder(bench_random *random, er_buffer *out, char verb)
{
    switch (verb) {
    case 'q':
        er_buffer_add_char(out, '"');
        add_name(random, out);
        er_buffer_add_char(out, '"');
        break;
    case 'd':
        er_buffer_add_uint(out,
                           bench_random_below(random, bench_random_below(random, 2) ? 100 : 4294967295u));
        break;
    case 'x':
    case 'X':
        er_buffer_format(out, "%x", (unsigned)bench_random_below(random, 4294967295u));
        break;
    case 'f':
    case 'g':
    case 'e':
        er_buffer_format(out, "%u.%02u", (unsigned)bench_random_below(random, 5000),
                         (unsigned)bench_random_below(random, 100));
        break;
    case 't':
        er_buffer_add_string(out, bench_random_below(random, 2) ? "true" : "false");
        break;
    case 'c':
        er_buffer_add_char(out, (char)('a' + bench_random_below(random, 26)));
        break;
    default:
        add_value(random, out);
    }
}

typedef struct filling {
    bench_random *random;
    er_buffer *out;
    er_slice rest; /* of the message, behind the last placeholder */
} filling;

static void add_literal(er_buffer *out, er_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        er_buffer_add_char(out, text.at[i]);
        if (text.at[i] == '%' && i + 1 < text.len && text.at[i + 1] == '%') {
            i++;
        }
    }
}

static void fill_one(void *context, er_slice placeholder)
{
    filling *fill = context;
    size_t before = (size_t)(placeholder.at - fill->rest.at);
    add_literal(fill->out, er_slice_sub(fill->rest, 0, before));
    fill->rest = er_slice_sub(fill->rest, before + placeholder.len, fill->rest.len);
    add_placeholder(fill->random, fill->out, placeholder.at[placeholder.len - 1]);
}

void bench_wording_filled(bench_random *random, er_slice message, er_buffer *out)
{
    filling fill = {random, out, er_slice_trim(message)};
    er_rule_placeholders(fill.rest, fill_one, &fill);
    add_literal(out, fill.rest);
}

/* `#` is a number. */
void bench_wording_foreign(bench_random *random, er_buffer *out)
{
    static const char *const lines[] = {
        "10.12.0.# - - [02/Sep/2026:10:11:12 +0000] \"GET /api/v1/items/#?page=# HTTP/1.1\" 200 # \"-\" "
        "\"curl/8.4.0\"",
        "Sep  2 10:11:12 web# sshd[#]: Accepted publickey for deploy from 10.12.3.# port # ssh2: ED25519 "
        "SHA256:yF2kq",
        "2026-09-02 10:11:12,# INFO  [main] o.s.b.w.embedded.tomcat.TomcatWebServer - Tomcat started on "
        "port(s): # "
        "(http) with context path ''",
        "[#.#] EXT4-fs (sda#): mounted filesystem with ordered data mode. Opts: errors=remount-ro",
        "kernel: [#.#] usb 1-#: new high-speed USB device number # using xhci_hcd",
        "{\"level\":\"info\",\"ts\":#.#,\"logger\":\"controller.pod\",\"msg\":\"Reconciling\",\"name\":\"web-"
        "#\","
        "\"attempt\":#}",
        "I0902 10:11:12.#       1 garbagecollector.go:#] \"Processing object\" object=\"default/web-#\" "
        "kind=\"ReplicaSet\"",
        "postgres[#]: [#-1] LOG:  checkpoint complete: wrote # buffers (0.4%); 0 WAL file(s) added, # "
        "recycled",
        "time=\"2026-09-02T10:11:12Z\" level=info msg=\"shim disconnected\" id=abc# namespace=k8s.io pid=#",
        "# ERROR 1064 (42000) at line #: You have an error in your SQL syntax near 'FORM users' at line #",
        "redis-server[#]: # clients connected (# replicas), # bytes in use, fork took # usec",
        "npm WARN deprecated har-validator@5.#.#: this library is no longer maintained upstream",
        "   at com.example.shop.cart.CartController.add(CartController.java:#) ~[classes/:na]",
        "Traceback (most recent call last): File \"/srv/app/main.py\", line #, in <module> KeyError: "
        "'price_#'",
        "haproxy[#]: 10.12.0.#:# [02/Sep/2026:10:11:12.#] fe~ be/web# 0/0/1/#/# 200 # - - ---- 12/12/3/1/0 "
        "0/0",
        "Deprecated: Function strftime() is deprecated in /var/www/html/lib/date.php on line #",
        "systemd[1]: Started Session # of User deploy, cgroup /user.slice/user-#.slice, main PID #",
        "rabbit@mq#: closing AMQP connection <0.#.0> (10.12.0.#:# -> 10.12.1.2:5672, vhost: '/', user: "
        "'shop')",
    };
    for (const char *at = PICK(lines); *at != '\0'; at++) {
        if (*at == '#') {
            er_buffer_add_uint(out, bench_random_below(random, 100000));
        } else {
            er_buffer_add_char(out, *at);
        }
    }
}
