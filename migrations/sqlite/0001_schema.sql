-- Tables of svc. Tables, columns and indexes have the same names as in PostgreSQL; a test compares them.
--
-- Instants are milliseconds since 1970-01-01T00:00:00Z, days are days since 1970-01-01: both engines compare and
-- index integers alike, and a bucket is computed without a date function.
--
-- Tables with long values are not WITHOUT ROWID: SQLite would read the values on its way to a row.

-- Identifies the file as one of svc, in its header: "svc1".
PRAGMA application_id = 1937138481;

-- Exactly one row.
-- version: grows with every transaction that changes public data, so a process notices the changes of others
-- by reading one row.
-- changed_at: time of the last such change. No later change has an earlier time, so a list of the reports up
-- to an instant stays complete.
-- revision: grows when approved reports change other than by a publication as news, for example by a
-- withdrawal. It begins with the current time, so that no two databases have the same one.
CREATE TABLE data_version (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    version    BIGINT  NOT NULL,
    changed_at BIGINT  NOT NULL DEFAULT 0,
    revision   BIGINT  NOT NULL DEFAULT 0
);
INSERT INTO data_version (id, version, revision) VALUES (1, 0, CAST(unixepoch('subsec') * 1000 AS INTEGER));

-- Numbers of transactions that changed something, for each kind of transaction that takes turns, so that
-- kinds do not wait for each other. Transactions of deliveries are not counted. Equal numbers mean that
-- nothing has changed in between.
CREATE TABLE changes (
    turn   TEXT   PRIMARY KEY,
    number BIGINT NOT NULL
);
INSERT INTO changes (turn, number) VALUES ('publishing', 0), ('administration', 0);

-- Exactly one row: versions of the rules that all derived data follows.
-- places_version: grows when places are changed or removed, and processes then reload their places. Adding a
-- place leaves it.
-- rebuild: number of the rebuild that may write. rebuild_until: time at which that rebuild is considered
-- dead.
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

-- Oldest migration that a binary must include to use this database. A migration that older binaries cannot
-- work with sets it to its own number; all others leave it, so that old and new binaries work side by side.
CREATE TABLE compatibility (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    oldest INTEGER NOT NULL
) STRICT;
INSERT INTO compatibility (id, oldest) VALUES (1, 1);

-- Exactly one row, used only by PostgreSQL: history of the server that the data belongs to.
CREATE TABLE timeline (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    name   TEXT,
    events INTEGER
) STRICT;
INSERT INTO timeline (id) VALUES (1);

-- One row while `svc db copy` writes this database. Until the copy is complete, nothing else opens the
-- database.
CREATE TABLE unfinished_copy (
    id INTEGER PRIMARY KEY CHECK (id = 1)
) STRICT;

-- Places of the counters: the world, its countries, their regions, their cities. The keys decide which
-- spellings are the same place; the names are the spelling of the first publication. Only a rebuild removes
-- rows.
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
-- Cities with similar names.
CREATE INDEX places_cities ON places (country_key, city_key) WHERE level = 3;
INSERT INTO places (id, parent_id, level, country_key, region_key, city_key, country, region, city)
VALUES (0, NULL, 0, '', '', '', '', '', '');

-- Reports as submitted.
-- published_at: time of the first publication, also of a report that is pending or rejected since. place_id: its
-- city. position: position of an approved report in the lists. city_key: folded name of the city.
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
    city_key     TEXT    NOT NULL DEFAULT '',
    CHECK (status IN ('PENDING', 'REJECTED') OR published_at IS NOT NULL AND place_id IS NOT NULL),
    CHECK ((lat IS NULL) = (lng IS NULL))
);
CREATE UNIQUE INDEX reports_position ON reports (position) WHERE position IS NOT NULL;
-- Coordinates of the latest reports of a city.
CREATE INDEX reports_given ON reports (place_id, event_day)
    WHERE status = 'APPROVED' AND lat IS NOT NULL;
