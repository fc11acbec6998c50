-- Which events about reports a subscription gets, as its partner wrote it. NULL narrows nothing. types: some of
-- spirit, water and both, separated by commas.
ALTER TABLE subscriptions ADD COLUMN filter_country TEXT;
ALTER TABLE subscriptions ADD COLUMN filter_region TEXT;
ALTER TABLE subscriptions ADD COLUMN filter_city TEXT;
ALTER TABLE subscriptions ADD COLUMN filter_types TEXT;

-- The secret before the present one, encrypted like that one. Until old_secret_until webhooks are signed with
-- both.
ALTER TABLE subscriptions ADD COLUMN old_secret BYTEA;
ALTER TABLE subscriptions ADD COLUMN old_secret_key TEXT COLLATE "C";
ALTER TABLE subscriptions ADD COLUMN old_secret_until BIGINT
    CHECK ((old_secret IS NULL) = (old_secret_key IS NULL))
    CHECK ((old_secret IS NULL) = (old_secret_until IS NULL))
    CHECK (old_secret IS NULL OR secret IS NOT NULL);

-- Which subscription was created by a request with an Idempotency-Key, with what it was created with: it may be
-- changed later. body_hash: SHA-256 of the request's JSON. The secret is only in the subscription. That may
-- be gone: its number is not a foreign key, so that the pruner need not know of this table.
CREATE TABLE idempotency_keys (
    partner_id       BIGINT NOT NULL REFERENCES partners (id),
    key              TEXT COLLATE "C" NOT NULL,
    body_hash        BYTEA  NOT NULL,
    subscription_seq BIGINT NOT NULL,
    url              TEXT   NOT NULL,
    events           TEXT   NOT NULL,
    filter_country   TEXT,
    filter_region    TEXT,
    filter_city      TEXT,
    filter_types     TEXT,
    created_at       BIGINT NOT NULL,
    PRIMARY KEY (partner_id, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
