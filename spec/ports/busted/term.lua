-- term.lua - of lua-term what busted asks: its output is a log. As lfs.lua.
return {
  isatty = function () return false end
}
