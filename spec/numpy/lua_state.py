"""A lua_State in this process, by ctypes: what tide hands over in a capsule of
Python, and Python's capsules for tide. Arguments of the program: the library of
Lua, package.path, package.cpath."""
import ctypes
import sys

lua = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
api = ctypes.pythonapi
lua.luaL_newstate.restype = ctypes.c_void_p
lua.lua_tolstring.restype = ctypes.c_char_p
lua.lua_touserdata.restype = ctypes.c_void_p
lua.lua_tonumberx.restype = ctypes.c_double
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
L = ctypes.c_void_p(lua.luaL_newstate())
lua.luaL_openlibs(L)


def run(code):
    if lua.luaL_loadstring(L, code.encode()) or lua.lua_pcallk(
            L, 0, 1, 0, ctypes.c_ssize_t(0), None):
        sys.exit(lua.lua_tolstring(L, -1, None).decode())


def number(code):
    run(code)
    value = lua.lua_tonumberx(L, -1, None)
    lua.lua_settop(L, 0)
    return value


def close():
    lua.lua_close(L)


class Tensor:
    """What others ask for a capsule: the pointer that the code returns, %s in
    which is the consumer's stream, and DLPack's number of a device."""

    def __init__(self, code, device=(1, 0)):
        self.code, self.device = code, device

    def __dlpack__(self, stream=None, **_):
        run(self.code.replace("%s", "nil" if stream is None else str(stream)))
        pointer = lua.lua_touserdata(L, -1)
        lua.lua_settop(L, 0)
        return api.PyCapsule_New(ctypes.c_void_p(pointer), b"dltensor", None)

    def __dlpack_device__(self):
        return self.device


def give(array, **options):
    """The pointer in the capsule of an array, which is used then, becomes the
    global pointer."""
    capsule = array.__dlpack__(**options)
    pointer = api.PyCapsule_GetPointer(ctypes.py_object(capsule), b"dltensor")
    api.PyCapsule_SetName(ctypes.py_object(capsule), b"used_dltensor")
    lua.lua_pushlightuserdata(L, ctypes.c_void_p(pointer))
    lua.lua_setglobal(L, b"pointer")


number("package.path = [[%s]] package.cpath = [[%s]] tide = require 'tide'"
       % (sys.argv[2], sys.argv[3]))
