--[[
timers.lua - who waits for the clock: a binary heap, whose first is the
earliest, and in which each knows its place.
]]
local timers <const> = {}

local function set_timer (heap, i, timer)
  heap[i] = timer
  timer.place = i
end

local function move_up (heap, i)
  local timer = heap[i]
  while i > 1 and heap[i // 2].at > timer.at do
    set_timer(heap, i, heap[i // 2])
    i = i // 2
  end
  set_timer(heap, i, timer)
end

local function move_down (heap, i)
  local timer, n = heap[i], #heap
  while true do
    local k = 2 * i
    if k < n and heap[k + 1].at < heap[k].at then k = k + 1 end
    if k > n or heap[k].at >= timer.at then break end
    set_timer(heap, i, heap[k])
    i = k
  end
  set_timer(heap, i, timer)
end

--- Puts one in: { at = clock }.
function timers.add (heap, timer)
  heap[#heap + 1] = timer
  move_up(heap, #heap)
end

function timers.remove (heap, timer)
  local i, last = timer.place, table.remove(heap)
  if last ~= timer then
    set_timer(heap, i, last)
    move_up(heap, i)
    move_down(heap, last.place)
  end
end

return timers
