-- The time of the last change that the public sees, in milliseconds since 1970. No later change has an
-- earlier time: lists that are read up to an instant stay complete up to it.
ALTER TABLE data_version ADD COLUMN changed_at BIGINT NOT NULL DEFAULT 0;

-- Changes when approved reports change in another way than by a publication as news: by withdrawals and
-- history. It only grows, and begins with the time, so that another database has another one.
ALTER TABLE data_version ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;
UPDATE data_version SET revision = (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
