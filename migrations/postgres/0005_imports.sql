-- Which import brought which reports, and the reports of each status in the order in which they came.

-- One run of `svc reports import`. The id is when it began, in milliseconds since 1970, so later imports
-- have greater ids. file: as it was named on the command line; NULL is standard input.
CREATE TABLE imports (
    id   BIGINT PRIMARY KEY,
    file TEXT,
    mode TEXT NOT NULL CHECK (mode IN ('pending', 'approve', 'backfill'))
);

-- The reports of an import. A transaction numbers its reports without a gap, and imports whose
-- transactions follow each other directly extend their range: a few rows an import, and nothing in the
-- reports themselves.
CREATE TABLE import_ranges (
    first_seq BIGINT PRIMARY KEY,
    last_seq  BIGINT NOT NULL,
    import_id BIGINT NOT NULL REFERENCES imports (id),
    CHECK (first_seq <= last_seq)
);
CREATE INDEX import_ranges_import ON import_ranges (import_id);

-- What waits, was rejected or withdrawn: by status and then by seq.
CREATE INDEX reports_not_approved ON reports (status, seq) WHERE status <> 'APPROVED';
