-- KEYS: the nodes, a hash of when each was last here, and whether all that it accepted is in the logs.
-- ARGV: a node; for how long it counts as alive after a beat, and for how long it is remembered, in
-- microseconds; whether all that it accepted is in the logs; the instant that the fourth result is about;
-- after how many microseconds without a beat a node is silent.
-- Returns now, in microseconds; whether the node was remembered; how many are alive; how many of those
-- have said since that instant that all is in the logs; and the names of those that are silent.
local alive, remembered, since = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5])
local silent = {}
local known = redis.call('HEXISTS', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f %s', now, ARGV[4]))
redis.call('PEXPIRE', KEYS[1], math.ceil(remembered / 1000))
local nodes, living, settled = redis.call('HGETALL', KEYS[1]), 0, 0
for i = 1, #nodes, 2 do
  local beat, is_settled = string.match(nodes[i + 1], '(%d+) (%d)')
  beat = tonumber(beat)
  if now - beat > tonumber(ARGV[6]) then
    silent[#silent + 1] = nodes[i]
  end
  if now - beat < alive then
    living = living + 1
    if is_settled == '1' and beat >= since then
      settled = settled + 1
    end
  elseif now - beat >= remembered then
    redis.call('HDEL', KEYS[1], nodes[i])
  end
end
return { now, known, living, settled, silent }
