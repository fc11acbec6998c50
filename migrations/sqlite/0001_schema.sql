-- The tables of svc. Those of PostgreSQL have the same names, columns and indexes; a test compares them.
--
-- Instants are milliseconds since 1970-01-01T00:00:00Z, days are days since 1970-01-01: both engines
-- compare and index integers alike, and a bucket is computed without a date function.
--
-- Tables with long values are not WITHOUT ROWID: SQLite would read the values on its way to a row.

-- Mark of svc's files in the header of the file: "svc1".
PRAGMA application_id = 1937138481;

-- Exactly one row. version: moves with every transaction that changes what the public sees, so that any
-- process notices the work of any other by reading one row. changed_at: time of the last such change. No
-- later change has an earlier time: lists that are read up to an instant stay complete up to it.
-- revision: changes when approved reports change in another way than by a publication as news, such as
-- withdrawals and history. It only grows, and begins with the time, so that another database has another one.
CREATE TABLE data_version (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    version    BIGINT  NOT NULL,
    changed_at BIGINT  NOT NULL DEFAULT 0,
    revision   BIGINT  NOT NULL DEFAULT 0
);
INSERT INTO data_version (id, version, revision) VALUES (1, 0, CAST(unixepoch('subsec') * 1000 AS INTEGER));

-- Numbers that grow with every transaction that changes something, except those of deliveries, which keep their
-- own books: one for each kind of turn that transactions take, so that they do not wait for each other. Comparing
-- them shows whether there were changes in between.
CREATE TABLE changes (
    turn   TEXT   PRIMARY KEY,
    number BIGINT NOT NULL
);
INSERT INTO changes (turn, number) VALUES ('publishing', 0), ('administration', 0);

-- Exactly one row: rules by which everything that follows from the reports was made, as numbers of their
-- versions. places_version: raised when places are changed or removed; a process that keeps places in memory
-- then reads them again. Places that are only added don't raise it. rebuild: number of the rebuild that may
-- write, and rebuild_until: when it is taken for dead.
CREATE TABLE derived (
    id             INTEGER PRIMARY KEY CHECK (id = 1),
    rules          INTEGER NOT NULL,
    folding        INTEGER NOT NULL DEFAULT 0,
    countries      INTEGER NOT NULL DEFAULT 0,
    places_version BIGINT  NOT NULL DEFAULT 0,
    rebuild        BIGINT  NOT NULL DEFAULT 0,
    rebuild_until  BIGINT  NOT NULL DEFAULT 0
);
INSERT INTO derived (id, rules, folding, countries) VALUES (1, 1, 1, 1);

-- The oldest migration that a binary has to know to use this database. A migration that older binaries cannot live
-- with sets it to its own number; all others leave it, so that old and new binaries work side by side.
CREATE TABLE compatibility (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    oldest INTEGER NOT NULL
) STRICT;
INSERT INTO compatibility (id, oldest) VALUES (1, 1);

-- Exactly one row, which only PostgreSQL uses: history of the server that the data belongs to.
CREATE TABLE timeline (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    name   TEXT,
    events INTEGER
) STRICT;
INSERT INTO timeline (id) VALUES (1);

-- A row while this database is to become a copy of another: `svc db copy` removes it when the copy is complete,
-- and nothing else opens the database until then.
CREATE TABLE unfinished_copy (
    id INTEGER PRIMARY KEY CHECK (id = 1)
) STRICT;

-- Places that are counted under: the world, its countries, their regions, their cities. The keys decide
-- which spellings are one place, the names are the spelling first published. Rows are only removed by a rebuild.
CREATE TABLE places (
    id          INTEGER PRIMARY KEY,
    parent_id   BIGINT REFERENCES places (id),
    level       INTEGER NOT NULL CHECK (level BETWEEN 0 AND 3), -- 0 world, 1 country, 2 region, 3 city
    country_key TEXT NOT NULL,
    region_key  TEXT NOT NULL,
    city_key    TEXT NOT NULL,
    country     TEXT NOT NULL,
    region      TEXT NOT NULL,
    city        TEXT NOT NULL,
    UNIQUE (level, country_key, region_key, city_key)
);
-- Every publication counts the countries: among all cities, they would be looked for one by one.
CREATE INDEX places_countries ON places (id) WHERE level = 1;
INSERT INTO places (id, parent_id, level, country_key, region_key, city_key, country, region, city)
VALUES (0, NULL, 0, '', '', '', '', '', '');

