-- One row: the layout of these tables and of what they hold.
CREATE TABLE layout (
    version int8 PRIMARY KEY
);

-- One row. `round` counts commits: as long as it is the same, so is the store.
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

-- The buckets. A bucket that is forgotten and then used again gets a new slot; rows whose slot is not
-- listed here are ignored.
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

-- The partitions, with the slots that were assigned to each. A partition is dropped once all of its
-- slots are forgotten.
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

-- The payloads of documents: mostly hashes, which do not compress.
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
