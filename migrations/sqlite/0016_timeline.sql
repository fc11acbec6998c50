-- Exactly one row, which only PostgreSQL uses: to which history of the server the data belongs.
CREATE TABLE timeline (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT
) STRICT;

INSERT INTO timeline (id) VALUES (1);
