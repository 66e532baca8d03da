-- Merges a read-after token into the stored one, the later sequence of each origin, and stores it for ARGV[1]
-- ms.
-- KEYS[1] the token; ARGV[2] the creation time of its stream, then pairs of origin and sequence. Of two streams
-- the newer one wins; creation times sort as text.
local stored = redis.call('HGET', KEYS[1], 'stream_created_at')
if stored and stored > ARGV[2] then
  return 0
end
if stored ~= ARGV[2] then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'stream_created_at', ARGV[2])
end
for i = 3, #ARGV, 2 do
  local current = tonumber(redis.call('HGET', KEYS[1], ARGV[i]) or '0')
  if tonumber(ARGV[i + 1]) > current then
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
  end
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
