--[[
dist_spec.lua - tide.dist.init: its arguments, and the variables of launchers.
Communicators themselves are in comm_spec, collectives_spec, exchange_spec and
dist_order_spec.
]]
local child = require "spec.support.child"
local files = require "spec.support.npy_files"
local helper = require "spec.support.helper"
local tide = require "tide"

describe("tide.dist.init", function ()
  local fails, badarg = helper.fails, helper.badarg

  it("checks its options", function ()
    fails("options table expected, as { timeout = 30 }, got number",
          tide.dist.init, 3)
    fails("unknown option 'ranks'; did you mean 'rank'?", tide.dist.init,
          { ranks = 3 })
    fails("options must have names, as in { timeout = ... }", tide.dist.init,
          { 3 })
    fails("option 'rank' must be an integer, got string", tide.dist.init,
          { rank = "0" })
    fails("options 'rank', 'size' and 'address' or 'file' belong together: " ..
          "there is no 'size'", tide.dist.init, { rank = 0 })
    fails("there is no 'address', or 'file'", tide.dist.init,
          { rank = 0, size = 2 })
    fails("option 'local_rank' must be from 0 on, got -1", tide.dist.init,
          { local_rank = -1 })
    fails("#1 to 'init' (option 'device': no device is called 'x'",
          tide.dist.init, { device = "x" })
    fails("#1 to 'init' (option 'device': tide.Device, integer or string",
          tide.dist.init, { device = {} })
    fails("tide.dist.init: option 'file': /nowhere/id.new: No such file",
          tide.dist.init, { rank = 0, size = 2, file = "/nowhere/id",
                            device = "host" })
    fails("rank from 0 to size - 1 expected, got 2 of 2", tide.dist.init,
          { rank = 2, size = 2, address = "localhost:1" })
    fails("size from 1 to 2147483647 expected, got 4294967297", tide.dist.init,
          { rank = 0, size = (1 << 32) + 1, address = "localhost:1" })
    fails("rank from 0 to size - 1 expected, got 4294967296 of 2",
          tide.dist.init, { rank = 1 << 32, size = 2, address = "x:1" })
    for _, address in ipairs{ "", ("x"):rep(101), "a\0b:1" } do
      fails("option 'address' must be", tide.dist.init,
            { rank = 0, size = 2, address = address })
    end
  end)

  it("knows the names of others", function ()
    for name, text in pairs{
      world_size = "; did you mean 'size'?",
      nranks = "; did you mean 'size'?",
      device_id = "; did you mean 'device'?",
      master_addr = "; did you mean 'address', as \"host:port\"?",
      MASTER_PORT = "; did you mean 'address', as \"host:port\"?",
      backend = ": ranks on GPUs have NCCL, those on host devices its " ..
                "counterpart",
      init_method = ": what a launcher has set is read; without one"
    } do
      fails(("bad argument #1 to 'init' (unknown option '%s'%s"):format(name,
            text), tide.dist.init, { [name] = 1 })
    end
    for name, text in pairs{ all_reduce = "comm:all_reduce(a)",
                             get_world_size = "comm.size", rank = "comm.rank",
                             init_process_group = "'init'" } do
      fails(("no field '%s' in tide.dist; did you mean %s?"):format(name, text),
            function () return tide.dist[name] end)
    end
  end)

  it("is a function of a module, as launcher is", function ()
    for _, name in ipairs{ "init", "launcher" } do
      local chunk = assert(load("local d = ... d:" .. name .. "{}", "=chunk"))
      local message = fails(("calling '%s' on bad self (a function of a " ..
                             "module is called with '.')"):format(name),
                            chunk, tide.dist)
      assert.matches("^chunk:1: ", message)
    end
  end)

  it("says how many ranks there may be", function ()
    local message = fails("on host devices there are at most 256 ranks, and " ..
                          "size is 257", function ()
      local _ = tide.dist.init{ rank = 0, size = 257, address = "x:1",
                                device = "host" }
    end)
    assert.matches("^spec/comm/dist_spec.lua:%d+: tide.dist.init: ", message)
  end)

  it("checks what scripts give to its half in C", function ()
    local core <const> = require "tide.communicators"
    local dev, id = tide.Device "host", ("x"):rep(128)
    badarg(1, "table expected", core.meet, "x", 0, 1, id, 1, 0)
    badarg(2, "0 to 0 expected", core.meet, { dev }, 1, 1, id, 1, 0)
    badarg(3, "expected", core.meet, { dev }, 0, 0, id, 1, 0)
    badarg(5, "not a time", core.meet, { dev }, 0, 1, id, 0/0, 0)
    local comm <close> = tide.comm{ dev }
    fails("group is not open", core.end_group, comm, 1)
    core.drop_group(comm, 1)
    assert.equal("", require "tide.small_files".read("/proc/self/stat", -1))
  end)

  it("is of one rank without a launcher #process", function ()
    helper.child_on("host", [[
      local tide = require "tide"
      assert(tide.dist.launcher() == nil)
      local comm = tide.dist.init()
      assert(comm.size == 1 and comm.rank == 0 and comm.local_rank == 0)
      local x = tide.ones(3)
      assert(comm:all_reduce(x) == x and x[1] == 1)
      assert(comm:all_gather(x).size == 3)
      comm:barrier()
    ]])
  end)

  it("leaves no file, and takes no other one for its own #process", function ()
    local path = os.tmpname()
    helper.child_on("host", ([[
      local tide, path = require "tide", %q
      local file <close> = io.open(path, "w")
      file:write "something else"
      file:flush()
      local ok, err = pcall(tide.dist.init, { rank = 1, size = 2, file = path,
                                              timeout = 1 })
      assert(not ok and err:find("option 'file': " .. path .. " is not what " ..
                                 "rank 0 writes", 1, true), err)
      ok, err = pcall(tide.dist.init, { rank = 0, size = 2, file = path,
                                        timeout = 0.2 })
      assert(not ok and err:find(path .. " is there already", 1, true), err)
      assert(io.open(path):read "a" == "something else")
      os.remove(path)
      ok, err = pcall(tide.dist.init, { rank = 0, size = 2, file = path,
                                        timeout = 0.2 })
      assert(not ok and err:find("has not come$"), err)
      assert(not io.open(path))
    ]]):format(path))
    os.remove(path)
  end)

  it("says that a file may be of a rank 0 that died #process", function ()
    local path = os.tmpname()
    helper.child_on("host", ([[
      local tide, path = require "tide", %q
      local file <close> = io.open(path, "w")
      file:write("tide ranks\n", ("x"):rep(128))
      file:flush()
      local function fails (rank, text)
        local ok, err = pcall(tide.dist.init, { rank = rank, size = 2,
                                                file = path, timeout = 0.2 })
        assert(not ok and err:find(text, 1, true), err)
      end
      fails(1, "rank 0 of 2 has not come; " .. path .. " may be of a rank 0 " ..
               "that has died")
      fails(0, "rank 1 of 2 has not come; a rank 0 that has died had left " ..
               path)
      assert(not io.open(path))
    ]]):format(path))
    os.remove(path)
  end)

  it("waits for another rank 0 than one that has died #process", function ()
    local path = os.tmpname()
    local file <close> = io.open(path, "w")
    file:write("tide ranks\n", ("x"):rep(128))
    file:flush()
    local function start (rank, wait)
      return io.popen(("sleep %g; env TIDE_DEVICE=host %s timeout 60 %s -e " ..
                       "%s 2>&1"):format(wait, child.paths(), child.lua,
        child.quote(([[
          local comm = require "tide".dist.init{
            rank = %d, size = 2, file = %q, timeout = 30
          }
          comm:barrier()
          print "done"
        ]]):format(rank, path))))
    end
    local one <close> = start(1, 0)
    local zero <close> = start(0, 0.7)
    assert.equal("done\n", one:read "a")
    assert.equal("done\n", zero:read "a")
    assert.is_nil(io.open(path))
  end)

  it("leaves the environment as it was #process", function ()
    helper.child_on("host", [[
      local tide = require "tide"
      local path = os.tmpname()  -- others may run these specs, too
      local core, meets = require "tide.communicators", 0
      local meet = core.meet
      function core.meet (...)
        meets = meets + 1
        assert(os.getenv "NCCL_COMM_ID" == nil)  -- NCCL alone reads it there
        return meet(...)
      end
      local ok, err = pcall(tide.dist.init, { rank = 0, size = 2,
        address = path:gsub("%W", "") .. ":1", timeout = 0.2 })
      os.remove(path)
      assert(not ok and err:find("rank 1 of 2 has not come", 1, true), err)
      assert(meets == 1 and os.getenv "NCCL_COMM_ID" == nil)
    ]])
  end)

  -- It would be the only rank otherwise, as often as there are processes.
  it("does not take what is half set for no launcher #process", function ()
    local function says (text, env)
      local printed = helper.child([[
        local tide = require "tide"
        assert(tide.dist.launcher() == nil)
        print(select(2, pcall(tide.dist.init)))
        print(tide.dist.init{ rank = 0, size = 1, address = "x:1" }.size)
      ]], env)
      assert(printed:find(text, 1, true) and printed:find "1\n$", printed)
    end
    local function env (t)
      local all = { TIDE_DEVICE = "host", RANK = "0", WORLD_SIZE = "2",
                    MASTER_ADDR = "node7", MASTER_PORT = "29500" }
      for name, value in pairs(t) do all[name] = value or nil end
      return all
    end
    says("belong together: there is no MASTER_ADDR",
         env{ MASTER_ADDR = false })
    says("belong together: there is no RANK", env{ RANK = false })
    says("WORLD_SIZE must be an integer, got 'two'", env{ WORLD_SIZE = "two" })
    says("MASTER_PORT must be an integer, got ''", env{ MASTER_PORT = "" })
    for _, port in ipairs{ "0", "-5", "65535", "99999" } do
      says("MASTER_PORT must be from 1 to 65534, got " .. port,
           env{ MASTER_PORT = port })
    end
    says("RANK must be from 0 to WORLD_SIZE - 1, got 5 of 2", env{ RANK = "5" })
    says("there is no SLURM_NTASKS",
         { TIDE_DEVICE = "host", SLURM_PROCID = "0", SLURM_STEP_ID = "0" })
    says("there is no SLURM_STEP_ID",
         { TIDE_DEVICE = "host", SLURM_PROCID = "1", SLURM_NTASKS = "2",
           SLURM_JOB_ID = "7" })
    says("SLURM_PROCID must be an integer, got 'x'",
         { TIDE_DEVICE = "host", SLURM_PROCID = "x", SLURM_NTASKS = "2" })
    says("there is no OMPI_COMM_WORLD_SIZE",
         { TIDE_DEVICE = "host", OMPI_COMM_WORLD_RANK = "1" })
    says("there is no PMI_SIZE", { TIDE_DEVICE = "host", PMI_RANK = "1" })
  end)

  it("is alone in a script of sbatch #process", function ()
    local printed = helper.child([[
      print(require "tide".dist.init().size)
    ]], { TIDE_DEVICE = "host", SLURM_PROCID = "0", SLURM_JOB_ID = "7" })
    assert.equal("1\n", printed)
  end)

  --- A launcher's name, the environment that it sets, the expected fields.
  local function says (name, env, wanted)
    it("reads what " .. name .. " sets #process", function ()
      local printed = helper.child([[
        package.path = "lua/?.lua;" .. package.path
        local name, at = require "tide.launchers" ()
        print(name, at.rank, at.size, at.local_rank, at.address)
      ]], env)
      assert.matches("^" .. name .. "\t" .. wanted .. "\n$", printed)
    end)
  end

  says("torchrun", { RANK = "3", WORLD_SIZE = "8", LOCAL_RANK = "1",
                     MASTER_ADDR = "node7", MASTER_PORT = "29500" },
       "3\t8\t1\tnode7:29501")
  says("slurm", { SLURM_PROCID = "5", SLURM_NTASKS = "16",
                  SLURM_LOCALID = "1", SLURM_STEP_ID = "0",
                  SLURM_STEP_NODELIST = "node[07-09,12],other",
                  SLURM_JOB_ID = "4097" }, "5\t16\t1\tnode07:61441")
  says("slurm", { SLURM_PROCID = "0", SLURM_NTASKS = "2",
                  SLURM_LOCALID = "0", SLURM_STEP_ID = "2",
                  SLURM_STEP_NODELIST = "alone", SLURM_JOB_ID = "8" },
       "0\t2\t0\talone:61450")
  says("openmpi", { OMPI_COMM_WORLD_RANK = "1", OMPI_COMM_WORLD_SIZE = "4",
                    OMPI_COMM_WORLD_LOCAL_RANK = "1",
                    OMPI_COMM_WORLD_LOCAL_SIZE = "2",
                    OMPI_MCA_orte_hnp_uri =
                      "4096.0;tcp://10.1.2.3,192.168.0.1:41234" },
       "1\t4\t1\t10.1.2.3:61440")
  says("mpich", { PMI_RANK = "1", PMI_SIZE = "4", MPI_LOCALRANKID = "1",
                  MPI_LOCALNRANKS = "2", PMI_PORT = "head:1234" },
       "1\t4\t1\thead:%d+")
  says("mpich", { PMI_RANK = "0", PMI_SIZE = "2", MPI_LOCALRANKID = "0",
                  MPI_LOCALNRANKS = "2" }, "0\t2\t0\t127.0.0.1:%d+")
end)

