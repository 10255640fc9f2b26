--[[
lua_version.lua - refuses versions of Lua that tide cannot run in. The modules
that a program may load first load this one, and use only syntax of Lua 5.1, so
that other versions show this message instead of a syntax error.
]]
if _VERSION and _VERSION < "Lua 5.4" then
  local jit = rawget(_G, "jit")
  error("tide needs Lua 5.4.4 or later, or 5.5; this is " ..
        (jit and jit.version or _VERSION), 0)
end
