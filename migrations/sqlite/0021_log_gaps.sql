-- Where history was rewound: a backup was restored. Events had the numbers between `last` and `next`, but are lost;
-- partners may have seen them. No other event gets one of these numbers.
CREATE TABLE log_gaps (
    last BIGINT PRIMARY KEY,
    next BIGINT NOT NULL,
    CHECK (last < next)
);
