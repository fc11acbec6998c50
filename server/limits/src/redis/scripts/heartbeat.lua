-- KEYS: the nodes, a hash with the time of each node's last heartbeat, in microseconds. ARGV: a node; times
-- after a heartbeat, in microseconds: until the node no longer counts, until it is forgotten, and until it is
-- silent.
-- Returns whether the node was remembered, the number of nodes that count, and the names of silent nodes.
local counted, remembered, silence = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local known = redis.call('HEXISTS', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(remembered / 1000))
local nodes, count, silent = redis.call('HGETALL', KEYS[1]), 0, {}
for i = 1, #nodes, 2 do
  local age = now - tonumber(nodes[i + 1])
  if age < counted then
    count = count + 1
  end
  if age >= remembered then
    redis.call('HDEL', KEYS[1], nodes[i])
  elseif age > silence then
    silent[#silent + 1] = nodes[i]
  end
end
return { known, count, silent }
