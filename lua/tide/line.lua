--[[
line.lua - lines of waiters: for a queue or a semaphore (queues.lua), or for a
task (tasks.lua). A line is a doubly linked list of nodes, so a wait that ends
early leaves at once, from any position. The functions change several fields, so
they are called within atomic functions (src/device/atomic.c).
]]
local line <const> = {}

-- The first fields of a node, which is a list: its line, or false, and its
-- neighbours there.
local LINE <const>, OLDER <const>, NEWER <const> = 1, 2, 3
line.LINE, line.NEWER = LINE, NEWER

--- A line has the fields 'first' and 'last'.
function line.new () return { first = false, last = false } end

--- Appends the node to the line.
function line.join (self, node)
  local last <const> = self.last
  node[LINE], node[OLDER], node[NEWER] = self, last, false
  if last then last[NEWER] = node else self.first = node end
  self.last = node
end

--- Removes the node from its line, if it is in one.
function line.leave (node)
  local self <const>, older <const>, newer <const> =
    node[LINE], node[OLDER], node[NEWER]
  if not self then return end
  if older then older[NEWER] = newer else self.first = newer end
  if newer then newer[OLDER] = older else self.last = older end
  node[LINE], node[OLDER], node[NEWER] = false, false, false
end

return line
