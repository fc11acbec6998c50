-- Where history was rewound: a backup was restored, or a server took over that lacked the last transactions. Events had
-- the numbers between `last` and `next`, but are lost; partners may have seen them. No other event gets one of these
-- numbers.
CREATE TABLE log_gaps (
    last BIGINT PRIMARY KEY,
    next BIGINT NOT NULL,
    CHECK (last < next)
);

-- The object identifier of the table of events: another one if a dump was restored. NULL: not known yet.
ALTER TABLE timeline ADD COLUMN events BIGINT;
