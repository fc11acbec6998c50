-- Which database this is, and whether `svc db copy` made it. Exactly one row, which copies do not have from their
-- source.
--
-- database_id: random, so that only backups and clones have the same. copied_from: the database_id of the source of
-- the copy; NULL where nothing was copied here. copy_run: raised by each run of `svc db copy`; one that is not the
-- last writes nothing more. copy_digest: SHA-256 of everything as the last run left it; NULL until it is complete. A
-- database with a source and no digest is half a copy, which nobody uses.
CREATE TABLE origin (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    database_id BLOB    NOT NULL,
    copied_from BLOB,
    copy_run    BIGINT  NOT NULL DEFAULT 0,
    copy_digest BLOB,
    CHECK (copy_digest IS NULL OR copied_from IS NOT NULL)
);
INSERT INTO origin (id, database_id) VALUES (1, randomblob(16));
