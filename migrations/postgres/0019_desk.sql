-- Sessions of the desk. hash: the SHA-256 of what the browser has. origin: the address from which somebody signed in.
CREATE TABLE desk_sessions (
    hash    BYTEA  PRIMARY KEY,
    key_id  BIGINT NOT NULL REFERENCES keys (id),
    origin  TEXT   NOT NULL,
    ends_at BIGINT NOT NULL
);

-- Of the reports that wait for a decision, those that may tell of the same event.
CREATE INDEX reports_pending_alike ON reports (event_day, people_count, city) WHERE status = 'PENDING';

-- What a decision was about, for undoing it.
CREATE INDEX audited_reports_entry ON audited_reports (entry_seq);

-- What came of an import, in rows. refused_rows: the first of those that were refused, as CSV to be mended.
CREATE TABLE import_results (
    import_id    BIGINT PRIMARY KEY REFERENCES imports (id),
    total        BIGINT NOT NULL,
    imported     BIGINT NOT NULL,
    skipped      BIGINT NOT NULL,
    refused      BIGINT NOT NULL,
    refused_rows BYTEA NOT NULL
);