-- Reports that are pending, rejected or withdrawn, by status and seq. With an index by time and id, an import
-- would write to many pages.
CREATE INDEX reports_not_approved ON reports (status) WHERE status <> 'APPROVED';
-- Reports that are not approved, in the order of their event dates, and by place.
CREATE INDEX reports_by_day ON reports (status, event_day) WHERE status <> 'APPROVED';
CREATE INDEX reports_by_place ON reports (status, country, region, city) WHERE status <> 'APPROVED';
-- Pending reports that may be about the same event.
CREATE INDEX reports_pending_alike ON reports (event_day, city_key, people_count) WHERE status = 'PENDING';

-- Numbers of pending, rejected and withdrawn reports by place, as reported, and type. Triggers keep them; one of
-- a row's numbers is greater than 0. key: status and place.
CREATE TABLE not_approved_counts (
    key            TEXT   PRIMARY KEY,
    status         TEXT   NOT NULL,
    country        TEXT   NOT NULL,
    region         TEXT   NOT NULL,
    city           TEXT   NOT NULL,
    spirit_reports BIGINT NOT NULL,
    water_reports  BIGINT NOT NULL,
    both_reports   BIGINT NOT NULL
) WITHOUT ROWID;

CREATE TRIGGER reports_inserted AFTER INSERT ON reports WHEN NEW.status <> 'APPROVED'
BEGIN
    INSERT INTO not_approved_counts (key, status, country, region, city, spirit_reports, water_reports, both_reports)
    VALUES (NEW.status || char(10) || NEW.country || char(10) || NEW.region || char(10) || NEW.city,
            NEW.status, NEW.country, NEW.region, NEW.city, NEW.type = 'spirit', NEW.type = 'water', NEW.type = 'both')
    ON CONFLICT DO UPDATE SET spirit_reports = spirit_reports + EXCLUDED.spirit_reports,
                              water_reports = water_reports + EXCLUDED.water_reports,
                              both_reports = both_reports + EXCLUDED.both_reports;
END;

CREATE TRIGGER reports_updated_from AFTER UPDATE OF status, country, region, city, type ON reports
WHEN OLD.status <> 'APPROVED'
BEGIN
    UPDATE not_approved_counts SET spirit_reports = spirit_reports - (OLD.type = 'spirit'),
                                   water_reports = water_reports - (OLD.type = 'water'),
                                   both_reports = both_reports - (OLD.type = 'both')
    WHERE key = OLD.status || char(10) || OLD.country || char(10) || OLD.region || char(10) || OLD.city;
    DELETE FROM not_approved_counts
    WHERE key = OLD.status || char(10) || OLD.country || char(10) || OLD.region || char(10) || OLD.city
    AND spirit_reports + water_reports + both_reports = 0;
END;

CREATE TRIGGER reports_updated_to AFTER UPDATE OF status, country, region, city, type ON reports
WHEN NEW.status <> 'APPROVED'
BEGIN
    INSERT INTO not_approved_counts (key, status, country, region, city, spirit_reports, water_reports, both_reports)
    VALUES (NEW.status || char(10) || NEW.country || char(10) || NEW.region || char(10) || NEW.city,
            NEW.status, NEW.country, NEW.region, NEW.city, NEW.type = 'spirit', NEW.type = 'water', NEW.type = 'both')
    ON CONFLICT DO UPDATE SET spirit_reports = spirit_reports + EXCLUDED.spirit_reports,
                              water_reports = water_reports + EXCLUDED.water_reports,
                              both_reports = both_reports + EXCLUDED.both_reports;
END;

