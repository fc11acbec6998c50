-- By which rules places are told apart: the version of the folding and of the list of countries. 0: not
-- known, so everything is compared with the reports once.
ALTER TABLE derived ADD COLUMN folding BIGINT NOT NULL DEFAULT 0;
ALTER TABLE derived ADD COLUMN countries BIGINT NOT NULL DEFAULT 0;
-- Raised when places are changed or removed; a process that keeps places in memory then reads them again.
-- Places that are only added don't raise it.
ALTER TABLE derived ADD COLUMN places_version BIGINT NOT NULL DEFAULT 0;
-- Which rebuild may write, and until when it is taken to be alive (milliseconds since 1970).
ALTER TABLE derived ADD COLUMN rebuild BIGINT NOT NULL DEFAULT 0;
ALTER TABLE derived ADD COLUMN rebuild_until BIGINT NOT NULL DEFAULT 0;
