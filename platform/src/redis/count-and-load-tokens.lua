-- Counts requests in the current window of Redis's clock, and loads read-after tokens in the same call.
-- ARGV[1] the length of the window in ms; the other ARGV how many requests each counter gets.
-- KEYS the counters, one for each of those ARGV, then the tokens.
-- Returns { ms until the window ends, the count of each counter in turn, the fields of each token in turn }.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local length = tonumber(ARGV[1])
local start = string.format('%.0f', now - now % length)
local left = length - now % length
local counters = #ARGV - 1
local counts = {}
for i = 1, counters do
  local requests = ARGV[i + 1]
  if redis.call('HGET', KEYS[i], 'start') == start then
    counts[i] = redis.call('HINCRBY', KEYS[i], 'count', requests)
  else
    redis.call('HSET', KEYS[i], 'start', start, 'count', requests)
    redis.call('PEXPIRE', KEYS[i], length)
    counts[i] = tonumber(requests)
  end
end
local tokens = {}
for i = counters + 1, #KEYS do
  tokens[i - counters] = redis.call('HGETALL', KEYS[i])
end
return { left, counts, tokens }