-- Index of the lists of approved reports, described in server/store/src/list_index.rs. The cost of a list is
-- bounded for any number of reports, and for any places, types and dates.
-- Every approved report has a position: segment * 65536 + slot. Slots of a segment are ordered by
-- publication: the higher, the newer. Postings and calendars are sets of slots; a list intersects them and
-- reads only the reports that it returns.
-- size: number of slots ever used. live: number of them whose reports are still approved. oldest_at,
-- newest_at, first_day, last_day: bounds of the times of publication and of the event dates. newest_id: id of
-- the newest report.
-- time_index: published_at of every 256th slot, 8 bytes each, little-endian.
-- Ids are never reused, because reports have positions in a segment while it is merged. Processes cache time
-- indexes and calendars by id and size, so any change of them makes another segment or a larger size.
CREATE TABLE segments (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    size       BIGINT  NOT NULL CHECK (size BETWEEN 1 AND 65536),
    live       BIGINT  NOT NULL CHECK (live BETWEEN 0 AND size),
    oldest_at  BIGINT  NOT NULL,
    newest_at  BIGINT  NOT NULL,
    newest_id  TEXT    NOT NULL,
    first_day  BIGINT  NOT NULL,
    last_day   BIGINT  NOT NULL,
    time_index BLOB   NOT NULL
);
CREATE INDEX segments_newest ON segments (newest_at, newest_id);
-- Small segments, which are merged when there are several.
CREATE INDEX segments_small ON segments (size) WHERE size < 4096;

-- Sets of slots, as roaring bitmaps in the portable format.
-- dimension 0: reports of the place `value`. The set of the world (0) contains exactly the approved reports;
-- other sets may still contain withdrawn ones. dimension 1: reports of the type `value`: 0 spirit, 1 water, 2
-- both.
CREATE TABLE postings (
    segment   BIGINT  NOT NULL REFERENCES segments (id),
    dimension INTEGER NOT NULL CHECK (dimension BETWEEN 0 AND 1),
    value     BIGINT  NOT NULL,
    slots     BLOB    NOT NULL,
    PRIMARY KEY (segment, dimension, value)
);

-- Slots of a segment in the order of their event dates, so that any period is a range. The format is
-- described in server/store/src/list_index/calendar.rs.
CREATE TABLE calendars (
    segment INTEGER PRIMARY KEY REFERENCES segments (id),
    dates   BLOB NOT NULL
);

-- Counts of approved reports by place and bucket of the event date.
-- grain: 0 all time (bucket 0), 1 year, 2 month (year * 12 + month - 1), 3 day. page: 512 places, numbers 0
-- to 511 and so on. The format of counts is described in server/store/src/counters/page.rs.
CREATE TABLE counts (
    grain  INTEGER NOT NULL CHECK (grain BETWEEN 0 AND 3),
    page   BIGINT  NOT NULL,
    bucket BIGINT  NOT NULL,
    counts BLOB    NOT NULL,
    PRIMARY KEY (grain, page, bucket)
);

-- Number of changes of each page of counts, in all buckets; a page without a row has never changed. Processes
-- cache counts, and reload pages whose number has changed (server/store/src/counters/count_cache.rs). Rows
-- are never removed, so that no number is reused.
CREATE TABLE counted_pages (
    page    BIGINT NOT NULL PRIMARY KEY,
    changes BIGINT NOT NULL
) WITHOUT ROWID;

-- Cities with approved reports in a bucket, as a roaring bitmap of place ids. Distinct cities over ten years
-- are the union of a few dozen bitmaps. Bucket 1 of grain 0 has the countries with approved reports of any
-- date instead.
CREATE TABLE presence (
    grain  INTEGER NOT NULL CHECK (grain BETWEEN 0 AND 3),
    bucket BIGINT  NOT NULL,
    cities BLOB    NOT NULL,
    PRIMARY KEY (grain, bucket)
);

-- Runs of `svc reports import`.
-- id: time of the start in milliseconds since 1970, so later imports have higher ids. file: file name as
-- given on the command line; NULL is standard input.
CREATE TABLE imports (
    id   INTEGER PRIMARY KEY,
    file TEXT,
    mode TEXT NOT NULL CHECK (mode IN ('pending', 'approve', 'backfill'))
);

-- Reports of an import, as ranges of seq. A transaction numbers its reports without gaps, and consecutive
-- transactions of an import extend its range, so an import has few rows and its reports need no column.
CREATE TABLE import_ranges (
    first_seq INTEGER PRIMARY KEY,
    last_seq  BIGINT NOT NULL,
    import_id BIGINT NOT NULL REFERENCES imports (id),
    CHECK (first_seq <= last_seq)
);
CREATE INDEX import_ranges_import ON import_ranges (import_id);

