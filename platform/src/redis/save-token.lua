-- Merges a read-after token into the stored one, the later sequence of each origin, and stores it for ARGV[1]
-- ms.
-- KEYS[1] the token; ARGV[2] the creation time of its stream, then pairs of origin and sequence. Of two streams
-- the newer one wins; creation times sort as text.
local kept = redis.call('HGET', KEYS[1], 'incarnation')
if kept and kept > ARGV[2] then
  return 0
end
if kept ~= ARGV[2] then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'incarnation', ARGV[2])
end
for i = 3, #ARGV, 2 do
  local known = tonumber(redis.call('HGET', KEYS[1], ARGV[i]) or '0')
  if tonumber(ARGV[i + 1]) > known then
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
  end
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
