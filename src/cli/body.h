/*
 * body.h - the body of an errors.explain request, from a text and options.
 */
#ifndef ERRATA_CLI_BODY_H
#define ERRATA_CLI_BODY_H

#include "base/buffer.h"
#include "cli/settings.h"

/*
 * Appends the body. Without --repo, --release, --limit or --fields it is the
 * text byte for byte, so that it means to the service what `nats req` would
 * send; that makes a text in the form of a request one. With any of them it is
 * a JSON object, in which bytes that are not UTF-8 are U+FFFD. Sticky failures.
 */
void er_body_write(er_buffer *out, const er_settings *settings, er_slice text);

#endif
