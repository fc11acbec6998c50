-- Whether a subscription lists report.updated: a published report was corrected.
ALTER TABLE subscriptions ADD COLUMN report_updated INTEGER NOT NULL DEFAULT 0 CHECK (report_updated IN (0, 1));
