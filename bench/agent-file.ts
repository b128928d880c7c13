/**
 * Measures parsing agent files of three sizes: options, scripts, prompts and warnings. The baseline is splitting the
 * same text into lines, which every parser has to do. The time per character shows whether the cost grows with the
 * size.
 */
import { parseAgent } from '../engine/isomorphic.ts';
import { median, report } from './statistics.ts';

const sizes = [
  { sections: 13, rounds: 200 },
  { sections: 130, rounds: 40 },
  { sections: 1300, rounds: 15 },
];
const warmUpRounds = 5;

const script = ['local text = aip.file.load(input.path).content', 'local words = {}', 'return { text = text }'];
const prose = 'Keep the markdown as it is, and change nothing but {{data.what}}.';

/** Returns an agent file with about 800 characters per section. */
function agentFile(sections: number): string {
  const lines = [
    '# Options',
    '```toml',
    'model = "small"',
    'temperature = 0.5',
    '[model_aliases]',
    'small = "m"',
    '```',
  ];
  for (let section = 0; section < sections; section++) {
    lines.push('# Data', '```lua', ...script, ...script, ...script, '```');
    lines.push('# User `cache = true`', ...Array.from({ length: 6 }, () => prose), '```md', '# Not a heading', '```');
    lines.push('# Description', prose);
  }
  return `${lines.join('\n')}\n`;
}

function timeOf(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

function measure(text: string, sections: number): { readonly parse: number; readonly split: number } {
  const parse = timeOf(() => {
    const { doc } = parseAgent(text);
    if (doc?.prompts.length !== sections) throw new Error('The file was not parsed completely');
  });
  const split = timeOf(() => {
    if (text.split('\n').length < sections) throw new Error('The text was not split');
  });
  return { parse, split };
}

for (const { sections, rounds } of sizes) {
  const text = agentFile(sections);
  const times = Array.from({ length: warmUpRounds + rounds }, () => measure(text, sections)).slice(warmUpRounds);
  const ours = median(times.map(({ parse }) => parse));
  const nanoseconds = (ours * 1e6) / text.length;
  console.log(`agent file of ${text.length} characters: ${nanoseconds.toFixed(1)} ns per character`);
  const yardstick = { name: 'splitting into lines', value: median(times.map(({ split }) => split)) };
  report({ what: `parse, median of ${rounds}`, ours, yardstick, unit: 'ms' });
}
