-- Counts one request in the current window of Redis's clock, and loads read-after tokens in the same call.
-- KEYS[1] the counter, the others tokens; ARGV[1] the length of the window in ms.
-- Returns { count, ms until the window ends, the fields of each token in turn }.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local length = tonumber(ARGV[1])
local start = string.format('%.0f', now - now % length)
local left = length - now % length
local count
if redis.call('HGET', KEYS[1], 'start') == start then
  count = redis.call('HINCRBY', KEYS[1], 'count', 1)
else
  redis.call('HSET', KEYS[1], 'start', start, 'count', 1)
  redis.call('PEXPIRE', KEYS[1], length)
  count = 1
end
local reply = { count, left }
for i = 2, #KEYS do
  reply[#reply + 1] = redis.call('HGETALL', KEYS[i])
end
return reply
