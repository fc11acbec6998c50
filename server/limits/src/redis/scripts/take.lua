-- KEYS: a log. ARGV: the limit; the window in microseconds.
-- Counts one more request if it is accepted. Returns whether it is; the number of further requests that would
-- be; and the time in microseconds until the oldest leaves the window, 0 if there is none.
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local oldest = trim(window)
local used = redis.call('LLEN', KEYS[1])
local accepted = used < limit
if accepted then
  local stamp = now % 2147483648
  redis.call('RPUSH', KEYS[1], stamp)
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
  used, oldest = used + 1, oldest or stamp
end
return { accepted and 1 or 0, math.max(limit - used, 0), oldest and window - age(oldest) or 0 }
