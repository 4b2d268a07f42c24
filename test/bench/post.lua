-- A contact form of 170 bytes.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
wrk.body = "name=Ada+Lovelace&email=ada%40example.com&message="
  .. "I+would+like+to+know+more+about+the+engine+and+its+note%2C+when+it+will+be+shown+and+where.+Thank+you%21+Eve+%26+friends"
assert(#wrk.body == 170, #wrk.body)

function done(summary, latency)
  local failures = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
  print(string.format("RESULT %d %d %d %d %d", summary.requests, summary.duration, failures,
    latency:percentile(50), latency:percentile(99)))
end
