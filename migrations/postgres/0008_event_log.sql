-- Events are a log: written once for every publication and withdrawal, whether or not anybody subscribes,
-- and kept for a while, so that they can be read later.

-- For filters. place: the keys of country, region and city, separated by line feeds; type: the report's.
-- NULL where an event is about no report.
ALTER TABLE events ADD COLUMN place TEXT COLLATE "C";
ALTER TABLE events ADD COLUMN type TEXT COLLATE "C";

ALTER TABLE subscriptions ADD COLUMN report_withdrawn BOOLEAN NOT NULL DEFAULT false;

-- Exactly one row. Of the events up to this number, some or all are gone.
CREATE TABLE event_log (
    id           BIGINT PRIMARY KEY CHECK (id = 1),
    pruned_up_to BIGINT NOT NULL
);
INSERT INTO event_log (id, pruned_up_to) VALUES (1, 0);

-- Whether only the operator may enable it again.
ALTER TABLE subscriptions ADD COLUMN held BOOLEAN NOT NULL DEFAULT false;
