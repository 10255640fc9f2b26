-- A request of lighttpd's, which blocks while it waits.
-- luacheck: globals lighty
lighty.r.resp_body.set(require "tide_job" ())
return 200