-- Every report as it was submitted. place_id: its city, and position: its place in the lists, once it was
-- published.
CREATE TABLE reports (
    seq          INTEGER PRIMARY KEY,
    id           TEXT    NOT NULL UNIQUE,
    type         TEXT    NOT NULL CHECK (type IN ('spirit', 'water', 'both')),
    status       TEXT    NOT NULL CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
    city         TEXT    NOT NULL,
    region       TEXT    NOT NULL,
    country      TEXT    NOT NULL,
    people_count BIGINT  NOT NULL CHECK (people_count >= 1),
    event_day    BIGINT  NOT NULL,
    created_at   BIGINT  NOT NULL,
    published_at BIGINT,
    place_id     BIGINT REFERENCES places (id),
    lat          DOUBLE PRECISION,
    lng          DOUBLE PRECISION,
    position     BIGINT,
    CHECK ((status IN ('APPROVED', 'WITHDRAWN')) = (published_at IS NOT NULL AND place_id IS NOT NULL)),
    CHECK ((lat IS NULL) = (lng IS NULL))
);
CREATE UNIQUE INDEX reports_position ON reports (position) WHERE position IS NOT NULL;
-- Where the latest reports of a city say that it is.
CREATE INDEX reports_given ON reports (place_id, event_day)
    WHERE status = 'APPROVED' AND lat IS NOT NULL;
-- Reports that wait, were rejected or withdrawn: by status and then, as in every index, by seq. An index by time
-- and id would have an import write all over the place.
CREATE INDEX reports_not_approved ON reports (status) WHERE status <> 'APPROVED';
-- Of the reports that wait for a decision, those that may be about the same event.
CREATE INDEX reports_pending_alike ON reports (event_day, people_count, city) WHERE status = 'PENDING';

-- The lists of reports: bounded however many reports there are, whatever their places, types and dates.
--
-- Every approved report has a position, segment * 65536 + slot. In a segment, reports stand in the
-- order of the lists from the last to the first: the higher the slot, the newer the publication. Everything that a
-- list may select is kept as sets of slots, one for each segment and value; a list intersects the sets
-- it is narrowed by, and reads only the reports that it returns.
--
-- size: how many slots were ever used; live: how many of those reports are still approved. The oldest and
-- newest publication and the first and last event date bound what is in it, the id is that of the newest.
-- fences: published_at of every 256th slot, 8 bytes each, little-endian.
-- Numbers are never given again: while segments are merged, reports still have positions in them.
-- Processes keep fences and calendars in memory, by number and size: a change of them raises the size or
-- makes another segment.
CREATE TABLE segments (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    size      BIGINT  NOT NULL CHECK (size BETWEEN 1 AND 65536),
    live      BIGINT  NOT NULL CHECK (live BETWEEN 0 AND size),
    oldest_at BIGINT  NOT NULL,
    newest_at BIGINT  NOT NULL,
    newest_id TEXT    NOT NULL,
    first_day BIGINT  NOT NULL,
    last_day  BIGINT  NOT NULL,
    fences    BLOB    NOT NULL
);
CREATE INDEX segments_newest ON segments (newest_at, newest_id);
-- Small ones are merged when there are several.
CREATE INDEX segments_small ON segments (size) WHERE size < 4096;

-- dimension 0: under the place `value`; the set of the world (0) is exactly what is approved now, the
-- others may still have what was withdrawn. 1: of the type `value`, 0 spirit, 1 water, 2 both. slots: a
-- roaring bitmap (its portable serialisation).
CREATE TABLE postings (
    segment   BIGINT  NOT NULL REFERENCES segments (id),
    dimension INTEGER NOT NULL CHECK (dimension BETWEEN 0 AND 1),
    value     BIGINT  NOT NULL,
    slots     BLOB    NOT NULL,
    PRIMARY KEY (segment, dimension, value)
);

-- Slots of a segment in the order of their event dates, so that any period is a part of it:
-- store/reports/calendar.rs says how they are stored.
CREATE TABLE calendars (
    segment INTEGER PRIMARY KEY REFERENCES segments (id),
    dates   BLOB NOT NULL
);

