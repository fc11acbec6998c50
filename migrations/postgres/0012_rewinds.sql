-- How often replays have moved the cursor back. A dispatcher that knows of fewer writes no cursor.
ALTER TABLE subscriptions ADD COLUMN rewinds BIGINT NOT NULL DEFAULT 0;
