-- KEYS: a log. ARGV: the limit; the window in microseconds; a number of requests.
-- Counts these requests if they are accepted. Returns whether they are; the number of further requests that would be;
-- and the time in microseconds until the oldest leaves the window or, if the requests are refused, until as many have
-- left it as are too many; 0 if there is none.
local limit, window, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local oldest = trim(window)
local used = redis.call('LLEN', KEYS[1])
local over = used + count - limit
if over > 0 then
  local last = redis.call('LINDEX', KEYS[1], math.min(over, used) - 1)
  return { 0, math.max(limit - used, 0), used > 0 and window - age(last) or 0 }
end
local stamp = now % 2147483648
for _ = 1, count do
  redis.call('RPUSH', KEYS[1], stamp)
end
redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
return { 1, limit - used - count, window - age(oldest or stamp) }
