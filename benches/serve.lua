-- Probes random positions, for wrk. With an argument, each connection waits that number of milliseconds before each request:
-- 64 connections and 6 ms give about 10,000 requests per second.
local pause = 0

function setup(thread)
  thread:set("seed", math.floor(os.time() * 1000 + tonumber(tostring(thread):match("0x(%x+)") or "7", 16) % 1000))
end

function init(arguments)
  pause = tonumber(arguments[1] or 0)
  math.randomseed(seed)
end

function delay()
  return pause
end

function request()
  return wrk.format("GET", "/api/v1/probe?game=tactics&position=" .. math.random(0, 65535))
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format("%.0f probes/s, median %.2f ms, p99 %.2f ms, %d failed",
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, failed))
end
