-- What is asked, and about which files.
local M = {}

local default_question = "What is this about? Say it in three sentences."

-- The question about files stands in a file of the workspace, so that it can be as long as it needs to be.
function M.of_workspace()
  local path = "core@ask$workspace/question.md"
  aip.file.ensure_exists(path, default_question .. "\n", { content_when_empty = true })
  return aip.text.trim(aip.file.load(path).content), path
end

-- All files of the inputs in one question.
function M.about_files(text, files)
  local paths = {}
  for _, file in ipairs(files) do
    table.insert(paths, file.path)
  end
  return { text = text, paths = paths, _display = text .. " (" .. #paths .. " files)" }
end

-- A question as it was typed; the words in it that begin with @ and name a file bring that file along.
function M.of_text(text)
  local paths = {}
  for word in text:gmatch("@([%w_./%-]+)") do
    local path = word:gsub("[.]+$", "")
    if aip.path.is_file(path) then table.insert(paths, path) end
  end
  return { text = text, paths = paths, _display = text }
end

return M