-- Counts of approved reports by bucket of the event date and place. grain 0 all time (bucket 0), 1 year, 2 month
-- (year * 12 + month - 1), 3 day. A page has 512 places, number 0 to 511 and so on. Its content is described in
-- store/counters/page.rs.
CREATE TABLE counts (
    grain  INTEGER NOT NULL CHECK (grain BETWEEN 0 AND 3),
    page   BIGINT  NOT NULL,
    bucket BIGINT  NOT NULL,
    counts BLOB    NOT NULL,
    PRIMARY KEY (grain, page, bucket)
);

-- Number of changes of each page of counts, in whatever bucket; a page without a row never
-- changed. Processes keep counts in memory, and read again what is on pages that have another number than before
-- (store/counters/count_cache.rs). Rows are never removed, so that no number comes back.
CREATE TABLE counted_pages (
    page    BIGINT NOT NULL PRIMARY KEY,
    changes BIGINT NOT NULL
) WITHOUT ROWID;

-- Cities that have approved reports in a bucket: a roaring bitmap of city place ids, so that distinct cities over
-- ten years are the union of some tens of bitmaps.
CREATE TABLE presence (
    grain  INTEGER NOT NULL CHECK (grain BETWEEN 0 AND 3),
    bucket BIGINT  NOT NULL,
    cities BLOB    NOT NULL,
    PRIMARY KEY (grain, bucket)
);

-- One run of `svc reports import`. The id is when it began, in milliseconds since 1970, so later imports
-- have greater ids. file: as it was named on the command line; NULL is standard input.
CREATE TABLE imports (
    id   INTEGER PRIMARY KEY,
    file TEXT,
    mode TEXT NOT NULL CHECK (mode IN ('pending', 'approve', 'backfill'))
);

-- Reports of an import. A transaction numbers its reports without a gap, and imports whose
-- transactions follow each other directly extend their range: a few rows an import, and nothing in the
-- reports themselves.
CREATE TABLE import_ranges (
    first_seq INTEGER PRIMARY KEY,
    last_seq  BIGINT NOT NULL,
    import_id BIGINT NOT NULL REFERENCES imports (id),
    CHECK (first_seq <= last_seq)
);
CREATE INDEX import_ranges_import ON import_ranges (import_id);

-- Results of an import, in rows. refused_rows: the first of those that were refused, as CSV to be mended.
CREATE TABLE import_results (
    import_id    INTEGER PRIMARY KEY REFERENCES imports (id),
    total        INTEGER NOT NULL,
    imported     INTEGER NOT NULL,
    skipped      INTEGER NOT NULL,
    refused      INTEGER NOT NULL,
    refused_rows BLOB NOT NULL
) STRICT;

CREATE TABLE partners (
    id         INTEGER PRIMARY KEY,
    name       TEXT   NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);

-- A key itself is stored nowhere: hash is its SHA-256, prefix its first twelve characters, by which
-- people name it. scope: what an operator's key allows, each including those before it; NULL for partners' keys.
CREATE TABLE keys (
    id           INTEGER PRIMARY KEY,
    partner_id   BIGINT NOT NULL REFERENCES partners (id),
    prefix       TEXT   NOT NULL UNIQUE,
    hash         BLOB   NOT NULL,
    tier         TEXT   NOT NULL CHECK (tier IN ('partner', 'enterprise', 'operator')),
    scope        TEXT CHECK (scope IN ('read', 'moderate', 'admin')),
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    revoked_at   BIGINT,
    last_used_at BIGINT
);

-- Exactly one row: moves with every change of a key, so that every node notices by reading one row.
CREATE TABLE keys_version (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    version BIGINT  NOT NULL
);
INSERT INTO keys_version (id, version) VALUES (1, 0);

