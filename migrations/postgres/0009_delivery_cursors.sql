-- Deliveries are not written by the transaction that publishes. A subscription has a cursor into the
-- log of events; whoever holds its lease sends what comes after the cursor, and writes a delivery with the
-- result of an attempt.

-- cursor: every event up to this number is over for the subscription, or has a delivery.
-- replayed_up_to: up to this number, events that have a delivery are sent again.
-- revision: changes with everything that its partner or the operator changes.
ALTER TABLE subscriptions ADD COLUMN cursor BIGINT NOT NULL DEFAULT 0;
ALTER TABLE subscriptions ADD COLUMN replayed_up_to BIGINT NOT NULL DEFAULT 0;
ALTER TABLE subscriptions ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;

-- The process that works on it, until when.
ALTER TABLE subscriptions ADD COLUMN lease_owner BIGINT;
ALTER TABLE subscriptions ADD COLUMN lease_until BIGINT
    CHECK ((lease_owner IS NULL) = (lease_until IS NULL));

-- The endpoint's health, besides failing_since. failures: in a row. failing_ms: how long it was seen failing.
-- paused_until: nothing is sent before. probes: how many in a row have failed.
ALTER TABLE subscriptions ADD COLUMN failures BIGINT NOT NULL DEFAULT 0;
ALTER TABLE subscriptions ADD COLUMN failing_ms BIGINT NOT NULL DEFAULT 0;
ALTER TABLE subscriptions ADD COLUMN last_failure_at BIGINT;
ALTER TABLE subscriptions ADD COLUMN paused_until BIGINT;
ALTER TABLE subscriptions ADD COLUMN probes BIGINT NOT NULL DEFAULT 0;
