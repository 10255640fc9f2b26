--[[
line.lua - lines of waiters: for a queue or a semaphore (queues.lua), or for a
task (tasks.lua). A line is a doubly linked list of tables, so a wait that ends
early leaves at once, from any position. The functions change several fields, so
they are called within atomic functions (src/device/atomic.c).
]]
local line <const> = {}

--- A line has the fields 'first' and 'last'; each node in it has 'line', and
-- its neighbours 'older' and 'newer'.
function line.new () return { first = false, last = false } end

--- Appends the node to the line.
function line.join (self, node)
  local last <const> = self.last
  node.line, node.older, node.newer = self, last, false
  if last then last.newer = node else self.first = node end
  self.last = node
end

--- Removes the node from its line, if it is in one.
function line.leave (node)
  local self <const>, older <const>, newer <const> =
    node.line, node.older, node.newer
  if not self then return end
  if older then older.newer = newer else self.first = newer end
  if newer then newer.older = older else self.last = older end
  node.line, node.older, node.newer = false, false, false
end

return line
