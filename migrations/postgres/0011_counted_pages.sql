-- How often each page of counts was changed since this migration, in whatever bucket; a page without a row never
-- was. Processes keep counts in memory, and read again what is on pages that have another number than before
-- (store/counters/count_cache.rs). Rows are never removed, so that no number comes back.
CREATE TABLE counted_pages (
    page    BIGINT NOT NULL PRIMARY KEY,
    changes BIGINT NOT NULL
);
