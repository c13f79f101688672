typedef enum {
    NATS_OK = 0, /* no error */
    NATS_ERR,
    NATS_TIMEOUT = 3,
    NATS_NO_MEMORY,
} natsStatus;
