-- Reports, the places they are counted under, and the rollups that answer every counter.
--
-- Instants are milliseconds since 1970-01-01T00:00:00Z, days are days since 1970-01-01: both engines
-- compare and index integers alike, and a bucket is computed without a date function.

-- Exactly one row: moves with every transaction that changes what the public sees, so that any
-- process notices the work of any other by reading one row.
CREATE TABLE data_version (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    version BIGINT  NOT NULL
);
INSERT INTO data_version (id, version) VALUES (1, 0);

-- What is counted under: the world, its countries, their regions, their cities. The keys decide
-- which spellings are one place, the names are the spelling first published. Rows are never removed.
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
INSERT INTO places (id, parent_id, level, country_key, region_key, city_key, country, region, city)
VALUES (0, NULL, 0, '', '', '', '', '', '');

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
    place_id     BIGINT REFERENCES places (id), -- the city; set when published
    lat          DOUBLE PRECISION,
    lng          DOUBLE PRECISION,
    CHECK ((status IN ('APPROVED', 'WITHDRAWN')) = (published_at IS NOT NULL AND place_id IS NOT NULL)),
    CHECK ((lat IS NULL) = (lng IS NULL))
);
-- The recent list, newest publication first.
CREATE INDEX reports_published ON reports (published_at DESC, id) WHERE status = 'APPROVED';
-- The few reports of a rare place or a short period.
CREATE INDEX reports_place_day ON reports (place_id, event_day) WHERE status = 'APPROVED';
-- What waits for a decision.
CREATE INDEX reports_pending ON reports (created_at, id) WHERE status = 'PENDING';

-- Counts of approved reports by place and bucket of the event date.
-- grain 0 all time (bucket 0), 1 year, 2 month (year * 12 + month - 1), 3 day.
CREATE TABLE rollups (
    place_id     BIGINT  NOT NULL REFERENCES places (id),
    grain        INTEGER NOT NULL CHECK (grain BETWEEN 0 AND 3),
    bucket       BIGINT  NOT NULL,
    spirit_count BIGINT  NOT NULL CHECK (spirit_count >= 0),
    water_count  BIGINT  NOT NULL CHECK (water_count >= 0),
    both_count   BIGINT  NOT NULL CHECK (both_count >= 0),
    PRIMARY KEY (place_id, grain, bucket)
) WITHOUT ROWID;

-- Which cities have approved reports in a bucket: a roaring bitmap (its portable serialisation) of
-- city place ids, so that distinct cities over ten years are the union of some tens of bitmaps.
-- last_published_at is an upper bound: no report of the bucket was published later.
CREATE TABLE presence (
    grain             INTEGER NOT NULL CHECK (grain BETWEEN 0 AND 3),
    bucket            BIGINT  NOT NULL,
    cities            BLOB    NOT NULL,
    last_published_at BIGINT  NOT NULL,
    PRIMARY KEY (grain, bucket)
) WITHOUT ROWID;
