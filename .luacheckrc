std = "lua54"
max_line_length = 80
include_files = {
  "**/*.lua", "*.rockspec", ".busted", ".luacheckrc"
}
exclude_files = { "build/", "library/" }
files["spec"] = { std = "+busted" }
files["lua/tide/api/*.lua"] = { max_line_length = 100 }  -- Markdown
