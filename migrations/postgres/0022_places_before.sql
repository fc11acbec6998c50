-- Where a report was, and of which type, before the correction that an event tells of: those who were told of it then
-- are told of the correction, too.
ALTER TABLE events ADD COLUMN place_before TEXT;
ALTER TABLE events ADD COLUMN type_before TEXT;
