-- Which events about reports a subscription gets, as its partner wrote it. NULL narrows nothing. types: some of
-- spirit, water and both, separated by commas.
ALTER TABLE subscriptions ADD COLUMN filter_country TEXT;
ALTER TABLE subscriptions ADD COLUMN filter_region TEXT;
ALTER TABLE subscriptions ADD COLUMN filter_city TEXT;
ALTER TABLE subscriptions ADD COLUMN filter_types TEXT;
