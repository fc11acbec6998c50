-- KEYS: a log. ARGV: the limit; the window in microseconds.
-- Returns the same values as `take`, but counts nothing.
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local oldest = trim(window)
local used = redis.call('LLEN', KEYS[1])
return { used < limit and 1 or 0, math.max(limit - used, 0), oldest and window - age(oldest) or 0 }