-- Results of an import, in rows. refused_rows: the first refused rows, as CSV to be corrected. notes: notes about the
-- file, as a JSON array. reasons: reasons for refused rows with their numbers, as a JSON array. failure: why the import
-- stopped before the end of the file, as a JSON object. The desk translates these when it displays them.
CREATE TABLE import_results (
    import_id    INTEGER PRIMARY KEY REFERENCES imports (id),
    total        INTEGER NOT NULL,
    imported     INTEGER NOT NULL,
    skipped      INTEGER NOT NULL,
    refused      INTEGER NOT NULL,
    refused_rows BLOB NOT NULL,
    notes        TEXT NOT NULL,
    reasons      TEXT NOT NULL,
    failure      TEXT
) STRICT;

-- Imported history without an event yet: at most one row. reports: their number. since, until: their first and last time
-- of publication. changed_at: time of the last batch.
CREATE TABLE unannounced_history (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    reports    BIGINT NOT NULL,
    since      BIGINT NOT NULL,
    until      BIGINT NOT NULL,
    changed_at BIGINT NOT NULL
);

-- Choices of how files are read, for the next file with the same columns. header_hash: SHA-256 of the names of the
-- columns. reading: the choices, as parameters of a form.
CREATE TABLE import_layouts (
    header_hash BLOB    PRIMARY KEY,
    reading     TEXT    NOT NULL,
    used_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Reports from forms and programs, while their notes and contacts are kept.
-- source: public, or api: and the prefix of a key. network: hash of the sender's network, and fingerprint: hash of
-- sender and content; both are removed after a day. decided_at: time at which the worker that removes these rows
-- found that the report is no longer pending.
CREATE TABLE submissions (
    report_seq  INTEGER PRIMARY KEY,
    source      TEXT    NOT NULL,
    network     BLOB,
    fingerprint BLOB,
    note        TEXT    NOT NULL DEFAULT '',
    contact     TEXT    NOT NULL DEFAULT '',
    created_at  BIGINT  NOT NULL,
    decided_at  BIGINT
);
CREATE INDEX submissions_network ON submissions (network, created_at) WHERE network IS NOT NULL;
CREATE INDEX submissions_fingerprint ON submissions (fingerprint) WHERE fingerprint IS NOT NULL;

-- Proofs of work and form tokens that were used. hash: SHA-256. They are removed when they have expired.
CREATE TABLE used_proofs (
    hash       BLOB   PRIMARY KEY,
    expires_at BIGINT  NOT NULL
);
CREATE INDEX used_proofs_age ON used_proofs (expires_at);

-- At most one row: key of challenges, form tokens and hashes of networks, which all nodes share.
CREATE TABLE intake_key (
    id  INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB   NOT NULL
);

-- is_sandbox: whether its keys are of the tier test. No event of the log is sent to subscriptions of a sandbox.
-- email: address for mails about the partner's endpoints. email_token: secret of the link that removes it. mailed_at: time
-- at which a node last began to send one.
CREATE TABLE partners (
    id          INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL,
    is_sandbox  INTEGER NOT NULL DEFAULT 0 CHECK (is_sandbox IN (0, 1)),
    created_at  BIGINT  NOT NULL,
    email       TEXT,
    email_token TEXT,
    mailed_at   BIGINT  NOT NULL DEFAULT 0,
    UNIQUE (name, is_sandbox)
);
-- The operator, whose subscriptions all operators' keys with the scope admin manage.
INSERT INTO partners (id, name, created_at) VALUES (0, 'operator', 0);

-- API keys. The key itself is not stored.
-- hash: SHA-256 of the key. prefix: its first twelve characters, which identify it for people. scope:
-- permissions of an operator's key, each including the previous ones; NULL for keys of partners. rate: maximum
-- number of requests per minute instead of the tier's. origins: origins of the pages that may use the key, separated
-- by spaces; NULL if it is not for pages.
CREATE TABLE keys (
    id           INTEGER PRIMARY KEY,
    partner_id   BIGINT NOT NULL REFERENCES partners (id),
    prefix       TEXT   NOT NULL UNIQUE,
    hash         BLOB   NOT NULL,
    tier         TEXT   NOT NULL CHECK (tier IN ('partner', 'enterprise', 'test', 'operator')),
    scope        TEXT CHECK (scope IN ('read', 'moderate', 'admin')),
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    revoked_at   BIGINT,
    last_used_at BIGINT,
    note         TEXT,
    rate         BIGINT CHECK (rate > 0),
    origins      TEXT
);

-- Number of requests with each key in the hours of the last 31 days. hour: hours since 1970. refused: number of those that
-- a limit refused.
CREATE TABLE key_requests (
    key_id   BIGINT NOT NULL REFERENCES keys (id),
    hour     BIGINT NOT NULL,
    requests BIGINT NOT NULL,
    refused  BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (key_id, hour)
) WITHOUT ROWID;
CREATE INDEX key_requests_hour ON key_requests (hour);

-- Exactly one row. version: grows with every change of a key, so that all nodes notice it by reading one row.
CREATE TABLE keys_version (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    version BIGINT  NOT NULL
);
INSERT INTO keys_version (id, version) VALUES (1, 0);

-- Sessions of the desk and the portal. hash: SHA-256 of the browser's token. origin: address of the sign-in.
CREATE TABLE sessions (
    hash    BLOB    PRIMARY KEY,
    key_id  INTEGER NOT NULL REFERENCES keys (id),
    origin  TEXT    NOT NULL,
    ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Lists that people at the desk have saved. owner: name of the person, as in the audit log.
CREATE TABLE desk_views (
    owner TEXT NOT NULL,
    name  TEXT NOT NULL,
    query TEXT NOT NULL,
    PRIMARY KEY (owner, name)
) STRICT, WITHOUT ROWID;

-- Pairs of places with similar names that are not two spellings of one place, by decision of a person (actor, as in
-- the audit log). The places are their names, as shown then; keys follow from these, by rules that may change.
CREATE TABLE places_apart (
    id            INTEGER PRIMARY KEY,
    country       TEXT    NOT NULL,
    region        TEXT    NOT NULL,
    city          TEXT    NOT NULL,
    other_country TEXT    NOT NULL,
    other_region  TEXT    NOT NULL,
    other_city    TEXT    NOT NULL,
    actor         TEXT    NOT NULL,
    at            INTEGER NOT NULL
) STRICT;

-- Exactly one row: digest of pending reports by mail.
-- claimed_at: time at which a node last began to send one. retry_at: time at which it is tried again after a
-- failure. sent_at: time of the last one that a server accepted, and summary: what it was about. failed_at,
-- failure: last attempt, if it failed.
CREATE TABLE mail_digest (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    claimed_at INTEGER NOT NULL DEFAULT 0,
    retry_at   INTEGER,
    sent_at    INTEGER,
    summary    TEXT    NOT NULL DEFAULT '',
    failed_at  INTEGER,
    failure    TEXT
) STRICT;
INSERT INTO mail_digest (id) VALUES (1);

-- Subscriptions whose announced state is to be in the next mail to their partner. noticed_at: time of the
-- announcement. Rows may outlive their subscription, by a day at most.
CREATE TABLE partner_mails (
    subscription_seq INTEGER PRIMARY KEY,
    noticed_at       INTEGER NOT NULL
) STRICT;

-- Webhook subscriptions. A DELETED one remains until the pruner has removed its deliveries. Numbers are never
-- reused, because attempts in flight refer to them. held: whether only the operator may enable it again. announced_state:
-- state of the endpoint that its partner was notified of.
-- report_…, metrics_updated: selected events. filter_…: filter of events about reports, as its partner wrote
-- it; NULL does not restrict. filter_types: some of spirit, water and both, separated by commas.
-- secret: nonce and ciphertext. secret_key: id of the key, which is not in the database. Deleted
-- subscriptions have neither. old_secret: previous secret, encrypted alike; until old_secret_until, webhooks
-- are signed with both.
-- cursor: every event up to this number is finished for the subscription, or has a delivery. replayed_up_to:
-- events up to this number are sent again if they have a delivery. rewinds: number of replays that moved the
-- cursor back; a dispatcher with a lower number must not write the cursor. revision: grows with every change
-- by its partner or the operator. lease_owner: process that works on it, until lease_until.
-- failing_since: time of the first failure after the last success. It is kept while the subscription is
-- DISABLED, because the events missed since then are sent when it is enabled again. failures: number of
-- consecutive failures. failing_ms: observed duration of the failure. paused_until: end of a pause in which
-- nothing is sent. probes: number of consecutive failed probes.
CREATE TABLE subscriptions (
    seq              INTEGER PRIMARY KEY AUTOINCREMENT,
    id               TEXT    NOT NULL UNIQUE,
    partner_id       BIGINT  NOT NULL REFERENCES partners (id),
    url              TEXT    NOT NULL,
    report_created   INTEGER NOT NULL CHECK (report_created IN (0, 1)),
    report_withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (report_withdrawn IN (0, 1)),
    report_updated   INTEGER NOT NULL DEFAULT 0 CHECK (report_updated IN (0, 1)),
    report_pending   INTEGER NOT NULL DEFAULT 0 CHECK (report_pending IN (0, 1)),
    reports_imported INTEGER NOT NULL DEFAULT 0 CHECK (reports_imported IN (0, 1)),
    subscription_paused INTEGER NOT NULL DEFAULT 0 CHECK (subscription_paused IN (0, 1)),
    subscription_disabled INTEGER NOT NULL DEFAULT 0 CHECK (subscription_disabled IN (0, 1)),
    metrics_updated  INTEGER NOT NULL CHECK (metrics_updated IN (0, 1)),
    filter_country   TEXT,
    filter_region    TEXT,
    filter_city      TEXT,
    filter_types     TEXT,
    status           TEXT    NOT NULL CHECK (status IN ('ACTIVE', 'DISABLED', 'DELETED')),
    disabled_reason  TEXT,
    held             INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1)),
    announced_state  TEXT    NOT NULL DEFAULT '' CHECK (announced_state IN ('', 'PAUSED', 'DISABLED')),
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

-- Requests with an Idempotency-Key, and the responses to those that were handled.
-- owner: partner or operator's key that the request came from. request_hash: SHA-256 of method, path, query and
-- body. claim: number of the request that is being handled, or was. claimed_until: end of the claim if the process
-- is killed. had_effect: set in the transactions of the request. response_key: id of the key that encrypts the
-- response, if it has a secret. A response with a status and no body was too large, or its key is lost.
CREATE TABLE idempotency_keys (
    owner         TEXT NOT NULL,
    key           TEXT NOT NULL,
    request_hash  BLOB NOT NULL,
    claim         BIGINT NOT NULL,
    started_at    BIGINT NOT NULL,
    claimed_until BIGINT NOT NULL,
    had_effect    INTEGER NOT NULL DEFAULT 0 CHECK (had_effect IN (0, 1)),
    status        BIGINT,
    response      BLOB,
    response_key  TEXT,
    PRIMARY KEY (owner, key),
    CHECK (response IS NULL OR status IS NOT NULL),
    CHECK (response_key IS NULL OR response IS NOT NULL)
) WITHOUT ROWID;
CREATE INDEX idempotency_keys_age ON idempotency_keys (started_at);
CREATE INDEX idempotency_keys_sealed ON idempotency_keys (response_key) WHERE response_key IS NOT NULL;

-- Log of events. Each publication, correction and withdrawal writes its events once, whether or not there are
-- subscribers; they are kept for a while, so that they can be read later.
-- body: exact bytes that every attempt sends. place, type: place keys (country, region and city, separated by
-- line feeds) and type of the report, for filters; NULL for events without a report. place_before,
-- type_before: the values before a correction, so that subscriptions that received the report receive its
-- correction, too.
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

-- Exactly one row. pruned_up_to: number up to which events may have been removed.
CREATE TABLE event_log (
    id           INTEGER PRIMARY KEY CHECK (id = 1),
    pruned_up_to BIGINT  NOT NULL
);
INSERT INTO event_log (id, pruned_up_to) VALUES (1, 0);

-- Gaps in the numbers of events, left when history was rewound: when a backup was restored, or a server took
-- over that lacked the last transactions. Events between `last` and `next` are lost, although partners may
-- have received them. Their numbers are not reused.
CREATE TABLE log_gaps (
    last BIGINT PRIMARY KEY,
    next BIGINT NOT NULL,
    CHECK (last < next)
);

-- Events for one subscription. A row is written with the result of an attempt, not by the publishing
-- transaction.
-- due_at: time of the next attempt; NULL if the delivery is finished. Deliveries of a disabled subscription
-- wait. failures: number of consecutive failures since the delivery or its redelivery began.
-- The primary key begins with the subscription, so that its log and its queue are neighbours, and the pruner
-- needs no other index.
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

-- Finished attempts of deliveries. status_code: status of the response. error: reason for its absence. response: beginning
-- of the body of a response that did not accept the event.
CREATE TABLE attempts (
    subscription_seq BIGINT  NOT NULL,
    event_seq        BIGINT  NOT NULL,
    number           INTEGER NOT NULL,
    started_at       BIGINT  NOT NULL,
    duration_ms      BIGINT  NOT NULL,
    status_code      INTEGER,
    error            TEXT,
    response         TEXT,
    PRIMARY KEY (subscription_seq, event_seq, number),
    CHECK ((status_code IS NULL) <> (error IS NULL))
) WITHOUT ROWID;

-- Audit log: actions with their author, time and origin.
-- actor: name of a person. key_prefix: prefix of their key. origin: network address, or name of the machine on
-- which the command line was used. before, after: JSON without secrets. report_seq: affected report; several
-- reports are in audited_reports. reports: number of affected reports.
-- decision: one action on many reports has an entry for each of its transactions. All but the first have
-- the number of the first one here. Entries that undo a decision have that of the decision.
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
    after      TEXT,
    reports    INTEGER NOT NULL DEFAULT 0,
    decision   INTEGER
) STRICT;
-- Entries of a decision.
CREATE INDEX audit_log_decision ON audit_log (decision) WHERE decision IS NOT NULL;
CREATE INDEX audit_log_report ON audit_log (report_seq) WHERE report_seq IS NOT NULL;
-- Entries about an object, read for the object's own history.
CREATE INDEX audit_log_subject ON audit_log (subject);
-- Newest entries of everybody, of a person, and of an action.
CREATE INDEX audit_log_time ON audit_log (at, seq, subject);
CREATE INDEX audit_log_actor ON audit_log (actor, at, seq, action);
CREATE INDEX audit_log_action ON audit_log (action, at, seq);

CREATE TABLE audited_reports (
    report_seq INTEGER NOT NULL,
    entry_seq  INTEGER NOT NULL,
    PRIMARY KEY (report_seq, entry_seq)
) STRICT, WITHOUT ROWID;
-- Reports of a decision, for listing and undoing it.
CREATE INDEX audited_reports_entry ON audited_reports (entry_seq, report_seq);

-- Number of reports that a person has approved, rejected and so on, for each day (UTC) since 1970-01-01.
CREATE TABLE moderation_days (
    day     INTEGER NOT NULL,
    actor   TEXT    NOT NULL,
    action  TEXT    NOT NULL,
    reports INTEGER NOT NULL,
    PRIMARY KEY (day, actor, action)
) STRICT, WITHOUT ROWID;

-- The audit log is append-only for all programs that open the database.
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

-- REPLACE removes rows without running the triggers for deletions.
CREATE TRIGGER audit_log_not_replaced BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE seq = NEW.seq)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