-- Sessions of the desk. hash: the SHA-256 of what the browser has. origin: the address from which somebody signed in.
CREATE TABLE desk_sessions (
    hash    BLOB    PRIMARY KEY,
    key_id  INTEGER NOT NULL REFERENCES keys (id),
    origin  TEXT    NOT NULL,
    ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Webhook subscriptions. A DELETED one waits for the pruner to remove what it still has. Its number is never given
-- again: attempts may be under way that know it by that. held: only the operator may enable it again.
--
-- report_…, metrics_updated: events that it lists. filter_…: events about reports that it gets, as its partner wrote
-- it. NULL narrows nothing. filter_types: some of spirit, water and both, separated by commas.
--
-- secret: nonce and ciphertext, secret_key: id of the key, which is not in the database. Deleted subscriptions have
-- neither. old_secret: the secret before the present one, encrypted alike; until old_secret_until webhooks are
-- signed with both.
--
-- cursor: every event up to this number is over for the subscription, or has a delivery. replayed_up_to: up to this
-- number, events that have a delivery are sent again. rewinds: how often replays have moved the cursor back. A
-- dispatcher that knows of fewer writes no cursor. revision: changes with everything that its partner or the operator
-- changes. lease_owner: process that works on it, until lease_until.
--
-- The endpoint's health. failing_since: when the failures began that no success has ended. Kept while DISABLED, because
-- what was missed since then is sent when the subscription is enabled again. failures: in a row. failing_ms: how long
-- it was seen failing. paused_until: nothing is sent before. probes: how many in a row have failed.
CREATE TABLE subscriptions (
    seq              INTEGER PRIMARY KEY AUTOINCREMENT,
    id               TEXT    NOT NULL UNIQUE,
    partner_id       BIGINT  NOT NULL REFERENCES partners (id),
    url              TEXT    NOT NULL,
    report_created   INTEGER NOT NULL CHECK (report_created IN (0, 1)),
    report_withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (report_withdrawn IN (0, 1)),
    report_updated   INTEGER NOT NULL DEFAULT 0 CHECK (report_updated IN (0, 1)),
    metrics_updated  INTEGER NOT NULL CHECK (metrics_updated IN (0, 1)),
    filter_country   TEXT,
    filter_region    TEXT,
    filter_city      TEXT,
    filter_types     TEXT,
    status           TEXT    NOT NULL CHECK (status IN ('ACTIVE', 'DISABLED', 'DELETED')),
    disabled_reason  TEXT,
    held             INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1)),
    created_at       BIGINT  NOT NULL,
    secret           BLOB,
    secret_key       TEXT,
    old_secret       BLOB,
    old_secret_key   TEXT,
    old_secret_until BIGINT,
    cursor           BIGINT  NOT NULL DEFAULT 0,
    replayed_up_to   BIGINT  NOT NULL DEFAULT 0,
    rewinds          BIGINT  NOT NULL DEFAULT 0,
    revision         BIGINT  NOT NULL DEFAULT 0,
    lease_owner      BIGINT,
    lease_until      BIGINT,
    failing_since    BIGINT,
    failures         INTEGER NOT NULL DEFAULT 0,
    failing_ms       BIGINT  NOT NULL DEFAULT 0,
    last_failure_at  BIGINT,
    paused_until     BIGINT,
    probes           INTEGER NOT NULL DEFAULT 0,
    CHECK ((status = 'DISABLED') = (disabled_reason IS NOT NULL)),
    CHECK ((secret IS NULL) = (secret_key IS NULL)),
    CHECK (secret IS NULL OR status <> 'DELETED'),
    CHECK ((old_secret IS NULL) = (old_secret_key IS NULL)),
    CHECK ((old_secret IS NULL) = (old_secret_until IS NULL)),
    CHECK (old_secret IS NULL OR secret IS NOT NULL),
    CHECK ((lease_owner IS NULL) = (lease_until IS NULL))
);
CREATE INDEX subscriptions_partner ON subscriptions (partner_id, seq) WHERE status <> 'DELETED';

