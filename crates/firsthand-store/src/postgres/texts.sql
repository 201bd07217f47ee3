-- The texts of documents, compressed, by the hash of the id. Made when texts are first kept.
CREATE TABLE texts (
    part int4 NOT NULL,
    slot int4 NOT NULL,
    key int8 NOT NULL,
    seq int8 NOT NULL,
    checksum int8 NOT NULL,
    id bytea NOT NULL,
    text bytea NOT NULL,
    PRIMARY KEY (key, seq, part)
) PARTITION BY LIST (part);
ALTER TABLE texts ALTER text SET STORAGE EXTERNAL;
