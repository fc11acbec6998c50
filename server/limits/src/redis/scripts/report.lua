-- KEYS: a log. ARGV: the window in microseconds; then the age in microseconds of each request that a node
-- accepted alone, oldest first.
-- Merges these requests into the log.
local window = tonumber(ARGV[1])
trim(window)
local known, merged, next = redis.call('LRANGE', KEYS[1], 0, -1), {}, 1
for i = 2, #ARGV do
  local ago = tonumber(ARGV[i])
  while next <= #known and age(known[next]) >= ago do
    merged[#merged + 1] = known[next]
    next = next + 1
  end
  if ago < window then
    merged[#merged + 1] = (now - ago) % 2147483648
  end
end
for i = next, #known do
  merged[#merged + 1] = known[i]
end
if #merged > #known then
  redis.call('DEL', KEYS[1])
  for first = 1, #merged, 1000 do
    redis.call('RPUSH', KEYS[1], unpack(merged, first, math.min(first + 999, #merged)))
  end
  redis.call('PEXPIRE', KEYS[1], math.ceil((window - age(merged[#merged])) / 1000))
end
return #merged
