-- KEYS: streams. ARGV: a node; how many streams it has, one that it is about to open included; the
-- number of this count; the lease in microseconds; the limit; nodes that are probably dead, whose streams
-- don't count.
-- Returns whether the stream may be opened; only then it counts.
local node, count, number = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local silent = {}
for i = 6, #ARGV do
  silent[ARGV[i]] = true
end
local sum, last = others(node, silent)
if sum + count > tonumber(ARGV[5]) then
  return 0
end
if number > last then
  set(node, count, number, tonumber(ARGV[4]))
end
return 1