-- Subscriptions that were created by a request with an Idempotency-Key, with what they were created with: they may be
-- changed later. body_hash: SHA-256 of the request's JSON. The secret is only in the subscription. That may
-- be gone: its number is not a foreign key, so that the pruner need not know of this table.
CREATE TABLE idempotency_keys (
    partner_id       BIGINT NOT NULL REFERENCES partners (id),
    key              TEXT   NOT NULL,
    body_hash        BLOB   NOT NULL,
    subscription_seq BIGINT NOT NULL,
    url              TEXT   NOT NULL,
    events           TEXT   NOT NULL,
    filter_country   TEXT,
    filter_region    TEXT,
    filter_city      TEXT,
    filter_types     TEXT,
    created_at       BIGINT NOT NULL,
    PRIMARY KEY (partner_id, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- The log of events: written once for every publication, correction and withdrawal, whether or not anybody subscribes,
-- and kept for a while, so that they can be read later. body is sent as it is, byte for byte, on every try.
-- For filters, place: the keys of country, region and city, separated by line feeds; type: the report's;
-- NULL where an event is about no report. place_before, type_before: those before the correction that an event
-- is about: subscriptions that got the report then get the correction, too.
CREATE TABLE events (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT   NOT NULL UNIQUE,
    name         TEXT   NOT NULL,
    body         BLOB   NOT NULL,
    place        TEXT,
    type         TEXT,
    place_before TEXT,
    type_before  TEXT,
    created_at   BIGINT NOT NULL
);

-- Exactly one row. Of the events up to this number, some or all are gone.
CREATE TABLE event_log (
    id           INTEGER PRIMARY KEY CHECK (id = 1),
    pruned_up_to BIGINT  NOT NULL
);
INSERT INTO event_log (id, pruned_up_to) VALUES (1, 0);

-- Where history was rewound: a backup was restored, or a server took over that lacked the last transactions. Events had
-- the numbers between `last` and `next`, but are lost; partners may have seen them. No other event gets one of these
-- numbers.
CREATE TABLE log_gaps (
    last BIGINT PRIMARY KEY,
    next BIGINT NOT NULL,
    CHECK (last < next)
);

-- One event for one subscription: written with the result of an attempt, not by the transaction that publishes.
-- due_at: when it is to be tried again; NULL when it is over. Those of a disabled
-- subscription wait. failures: in a row, since the delivery or its redelivery began.
-- By subscription first: its log and its queue are then neighbours, and the pruner finds what is old
-- without another index.
CREATE TABLE deliveries (
    subscription_seq BIGINT  NOT NULL REFERENCES subscriptions (seq),
    event_seq        BIGINT  NOT NULL,
    status           TEXT    NOT NULL CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED')),
    due_at           BIGINT,
    failures         INTEGER NOT NULL DEFAULT 0,
    attempts         INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (subscription_seq, event_seq),
    CHECK ((status = 'PENDING') = (due_at IS NOT NULL))
) WITHOUT ROWID;
CREATE INDEX deliveries_due ON deliveries (subscription_seq, due_at) WHERE due_at IS NOT NULL;

-- Every try of a delivery whose end is known. status_code: of the answer; error: why there is none.
CREATE TABLE attempts (
    subscription_seq BIGINT  NOT NULL,
    event_seq        BIGINT  NOT NULL,
    number           INTEGER NOT NULL,
    started_at       BIGINT  NOT NULL,
    duration_ms      BIGINT  NOT NULL,
    status_code      INTEGER,
    error            TEXT,
    PRIMARY KEY (subscription_seq, event_seq, number),
    CHECK ((status_code IS NULL) <> (error IS NULL))
) WITHOUT ROWID;

-- Who did what, when and from where. actor: a person's name; key_prefix: of the key that they
-- used; origin: the address that they came from, or the machine whose command line they used. before, after: JSON
-- without secrets. report_seq: the report that it is about; if there are several, audited_reports has them.
CREATE TABLE audit_log (
    seq        INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    actor      TEXT    NOT NULL,
    key_prefix TEXT,
    origin     TEXT    NOT NULL,
    action     TEXT    NOT NULL,
    subject    TEXT    NOT NULL,
    report_seq INTEGER,
    before     TEXT,
    after      TEXT
) STRICT;
CREATE INDEX audit_log_report ON audit_log (report_seq) WHERE report_seq IS NOT NULL;
-- The entry of the import that added a report, which is looked up with each report's history.
CREATE INDEX audit_log_import ON audit_log (subject) WHERE action = 'reports.import';

CREATE TABLE audited_reports (
    report_seq INTEGER NOT NULL,
    entry_seq  INTEGER NOT NULL,
    PRIMARY KEY (report_seq, entry_seq)
) STRICT, WITHOUT ROWID;
-- Reports that a decision was about, for undoing it.
CREATE INDEX audited_reports_entry ON audited_reports (entry_seq);

-- The audit log is append-only, whatever has the database open.
CREATE TRIGGER audit_log_not_changed BEFORE UPDATE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_log_not_removed BEFORE DELETE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audited_reports_not_changed BEFORE UPDATE ON audited_reports
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audited_reports_not_removed BEFORE DELETE ON audited_reports
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- REPLACE removes rows without their triggers.
CREATE TRIGGER audit_log_not_replaced BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE seq = NEW.seq)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
