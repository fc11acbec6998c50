-- Sessions of the desk. hash: the SHA-256 of what the browser has. origin: the address from which somebody signed in.
CREATE TABLE desk_sessions (
    hash    BLOB    PRIMARY KEY,
    key_id  INTEGER NOT NULL REFERENCES keys (id),
    origin  TEXT    NOT NULL,
    ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Of the reports that wait for a decision, those that may tell of the same event.
CREATE INDEX reports_pending_alike ON reports (event_day, people_count, city) WHERE status = 'PENDING';

-- What a decision was about, for undoing it.
CREATE INDEX audited_reports_entry ON audited_reports (entry_seq);

-- What came of an import, in rows. refused_rows: the first of those that were refused, as CSV to be mended.
CREATE TABLE import_results (
    import_id    INTEGER PRIMARY KEY REFERENCES imports (id),
    total        INTEGER NOT NULL,
    imported     INTEGER NOT NULL,
    skipped      INTEGER NOT NULL,
    refused      INTEGER NOT NULL,
    refused_rows BLOB NOT NULL
) STRICT;
