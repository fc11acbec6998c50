-- Events are a log: written once for every publication and withdrawal, whether or not anybody subscribes,
-- and kept for a while, so that they can be read later.

-- For filters. place: the keys of country, region and city, separated by line feeds; type: the report's.
-- NULL where an event is about no report.
ALTER TABLE events ADD COLUMN place TEXT;
ALTER TABLE events ADD COLUMN type TEXT;

ALTER TABLE subscriptions ADD COLUMN report_withdrawn INTEGER NOT NULL DEFAULT 0
    CHECK (report_withdrawn IN (0, 1));

-- Exactly one row. Of the events up to this number, some or all are gone.
CREATE TABLE event_log (
    id           INTEGER PRIMARY KEY CHECK (id = 1),
    pruned_up_to BIGINT  NOT NULL
);
-- Until now, an event was only written if somebody subscribed to it: what there is has gaps.
INSERT INTO event_log (id, pruned_up_to)
SELECT 1, coalesce(max(seq), 0) FROM events;

-- Whether only the operator may enable it again.
ALTER TABLE subscriptions ADD COLUMN held INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1));
