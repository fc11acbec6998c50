-- The log of one client: a list with the instants of its accepted requests, oldest first, in
-- microseconds modulo 2^31. Numbers of 32 bits take 6 bytes in a list, those of 64 take 10. The list
-- expires after a window, so no two instants are half an hour apart and their order is plain.

-- Microseconds since an instant; negative if the clock was set back meanwhile. Such a request counts
-- until the clock has caught up: too long rather than too short.
local function age(stamp)
  return (now - stamp + 1073741824) % 2147483648 - 1073741824
end

-- Drops what has left the window, and returns the oldest instant that is in it.
local function trim(window)
  local oldest = redis.call('LINDEX', KEYS[1], 0)
  if not oldest or age(oldest) < window then
    return oldest
  end
  while true do
    local some, left = redis.call('LRANGE', KEYS[1], 0, 99), 0
    while left < #some and age(some[left + 1]) >= window do
      left = left + 1
    end
    if left > 0 then
      redis.call('LPOP', KEYS[1], left)
    end
    if left < 100 then
      return some[left + 1]
    end
  end
end
