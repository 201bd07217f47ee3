"""What schemathesis has to be told: how bodies of lines are written."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return value.encode(errors="surrogatepass") if isinstance(value, str) else json.dumps(value).encode() + b"\n"
