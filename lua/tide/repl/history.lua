--[[
history.lua - the lines of earlier sessions, in a file: $TIDE_HISTORY, or
tide/history below $XDG_STATE_HOME or ~/.local/state. If the file cannot be read
or written, the session silently has only its own lines.
]]
local history = {}
history.__index = history

local KEPT <const> = 1000  -- lines; the file has up to twice as many

local function quote (word)
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

--- Returns the path of the file, or nil.
local function path_of ()
  local path = os.getenv "TIDE_HISTORY"
  if path then return path ~= "" and path or nil end
  local state, home = os.getenv "XDG_STATE_HOME", os.getenv "HOME"
  if state and state:find "^/" then return state .. "/tide/history" end
  return home and home ~= "" and home .. "/.local/state/tide/history" or nil
end

local function read_lines (path)
  local lines, file = {}, path and io.open(path, "r")
  if file then
    pcall(function ()
      for line in file:lines() do lines[#lines + 1] = line end
    end)
    file:close()
  end
  return lines
end

local function write_lines (path, mode, lines)
  local file = io.open(path, mode)
  if not file then return false end
  local ok = file:write(table.concat(lines, "\n"), #lines > 0 and "\n" or "")
  return file:close() and ok ~= nil
end

--- Makes the folder for the user alone, because lines may contain secrets.
local function make_folder (path)
  local folder = path:match "^(.*)/[^/]*$"
  if folder and folder ~= "" then
    os.execute(("umask 077 && mkdir -p %s 2>/dev/null"):format(quote(folder)))
  end
end

--- open() -> the history of earlier sessions: a list of lines.
function history.open ()
  local path = path_of()
  local all = read_lines(path)
  local kept = table.move(all, math.max(1, #all - KEPT + 1), #all, 1, {})
  if #all > 2 * KEPT then
    write_lines(path, "w", kept)
  end
  return setmetatable({ path = path, lines = kept }, history)
end

--- add(line) -> whether it is new. Writes it at once, because a session may end
-- in any way.
function history:add (line)
  if line == "" or line == self.lines[#self.lines] then return false end
  self.lines[#self.lines + 1] = line
  if self.path and not write_lines(self.path, "a", { line }) then
    if not self.tried then
      self.tried = true
      make_folder(self.path)
      write_lines(self.path, "a", { line })
    end
  end
  return true
end

return history
