-- What the rounds of one chain share: limits, and the text that each hands to the next.
local M = {}

M.LAST = 5
M.WORDS_ALLOWED = 12

local sample = "Due to the fact that the weather on the day of the festival was, as it turned out, quite a bit worse than "
  .. "anybody had expected beforehand, the organisers came to the decision to move all of the concerts into the town hall."

-- The folder for temporary files is the same for all runs of a chain.
local path = "$tmp/demo-loop/text.txt"

function M.first_text(inputs)
  local first = inputs and inputs[1]
  if is_table(first) then return aip.file.load(first.path).content end
  return first or sample
end

function M.save_text(text)
  aip.file.save(path, aip.text.trim(text))
end

function M.load_text()
  return aip.file.load(path).content
end

function M.count_words(text)
  local _, count = text:gsub("%S+", "")
  return count
end

return M
