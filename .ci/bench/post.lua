-- Posts a contact form with three fields. Argument: the encoding.
local MESSAGE = "I would like to know more about the engine and its note, when it will be shown and where. Thank you! Eve & friends"
local BOUNDARY = "----FormsteadBench7MA4YWxkTrZu0gW"

local function part(head, value)
  return "--" .. BOUNDARY .. "\r\nContent-Disposition: form-data; " .. head .. "\r\n\r\n" .. value .. "\r\n"
end

local function multipart(more)
  return part('name="name"', "Ada Lovelace") .. part('name="email"', "ada@example.com")
    .. part('name="message"', MESSAGE) .. more .. "--" .. BOUNDARY .. "--\r\n"
end

local FILE = 'name="cv"; filename="cv.txt"\r\nContent-Type: text/plain'
local kinds = {
  urlencoded = { "application/x-www-form-urlencoded",
    "name=Ada+Lovelace&email=ada%40example.com&message=" .. MESSAGE:gsub("[,!&]", { [","] = "%2C", ["!"] = "%21", ["&"] = "%26" }):gsub(" ", "+") },
  json = { "application/json", '{"name":"Ada Lovelace","email":"ada@example.com","message":"' .. MESSAGE .. '"}' },
  multipart = { "multipart/form-data; boundary=" .. BOUNDARY, multipart("") },
  file = { "multipart/form-data; boundary=" .. BOUNDARY, multipart(part(FILE, ("0123456789abcdef"):rep(6400))) },
}

function init(args)
  local kind = kinds[args[1] or "urlencoded"]
  wrk.method = "POST"
  wrk.headers["Content-Type"] = kind[1]
  wrk.body = kind[2]
end

function done(summary, latency)
  local failures = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
  print(string.format("RESULT %d %d %d %d %d %d", summary.requests, summary.duration, failures,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9)))
end
