-- Partners, their keys and webhook subscriptions, and the outbox: what is to be told to whom.

CREATE TABLE partners (
    id         INTEGER PRIMARY KEY,
    name       TEXT   NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);

-- A key itself is stored nowhere: hash is its SHA-256, prefix its first twelve characters, by which
-- people name it.
CREATE TABLE keys (
    id           INTEGER PRIMARY KEY,
    partner_id   BIGINT NOT NULL REFERENCES partners (id),
    prefix       TEXT   NOT NULL UNIQUE,
    hash         BLOB   NOT NULL,
    tier         TEXT   NOT NULL CHECK (tier IN ('partner', 'enterprise', 'operator')),
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

-- failing_since: when the failures began that no success has ended. Kept while DISABLED, because
-- what was missed since then is sent when the subscription is enabled again.
-- A DELETED one waits for the pruner to remove what it still has. Its number is never given again:
-- attempts may be under way that know it by that.
CREATE TABLE subscriptions (
    seq              INTEGER PRIMARY KEY AUTOINCREMENT,
    id               TEXT    NOT NULL UNIQUE,
    partner_id       BIGINT  NOT NULL REFERENCES partners (id),
    url              TEXT    NOT NULL,
    report_created   INTEGER NOT NULL CHECK (report_created IN (0, 1)),
    metrics_updated  INTEGER NOT NULL CHECK (metrics_updated IN (0, 1)),
    secret           TEXT    NOT NULL,
    status           TEXT    NOT NULL CHECK (status IN ('ACTIVE', 'DISABLED', 'DELETED')),
    disabled_reason  TEXT,
    failing_since    BIGINT,
    created_at       BIGINT  NOT NULL,
    CHECK ((status = 'DISABLED') = (disabled_reason IS NOT NULL))
);
CREATE INDEX subscriptions_partner ON subscriptions (partner_id, seq) WHERE status <> 'DELETED';

-- A fact to be told. body is sent as it is, byte for byte, on every try.
CREATE TABLE events (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT   NOT NULL UNIQUE,
    name       TEXT   NOT NULL,
    body       BLOB   NOT NULL,
    created_at BIGINT NOT NULL
);

-- One event for one subscription. due_at: when it may be claimed; while it is claimed, when the
-- claim ends; NULL when it is over. Those of a disabled subscription wait: nothing claims them.
-- lease: who holds the claim. failures: in a row, since the delivery or its redelivery began.
-- By subscription first: its log and its queue are then neighbours, and the pruner finds what is old
-- without another index.
CREATE TABLE deliveries (
    subscription_seq BIGINT  NOT NULL REFERENCES subscriptions (seq),
    event_seq        BIGINT  NOT NULL,
    status           TEXT    NOT NULL CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED')),
    due_at           BIGINT,
    lease            BIGINT,
    failures         INTEGER NOT NULL DEFAULT 0,
    attempts         INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (subscription_seq, event_seq),
    CHECK ((status = 'PENDING') = (due_at IS NOT NULL)),
    CHECK (lease IS NULL OR status = 'PENDING')
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
