-- KEYS: streams. ARGV: a node; how many streams it has; the number of this count; the lease in
-- microseconds.
-- Notes that, and renews the lease.
local node, number = ARGV[1], tonumber(ARGV[3])
local _, last = others(node, {})
if number > last then
  set(node, tonumber(ARGV[2]), number, tonumber(ARGV[4]))
end
return 1
