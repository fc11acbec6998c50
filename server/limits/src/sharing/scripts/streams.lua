-- The open streams of one client: a hash of how many each node has, as `count:number:expiry`. A
-- node's counts are numbered, so that an older one that arrives late does not undo a newer one.

-- How many other nodes have that are not in `silent`, and the number of the last count of this one.
local function others(node, silent)
  local fields, sum, last = redis.call('HGETALL', KEYS[1]), 0, -1
  for i = 1, #fields, 2 do
    local count, number, expiry = string.match(fields[i + 1], '(%d+):(%d+):(%d+)')
    if fields[i] == node then
      last = tonumber(number)
    elseif tonumber(expiry) <= now then
      redis.call('HDEL', KEYS[1], fields[i])
    elseif not silent[fields[i]] then
      sum = sum + count
    end
  end
  return sum, last
end

local function set(node, count, number, lease)
  if count == 0 then
    redis.call('HDEL', KEYS[1], node)
  else
    local value = string.format('%d:%d:%.0f', count, number, now + lease)
    redis.call('HSET', KEYS[1], node, value)
    redis.call('PEXPIRE', KEYS[1], math.ceil(lease / 1000))
  end
end
