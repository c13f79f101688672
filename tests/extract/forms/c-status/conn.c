#define NO_SSL "TLS is not built in"

natsStatus connect(natsConnection *nc, const char *host, int64_t size)
{
    if (nc == NULL)
        return nats_setDefaultError(NATS_TIMEOUT);
    if (size < 0)
        return nats_setError(NATS_ERR, "invalid size of %s: %" PRId64 " bytes", host, size);
    if (nc->tls)
        return nats_setError(NATS_ERR, "%s", NO_SSL);
    fprintf(stderr, "can not reach %s\n", nc->host);
    fprintf(out, "not looked at: %s\n", nc->host);
    return nats_setError(NATS_ERR, nc->both ? "both hosts failed" : "one host failed");
}
