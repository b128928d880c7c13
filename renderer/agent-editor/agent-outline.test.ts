import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, parseAgent, scanAgent } from '../../engine/isomorphic.ts';
import { addStage, agentOutline, modelOfText } from './agent-outline.ts';
import { stages } from './language/stages.ts';

const agent = `# Description
For people.

# Options
\`\`\`toml
model = "fast"
temperature = 0.2
input_concurrency = 4
\`\`\`

# Data
\`\`\`lua
local note = 1

return { note = note }
\`\`\`

# System
Be brief.

# User
{{#each data.note}}{{this}}{{else}}none{{/each}}

# User
Again
`;

const shown = (text: string): string[] =>
  agentOutline(text).map(
    ({ stage, line, summary }) => `${line ?? '+'} ${stage.title}${summary === '' ? '' : `: ${summary}`}`,
  );

describe('the outline of an agent', () => {
  test('lists sections in the order of the stages, with their content, and missing ones', () => {
    expect(shown(agent)).toEqual([
      '4 Options: fast, 0.2, 4 at a time',
      '+ Before All',
      '11 Data: Lua, 2 lines',
      '18 System: 3 tokens',
      '21 Instruction: 2 bindings',
      '24 Instruction: 2 tokens',
      '+ Assistant',
      '+ Output',
      '+ After All',
    ]);
    expect(modelOfText(agent)).toBe('fast');
  });

  test('reports the problems of each section', () => {
    const text = '# Data\n```lua\nreturn 1\n```\n\n# Output\nno fence\n';
    const entries = agentOutline(text, parseAgent(text).diagnostics);
    const problems = entries.flatMap(({ stage, problems: own }) => own.map(({ code }) => `${stage.title}: ${code}`));
    expect(problems).toEqual(['Output: agent.missing-fence']);
    expect(shown(text)).toContain('6 Output: not read');
  });

  test('shows invalid options by their number of lines', () => {
    expect(shown('# Options\n```toml\nmodel = \n```\n')[0]).toBe('1 Options: TOML, 1 line');
  });
});

describe('adding a stage', () => {
  const added = (text: string, kind: Parameters<typeof addStage>[1]): string =>
    applyEdits(text, [addStage(text, kind).edit]);

  test('inserts it before the first section of a later stage', () => {
    const text = '# System\nA\n\n# Output\n```lua\n```\n';
    expect(added(text, 'data')).toBe(`# Data\n\n\`\`\`lua\nreturn { input = input }\n\`\`\`\n\n${text}`);
    expect(added(text, 'afterAll')).toBe(`${text}\n# After All\n\n\`\`\`lua\nreturn outputs\n\`\`\`\n`);
    expect(addStage(text, 'data').line).toBe(1);
    expect(addStage(text, 'afterAll').line).toBe(8);
  });

  test('keeps line ends and adds no blank line to an empty file', () => {
    expect(added('# System\r\nA', 'output')).toBe(
      '# System\r\nA\r\n\r\n# Output\r\n\r\n```lua\r\nreturn ai_response.content\r\n```\r\n',
    );
    expect(added('', 'system')).toBe('# System\n\n');
  });

  test('the added stage is found at its line, whatever the file contains', () => {
    const kinds = stages.map(({ kind }) => kind);
    const text = fc.string({
      unit: fc.constantFrom('# Data\n', '# User\n', '\n', 'x', '```\n', '\r\n'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, fc.constantFrom(...kinds), (before, kind) => {
        // A fence that is never closed would contain the added text.
        fc.pre(scanAgent(before).openFence === null);
        const { edit, line } = addStage(before, kind);
        const found = scanAgent(applyEdits(before, [edit])).sections.filter((section) => section.line === line);
        expect(found.map((section) => section.kind)).toEqual([kind]);
      }),
    );
  });
});
