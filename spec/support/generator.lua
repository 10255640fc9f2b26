--- generator(seed) -> pick(n): a number from 1 to n; the same ones everywhere,
-- whatever Lua's own generator does.
return function (seed)
  local x = seed | 1
  return function (n)
    x = x ~ (x << 13)
    x = x ~ (x >> 7)
    x = x ~ (x << 17)
    return (x >> 11) % n + 1
  end
end
