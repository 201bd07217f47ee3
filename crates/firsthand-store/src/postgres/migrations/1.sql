-- Which steps this schema has been through.
CREATE TABLE migrations (
    version int4 PRIMARY KEY,
    applied timestamptz NOT NULL DEFAULT now()
);

-- One row. `round` counts commits: who has seen the same number has seen the same store.
CREATE TABLE head (
    one bool PRIMARY KEY DEFAULT true CHECK (one),
    generation int4 NOT NULL,
    round int8 NOT NULL,
    next int8 NOT NULL,
    clock int8,
    part int4 NOT NULL,
    slot int4 NOT NULL,
    settings text NOT NULL
);

-- The buckets that are kept. A bucket that is forgotten and comes again gets another slot, and rows of
-- slots that are not listed here do not count.
CREATE TABLE buckets (
    number int8 PRIMARY KEY,
    slot int4 NOT NULL,
    part int4 NOT NULL,
    documents int8 NOT NULL,
    bytes int8 NOT NULL,
    first int8 NOT NULL,
    last int8 NOT NULL,
    low int8 NOT NULL,
    high int8 NOT NULL,
    keys int8 NOT NULL,
    sum int8 NOT NULL
);

-- The partitions: each is dropped when none of the slots that it was made for is kept any more.
CREATE TABLE parts (
    number int4 PRIMARY KEY,
    slots int4[] NOT NULL
);

-- Named values.
CREATE TABLE named (
    name text PRIMARY KEY,
    checksum int8 NOT NULL,
    value bytea NOT NULL
);
ALTER TABLE named ALTER value SET STORAGE EXTERNAL;

-- What is kept of the documents. Payloads are mostly hashes, which do not compress.
CREATE TABLE documents (
    part int4 NOT NULL,
    slot int4 NOT NULL,
    seq int8 NOT NULL,
    time int8 NOT NULL,
    checksum int8 NOT NULL,
    payload bytea NOT NULL,
    PRIMARY KEY (seq, part)
) PARTITION BY LIST (part);
ALTER TABLE documents ALTER payload SET STORAGE EXTERNAL;

-- The documents under each key.
CREATE TABLE postings (
    part int4 NOT NULL,
    slot int4 NOT NULL,
    key int8 NOT NULL,
    seq int8 NOT NULL,
    time int8 NOT NULL
) PARTITION BY LIST (part);
CREATE INDEX ON postings (key, seq);
