-- KEYS: the open streams of one client, a hash with the count of each node, as `count:number:expiry`. A
-- node's counts are numbered, so that an older one that arrives late does not overwrite a newer one.
-- ARGV: a node; its number of streams, including one that it is about to open; the number of this count;
-- the lease in microseconds; the limit; nodes that are probably dead, whose streams don't count.
-- Returns whether all nodes together are within the limit. Only then is the count stored.
local node, count, number = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local lease, silent = tonumber(ARGV[4]), {}
for i = 6, #ARGV do
  silent[ARGV[i]] = true
end
local fields, sum, last = redis.call('HGETALL', KEYS[1]), count, -1
for i = 1, #fields, 2 do
  local its, its_number, expiry = string.match(fields[i + 1], '(%d+):(%d+):(%d+)')
  if fields[i] == node then
    last = tonumber(its_number)
  elseif tonumber(expiry) <= now then
    redis.call('HDEL', KEYS[1], fields[i])
  elseif not silent[fields[i]] then
    sum = sum + its
  end
end
if sum > tonumber(ARGV[5]) then
  return 0
end
if number > last then
  if count == 0 then
    redis.call('HDEL', KEYS[1], node)
  else
    redis.call('HSET', KEYS[1], node, string.format('%d:%d:%.0f', count, number, now + lease))
    redis.call('PEXPIRE', KEYS[1], math.ceil(lease / 1000))
  end
end
return 1
