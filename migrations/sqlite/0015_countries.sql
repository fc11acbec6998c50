-- Every publication counts the countries: among all cities, they would be looked for one by one.
CREATE INDEX places_countries ON places (id) WHERE level = 1;
