import { describe, expect, test } from 'vitest';
import { renderDiagnostic } from '../../language/findings/diagnostic.ts';
import { parseTeamFile } from './team-file.ts';
import { closedSections } from './team-schema.ts';

const hash = 'a'.repeat(64);
const whole = `version: 1
team: { name: Acme, version: "1.0.0", contact: it@acme.example }
packs:
  repositories: [https://packs.acme.example]
  allowed:
    - { pack: acme@tools, version: 1.2.0, sha256: ${hash} }
  include: [packs/tools]
models:
  providers:
    acme: { kind: openai-compatible, baseUrl: https://llm.acme.example/v1, keyVariable: ACME_KEY, keyHelp: Ask IT }
  default: acme::small
  others: denied
trust:
  workspaces: [~/flows, /srv/flows]
  others: denied
policies:
  effects: { command: deny, web: ask, write: allow }
updates: { channel: stable, feed: https://updates.acme.example }
examples: examples
`;

const shown = (text: string): string[] => parseTeamFile(text).diagnostics.map((one) => renderDiagnostic('t', one));

test('reads all settings of a complete file without diagnostics', () => {
  const { rules, closed, diagnostics } = parseTeamFile(whole);
  expect({ closed, diagnostics }).toEqual({ closed: [], diagnostics: [] });
  expect(rules).toMatchObject({
    team: { name: 'Acme', version: '1.0.0' },
    packs: { allowed: [{ pack: 'acme@tools', version: '1.2.0', sha256: hash }] },
    models: { default: 'acme::small', others: 'denied' },
    policies: { effects: { command: 'deny', web: 'ask', write: 'allow' } },
    examples: 'examples',
  });
});

test('leaves unspecified settings to the user', () => {
  expect(parseTeamFile('version: 1\nteam: { name: Acme }\n')).toEqual({
    rules: { team: { name: 'Acme' } },
    closed: [],
    diagnostics: [],
  });
});

describe('an unknown key', () => {
  test.each([
    [
      'at the top level',
      'modles: {}\n',
      't:3:1 warning team.unknown-key modles is unknown and has no effect. Did you mean "models"?',
    ],
    [
      'in a section',
      'packs: { alowed: [] }\n',
      't:3:10 warning team.unknown-key packs.alowed is unknown and has no effect. Did you mean "allowed"?',
    ],
    [
      'in a list',
      `packs:\n  allowed:\n    - { pack: a@b, sha256: ${hash}, vresion: 1.0.0 }\n`,
      `t:5:${'    - { pack: a@b, sha256: , '.length + 65} warning team.unknown-key packs.allowed.0.vresion is unknown and has no effect. Did you mean "version"?`,
    ],
    [
      'of effects',
      'policies: { effects: { comand: deny } }\n',
      't:3:24 warning team.unknown-key policies.effects.comand is unknown and has no effect. Did you mean "command"?',
    ],
  ])('%s is a warning, and the rest of its section applies', (_, text, warning) => {
    const file = `version: 1\nteam: { name: Acme }\n${text}`;
    expect(shown(file)).toEqual([warning]);
    expect(parseTeamFile(file)).toMatchObject({ closed: [], rules: { team: { name: 'Acme' } } });
  });
});

describe('an error', () => {
  test.each([
    [
      'a hash that is too short',
      'packs:\n  allowed:\n    - { pack: acme@tools, sha256: abc }\n',
      'packs',
      't:5:35 error team.bad-value packs.allowed.0.sha256 must be 64 hexadecimal digits.',
    ],
    [
      'a pack without a hash',
      'packs: { allowed: [{ pack: acme@tools }] }\n',
      'packs',
      expect.stringMatching(/^t:3:\d+ error team\.missing-key packs\.allowed\.0\.sha256 /),
    ],
    [
      'a path outside the folder',
      'packs: { include: [../x] }\n',
      'packs',
      expect.stringContaining('packs.include.0 must be a path below'),
    ],
    [
      'a key instead of a variable',
      'models: { providers: { a: { keyVariable: sk-123 } } }\n',
      'models',
      expect.stringContaining('not a key'),
    ],
    [
      'an address with a password',
      'models: { providers: { a: { baseUrl: "https://me:pw@x.example/v1" } } }\n',
      'models',
      expect.stringContaining('password'),
    ],
    [
      'a relative folder',
      'trust: { workspaces: [flows] }\n',
      'trust',
      expect.stringContaining('trust.workspaces.0 must be an absolute path'),
    ],
    [
      'an unknown decision',
      'policies: { effects: { web: maybe } }\n',
      'policies',
      expect.stringContaining('policies.effects.web'),
    ],
    ['a list instead of a map', 'trust: []\n', 'trust', expect.stringMatching(/team\.wrong-type trust /)],
    ['null instead of a map', 'trust:\n', 'trust', expect.stringMatching(/^t:3:\d+ error team\.wrong-type trust /)],
  ] as const)('%s closes its section and no other', (_, text, section, problem) => {
    const file =
      `version: 1\nteam: { name: Acme }\nupdates: { channel: beta }\n`.replace('updates: { channel: beta }\n', '') +
      text;
    const { rules, closed } = parseTeamFile(`${file}updates: { channel: beta }\n`);
    expect(shown(file)).toEqual([problem]);
    expect(closed).toEqual([section]);
    expect(rules).toMatchObject({ [section]: closedSections[section], updates: { channel: 'beta' } });
  });

  test.each([
    ['invalid YAML', 'version: 1\nteam: [\n', 'yaml.syntax'],
    ['an empty file', '', 'yaml.empty'],
    ['a list', '- 1\n', 'team.not-a-map'],
    ['a newer format', `${whole.replace('version: 1', 'version: 2')}`, 'team.newer-version'],
    ['a missing format', whole.replace('version: 1\n', ''), 'team.missing-key'],
    ['a duplicate key', `${whole}examples: other\n`, 'yaml.duplicate-key'],
    ['bytes that are not text', '\0\0\0', 'file.not-text'],
    ['two documents', `${whole}---\nversion: 1\n`, 'yaml.syntax'],
  ])('%s closes everything and has a position', (_, text, code) => {
    const { rules, closed, diagnostics } = parseTeamFile(text);
    expect(diagnostics[0]).toMatchObject({ code, severity: 'error', range: { line: expect.any(Number) } });
    expect(rules).toMatchObject(closedSections);
    expect([...closed].sort()).toEqual(Object.keys(closedSections).sort());
  });

  test("reads the team's name from a newer format", () => {
    expect(parseTeamFile(whole.replace('version: 1', 'version: 2')).rules.team.name).toBe('Acme');
  });

  test('applies the rest of a file without a name', () => {
    const { rules, closed, diagnostics } = parseTeamFile('version: 1\ntrust: { others: denied }\n');
    expect({ closed, codes: diagnostics.map(({ code }) => code) }).toEqual({ closed: [], codes: ['team.missing-key'] });
    expect(rules).toMatchObject({ trust: { others: 'denied' }, team: { name: expect.any(String) } });
  });
});
