-- The lists of reports: bounded however many reports there are, whatever their places, types and dates.
--
-- Every approved report has a position, segment * 65536 + slot. In a segment, reports stand in the
-- order of the lists from the last to the first: the higher the slot, the newer the publication. What a
-- list may select is kept as sets of slots, one for each segment and value; a list intersects the sets
-- it is narrowed by, and reads only the reports that it returns.

-- size: how many slots were ever used; live: how many of those reports are still approved. The oldest and
-- newest publication and the first and last event date bound what is in it, the id is that of the newest.
-- fences: published_at of every 256th slot, 8 bytes each, little-endian.
-- Numbers are never given again: while segments are merged, reports still have positions in them.
-- Processes keep fences and calendars in memory, by number and size: what changes them raises the size or
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
-- Not WITHOUT ROWID, like all tables with long values: to find its way, SQLite would read the values on it.
CREATE TABLE postings (
    segment   BIGINT  NOT NULL REFERENCES segments (id),
    dimension INTEGER NOT NULL CHECK (dimension BETWEEN 0 AND 1),
    value     BIGINT  NOT NULL,
    slots     BLOB    NOT NULL,
    PRIMARY KEY (segment, dimension, value)
);

-- The slots of a segment in the order of their event dates, so that any period is a part of it. How dates
-- are stored says store/reports/calendar.rs.
CREATE TABLE calendars (
    segment INTEGER PRIMARY KEY REFERENCES segments (id),
    dates   BLOB NOT NULL
);

ALTER TABLE reports ADD COLUMN position BIGINT;
CREATE UNIQUE INDEX reports_position ON reports (position) WHERE position IS NOT NULL;
DROP INDEX reports_published;
DROP INDEX reports_place_day;
-- Where the latest reports of a city say that it is.
CREATE INDEX reports_given ON reports (place_id, event_day)
    WHERE status = 'APPROVED' AND lat IS NOT NULL;

-- Counts of approved reports by bucket of the event date and place. grain and bucket as before; a page has
-- 512 places, number 0 to 511 and so on. What is on it is described in store/counters/page.rs.
CREATE TABLE counts (
    grain  INTEGER NOT NULL CHECK (grain BETWEEN 0 AND 3),
    page   BIGINT  NOT NULL,
    bucket BIGINT  NOT NULL,
    counts BLOB    NOT NULL,
    PRIMARY KEY (grain, page, bucket)
);
-- They are counted again, and the sets of cities with them. No publication's time is kept with those.
DROP TABLE rollups;
DROP TABLE presence;
CREATE TABLE presence (
    grain  INTEGER NOT NULL CHECK (grain BETWEEN 0 AND 3),
    bucket BIGINT  NOT NULL,
    cities BLOB    NOT NULL,
    PRIMARY KEY (grain, bucket)
);

-- Exactly one row: by which rules what follows from the reports was made. 0: some of it is still to be
-- made, which the binary does after the migrations.
CREATE TABLE derived (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    rules INTEGER NOT NULL
);
INSERT INTO derived (id, rules) VALUES (1, 0);
