-- The entry of the import that added a report, which is looked up with each report's history.
CREATE INDEX audit_log_import ON audit_log (subject) WHERE action = 'reports.import';
