-- Requests the paths listed in a file in order. Arguments: the file, the name of a header, its value.
local paths = {}
local at = 0

function init(args)
  for line in io.lines(args[1]) do paths[#paths + 1] = line end
  wrk.headers[args[2]] = args[3]
end

function request()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end

function done(summary, latency)
  local failures = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
  print(string.format("RESULT %d %d %d %d %d %d", summary.requests, summary.duration, failures,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9)))
end