describe("ranks that meet by a file #process", function ()
  files.around_each()

  --- init(rank, path) -> code that fails to meet by that, with the error 'err'.
  local function init (rank, path)
    return ([[
      local ok, err = pcall(require "tide".dist.init, {
        rank = %d, size = 2, file = %q, timeout = 0.5
      })
      assert(not ok)
    ]]):format(rank, path)
  end

  --- The rank says at once of the file, of another than path if one is given,
  -- that it is none.
  local function refused (rank, path, name)
    helper.child_on("host", init(rank, path) .. ([[
      assert(err == "tide.dist.init: option 'file': " .. %q ..
                    " is not a regular file", err)
    ]]):format(name or path))
  end

  it("want one that can be read at once (#319)", function ()
    local fifo = files.folder() .. "/fifo"
    assert(os.execute(("mkfifo %s %s2.new"):format(fifo, fifo)))
    for _, path in ipairs{ fifo, "/dev/zero", files.path "folder" } do
      for rank = 0, 1 do refused(rank, path) end
    end
    refused(0, fifo .. "2", fifo .. "2.new")
    assert.same({ "fifo", "fifo2.new" },
                files.lines("ls " .. files.path "folder"))
  end)

  it("write through no symbolic link (#319)", function ()
    local path, victim = files.path "id", files.path "victim"
    for _, name in ipairs{ path, path .. ".new" } do
      assert(os.execute(("ln -s %s %s"):format(victim, name)))
      refused(0, path, name)
      assert.is_nil(io.open(victim))
      os.remove(name)
    end
  end)

  it("read no more of it than there may be (#319)", function ()
    local path = files.path "sparse"
    assert(os.execute("truncate -s 1T " .. path))
    helper.child_on("host", init(1, path) .. [[
      assert(err:find("is not what rank 0 writes", 1, true), err)
    ]])
  end)

  it("hear that it would be too large (#319)", function ()
    local path = files.path "id"
    local pipe <close> = io.popen(("ulimit -f 0; env TIDE_DEVICE=host %s %s " ..
      "-e %s 2>&1"):format(child.paths(), child.lua,
                           child.quote(init(0, path) .. "print(err)")))
    assert.equal("tide.dist.init: option 'file': " .. path ..
                 ".new: File too large\n", pipe:read "a")
    assert.equal("", files.there())
  end)

  it("keep it from another rank 0 while theirs waits (#321)", function ()
    helper.child_on("host", ([[
      local tide, path = require "tide", %q
      local function init (rank, timeout)
        return pcall(tide.dist.init, { rank = rank, size = 2, file = path,
                                       timeout = timeout, device = "host" })
      end
      local other <close> = io.popen(([=[%s -e '
        local tide = require "tide"
        local comm = tide.dist.init{ rank = 0, size = 2, file = "%%s",
                                     timeout = 20, device = "host" }
        comm:barrier()
        io.write "met"
        io.read()
      ']=]):format(path))
      local start = tide.clock()
      while not io.open(path) do
        assert(tide.clock() - start < 20)
        tide.sleep(0.01)
      end
      local ok, err = init(0, 1)
      assert(not ok and err == "tide.dist.init: option 'file': " .. path ..
                               " is of another rank 0, which waits for its " ..
                               "ranks", err)
      local comm = assert(select(2, init(1, 20)))
      comm:barrier()
      assert(other:read "a" == "met")
      assert(not io.open(path))
    ]]):format(files.path "id", child.lua))
  end)
end)
