-- Log of one client: a list with the instants of its accepted requests, oldest first, in microseconds modulo
-- 2^31. 32-bit numbers take 6 bytes in a list, 64-bit numbers take 10. The list expires after a window, so no
-- two instants are half an hour apart and their order is unambiguous.

-- Microseconds since an instant; negative if the clock was set back since. Such a request counts until the
-- clock has caught up: rather too long than too short.
local function age(stamp)
  return (now - stamp + 1073741824) % 2147483648 - 1073741824
end

-- Drops instants that have left the window, and returns the oldest remaining one.
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
