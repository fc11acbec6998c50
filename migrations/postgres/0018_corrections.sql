-- Whether a subscription lists report.updated: a published report was corrected.
ALTER TABLE subscriptions ADD COLUMN report_updated BOOLEAN NOT NULL DEFAULT FALSE;
